"""What a cell of the map says first of the models that were trained."""

from __future__ import annotations

from typing import Any

import pytest

from separatrix.architectures import Architecture
from separatrix.atlas.reading.cells import cells


class Records:
    """Records of one task on one architecture, with these results of training."""

    certificates = ()

    def __init__(self, *results: tuple[str, int, float]) -> None:
        self.results = results
        self.records = self

    def content(self, kind: str, _key: str) -> Any:
        if kind == "known":
            return {"parameters": {"length": 64}, "rows": []}
        named = {"task": "index-lookup", "architecture": Architecture.RECURRENT}
        return [{**named, "model": model, "length": length, "accuracy": accuracy} for model, length, accuracy in self.results]


@pytest.mark.parametrize(
    ("results", "said"),
    [
        ((("a", 10, 1.0), ("b", 20, 0.96), ("c", 100, 0.04)), "learned to 96 % (b, N = 20)"),  # the longest at which it was learned
        ((("a", 20, 0.96), ("b", 20, 0.9996)), "learned to 99.9 % (b, N = 20)"),
        ((("a", 100, 0.04), ("b", 20, 0.5), ("c", 50, 0.3)), "trained to 50 % (b, N = 20)"),  # nowhere learned: the best
    ],
)
def test_a_cell_names_the_longest_input_that_was_learned_or_else_the_best_result(results: Any, said: str) -> None:
    material: Any = Records(*results)
    assert said in [line.text for line in cells(material)["index-lookup"][Architecture.RECURRENT].lines]


def test_a_cell_without_results_says_nothing_of_training() -> None:
    material: Any = Records()
    assert [line.status for line in cells(material)["index-lookup"][Architecture.RECURRENT].lines] == ["open"]
