"""Which positions should Alice hold? The partition of the input over which a task is hardest.

[bhattamishra2024 Appendix B.1]

One hard partition bounds a one-layer Transformer; a recurrent model is bounded by the contiguous ones, which are its profile.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from math import comb
from random import Random
from typing import Any, Literal

from separatrix.bounds.communication.matrix import matrix_of_table
from separatrix.bounds.states.answers import Answer, alphabets_of, tabulate
from separatrix.errors import BadInput

Score = Literal["rank", "distinct-rows"]

EXHAUSTED = 1024  # up to this many partitions all are tried
STARTS = 6  # starts of a local search: the contiguous cut, the odd/even split, and random ones


@dataclass(frozen=True)
class HardestPartition:
    """Alice's positions, the score over them, and whether every partition was tried."""

    alice: tuple[int, ...]
    score: int
    by: Score
    exhaustive: bool
    examined: int


def hardest_partition(
    answer: Answer, alphabet: str | Iterable[Any], length: int, *, by: Score = "rank", size: int | None = None, seed: int = 0
) -> HardestPartition:
    """The partition with the largest rank (over the rationals) or the most distinct rows, exhaustively for few positions.

    `size` fixes how many positions Alice holds. Beyond 1,024 partitions a local search moves or swaps positions from several starts;
    its score is real but need not be the largest.
    """
    table = tabulate(answer, alphabets_of(alphabet, length))
    N = len(table.sizes)
    if by not in ("rank", "distinct-rows"):
        raise BadInput(f"by must be rank or distinct-rows, found {by!r:.80}")
    if N < 2 or (size is not None and not 0 < size < N):
        raise BadInput(f"alice and bob must each hold a position of {N}, found size {size}")
    scores: dict[tuple[int, ...], int] = {}

    def score(alice: tuple[int, ...]) -> int:
        if alice not in scores:
            matrix = matrix_of_table(table, alice)
            scores[alice] = matrix.rank() if by == "rank" else matrix.distinct_rows()
        return scores[alice]

    few = (comb(N, size) if size is not None else 2**N - 2) <= EXHAUSTED
    candidates = _all(N, size) if few else (_climbed(start, N, size, score) for start in _starts(N, size, seed))
    best = max(candidates, key=lambda alice: (score(alice), -len(alice)))
    return HardestPartition(best, score(best), by, few, len(scores))


def _all(N: int, size: int | None) -> Iterator[tuple[int, ...]]:
    for k in range(1, N) if size is None else (size,):
        yield from combinations(range(N), k)


def _starts(N: int, size: int | None, seed: int) -> Iterator[tuple[int, ...]]:
    k = N // 2 if size is None else size
    yield tuple(range(k))
    yield tuple(sorted([*range(0, N, 2), *range(1, N, 2)][:k]))
    random = Random(seed)
    for _ in range(STARTS - 2):
        yield tuple(sorted(random.sample(range(N), k)))


def _climbed(alice: tuple[int, ...], N: int, size: int | None, score: Callable[[tuple[int, ...]], int]) -> tuple[int, ...]:
    """Move to the best neighbour as long as it improves."""
    while True:
        best = max(_neighbours(alice, N, size), key=score)
        if score(best) <= score(alice):
            return alice
        alice = best


def _neighbours(alice: tuple[int, ...], N: int, size: int | None) -> Iterator[tuple[int, ...]]:
    own = set(alice)
    others = [i for i in range(N) if i not in own]
    for i in alice:
        for j in others:
            yield tuple(sorted(own - {i} | {j}))
    if size is None:
        for i in range(N):
            flipped = own ^ {i}
            if 0 < len(flipped) < N:
                yield tuple(sorted(flipped))
