"""Two parties, one matrix: what Alice and Bob must exchange to know an answer that neither can see alone.

[bhattamishra2024 Appendix B.1]

Alice holds some positions of the string, Bob the others. Rows are her strings, columns his, entries the answers. A recurrent model is a
one-way protocol over a contiguous cut, a one-layer Transformer a two-way protocol over any partition, so the facts below bound both.

    >>> matrix = communication_matrix(lambda x: x[:2] == x[2:], alphabet="01", length=4, alice=[0, 1])
    >>> matrix.rank(), matrix.rank(field=2), len(matrix.fooling_set().pairs)
    (4, 4, 4)
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from separatrix.bits import ceil_log2
from separatrix.bounds.communication.covers import Cover, rectangle_cover
from separatrix.bounds.communication.fooling_sets import EFFORT, FoolingCells, clashes, largest_fooling_cells
from separatrix.bounds.states.answers import Alphabets, Answer, AnswerTable, alphabets_of, string_at, tabulate
from separatrix.errors import BadInput

LARGE_PRIME = 2**61 - 1

Pair = tuple[tuple[Any, ...], tuple[Any, ...]]  # (Alice's symbols, Bob's symbols), each in the order of the positions


@dataclass(frozen=True)
class FoolingSet:
    """Inputs with one answer such that for any two of them at least one crossed input has another answer: a witness anyone can check.

    [bhattamishra2024 Definition 1; bhattamishra2024 Fact 4]
    """

    pairs: tuple[Pair, ...]
    value: Hashable
    upper: int  # no fooling set of this matrix is larger

    @property
    def optimal(self) -> bool:
        """Whether the search proved this to be a largest one. A certificate says so only with a cover that proves it."""
        return len(self.pairs) == self.upper

    @property
    def bits(self) -> int:
        """Bits that any deterministic protocol exchanges: each pair needs its own rectangle, and so does the answer of a crossed one."""
        size = len(self.pairs)
        return ceil_log2(size + (size > 1))


@dataclass(frozen=True)
class CommunicationFacts:
    """What a matrix proves about deterministic protocols, in bits; in a two-way protocol both know the answer at the end."""

    one_way: int  # Alice sends, Bob answers: exact
    one_way_back: int  # Bob sends, Alice answers: exact
    rectangles: int  # the least number of rectangles of one answer in any partition
    two_way_lower: int  # ceil(log2 rectangles)
    two_way_upper: int  # the better one-way protocol, and the answer back


@dataclass(frozen=True, eq=False)
class CommunicationMatrix:
    """Answers over a partition: `entries[i, j]` for Alice's i-th and Bob's j-th string, both in row-major order.

    Entries are the answers themselves if all are whole numbers or Booleans, else their indices in `values`.
    Cells outside the promise are 0 and not `known`.
    """

    alphabets: Alphabets
    alice: tuple[int, ...]
    entries: NDArray[np.int64]
    known: NDArray[np.bool_]
    values: tuple[Hashable, ...]

    @property
    def bob(self) -> tuple[int, ...]:
        """The positions that Alice does not hold."""
        return tuple(i for i in range(len(self.alphabets)) if i not in self.alice)

    @property
    def total(self) -> bool:
        """Whether every string is inside the promise."""
        return bool(self.known.all())

    def pair(self, row: int, column: int) -> Pair:
        """The symbols that Alice and Bob hold in one cell of the matrix."""
        return (
            string_at(row, tuple(self.alphabets[i] for i in self.alice)),
            string_at(column, tuple(self.alphabets[i] for i in self.bob)),
        )

    def cell(self, pair: Pair) -> tuple[int, int]:
        """The row and column of Alice's and Bob's symbols."""
        return _place(pair[0], self.alice, self.alphabets), _place(pair[1], self.bob, self.alphabets)

    def rank(self, field: int | None = None) -> int:
        """The exact rank over the rationals, or over the integers modulo a prime."""
        return exact_rank(self._reduced("rank"), field)

    def distinct_rows(self) -> int:
        """Strings of Alice that Bob must be able to tell apart."""
        self._need_total("distinct rows")
        return len(np.unique(self.entries, axis=0))

    def distinct_columns(self) -> int:
        """Strings of Bob that Alice must be able to tell apart."""
        self._need_total("distinct columns")
        return len(np.unique(self.entries, axis=1).T)

    def fooling_set(self, value: Hashable = None, effort: float = EFFORT) -> FoolingSet:
        """A largest fooling set for one answer, or over all answers; `effort` is in deterministic units of the solver.

        [bhattamishra2024 Definition 1]
        """
        if value is not None and value not in self.values:
            raise BadInput(f"value must be one of the answers {self.values!r:.80}, found {value!r:.80}")
        if effort <= 0:
            raise BadInput(f"effort must be positive, found {effort!r}")
        candidates = sorted(self.values, key=lambda v: int(self._marked(v).sum())) if value is None else [value]
        best, best_value, upper = FoolingCells((), 0), candidates[0], 0
        for candidate in candidates:  # rare answers first: they have the large sets
            largest = largest_fooling_cells(self._marked(candidate), self.known, effort, len(best.cells))
            upper = max(upper, largest.upper)
            if len(largest.cells) > len(best.cells):
                best, best_value = largest, candidate
        return FoolingSet(tuple(self.pair(*cell) for cell in best.cells), best_value, upper)

    def greedy_fooling_size(self) -> int:
        """The size of a fooling set that is found without a search."""
        return max(len(largest_fooling_cells(self._marked(value), self.known, more_than=self.entries.size).cells) for value in self.values)

    def cover(self, fooling: FoolingSet, effort: float = EFFORT) -> Cover | None:
        """Rectangles that exclude a larger fooling set with this answer; None if none were found.

        [bhattamishra2024 Definition 1]
        """
        return rectangle_cover(self._marked(fooling.value), self.known, len(fooling.pairs), effort)

    def is_fooling_set(self, pairs: Sequence[Pair], value: Hashable) -> bool:
        """Whether the pairs are a fooling set for this answer: every crossed input is looked up.

        [bhattamishra2024 Definition 1]
        """
        if not pairs or value not in self.values:
            return False
        rows, columns = np.array([self.cell(pair) for pair in pairs]).T
        marked = self._marked(value)
        if not marked[rows, columns].all():
            return False
        clash = clashes(marked | ~self.known, rows, columns)
        return int(clash.sum()) == len(pairs)  # each cell with itself only

    def facts(self, fooling_sets: Sequence[FoolingSet] = ()) -> CommunicationFacts:
        """One-way and two-way bits; rectangles are counted answer by answer, by rank and by the fooling sets passed in.

        [bhattamishra2024 Fact 4]

        A protocol of c bits cuts the matrix into at most 2^c rectangles of one answer. Those of one answer number at least the rank of
        its 0/1 matrix, and at least the size of a fooling set for it.
        """
        one_way, back = ceil_log2(self.distinct_rows()), ceil_log2(self.distinct_columns())
        fooling = {one.value: len(one.pairs) for one in fooling_sets if self.is_fooling_set(one.pairs, one.value)}
        rectangles = 0
        for value in self.values:
            marked = _without_repeats(self._marked(value).astype(np.int64))
            rectangles += max(exact_rank(marked, None), fooling.get(value, 0))
        return CommunicationFacts(one_way, back, rectangles, ceil_log2(rectangles), min(one_way, back) + ceil_log2(len(self.values)))

    def _marked(self, value: Hashable) -> NDArray[np.bool_]:
        return np.asarray((self.entries == _entry(value, self.values)) & self.known)

    def _reduced(self, what: str) -> NDArray[np.int64]:
        self._need_total(what)
        return _without_repeats(self.entries)

    def _need_total(self, what: str) -> None:
        if not self.total:
            raise BadInput(f"{what} needs an answer in every cell, found {int((~self.known).sum()):,} cells outside the promise")


def communication_matrix(answer: Answer, alphabet: str | Iterable[Any], length: int, alice: Iterable[int]) -> CommunicationMatrix:
    """The matrix of any function of a tuple of `length` symbols when Alice holds the positions `alice`, counted from 0.

    [bhattamishra2024 Appendix B.1]
    """
    alphabets = alphabets_of(alphabet, length)
    positions = positions_of(alice, len(alphabets))
    return matrix_of_table(tabulate(answer, alphabets), positions)


def matrix_of_table(table: AnswerTable, alice: tuple[int, ...]) -> CommunicationMatrix:
    """The communication matrix of a function that is given as a table of answers."""
    bob = tuple(i for i in range(len(table.sizes)) if i not in alice)
    order = table.codes.reshape(table.sizes).transpose(alice + bob)
    codes = order.reshape(int(np.prod([table.sizes[i] for i in alice])), -1)
    known = codes >= 0
    entry_of = np.array([_entry(value, table.values) for value in table.values], dtype=np.int64)
    entries = np.where(known, entry_of[codes], 0)  # code -1 reads the last entry, which is then discarded
    return CommunicationMatrix(table.alphabets, alice, entries, known, table.values)


def positions_of(alice: Iterable[int], tokens: int) -> tuple[int, ...]:
    """Alice's positions in order, if they are some but not all of 0..tokens-1."""
    positions = list(alice)
    for position in positions:
        if isinstance(position, bool) or not isinstance(position, int | np.integer) or not 0 <= position < tokens:
            raise BadInput(f"alice must hold positions in 0..{tokens - 1}, found {position!r:.80}")
    if len(set(positions)) != len(positions):
        raise BadInput(f"alice must hold each position once, found {positions!r:.80}")
    if not 0 < len(positions) < tokens:
        raise BadInput(f"alice and bob must each hold a position of {tokens}, found {len(positions)} for alice")
    return tuple(sorted(int(position) for position in positions))


