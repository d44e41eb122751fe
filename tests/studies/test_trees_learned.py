"""Trees: the nine cells of two sizes stand in the answer, and one without a run is called untested."""

from __future__ import annotations

from typing import Any

from separatrix.studies.trees_learned import CHAIN, OURS, SETTINGS, SHORT, UNLEARNED, answer


def ran(series: str, length: int, accuracy: float) -> dict[str, Any]:
    return {"series": series, "length": length, "accuracy": accuracy, "status": "run"}


CHAINS = [ran(f"{ours}{SETTINGS[CHAIN]}", 16, share) for ours, share in zip(OURS.values(), (99.0, 70.0, 98.0), strict=True)]


def test_all_cells_are_named() -> None:
    sentence = answer([*CHAINS, ran("mamba-2-64", 8, 61.5)]).sentence
    assert "with a chain 99, 70 and 98 at N = 16 and untested at 8" in sentence
    assert "at once untested at N = 16 and untested, 61.5 and untested at 8" in sentence
    assert "by searches untested" in sentence


SEARCHED = [ran(f"{ours}{SETTINGS[SHORT]}", 16, 99.0) for ours in OURS.values()]


def test_it_holds_if_the_chain_helps_the_transformer_alone_searches_help_both_and_the_hybrid_needs_none() -> None:
    hybrid, searched = ran("hybrid-mamba-1-64+1", 8, 99.0), [*CHAINS, *SEARCHED]
    assert answer([*searched, hybrid]).verdict == "held"
    assert answer([*searched, {**hybrid, "accuracy": 82.0}]).verdict == "untested"
    assert answer([*searched, {**hybrid, "series": "hybrid-mamba-1-64+1, stars in order"}]).verdict == "held"
    assert answer([*CHAINS, SEARCHED[0], {**SEARCHED[1], "series": "mamba-2-64, by searches"}, hybrid]).verdict == "held"
    assert answer([*CHAINS, {**SEARCHED[0], "series": f"tf-2-64{UNLEARNED}"}, SEARCHED[1], hybrid]).verdict == "held"
    assert answer([*SEARCHED, CHAINS[0], hybrid]).verdict == "untested"
    assert answer([*SEARCHED, CHAINS[0], {**CHAINS[1], "accuracy": 99.0}, hybrid]).verdict == "untested"
    for which in (0, 1):
        weaker = [{**row, "accuracy": 90.0} if row is SEARCHED[which] else row for row in searched]
        assert answer([*weaker, hybrid]).sentence.endswith("searches do not yet close the gap at N = 16.")
