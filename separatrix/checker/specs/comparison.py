"""Comparisons of two halves of the input: whether they agree, whether they share an element, and repeating one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import product
from typing import Any

from separatrix.checker.numbers import arrays
from separatrix.checker.seal import Refused
from separatrix.checker.specs.counts import countable, state_bits, strings
from separatrix.checker.specs.forms.local import LARGEST, ByHalf, Count, Part, Parts, different, none
from separatrix.checker.specs.parameters import Field, Integer, Text, Word, span
from separatrix.checker.specs.spec import Answer, Choices, Spec, Task, Tokens
from separatrix.checker.specs.words import Words

NAMED = 8  # places of a half that a title lists


def equality(words: str, length: int, symbols: int, distribution: str | None = None) -> Spec:
    """Whether the second half of N symbols repeats the first; with a separator |S| between them, or without.

    The answer is due at the last symbol. In training there are at least 2 ceil(N/20) symbols.
    """
    N, S, separated = length, symbols, distribution is not None
    shortest = 2 * ((N + 19) // 20) if distribution == "training" else N
    between = (S,) * separated

    def truth(tokens: Sequence[int]) -> int:
        h = len(tokens) // 2
        return int(tokens[:h] == tokens[len(tokens) - h :])

    def listed() -> Iterator[tuple[int, ...]]:
        for k in range(shortest, N + 1, 2):
            yield from ((*word[: k // 2], *between, *word[k // 2 :]) for word in product(range(S), repeat=k))

    def pairs(n: int) -> Parts:
        half = (range(S),) * (n // 2)
        parts = tuple(Part((i, i + n - n // 2), apart) for i in range(n // 2))
        return Parts((*half, *(range(S, S + 1),) * separated, *half), parts)

    def half(choices: Choices) -> int:
        return shortest // 2 + choices.below((N - shortest) // 2 + 1)

    apart = different(S) if S <= LARGEST else arrays.zeros(0)
    return Spec(
        title=f"{words}, N = {span(shortest, N)}, {S} symbols",
        alphabets=pairs(N + separated).alphabets,
        vocabulary=S + separated,
        targets=2,
        truth=truth,
        input_count=strings(S, N) and countable(sum(S**k for k in range(shortest, N + 1, 2))),
        covers=_halves(shortest, N, S, separated),
        several_lengths=shortest < N,
        listed=listed,
        form=lambda: Count(range(shortest + separated, N + separated + 1, 2), pairs, none, few=1, many=0) if S <= LARGEST else None,
        state_bits=state_bits(S, N // 2),  # in the middle any two first halves must be distinguished
        **_compared(S, half, lambda x, y: arrays.concatenate([x, arrays.integers(between), y])),
    )


def eq_ncp(length: int, symbols: int, distribution: str) -> Spec:
    """The halves agree, and from the separator on the next symbol must be predicted."""
    N, S = length, symbols
    plain = equality("repeating the half before a separator", length, symbols, distribution)
    shortest = 2 * ((N + 19) // 20) if distribution == "training" else N

    def truth(tokens: Sequence[int]) -> Answer | None:
        second = tuple(tokens[len(tokens) // 2 + 1 :])
        due = second if len(second) > 1 else second[0]
        return due if tuple(tokens[: len(tokens) // 2]) == second else None

    def listed() -> Iterator[tuple[int, ...]]:
        for h in range(shortest // 2, N // 2 + 1):
            yield from ((*half, S, *half) for half in product(range(S), repeat=h))

    def sample(choices: Choices) -> Tokens:
        half = choices.many(shortest // 2 + choices.below((N - shortest) // 2 + 1), S)
        return arrays.concatenate([half, [S], half])

    return Spec(
        title=plain.title,
        alphabets=plain.alphabets,
        vocabulary=S + 1,
        targets=S,
        truth=truth,
        input_count=strings(S, N // 2) and countable(sum(S**h for h in range(shortest // 2, N // 2 + 1))),
        covers=plain.covers,
        several_lengths=shortest < N,
        listed=listed,
        form=lambda: ByHalf(S, range(shortest + 1, N + 2, 2)),
        decoder="positions",
        scored=lambda tokens: range(len(tokens) // 2, len(tokens) - 1),
        state_bits=plain.state_bits,
        drawing=1 << 9,
        sample=sample,
    )


def partition_equality(length: int, symbols: int, first: list[int], instance: int) -> Spec:
    """The symbols at one half of the places, in order, against those at the other half.

    The half is listed, or consists of the N/2 places of lowest rank, with ranks drawn from a stream of their own.
    """
    N, S, every = length, symbols, range(1, length + 1)
    half, chosen = f"instance {instance}", first
    if first:
        half = f"places {', '.join(map(str, first))}" if len(first) <= NAMED else "a given half"
    else:
        words = Words("partition-equality instance", {"length": N}, instance, 0)
        chosen = sorted(every, key=lambda i: (words.below(i - 1, 1 << 32), i))[: N // 2]
    if len(chosen) != N // 2 or any(type(i) is not int for i in chosen) or len({*chosen} & {*every}) != N // 2:
        raise Refused(f"first: expected {N // 2} different places of 1..{N}")
    one, other = arrays.array(sorted(chosen)) - 1, arrays.array(sorted({*every} - {*chosen})) - 1
    pairs = [*zip(one.tolist(), other.tolist(), strict=True)]

    def form() -> Count | None:
        if S > LARGEST:
            return None
        apart = different(S)
        parts = Parts((range(S),) * N, tuple(Part((min(pair), max(pair)), apart) for pair in pairs))
        return Count(range(N, N + 1), lambda _: parts, none, few=1, many=0)

    def placed(x: Tokens, y: Tokens) -> Tokens:
        tokens = arrays.empty(N)
        tokens[one], tokens[other] = x, y
        return tokens

    return Spec(
        title=f"equality over a partition ({half}), N = {N}, {S} symbols",
        alphabets=(range(S),) * N,
        vocabulary=S,
        targets=2,
        truth=lambda tokens: int(all(tokens[a] == tokens[b] for a, b in pairs)),
        input_count=strings(S, N),
        form=form,
        state_bits=_pending(N, S, {min(pair) for pair in pairs}),
        drawing=1 << 9,
        **_compared(S, lambda _: N // 2, placed),
    )


def intersects(length: int) -> Spec:
    """Two sets of N/2 elements, as bits one after the other: whether they share an element."""
    N, h = length, length // 2

    def form() -> Count:
        both = arrays.array([[False, False], [False, True]])
        parts = Parts((range(2),) * N, tuple(Part((i, h + i), both) for i in range(h)))
        return Count(range(N, N + 1), lambda _: parts, none, few=0, many=1)

    def sample(choices: Choices, full: bool = False) -> Tokens:
        """Sets without a common element, and perhaps one in both; `full`: every element is in one of them."""
        element = choices.many(h, 2 if full else 3)
        first, second = element % 2, element == 0 if full else element // 2
        sets = arrays.concatenate([first, arrays.integers(second)])
        place = choices.below(2 * h)
        if place < h:
            sets[[place, h + place]] = 1
        return sets

    return Spec(
        title=f"intersection of two sets, N = {N} bits",
        alphabets=(range(2),) * N,
        vocabulary=2,
        targets=2,
        truth=lambda tokens: int(any(x and y for x, y in zip(tokens[:h], tokens[h:], strict=True))),
        input_count=strings(2, N),
        form=form,
        state_bits=h,  # a second set of one element separates any two first sets
        sample=sample,
        families={"fair-bits": lambda choices: choices.many(N, 2), "complement": partial(sample, full=True)},
    )


def _halves(shortest: int, N: int, S: int, separated: bool) -> Callable[[Sequence[int]], bool]:
    def covers(tokens: Sequence[int]) -> bool:
        k, h = len(tokens) - separated, len(tokens) // 2
        if not shortest <= k <= N or k % 2 or (separated and tokens[h] != S):
            return False
        return all(0 <= symbol < S for half in (tokens[:h], tokens[len(tokens) - h :]) for symbol in half)

    return covers


def _compared(S: int, size: Callable[[Choices], int], joined: Callable[[Tokens, Tokens], Tokens]) -> dict[str, Any]:
    """Halves that agree or are drawn apart; in `one-change` they differ in one place, which cycles."""

    def sample(choices: Choices) -> Tokens:
        x = choices.many(size(choices), S)
        return joined(x, x if choices.below(2) else choices.many(len(x), S))

    def one_change(choices: Choices) -> Tokens:
        x = choices.many(size(choices), S)
        y, place = x.copy(), choices.number % len(x)
        y[place] = (y[place] + 1 + choices.below(S - 1)) % S
        return joined(x, y)

    return {"sample": sample, "families": {"one-change": one_change}}


def _pending(N: int, S: int, begins: set[int]) -> int:
    """After t symbols: those whose partner is still to come, and where a pair is complete, that it may have differed already."""
    waiting, most = 0, (0, False)
    for t in range(N):
        waiting += 1 if t in begins else -1
        most = max(most, (waiting, waiting < t + 1))  # fewer than t + 1 are pending: some pair is complete
    symbols, apart = most
    return state_bits(S, symbols) + (apart and S & (S - 1) == 0)  # S^symbols + 1 states


EVEN = Integer(2, 10**5, even=True)
HALVES: dict[str, Field] = {"length": Integer(2, 10**6, even=True), "symbols": Integer(2, 1 << 20)}
SEPARATED: dict[str, Field] = {**HALVES, "distribution": Word(("evaluation", "training"))}
TASKS = {
    "equality": Task(HALVES, partial(equality, "equality")),
    "eq-random": Task(SEPARATED, partial(equality, "equality across a separator (eq-random)")),
    "eq-one": Task(SEPARATED, partial(equality, "equality across a separator (eq-one)")),
    "eq-ncp": Task(SEPARATED, eq_ncp),
    "partition-equality": Task(
        {**HALVES, "length": EVEN, "first": Text(10**5, (list,)), "instance": Integer(0, 1 << 62)}, partition_equality
    ),
    "intersects": Task({"length": EVEN}, intersects),
}
