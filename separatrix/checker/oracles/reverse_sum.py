"""Reversed prefix sums: state i has the sum of the last i numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Any

from separatrix.checker.fields import require_fields, within
from separatrix.checker.oracles.forms.programs import MOST_STATES, ProgramOracle, Row


class Oracle(ProgramOracle):
    """Every input has its own sums."""

    name = "reverse-sum"

    def __init__(self, parameters: Any) -> None:
        self.parameters = require_fields(parameters, "parameters", length=int, symbols=int)
        N, S = within(parameters["length"], 1, MOST_STATES, "length"), parameters["symbols"]
        super().__init__(N, S, 1, N, N * (S - 1))
        self.title = f"sums of the last 1..{N} of {N} numbers below {S}"

    def table(self, entries: Sequence[int]) -> Iterator[Row]:
        return (((i,), total) for i, total in enumerate(accumulate(reversed(entries)), start=1))
