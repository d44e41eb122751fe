"""Trees: the nine cells of two sizes stand in the answer, and one without a run is called untested."""

from __future__ import annotations

from typing import Any

from separatrix.studies.trees_learned import CHAIN, OURS, SETTINGS, answer


def ran(series: str, length: int, accuracy: float) -> dict[str, Any]:
    return {"series": series, "length": length, "accuracy": accuracy, "status": "run"}


CHAINS = [ran(f"{ours}{SETTINGS[CHAIN]}", 16, share) for ours, share in zip(OURS.values(), (99.0, 70.0, 98.0), strict=True)]


def test_all_cells_are_named() -> None:
    sentence = answer([*CHAINS, ran("mamba-2-64", 8, 61.5)]).sentence
    assert "with a chain 99, 70 and 98 at N = 16 and untested at 8" in sentence
    assert "at once untested at N = 16 and untested, 61.5 and untested at 8" in sentence
    assert "by searches untested" in sentence


def test_it_holds_if_the_chain_helps_the_transformer_alone_and_the_hybrid_needs_none() -> None:
    hybrid = ran("hybrid-mamba-1-64+1", 8, 99.0)
    assert answer([*CHAINS, hybrid]).verdict == "held"
    assert answer([*CHAINS, {**hybrid, "accuracy": 82.0}]).verdict == "untested"
    assert answer([*CHAINS, {**hybrid, "series": "hybrid-mamba-1-64+1, stars in order"}]).verdict == "held"
    assert answer([*CHAINS[:1], hybrid]).verdict == "untested"
    assert answer([CHAINS[0], {**CHAINS[1], "accuracy": 99.0}, hybrid]).verdict == "untested"
