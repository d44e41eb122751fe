"""The longest increasing subsequence, with bounded dependence: one state for every pair of places.

[yang2024 Task 2]

    2 0 1 3 |  ->  3        (0 1 3)

State (j, k) is the length of the longest increasing subsequence that ends at place j and has its element before j among the first k:
dp(j, 0) = 1, dp(j, k) = max(dp(j, k - 1), dp(k, k - 1) + 1 where s_k < s_j). A last row j = n + 1, larger than everything, takes
the maximum over all places: the answer is dp(n + 1, n) - 1.
With `compact` the chain is that of the public data, one value for each number (programs/compact_lis.py), of unbounded dependence.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from separatrix.errors import BadInput
from separatrix.tasks.capabilities import Revealed
from separatrix.tasks.programs.compact_lis import CompactLis, compact_lis_bits
from separatrix.tasks.programs.dynamic_program import DynamicProgram, Form, checked_line
from separatrix.tasks.programs.expression import Expression, maximum, where
from separatrix.tasks.programs.places import Cell, Entry, cell, entry
from separatrix.tasks.programs.unrolled import Unrolled
from separatrix.tasks.task import sized


@dataclass(frozen=True)
class Lis(DynamicProgram):
    """N numbers below `symbols`; strictly increasing."""

    symbols: int = 16
    compact: bool = False

    name = "lis"
    title = "Longest increasing subsequence"
    cites = "yang2024 Task 2"
    length_means = "numbers"
    drawn_at = sized(length=4, symbols=4)
    bounded_up_to = 1 << 13  # partitions of a set
    audited_at = sized(length=5)
    sampled_at = (sized(length=7, compact=True),)

    @property
    def form(self) -> Form:
        return CompactLis(self.length) if self.compact else super().form

    @property
    def chain_length(self) -> int:
        return CompactLis(self.length).length if self.compact else super().chain_length

    @property
    def unrolled(self) -> Unrolled:
        if self.compact:
            raise BadInput("lis: every value of the compact chain needs all values before it; expected a program of bounded dependence")
        return super().unrolled

    def revealed_by_chain(self) -> Revealed:
        """Chains skip no value and have at most |S|; all of these occur (compact_lis_bits)."""
        every = self.symbols >= self.length
        formula = "log2 of the Bell number of n" if every else "log2 of the partitions of n into at most |S| parts"
        return Revealed(compact_lis_bits(self.length, self.symbols), formula)

    def states(self) -> Iterable[tuple[int, int]]:
        return ((j, k) for j in range(1, self.length + 2) for k in range(j))

    def needs(self, j: int, k: int) -> Mapping[str, Cell | Entry]:  # type: ignore[override]
        return {"shorter": cell(j, k - 1), "ending": cell(k, k - 1), "here": entry(j), "there": entry(k)}

    def transition(  # type: ignore[override]
        self, j: Expression, k: Expression, shorter: Expression, ending: Expression, here: Expression, there: Expression
    ) -> Expression:
        rises = (there < here) | (j > self.length)
        return where(k == 0, 1, maximum(shorter, where(rises, ending + 1, 1)))

    def read_out(self, value: Expression) -> Expression:
        return value - 1

    def second(self, tokens: Sequence[int]) -> int:
        """Patience sorting: the least last element of an increasing subsequence of each length."""
        piles: list[int] = []
        for x in tokens[:-1]:
            place = bisect_left(piles, x)
            piles[place : place + 1] = [x]
        return len(piles)

    def benchmark_line(self, tokens: Sequence[int]) -> str:
        """`x_1 .. x_n <sep> d_1 .. d_n <sep> max d`, in 2 n + 3 words; inputs lie above n, so that they differ from lengths."""
        n, values = self.length, self.values(tokens)
        ending = values if self.compact else [values[j * (j - 1) // 2 + j - 1] for j in range(1, n + 1)]  # state (j, j - 1)
        return " ".join(map(str, [*(x + n + 1 for x in tokens[:-1]), "<sep>", *ending, "<sep>", max(ending)]))

    def read_benchmark(self, line: str) -> tuple[int, ...]:
        return checked_line(self, line, [int(word) - self.length - 1 for word in line.split("<sep>", maxsplit=1)[0].split()])
