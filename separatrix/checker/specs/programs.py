"""Dynamic programs: entries, a separator, then a vector for each state in order, one with the answer, and the zero vector.

A vector is (entry, kind, coordinates of the state, value, answer); kind is 0 for an entry, 1 for the separator, 2 for a state, 3 for the
answer.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from itertools import accumulate
from typing import Any

from separatrix.checker.fields import within
from separatrix.checker.numbers import arrays
from separatrix.checker.specs.counts import strings
from separatrix.checker.specs.parameters import Field, Integer, Value, Word
from separatrix.checker.specs.spec import Spec, Task, Tokens

MOST_STATES = 1 << 16
SYMBOLS = Integer(2, 4096)
BORDERS = {"true": 2, "feng": 1}
Row = tuple[tuple[int, ...], int]  # a state and its value
Table = Callable[[Sequence[int]], Iterable[Row]]  # the states in order, each with its value


def program(
    title: str, entries: int, symbols: int, coordinates: int, states: int, largest: int, table: Table,
    result: Callable[[int], int] = int, node: int = 0,
) -> Spec:  # fmt: skip
    """The frame of every program: so many states of so many coordinates; the answer follows from the value of the last one."""
    n, S, width = entries, symbols, 4 + coordinates
    within(states, 1, MOST_STATES, "number of states")

    def as_read(tokens: Tokens) -> Tokens:
        prompt = arrays.zeros((n + 1, width))
        prompt[:-1, 0], prompt[-1, 1] = tokens[:-1], 1
        return prompt

    rows_of = lru_cache(maxsize=1)(lambda entries: [*table(entries)])  # for an answer and for the chain of the same input

    def chain(tokens: Sequence[int]) -> tuple[Any, ...]:
        rows = rows_of(tuple(tokens[:n]))
        blank = (0,) * (width - 3)
        return (*((0, 2, *state, value, 0) for state, value in rows), (0, 3, *blank, result(rows[-1][1])), (0,) * width)

    def truth(tokens: Sequence[int]) -> int:
        return result(rows_of(tuple(tokens[:n]))[-1][1])

    return Spec(
        title=title,
        alphabets=(range(S),) * n + (range(S, S + 1),),
        vocabulary=S + 1,
        targets=largest + 1,
        truth=truth,
        input_count=strings(S, n),
        decoder="rounding",
        chain=chain,
        written=states + 1,  # the zero vector is never read
        vectors=width,
        as_read=as_read,
        drawing=(1 << 11) + node,  # a state is computed for every token
    )


def reverse_sum(length: int, symbols: int) -> Spec:
    """State i has the sum of the last i numbers."""
    N, S = length, symbols

    def table(entries: Sequence[int]) -> Iterator[Row]:
        return (((i,), total) for i, total in enumerate(accumulate(reversed(entries)), start=1))

    return program(f"sums of the last 1..{N} of {N} numbers below {S}", N, S, 1, N, N * (S - 1), table)


def lis(length: int, symbols: int, compact: bool) -> Spec:
    """The longest increasing subsequence, with bounded dependence.

    State (j, k), 0 <= k < j <= N + 1, has the length of the longest increasing subsequence of the places 1 .. k and j that ends at j;
    place N + 1 is larger than all others. The compact chain has one value for each place, a separator, and their maximum.
    """
    N, S = length, symbols
    title = f"longest increasing subsequence, N = {N}, numbers below {S}{', one value for each' * compact}"

    def ranks(entries: Sequence[int]) -> Iterator[int]:
        """The pile of each number in patience sorting: the longest increasing subsequence that ends with it."""
        tops: list[int] = []
        for x in entries:
            pile = bisect_left(tops, x)
            tops[pile : pile + 1] = [x]
            yield pile + 1

    def table(entries: Sequence[int]) -> Iterator[Row]:
        heights, ending = [*entries, S], list[int]()  # the longest that ends at each place
        for j, height in enumerate(heights, start=1):
            best = 1
            yield (j, 0), best
            for k in range(1, j):
                if heights[k - 1] < height:
                    best = max(best, ending[k - 1] + 1)
                yield (j, k), best
            ending.append(best)

    def chain(tokens: Sequence[int]) -> tuple[Any, ...]:
        each = [*ranks(tokens[:N])]
        return (*((0, 2, rank, 0) for rank in each), (0, 1, 0, 0), (0, 3, 0, max(each)), (0, 0, 0, 0))

    if not compact:
        return program(title, N, S, 2, (N + 1) * (N + 2) // 2, N, table, lambda last: last - 1)
    one_each = program(title, N, S, 0, N, N, lambda entries: (((), rank) for rank in ranks(entries)))
    return replace(one_each, truth=lambda tokens: max(ranks(tokens[:N])), chain=chain, written=one_each.written + 1)


def edit_distance(length: int, symbols: int, second: int, border: str, local: bool = False) -> Spec:
    """A letter inserted or deleted costs 2, replaced 3; on the border `true` 2 and `feng` 1. Both words stand in the input.

    State (i, j) has the distance of the first i letters of the first word and the first j of the second. Locally, row i has a copy of
    what is left of the first word, (i, 0, k), and of the second, (i, 1, k), and the distances (i, 2, j); i = 1 .. N.
    """
    a, b, edge = length, second or length, BORDERS[border]
    title = f"edit distance of words of {a} and {b} letters out of {symbols}, border {border}{', row by row' * local}"

    def distances(one: Sequence[int], other: Sequence[int]) -> Iterator[Row]:
        above: list[int] = []
        for i in range(len(one) + 1):
            row: list[int] = []
            for j in range(len(other) + 1):
                if i and j:
                    row.append(min(2 + min(row[-1], above[j]), above[j - 1] + 3 * (one[i - 1] != other[j - 1])))
                else:
                    row.append(edge * (i + j))
                yield (i, j), row[-1]
            above = row

    def by_rows(entries: Sequence[int]) -> Iterator[Row]:
        one, other = entries[:a], entries[a:]
        distance = dict(distances(one, other))
        for i in range(1, a + 1):
            yield from (((i, 0, k), one[k - 1]) for k in range(i, a + 1))
            yield from (((i, 1, k), letter) for k, letter in enumerate(other, start=1))
            yield from (((i, 2, j), distance[i, j]) for j in range(b + 1))

    *_, (_, largest) = distances([0] * a, [1] * b)  # no letter in common: no pair of words is farther apart
    if local:
        return program(title, a + b, symbols, 3, a * (a + 1) // 2 + a * (2 * b + 1), largest, by_rows)
    return program(title, a + b, symbols, 2, (a + 1) * (b + 1), largest, lambda entries: distances(entries[:a], entries[a:]))


def cellular_automaton(length: int, symbols: int, rows: int, rule: int) -> Spec:
    """State (t, c) is cell c in row t, from the three cells above it; beyond the ends there are zeros."""

    def table(entries: Sequence[int]) -> Iterator[Row]:
        row = list(entries)
        for t in range(1, rows + 1):
            padded = [0, *row, 0]
            row = [rule >> (4 * padded[c - 1] + 2 * padded[c] + padded[c + 1]) & 1 for c in range(1, len(row) + 1)]
            yield from (((t, c), value) for c, value in enumerate(row, start=1))

    title = f"cellular automaton, rule {rule}, {length} cells, {rows} rows"
    return program(title, length, symbols, 2, length * rows, 1 if rule else 0, table)  # rule 0 forgets everything


STATES = Integer(1, MOST_STATES)
EDIT: dict[str, Field] = {"length": Integer(1, 250), "symbols": SYMBOLS, "second": Integer(0, 250), "border": Word(tuple(BORDERS))}
TASKS = {
    "reverse-sum": Task({"length": STATES, "symbols": SYMBOLS}, reverse_sum),
    "lis": Task({"length": Integer(1, 300), "symbols": SYMBOLS, "compact": Value((bool,))}, lis),
    "edit-distance": Task(EDIT, edit_distance),
    "edit-distance-local": Task(EDIT, partial(edit_distance, local=True)),
    "cellular-automaton": Task({"length": STATES, "symbols": Integer(2, 2), "rows": STATES, "rule": Integer(0, 255)}, cellular_automaton),
}
