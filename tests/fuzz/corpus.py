"""The honest certificates that forgeries start from: small, so that a judgement takes milliseconds, and of every kind."""

from __future__ import annotations

import copy
from functools import cache
from typing import Any

from separatrix.certificates.verify import verify
from separatrix.checker import check_document
from separatrix.constructions import build
from tests.checker.kinds import programs, witnesses
from tests.fuzz.repair import repaired

Document = dict[str, Any]

BUILDS: dict[str, tuple[str, dict[str, Any]]] = {
    "lookup": ("index-lookup", {"length": 2, "symbols": 2}),
    "lookup of three": ("index-lookup", {"length": 3, "symbols": 2, "arithmetic": "float32"}),
    "lookup, quadratic": ("index-lookup", {"length": 2, "symbols": 2, "address": "quadratic"}),
    "lookup, fixed point": ("index-lookup", {"length": 2, "symbols": 2, "arithmetic": "fixed:20,10"}),
    "equality": ("equality", {"length": 4}),
    "equality, fixed point": ("equality", {"length": 2, "arithmetic": "fixed:14,6"}),
    "equality in one layer": ("equality/one-layer", {"length": 4}),
    "registers": ("index-lookup/recurrent", {"length": 2, "symbols": 2}),
    "registers of equality": ("equality/recurrent", {"length": 4}),
    "automaton": ("regular/recurrent", {"length": 3, "language": "(ab|b)*a?"}),
    "automaton of gates": ("regular/lstm", {"length": 2, "language": "(ab|b)*a?"}),
    "hard attention": ("ones/hard-attention", {"length": 3}),
    "every position": ("copy/recurrent", {"length": 2, "symbols": 2}),
    "hybrid": ("counting/hybrid", {"length": 2}),
    "chain": ("circuit/transformer", {"length": 2}),
    "chain with retrieval": ("index/retrieval", {"length": 2}),
    "chain of vectors": ("reverse-sum/standard", {"length": 2}),
}
OF_PROGRAMS = ("counterexample", "collision", "restriction", "pair", "predictor", "floor", "poison")
OF_FUNCTIONS = tuple(witnesses.WITNESSES)


@cache
def corpus() -> dict[str, Document]:
    """Every seed, by name; each holds."""
    seeds = {name: verify(build(construction, **chosen)).document for name, (construction, chosen) in BUILDS.items()}
    seeds["the author's cases"] = _few_cases(programs.honest("cases"))
    seeds |= {f"{name} of a model": programs.honest(name) for name in OF_PROGRAMS}
    seeds |= {name.replace("_", " "): copy.deepcopy(witnesses.fresh(name)) for name in OF_FUNCTIONS}
    return seeds


def _few_cases(document: Document) -> Document:
    """The author's cases cut down to a dozen; its decisions follow from what the checker says of it."""
    few = repaired({**document, "cases": document["cases"][:12], "margin": 0.0})
    verdict = check_document(few)
    assert verdict.holds, verdict.reason
    return few
