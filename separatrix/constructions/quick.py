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
    *(("equality/one-layer", {"length": N}) for N in (10, 200)),  # at 10 all inputs
)
