"""Margins of certificates: exact in exact formats, rounded down in floats."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from separatrix.checker.construction import rounded_down, run_cases
from separatrix.checker.numbers import numbers


class Spoken:
    """A model that says given logits, and a task that wants given targets."""

    def __init__(self, arithmetic: str, logits: np.ndarray, targets: list[int]) -> None:
        self.numbers, self.said, self.targets = numbers(arithmetic), logits, targets

    def logits(self, tokens: np.ndarray, positions: list[int]) -> np.ndarray:
        del tokens
        return self.said[positions]

    def cases(self, kind: str, seed: int, count: int) -> Iterator[tuple[np.ndarray, dict[int, int]]]:
        del kind, seed, count
        yield np.zeros(1, dtype=np.int64), dict(enumerate(self.targets))


def margin(arithmetic: str, logits: Any, targets: list[int]) -> Any:
    spoken: Any = Spoken(arithmetic, logits, targets)
    return run_cases(spoken, spoken, [{"kind": "random", "seed": 0, "count": 1}])["margin"]


@pytest.mark.parametrize("dtype", [np.int64, object])
def test_the_margin_is_the_least_difference_in_units_of_the_format(dtype: type) -> None:
    logits = np.array([[40, 3, 7], [-5, -9, -6]], dtype=dtype)
    found = margin("fixed:12,4", logits, [0, 0])  # 33/16 and 1/16
    assert found == 1 / 16
    assert type(found) is float
    assert margin("fixed:12,4", logits, [0, 2]) == -1 / 16  # a wrong answer has a negative margin


def test_a_margin_beyond_64_bits_is_exact() -> None:
    logits = np.array([[2**100 + 2**50, 2**100]], dtype=object)
    assert margin("fixed:200,40", logits, [0]) == 2.0**10
    assert margin("nearest:131", logits, [1]) == -(2.0**-15)


def test_the_margin_of_a_single_target_is_its_logit() -> None:
    assert margin("fixed:12,4", np.array([[24], [40]]), [0, 0]) == 1.5


def test_a_float_margin_is_rounded_down_to_a_unit_that_two_implementations_share() -> None:
    found = margin("float64", np.array([[1.0, 0.25], [2.0, 0.0]]), [0, 0])
    assert found == rounded_down(0.75) == 0.75 - 2**-10  # 0.75 itself could be an ulp too much
    assert type(found) is float
