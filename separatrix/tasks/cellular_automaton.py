"""Elementary cellular automata: every cell from itself and its two neighbours, row after row.

    0 1 1 0 |  ->  1        rule 30, two rows: 1 1 0 1, then 1 0 0 1

State (t, c) is cell c in row t; beyond the ends there are zeros. Every state reads the row before it, so the program is local:
what a token needs lies at most n + 1 tokens before it, however many rows there are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from separatrix.errors import BadInput
from separatrix.tasks.programs.dynamic_program import DynamicProgram
from separatrix.tasks.programs.expression import Expression, table
from separatrix.tasks.programs.places import Cell, Entry, cell, entry
from separatrix.tasks.task import sized


@dataclass(frozen=True)
class CellularAutomaton(DynamicProgram):
    """N cells, `rows` rows after the first; the answer is the last cell of the last row."""

    symbols: int = 2
    rows: int = 2
    rule: int = 30  # rule 110 never changes the last cell, beyond which there are zeros

    name = "cellular-automaton"
    title = "Cellular automaton"
    about = "graphs and machines"
    cites = "yang2024 Definition 5.3"
    length_means = "cells"
    drawn_at = sized(length=4)
    enumerated_at = sized(length=3)
    counted_at = sized(length=6, rows=6)
    audited_at = sized(length=8, rows=8)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.symbols != 2 or self.rows < 1 or not 0 <= self.rule <= 255:
            found = f"symbols={self.symbols}, rows={self.rows}, rule={self.rule}"
            raise BadInput(f"cellular-automaton: expected 2 symbols, at least 1 row and a rule in 0..255, found {found}")

    def states(self) -> Iterable[tuple[int, int]]:
        return ((t, c) for t in range(1, self.rows + 1) for c in range(1, self.length + 1))

    def needs(self, t: int, c: int) -> Mapping[str, Cell | Entry]:  # type: ignore[override]
        def above(place: int) -> Cell | Entry:
            return cell(t - 1, place) if t > 1 else entry(place)

        return {"left": above(c - 1), "here": above(c), "right": above(c + 1)}

    def transition(self, left: Expression, here: Expression, right: Expression) -> Expression:  # type: ignore[override]
        return table(4 * left + 2 * here + right, {pattern: self.rule >> pattern & 1 for pattern in range(8)})

    def second(self, tokens: Sequence[int]) -> int:
        """All cells of a row at once, as the bits of an integer, cell 1 the most significant."""
        N = self.length
        row = int("".join(map(str, tokens[:-1])), 2)
        for _ in range(self.rows):
            row = sum((self.rule >> (row << 1 >> shift & 7) & 1) << shift for shift in range(N))
        return row & 1
