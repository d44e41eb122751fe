"""Trees: the nine cells of two sizes stand in the answer, and one without a run is called untested."""

from __future__ import annotations

from typing import Any

from separatrix.studies.trees_learned import AT_ONCE, CHAIN, MESSAGE, OURS, SETTINGS, SHORT, STARS, UNLEARNED, answer, nine


def ran(series: str, length: int, accuracy: float) -> dict[str, Any]:
    return {"series": series, "length": length, "accuracy": accuracy, "status": "run"}


CHAINS = [ran(f"{ours}{SETTINGS[CHAIN]}", 16, share) for ours, share in zip(OURS.values(), (99.0, 70.0, 98.0), strict=True)]


def test_all_cells_are_named() -> None:
    sentence = answer([*CHAINS, ran("mamba-2-64", 8, 61.5)]).sentence
    assert "with a chain 99, 70 and 98 at N = 16 and untested at 8" in sentence
    assert "at once untested at N = 16 and untested, 61.5 and untested at 8" in sentence
    assert "by searches untested" in sentence
    assert sentence.startswith("Transformer, Mamba and hybrid have")


def test_a_hybrid_without_learned_positions_counts_and_is_named_once_it_was_run() -> None:
    named = AT_ONCE[MESSAGE]
    assert "no learned" not in answer(CHAINS).sentence
    found = answer([*CHAINS, *SEARCHED, ran(f"hybrid-mamba-1-64+1{named}", 16, 99.5)])
    assert f"at once{named} untested, untested and 99.5 at N = 16 and untested at 8" in found.sentence
    assert found.verdict == "held"


def test_the_first_clause_is_what_mamba_gains() -> None:
    rows = [*CHAINS, ran("mamba-2-64", 16, 48.0), ran(f"mamba-2-64{SETTINGS[SHORT]}", 16, 98.5)]
    assert answer(rows).finding == "At N = 16 Mamba reaches 48 % at once, 70 % with a chain of thought and 98.5 % by searching (one seed)"


SEARCHED = [ran(f"{ours}{SETTINGS[SHORT]}", 16, 99.0) for ours in OURS.values()]


def test_it_holds_if_the_chain_helps_the_transformer_alone_searches_help_mamba_and_the_hybrid_needs_none() -> None:
    hybrid, searched = ran("hybrid-mamba-1-64+1", 16, 99.0), [*CHAINS, *SEARCHED]
    assert answer([*searched, hybrid]).verdict == "held"
    assert answer([*searched, {**hybrid, "accuracy": 82.0}]).verdict == "untested"
    assert answer([*searched, {**hybrid, "length": 8}]).verdict == "untested"  # where Mamba alone may be right too
    assert answer([*searched, {**hybrid, "series": "hybrid-mamba-1-64+1, stars in order"}]).verdict == "held"
    assert answer([*CHAINS, SEARCHED[0], {**SEARCHED[1], "series": "mamba-2-64, by searches"}, hybrid]).verdict == "held"
    assert answer([*SEARCHED, CHAINS[0], hybrid]).verdict == "untested"
    assert answer([*SEARCHED, CHAINS[0], {**CHAINS[1], "accuracy": 99.0}, hybrid]).verdict == "untested"
    weaker = [{**row, "accuracy": 90.0} if row is SEARCHED[1] else row for row in searched]
    assert answer([*weaker, hybrid]).sentence.endswith("searches do not yet close the gap at N = 16.")


def test_nine_cells_have_the_best_of_the_ways_to_search_and_none_of_the_graphs_in_order() -> None:
    mamba = OURS["mamba"]
    searched = [ran(f"{mamba}{SETTINGS[SHORT]}", 16, 40.0), ran(f"{mamba}{UNLEARNED}", 16, 90.0)]
    others = [ran(f"{mamba}{SETTINGS[STARS]}", 8, 60.0), ran(f"{mamba}, stars in order", 16, 99.0)]
    cells = {(row["model"], row["way"]): row["accuracy"] for row in nine([*CHAINS, *searched, *others], 16)}
    assert len(cells) == 9
    assert cells["Mamba", "by searches"] == 90.0
    assert cells["Transformer", "with a chain"] == 99.0
    assert cells["Mamba", "at once"] is None
