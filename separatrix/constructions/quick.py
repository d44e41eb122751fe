"""What `verify --all` verifies: every construction at sizes that take seconds."""

from __future__ import annotations

from typing import Any

QUICK: tuple[tuple[str, dict[str, Any]], ...] = (
    ("index-lookup", {"length": 4, "symbols": 3}),  # all inputs
    *(("index-lookup", {"length": N, "address": a}) for a in ("binary", "quadratic") for N in (16, 100, 128, 10**3, 10**4, 10**5, 10**6)),
    ("index-lookup", {"length": 1000, "arithmetic": "float32"}),
    *(("equality", {"length": 12, "address": a}) for a in ("binary", "quadratic", "code")),  # all inputs
    *(("equality", {"length": N, "address": a}) for a in ("binary", "quadratic") for N in (64, 128)),
    ("equality", {"length": 64, "arithmetic": "fixed:14,6"}),
    ("equality", {"length": 64, "symbols": 64, "residual": True, "arithmetic": "float32"}),
    ("equality/partition", {"length": 64, "instance": 1}),
    ("eq-random", {"length": 40}),  # every even length from 4 on
    ("eq-one", {"length": 40}),
    ("eq-ncp", {"length": 40}),
    *(("equality/one-layer", {"length": N}) for N in (10, 200)),  # at 10 all inputs
    ("intersects", {"length": 12}),  # all inputs
    ("intersects", {"length": 40, "address": "quadratic"}),
    ("sparse-threshold", {"length": 10}),  # all inputs
    ("sparse-threshold", {"length": 15, "arithmetic": "fixed:12,4"}),
    ("k-dnf", {"length": 32, "address": "quadratic"}),
    ("k-cnf", {"length": 32, "residual": True}),
    ("nearest-neighbor", {"length": 16, "dimension": 6, "address": "quadratic"}),
    ("nearest-neighbor", {"length": 20, "dimension": 10, "gamma": 0.01}),
    ("nearest-neighbor", {"length": 8, "dimension": 8, "gamma": 0.05, "arithmetic": "fixed:18,4"}),
    ("nearest-neighbor/label-address", {"length": 8, "dimension": 6}),
    ("associative-recall", {"length": 32}),
    *(("mqar", {"length": N, "address": "quadratic"}) for N in (8, 16, 32)),
    ("mqar", {"length": 16, "labels": 64, "residual": True, "arithmetic": "float32"}),
    ("index-lookup/recurrent", {"length": 7, "symbols": 2}),  # all inputs
    *(("dyck/one-layer", {"length": N}) for N in (6, 40)),
    ("associative-recall/recurrent", {"length": 3, "symbols": 3}),
    ("index-lookup/recurrent", {"length": 40, "symbols": 4}),
    *((f"{task}/recurrent", {"length": N}) for task in ("equality", "intersects") for N in (10, 100)),
)
