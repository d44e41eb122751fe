"""Recall: pairs of distinct keys with labels, x_1 y_1 x_2 y_2 .., then keys that query their labels.

Key s is the token s, label y is |keys| + y. With `filler` so many tokens that mean nothing stand around the pairs, never inside one;
theirs is the last id. With `absent` a query may be a key that does not occur: its answer is the label behind the labels, which no pair has.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain, combinations, permutations, product

from separatrix.checker.fields import within
from separatrix.checker.seal import Refused
from separatrix.checker.specs.counts import countable, state_bits
from separatrix.checker.specs.forms.automaton import Automaton
from separatrix.checker.specs.forms.match import Match
from separatrix.checker.specs.parameters import Field, Integer, Value
from separatrix.checker.specs.spec import Choices, Spec, Task

COUNTED = 40  # pairs of inputs that are counted
FOLLOWED = 1 << 13  # states of an automaton that are followed


def recall(words: str, several: bool, length: int, symbols: int | None, labels: int, filler: int = 0, absent: bool = False) -> Spec:
    """N pairs and one query; with `several`, N/2 pairs and then all keys in another order, each but the last with its label."""
    P, Q = (length // 2, length // 2) if several else (length, 1)
    keys = 2 * P if symbols is None else within(symbols, P, 1 << 24, "symbols")
    C, size = 2 * P + filler, 2 * (P + Q) - 1 + filler  # tokens before the first query, and in all
    said = labels + absent
    if absent and keys == P:
        raise Refused("absent: expected more symbols than pairs")

    def pairs_of(tokens: Sequence[int]) -> dict[int, int] | None:
        """The label of each key; None where filler stands inside a pair, a key comes twice, or a pair has the label of absent keys."""
        label: dict[int, int] = {}
        at = 0
        while at < C:
            if filler and tokens[at] == keys + said:
                at += 1
                continue
            if at + 1 == C or tokens[at] >= keys or tokens[at] in label or not keys <= tokens[at + 1] < keys + labels:
                return None
            label[tokens[at]] = tokens[at + 1] - keys
            at += 2
        return label if len(label) == P else None

    def truth(tokens: Sequence[int]) -> int | tuple[int, ...] | None:
        label, due = pairs_of(tokens), tokens[C::2]
        if label is None or not (absent or {*due} <= {*label}) or len({*due}) < Q:
            return None
        answers = tuple(label.get(key, labels) for key in due)
        if [token - keys for token in tokens[C + 1 :: 2]] != [*answers[:-1]]:
            return None
        return answers if Q > 1 else answers[0]

    def listed() -> Iterator[tuple[int, ...]]:
        for hand in permutations(range(keys), P):
            for marks in product(range(keys, keys + labels), repeat=P):
                pairs = [*zip(hand, marks, strict=True)]
                others = [(key, keys + labels) for key in range(keys) if key not in hand] if absent else []
                for queries in permutations([*pairs, *others], Q):
                    for places in combinations(range(P + filler), P):
                        at = dict(zip(places, pairs, strict=True))
                        yield tuple(chain.from_iterable((*(at.get(i, (keys + said,)) for i in range(P + filler)), *queries)))[:-1]

    def sample(choices: Choices, lone: bool = False) -> list[int]:
        """`lone`: one pair, whose number cycles, has another label than all the rest, and is asked for first."""
        hand, marks, order = choices.taken(P, keys), choices.many(P, labels).tolist(), choices.taken(Q, P)
        if lone:
            place = choices.number % P
            marks = [marks[place] if i == place else (marks[place] + 1) % labels for i in range(P)]
            order = [place, *(i for i in order if i != place)][:Q]
        asked = [(hand[i], keys + marks[i]) for i in order]
        if absent and not lone:  # every second query, from one that is drawn on, is for another key
            others = [key for key in choices.taken(min(keys, P + Q), keys) if key not in hand]
            for place in range(choices.below(2), min(Q, 2 * len(others)), 2):
                asked[place] = (others[place // 2], keys + labels)
        places = choices.taken(P, P + filler) if filler else range(P)
        at = {place: (hand[i], keys + marks[i]) for i, place in enumerate(sorted(places))}
        context = (at.get(i, (keys + said,)) for i in range(P + filler))
        return [*chain.from_iterable((*context, *asked))][:-1]

    # keys are distinct, and so are those that ask: of the pairs before one, a single one has its key
    matched = Match(keys, labels, range(size, size + 1, 2), None if Q == 1 else 2 * P, 1, 0, None)
    alphabets = (
        *((range(keys + said + 1),) * C if filler else (range(keys), range(keys, keys + labels)) * P),
        *((range(keys), range(keys, keys + said)) * Q)[:-1],
    )
    states = (filler + 1) * sum(math.comb(keys, n) * labels**n * (1 + keys - n) for n in range(P + 1)) if P <= COUNTED else FOLLOWED + 1
    followed = None if Q > 1 or states > FOLLOWED else tables(alphabets, keys, labels, P, filler, absent)
    return Spec(
        title=f"{words}, N = {length}, {keys} keys, {labels} labels"
        + (f", {filler} tokens of filler" if filler else "")
        + (", absent keys among the queries" if absent else ""),
        alphabets=alphabets,
        vocabulary=keys + said + (filler > 0),
        targets=said,
        truth=truth,
        input_count=countable(math.perm(keys, P) * labels**P * math.perm(keys if absent else P, Q) * math.comb(P + filler, P))
        if P <= COUNTED
        else None,
        listed=listed,
        form=lambda: followed if filler or absent else matched,
        decoder="positions" if Q > 1 else "position",
        scored=lambda _: range(C, size, 2),
        # before the last label any key may be pending; after it all labels must be known, whichever is queried first
        state_bits=max(state_bits(labels, P - 1, P), state_bits(labels, P)),  # with absent keys more, which is not counted here
        drawing=1 << 12,
        sample=sample,
        families={"lone-label": partial(sample, lone=True)},
    )


def tables(alphabets: tuple[range, ...], keys: int, labels: int, pairs: int, filler: int, absent: bool, again: bool = False) -> Automaton:
    """Recall with one query, token by token: which keys have which label so far, and the key whose label is next, or that asks.

    Filler stands between pairs only, keys come once unless they may come `again`, and a key that asks had a label unless it may be absent.
    """
    State = tuple[tuple[int, ...], int, int, int]  # the label of each key, -1 without one; a key, or -1; pairs and filler so far
    said = labels + absent

    def step(state: State, token: int) -> State:
        table, key, met, rest = state
        if token < keys:
            return table, token, met, rest
        if token >= keys + said:
            return table, key, met, rest + 1
        if key < 0:
            return state  # a label behind no key, which is never read
        return (*table[:key], token - keys, *table[key + 1 :]), -1, met + 1, rest

    def reads(state: State, token: int) -> bool:
        table, key, met, rest = state
        if key >= 0:
            return met < pairs and keys <= token < keys + labels
        if token >= keys:
            return token == keys + said and rest < filler
        if met < pairs:
            return again or table[token] < 0
        return rest == filler and (absent or table[token] >= 0)

    def answer(state: State) -> int:
        label = state[0][state[1]]
        return labels if label < 0 else label

    return Automaton(alphabets, ((-1,) * keys, -1, 0, 0), step, answer, reads)


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
    alphabets = ((range(keys), range(keys, keys + labels)) * (length + 1))[:size]
    states = length * (keys + 1) * (labels + 1) ** keys if max(keys, labels) <= COUNTED else FOLLOWED + 1
    followed = None if states > FOLLOWED else tables(alphabets, keys, labels, length, 0, absent=False, again=True)
    return Spec(
        title=f"latest recall, N = {length}, {keys} keys, {labels} labels",
        alphabets=alphabets,
        vocabulary=keys + labels,
        targets=labels,
        truth=truth,
        form=lambda: followed,
        input_count=None if count is None else countable(count),
        # any labels of d different keys; before the last label any of them may be pending, whose own label is about to go
        state_bits=max(state_bits(labels, min(length, keys)), state_bits(labels, min(length, keys) - 1, min(length, keys))),
        drawing=1 << 12,
        sample=sample,
        families={"stale-label": partial(sample, stale=True)},
    )


PAIRS: dict[str, Field] = {"length": Integer(1, 10**5), "symbols": Integer(1, 1 << 24, optional=True), "labels": Integer(2, 1 << 24)}
AROUND: dict[str, Field] = {"filler": Integer(1, 10**6), "absent": Value((bool,))}
TASKS = {
    "associative-recall": Task(PAIRS, partial(recall, "associative recall", False), AROUND),
    "latest-recall": Task(PAIRS, latest),
    "mqar": Task({**PAIRS, "length": Integer(2, 10**5, even=True)}, partial(recall, "multi-query recall", True), AROUND),
}
