"""Elementary cellular automata: state (t, c) is cell c in row t, from the three cells above it; beyond the ends there are zeros."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from separatrix.checker.fields import require_fields, within
from separatrix.checker.oracles.forms.programs import MOST_STATES, ProgramOracle, Row
from separatrix.checker.seal import Refused


class Oracle(ProgramOracle):
    """The answer is the last cell of the last row."""

    name = "cellular-automaton"

    def __init__(self, parameters: Any) -> None:
        self.parameters = require_fields(parameters, "parameters", length=int, symbols=int, rows=int, rule=int)
        N, self.rows = within(parameters["length"], 1, MOST_STATES, "length"), within(parameters["rows"], 1, MOST_STATES, "rows")
        self.rule = within(parameters["rule"], 0, 255, "rule")
        if parameters["symbols"] != 2:
            raise Refused(f"symbols: expected 2, found {parameters['symbols']}")
        largest = 1 if self.rule else 0  # rule 0 forgets everything
        super().__init__(N, 2, 2, N * self.rows, largest)
        self.title = f"cellular automaton, rule {self.rule}, {N} cells, {self.rows} rows"

    def table(self, entries: Sequence[int]) -> Iterator[Row]:
        row = list(entries)
        for t in range(1, self.rows + 1):
            padded = [0, *row, 0]
            row = [self.rule >> (4 * padded[c - 1] + 2 * padded[c] + padded[c + 1]) & 1 for c in range(1, len(row) + 1)]
            for c, value in enumerate(row, start=1):
                yield (t, c), value
