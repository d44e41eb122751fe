"""Lookup: the symbol at one place of the input."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from separatrix.checker.numbers import arrays
from separatrix.checker.specs.counts import countable, state_bits, strings
from separatrix.checker.specs.forms.lookup import ByDelay, ByIndex
from separatrix.checker.specs.parameters import Integer, Word, span
from separatrix.checker.specs.spec import LONGEST, Answer, Choices, Spec, Task, Tokens


def index_lookup(length: int, symbols: int, distribution: str) -> Spec:
    """N symbols, then the index token |S| + p - 1; the answer is the p-th symbol. In training there are min(10, N) to N symbols."""
    N, S = length, symbols
    shortest = min(10, N) if distribution == "training" else N

    def covers(tokens: Sequence[int]) -> bool:
        k = len(tokens) - 1
        return shortest <= k <= N and S <= tokens[-1] < S + k and all(0 <= symbol < S for symbol in tokens[:-1])

    def listed() -> Iterator[tuple[int, ...]]:
        for k in range(shortest, N + 1):
            for word in product(range(S), repeat=k):
                yield from ((*word, S + p) for p in range(k))

    def sample(choices: Choices) -> Tokens:
        k = shortest + choices.below(N - shortest + 1)
        return arrays.append(choices.many(k, S), S + choices.below(k))

    def lone(choices: Choices) -> Tokens:
        """A symbol among others whose binary code differs most from it; the place that is asked for cycles."""
        place, symbol = choices.number % N, choices.below(S)
        word = arrays.full(N + 1, S - 1 - symbol if S - 1 - symbol != symbol else (symbol + 1) % S)
        word[place], word[-1] = symbol, S + place
        return word

    return Spec(
        title=f"index lookup, N = {span(shortest, N)}, {S} symbols",
        alphabets=(range(S),) * N + (range(S, S + N),),
        vocabulary=S + N,
        targets=S,
        truth=lambda tokens: tokens[tokens[-1] - S],
        input_count=strings(S, N) and countable(sum(k * S**k for k in range(shortest, N + 1))),
        covers=covers,
        several_lengths=shortest < N,
        listed=listed,
        form=lambda: ByIndex(S, range(shortest + 1, N + 2)),
        state_bits=state_bits(S, N),  # before the index any two strings must be distinguished
        sample=sample,
        families={"lone-symbol": lone},
    )


def copy(length: int, symbols: int) -> Spec:
    """N symbols, a separator, and the symbols again, each predicted before it is read; the last one is never read."""
    N, S = length, symbols
    word = (range(S),) * N

    def truth(tokens: Sequence[int]) -> Answer | None:
        due = tuple(tokens[:N]) if N > 1 else tokens[0]
        return due if tokens[N + 1 :] == tokens[: N - 1] else None

    def sample(choices: Choices) -> Tokens:
        drawn = choices.many(N, S)
        return arrays.concatenate([drawn, [S], drawn[:-1]])

    return Spec(
        title=f"copying, N = {N}, {S} symbols",
        alphabets=(*word, range(S, S + 1), *word[:-1]),
        vocabulary=S + 1,
        targets=S,
        truth=truth,
        input_count=strings(S, N),
        listed=lambda: ((*drawn, S, *drawn[:-1]) for drawn in product(range(S), repeat=N)),
        form=lambda: ByDelay(S, range(2 * N, 2 * N + 1), N),
        decoder="positions" if N > 1 else "position",
        scored=lambda _: range(N, 2 * N),
        state_bits=state_bits(S, N),  # at the separator any two words must be distinguished
        sample=sample,
    )


TASKS = {
    "index-lookup": Task(
        {"length": Integer(1, LONGEST - 1), "symbols": Integer(2, 1 << 20), "distribution": Word(("evaluation", "training"))}, index_lookup
    ),
    "copy": Task({"length": Integer(1, 10**6), "symbols": Integer(2, 4096)}, copy),
}
