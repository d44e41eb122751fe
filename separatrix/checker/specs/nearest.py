"""Nearest neighbour: N - 1 labelled vectors and one more; the label of the one whose inner product with it leads by gamma.

Key s is (+-w_1, .., +-w_d) / sqrt(R), a minus at i where bit i - 1 of s is set. The cost of a set of signs is the sum of w_i^2; the inner
product of two keys is 1 - 2 c / R, c the cost of the signs in which they differ.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import chain, product

from separatrix.checker.numbers import arrays
from separatrix.checker.seal import Refused
from separatrix.checker.specs.counts import COUNTED, bits, countable
from separatrix.checker.specs.forms.match import Match
from separatrix.checker.specs.parameters import Field, Integer, Value, Word, span
from separatrix.checker.specs.spec import Choices, Spec, Task, Tokens

LISTED = 1 << 12  # keys whose neighbours are counted one by one
PACKED = 1 << 22  # keys searched for vectors that are far from one another


def nearest_neighbor(length: int, dimension: int, gamma: float, distribution: str) -> Spec:
    """In training there are N/2 + 1 to N vectors, including the query."""
    N, keys, fewest = length, 1 << dimension, length // 2 + 1 if distribution == "training" else length
    squares: list[int] = []
    for _ in range(dimension):
        squares.append(math.isqrt(1 + sum(squares)) ** 2)
    R, cost = sum(squares), arrays.zeros(1)
    steps = _steps(gamma, R)
    for square in squares:  # by the highest sign, from the costs of the others
        cost = arrays.concatenate([cost, cost + square])
    order = arrays.argsort(cost, kind="stable")
    ranked = cost[order]

    def cheaper(price: int) -> int:
        """The number of sets of signs that cost less."""
        return int(arrays.searchsorted(ranked, price))

    def covers(tokens: Sequence[int]) -> bool:
        k = (len(tokens) + 1) // 2
        if len(tokens) % 2 == 0 or not fewest <= k <= N:
            return False
        return all(0 <= key < keys for key in tokens[::2]) and all(0 <= label - keys < 2 for label in tokens[1::2])

    def truth(tokens: Sequence[int]) -> int | None:
        costs = cost[arrays.array(tokens[:-1:2]) ^ tokens[-1]]
        nearest = int(costs.argmin())
        leads = int((costs < costs[nearest] + steps).sum()) == 1
        return int(tokens[2 * nearest + 1]) - keys if leads else None

    def counted() -> int | None:
        """A query, the place of its nearest, that at any cost, the others at least the margin behind, and all labels."""
        if N * (bits(keys) + 1) > COUNTED or keys > LISTED:
            return None
        behind = [keys - cheaper(int(price) + steps) for price in ranked]
        return countable(sum(keys * (k - 1) * 2 ** (k - 1) * sum(b ** (k - 2) for b in behind) for k in range(fewest, N + 1)))

    def listed() -> Iterator[tuple[int, ...]]:
        """Around each query, the nearest and then the others: of all strings few may be promised."""
        for k in range(fewest, N + 1):
            for query, place, nearest in product(range(keys), range(k - 1), range(keys)):
                far = [*map(int, arrays.flatnonzero(cost >= cost[nearest] + steps) ^ query)]
                for others in product(far, repeat=k - 2):
                    row = (*others[:place], nearest ^ query, *others[place:])
                    for labels in product((keys, keys + 1), repeat=k - 1):
                        yield (*chain.from_iterable(zip(row, labels, strict=True)), query)

    def sample(choices: Choices, closest: str = "", tight: bool = False, lone: bool = False) -> Tokens:
        """The nearest may be the query or as far as the margin allows, the others exactly the margin behind, with the other label."""
        k = N if closest or tight else fewest + choices.below(N - fewest + 1)
        query, place, room = choices.below(keys), choices.below(k - 1), cheaper(R - steps + 1)
        first, after = {"far": (cheaper(R - steps), room), "query": (0, 1)}.get(closest, (0, room))
        nearest = int(order[first + choices.below(after - first)])
        behind = int(cost[nearest]) + steps
        first, after = cheaper(behind), cheaper(behind + 1) if tight else keys
        signs, labels = order[first + choices.many(k - 1, after - first)], choices.many(k - 1, 2)
        signs[place] = nearest
        if lone:
            labels = arrays.where(arrays.arange(k - 1) == place, labels[place], 1 - labels[place])
        tokens = arrays.empty(2 * k - 1)
        tokens[:-1:2], tokens[1::2], tokens[-1] = signs ^ query, keys + labels, query
        return tokens

    return Spec(
        title=f"nearest neighbour, N = {span(fewest, N)}, dimension {dimension}, margin {gamma}",
        alphabets=((range(keys), range(keys, keys + 2)) * N)[:-1],
        vocabulary=keys + 2,
        targets=2,
        truth=truth,
        input_count=counted(),
        covers=covers,
        several_lengths=fewest < N,
        listed=listed,
        form=lambda: Match(keys, 2, range(2 * fewest - 1, 2 * N, 2), None, steps, R, cost),
        state_bits=_packed(N, order[: cheaper(steps)], keys),
        answering=4000,
        sample=sample,
        families={
            "gamma-below": partial(sample, tight=True, lone=True),
            "far": partial(sample, closest="far", lone=True),
            "exact-match": partial(sample, closest="query", lone=True),
        },
    )


def _steps(gamma: float, R: int) -> int:
    """The margin in steps of 2/R; a decimal means its exact written value."""
    steps = math.ceil(Fraction(repr(gamma)) * R / 2) if 0 < gamma <= 2 else 0
    if not 1 <= steps <= R or Fraction(repr(gamma)) * R < 2:
        raise Refused(f"gamma: expected a margin between 2/R and 2 with R = {R}, found {gamma}")
    return steps


def _packed(N: int, ball: Tokens, keys: int) -> int:
    """Labels of vectors any two of which are the margin apart: each is its own nearest, so all of them must be known.

    They are packed one by one, each the first that is far from those before. If there are fewer than N - 1, the last one is
    repeated in the remaining places, and its label, which is then never queried, is not counted.
    """
    free, packed, key = arrays.ones(keys, dtype=bool), 0, 0
    while packed < N - 1 and (packed + 1) * len(ball) <= PACKED:
        packed += 1
        free[ball ^ key] = False
        key += int(free[key:].argmax())  # none before it is free
        if not free[key]:
            break
    return packed if packed == N - 1 else packed - 1


FIELDS: dict[str, Field] = {
    "length": Integer(2, 10**5),
    "dimension": Integer(1, 20),
    "gamma": Value((int, float)),
    "distribution": Word(("evaluation", "training")),
}
TASKS = {"nearest-neighbor": Task(FIELDS, nearest_neighbor)}