def _place(symbols: tuple[Any, ...], part: tuple[int, ...], alphabets: Alphabets) -> int:
    if len(symbols) != len(part):
        raise BadInput(f"expected {len(part)} symbols for positions {part!r:.80}, found {len(symbols)}")
    place = 0
    for position, symbol in zip(part, symbols, strict=True):
        if symbol not in alphabets[position]:
            raise BadInput(f"position {position} must hold one of {alphabets[position]!r:.80}, found {symbol!r:.80}")
        place = place * len(alphabets[position]) + alphabets[position].index(symbol)
    return place


def _is_whole(values: tuple[Hashable, ...]) -> bool:
    return all(isinstance(value, int | np.integer | np.bool_) and abs(int(value)) < 2**62 for value in values)


def _entry(value: Hashable, values: tuple[Hashable, ...]) -> int:
    return int(value) if _is_whole(values) else values.index(value)  # type: ignore[call-overload]


def _without_repeats(entries: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.unique(np.unique(entries, axis=0), axis=1)


def exact_rank(matrix: NDArray[np.int64], field: int | None) -> int:
    """Rank over the integers modulo the prime `field`, or over the rationals if it is None."""
    flint = _flint()
    rows, columns = matrix.shape
    entries = matrix.ravel().tolist()
    if field is not None:
        if isinstance(field, bool) or not isinstance(field, int) or not 2 <= field < 2**63 or not flint.fmpz(field).is_prime():
            raise BadInput(f"field must be a prime below 2^63, or None for the rationals, found {field!r:.80}")
        return int(flint.nmod_mat(rows, columns, entries, field).rank())
    # A minor that is not 0 modulo a prime is not 0: the rank modulo a prime never exceeds the rational one, and is faster to compute.
    below = int(flint.nmod_mat(rows, columns, entries, LARGE_PRIME).rank())
    return below if below == min(rows, columns) else int(flint.fmpz_mat(rows, columns, entries).rank())


def _flint() -> Any:
    try:
        return import_module("flint")
    except ImportError:
        raise BadInput("an exact rank needs python-flint, which is not installed: pip install 'separatrix[bounds]'") from None
