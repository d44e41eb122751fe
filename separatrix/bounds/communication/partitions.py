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

from separatrix.bounds.communication.matrix import CommunicationMatrix, matrix_of_table
from separatrix.bounds.states.answers import Answer, AnswerTable, alphabets_of, tabulate
from separatrix.errors import BadInput

Score = Literal["rank", "distinct-rows", "fooling-set"]

SCORES: dict[Score, Callable[[CommunicationMatrix], int]] = {
    "rank": lambda matrix: matrix.rank(),
    "distinct-rows": lambda matrix: matrix.distinct_rows(),
    "fooling-set": lambda matrix: matrix.greedy_fooling_size(),
}
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
    """The partition with the largest rank (over the rationals), the most distinct rows or the largest fooling set.

    All are tried for few positions. `size` fixes how many positions Alice holds. Beyond 1,024 partitions a local search moves or swaps
    positions from several starts; its score is real but need not be the largest.
    """
    return hardest_in_table(tabulate(answer, alphabets_of(alphabet, length)), by=by, size=size, seed=seed)


def hardest_in_table(table: AnswerTable, *, by: Score = "rank", size: int | None = None, seed: int = 0) -> HardestPartition:
    """The hardest partition of a function that is given as a table of answers."""
    N = len(table.sizes)
    if by not in SCORES:
        raise BadInput(f"by must be {', '.join(SCORES)}, found {by!r:.80}")
    if N < 2:
        raise BadInput(f"alice and bob must each hold a position, found {N} in all")
    if size is not None and not 0 < size < N:
        raise BadInput(f"alice and bob must each hold a position of {N}, found size {size}")
    scores: dict[tuple[int, ...], int] = {}

    def score(alice: tuple[int, ...]) -> int:
        if alice not in scores:
            bob = tuple(i for i in range(N) if i not in alice)
            same = scores.get(bob) if by != "distinct-rows" else None  # what is shown of a matrix is shown of its transpose
            scores[alice] = SCORES[by](matrix_of_table(table, alice)) if same is None else same
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
