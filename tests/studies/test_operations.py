"""Operations of three kinds of attention: the printed table, and all that a model computes."""

from __future__ import annotations

import re

from separatrix.papers import statement
from separatrix.studies.operations import CELLS, LENGTHS, PRINTED_GFLOPS, figure, run

ROWS = [row for cell in CELLS for row in run(cell)]


def test_the_printed_numbers_are_those_of_the_paper() -> None:
    for attention, numbers in PRINTED_GFLOPS.items():
        text = re.search(rf"{attention.capitalize()}: ([\d., ]+)\.\n?", statement("yang2024 Table 2").says)
        assert text is not None
        assert [float(number) for number in text[1].split(", ")] == list(numbers)


def test_weights_alone_come_within_three_per_cent_and_with_everything_the_ranking_stands() -> None:
    assert all(abs(row["difference_percent"]) <= 3 for row in ROWS)
    everything = {(row["attention"], row["L"]): row["all"] for row in ROWS}
    assert all(everything["standard", L] < everything["sparse", L] < everything["linear", L] for L in LENGTHS)
    assert everything["standard", 505] == 0.795  # by the formula: 3 (24 L D^2 + 4 D L (L + 1) / 2) + 42 L D at D = 128


def test_the_figure_draws_the_papers_numbers_beside_ours() -> None:
    for panel in figure(ROWS)["concat"]:
        values = panel["data"]["values"]
        assert sum("in the paper" in row["curve"] for row in values) == sum("in the paper" not in row["curve"] for row in values) == 12
        assert panel["layer"][-1]["mark"]["shape"] == "diamond"  # the paper's points
