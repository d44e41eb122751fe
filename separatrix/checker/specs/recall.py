"""Recall: pairs of distinct keys with labels, x_1 y_1 x_2 y_2 .., then keys that query their labels.

Key s is the token s, label y is |keys| + y.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain, permutations, product

from separatrix.checker.fields import within
from separatrix.checker.specs.counts import countable, state_bits
from separatrix.checker.specs.forms.match import Match
from separatrix.checker.specs.parameters import Field, Integer
from separatrix.checker.specs.spec import Choices, Spec, Task

COUNTED = 40  # pairs of inputs that are counted


def recall(words: str, several: bool, length: int, symbols: int | None, labels: int) -> Spec:
    """N pairs and one query; with `several`, N/2 pairs and then all keys in another order, each but the last with its label."""
    P, Q = (length // 2, length // 2) if several else (length, 1)
    keys = 2 * P if symbols is None else within(symbols, P, 1 << 24, "symbols")
    size = 2 * (P + Q) - 1

    def truth(tokens: Sequence[int]) -> int | tuple[int, ...] | None:
        label = {tokens[i]: tokens[i + 1] - keys for i in range(0, 2 * P, 2)}
        due = tokens[2 * P :: 2]
        if len(label) < P or not {*due} <= {*label} or len({*due}) < Q:
            return None
        answers = tuple(label[key] for key in due)
        if [token - keys for token in tokens[2 * P + 1 :: 2]] != [*answers[:-1]]:
            return None
        return answers if Q > 1 else answers[0]

    def listed() -> Iterator[tuple[int, ...]]:
        for hand in permutations(range(keys), P):
            for marks in product(range(keys, keys + labels), repeat=P):
                pairs = [*zip(hand, marks, strict=True)]
                for queries in permutations(pairs, Q):
                    yield tuple(chain.from_iterable((*pairs, *queries)))[:-1]

    def sample(choices: Choices, lone: bool = False) -> list[int]:
        """`lone`: one pair, whose number cycles, has another label than all the rest, and is asked for first."""
        hand, marks, order = choices.taken(P, keys), choices.many(P, labels).tolist(), choices.taken(Q, P)
        if lone:
            place = choices.number % P
            marks = [marks[place] if i == place else (marks[place] + 1) % labels for i in range(P)]
            order = [place, *(i for i in order if i != place)][:Q]
        stream = [token for i in (*range(P), *order) for token in (hand[i], keys + marks[i])]
        return stream[:-1]

    return Spec(
        title=f"{words}, N = {length}, {keys} keys, {labels} labels",
        alphabets=((range(keys), range(keys, keys + labels)) * (P + Q))[:-1],
        vocabulary=keys + labels,
        targets=labels,
        truth=truth,
        input_count=countable(math.perm(keys, P) * labels**P * math.perm(P, Q)) if P <= COUNTED else None,
        listed=listed,
        # keys are distinct, and so are those that ask: of the pairs before one, a single one has its key
        form=lambda: Match(keys, labels, range(size, size + 1, 2), None if Q == 1 else 2 * P, 1, 0, None),
        decoder="positions" if Q > 1 else "position",
        scored=lambda _: range(2 * P, size, 2),
        # before the last label any key may be pending; after it all labels must be known, whichever is queried first
        state_bits=max(state_bits(labels, P - 1, P), state_bits(labels, P)),
        drawing=1 << 12,
        sample=sample,
        families={"lone-label": partial(sample, lone=True)},
    )


def latest(length: int, symbols: int | None, labels: int) -> Spec:
    """N pairs whose keys may repeat, then a key that occurred: the label that stood behind it last."""
    keys = -(-length // 2) if symbols is None else symbols
    size = 2 * length + 1

    def truth(tokens: Sequence[int]) -> int | None:
        for i in range(2 * length - 2, -1, -2):
            if tokens[i] == tokens[-1]:
                return tokens[i + 1] - keys
        return None

    def sample(choices: Choices, stale: bool = False) -> list[int]:
        """`stale`: the key that is asked for has one label up to a place that cycles, another there, and does not come again."""
        hand, marks, asked = choices.many(length, keys).tolist(), choices.many(length, labels).tolist(), choices.below(length)
        if stale:
            asked = choices.number % length
            hand = [hand[0] if i <= asked else (hand[0] + 1) % keys for i in range(length)]
            marks = [(marks[0] + (i == asked)) % labels for i in range(length)]
        return [*chain.from_iterable(zip(hand, (keys + mark for mark in marks), strict=True)), hand[asked]]

    count = keys * ((keys * labels) ** length - ((keys - 1) * labels) ** length) if length <= COUNTED else None
    return Spec(
        title=f"latest recall, N = {length}, {keys} keys, {labels} labels",
        alphabets=((range(keys), range(keys, keys + labels)) * (length + 1))[:size],
        vocabulary=keys + labels,
        targets=labels,
        truth=truth,
        input_count=None if count is None else countable(count),
        # any labels of d different keys; before the last label any of them may be pending, whose own label is about to go
        state_bits=max(state_bits(labels, min(length, keys)), state_bits(labels, min(length, keys) - 1, min(length, keys))),
        drawing=1 << 12,
        sample=sample,
        families={"stale-label": partial(sample, stale=True)},
    )


PAIRS: dict[str, Field] = {"length": Integer(1, 10**5), "symbols": Integer(1, 1 << 24, optional=True), "labels": Integer(2, 1 << 24)}
TASKS = {
    "associative-recall": Task(PAIRS, partial(recall, "associative recall", False)),
    "latest-recall": Task(PAIRS, latest),
    "mqar": Task({**PAIRS, "length": Integer(2, 10**5, even=True)}, partial(recall, "multi-query recall", True)),
}
