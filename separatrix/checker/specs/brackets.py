"""Brackets of n types: type a opens as a and closes as n + a."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from separatrix.checker.specs.counts import bits, countable, state_bits, strings
from separatrix.checker.specs.forms.automaton import Automaton, EveryLength, Phase
from separatrix.checker.specs.forms.brackets import Brackets
from separatrix.checker.specs.parameters import Integer, Word
from separatrix.checker.specs.spec import Choices, Spec, Task

EXACT = 1 << 18  # bits of a number of stacks that is written out
COUNTED = 400  # brackets of which all strings are counted
DEEPEST = 24  # of a stack whose states are counted; deeper ones need no fewer


def dyck(length: int, types: int, depth: int, positives: str) -> Spec:
    """Whether brackets match with depth at most k. `positives` only chooses what a task draws."""
    del positives
    N, n, k = length, types, depth
    alphabets = (range(2 * n),) * N

    def truth(tokens: Sequence[int]) -> int:
        waiting: list[int] = []  # closing brackets still to come, the next one last
        for token in tokens:
            if token < n:
                waiting.append(token + n)
                if len(waiting) > k:
                    return 0
            elif not waiting or waiting.pop() != token:
                return 0
        return 0 if waiting else 1

    def step(waiting: tuple[int, ...] | None, token: int) -> tuple[int, ...] | None:
        """The state is the stack of brackets to close, the next one last; None if the word cannot be completed."""
        if waiting is None:
            return None
        if token < n:
            return (*waiting, token) if len(waiting) < k else None
        return waiting[:-1] if waiting and waiting[-1] == token - n else None

    def crossed(choices: Choices) -> list[int]:
        """Even places of one member, odd ones of another."""
        one, other = member(choices, N, n, k), member(choices, N, n, k)
        return [other[t] if t % 2 else bracket for t, bracket in enumerate(one)]

    every = EveryLength(f"Dyck-({n}, {k})", (Phase(range(2 * n), repeats=True),))
    return Spec(
        title=f"Dyck-({n}, {k}), N = {N}",
        alphabets=alphabets,
        vocabulary=2 * n,
        targets=2,
        truth=truth,
        input_count=strings(2 * n, N),
        form=lambda: Automaton(alphabets, (), step, lambda waiting: int(waiting == ()), every=every),
        state_bits=_stacks(n, min(k, N // 2)),
        drawing=1 << 12,
        sample=lambda choices: corrupted(choices, member(choices, N, n, k), n),
        families={"too-deep": lambda choices: member(choices, N, n, k + choices.number % 2), "crossed": crossed},
    )


def unbounded(n: int, length: int) -> Spec:
    """1DYCK and 2DYCK: whether brackets, ( 0, [ 1, ) 2, ] 3 of two types, before the end symbol 2 n are well matched, however deep."""
    N, half, end = length, length // 2, 2 * n

    def truth(tokens: Sequence[int]) -> int:
        waiting: list[int] = []
        for token in tokens[:-1]:
            if token < n:
                waiting.append(token)
            elif not waiting or waiting.pop() != token - n:
                return 0
        return int(not waiting)

    def deep(choices: Choices) -> list[int]:
        """All open, then all closed, and in odd cases one bracket changed."""
        opening = choices.many(half, n).tolist()
        word = [*opening, *(n + kind for kind in reversed(opening))]
        return [*(changed(choices, word, n) if choices.number % 2 else word), end]

    return Spec(
        title=f"{n}DYCK, N = {N}",
        alphabets=(range(end),) * N + (range(end, end + 1),),
        vocabulary=end + 1,
        targets=2,
        truth=truth,
        input_count=strings(end, N),
        form=lambda: Brackets(n, N),
        # after half of them every stack of that height, or 2, 4, .. lower, can be closed; and one for the dead
        state_bits=_stacks(n, half) if half < 4096 or n == 1 else half,
        drawing=1 << 12,
        sample=lambda choices: [*corrupted(choices, member(choices, N, n, N), n), end],
        families={"deep": deep},
    )


def dyck_next(length: int, types: int, depth: int) -> Spec:
    """At every position of a well-matched string of depth at most k, the type of the innermost open bracket, or n."""
    N, n, k = length, types, depth

    def truth(tokens: Sequence[int]) -> tuple[int, ...] | None:
        waiting: list[int] = []
        answers: list[int] = []
        for token in tokens:
            if token < n:
                waiting.append(token)
            elif not waiting or waiting.pop() != token - n:
                return None
            if len(waiting) > k:
                return None
            answers.append(waiting[-1] if waiting else n)
        return None if waiting else tuple(answers)

    def listed() -> Iterator[tuple[int, ...]]:
        """Every member, by its brackets: of all strings few are."""
        begun: list[tuple[tuple[int, ...], tuple[int, ...]]] = [((), ())]  # brackets so far, and those that wait
        while begun:
            row, waiting = begun.pop()
            if len(row) == N:
                yield row
                continue
            if waiting:
                begun.append(((*row, n + waiting[-1]), waiting[:-1]))
            if len(waiting) < min(k, N - len(row)):
                begun += [((*row, a), (*waiting, a)) for a in range(n)]

    height = min(k, N // 2, DEEPEST)
    return Spec(
        title=f"brackets that may be closed next, {n} types, depth {k}, N = {N}",
        alphabets=(range(2 * n),) * N,
        vocabulary=2 * n,
        targets=n + 1,
        truth=truth,
        input_count=_members(N, n, k) if N <= COUNTED else None,
        listed=listed,
        decoder="positions",
        scored=lambda tokens: range(len(tokens)),
        state_bits=bits(sum(n**d for d in range(height % 2, height + 1, 2))),  # any two stacks at one place are told apart
        drawing=1 << 12,
        sample=lambda choices: member(choices, N, n, k),
    )


def member(choices: Choices, N: int, n: int, k: int) -> list[int]:
    """A walk that returns to height 0 after N brackets and stays within the depth; where both may come, two of three open."""
    row: list[int] = []
    waiting: list[int] = []
    turns, kinds = choices.many(N, 3).tolist(), choices.many(N, n).tolist()
    for t, (turn, kind) in enumerate(zip(turns, kinds, strict=True)):
        if not waiting or (len(waiting) < min(k, N - t) and turn):
            row.append(kind)
            waiting.append(kind)
        else:
            row.append(n + waiting.pop())
    return row


def changed(choices: Choices, word: list[int], n: int) -> list[int]:
    """One bracket in the other direction, or of another type."""
    place = choices.below(len(word))
    side, kind = divmod(word[place], n)
    turned = not choices.below(2) or n == 1
    bracket = (1 - side) * n + kind if turned else side * n + (kind + 1 + choices.below(n - 1)) % n
    return [*word[:place], bracket, *word[place + 1 :]]


def corrupted(choices: Choices, word: list[int], n: int) -> list[int]:
    """In half of the cases the word, else the same with one bracket changed, or two places exchanged, or several changed."""
    kind = choices.below(6)
    if kind == 3:
        a, b = choices.below(len(word)), choices.below(len(word))
        word = list(word)
        word[a], word[b] = word[b], word[a]
    for _ in range(0 if kind <= 3 else 1 if kind == 4 else 1 + choices.below(max(1, len(word) // 10))):
        word = changed(choices, word, n)
    return word


def _stacks(n: int, height: int) -> int:
    """Bits for every stack of that height, or 2, 4, .. lower, each of which can still be closed; and one state for the dead."""
    if n == 1:
        return bits(height // 2 + 2)
    if height * bits(n) > EXACT:
        return state_bits(n, height)
    stacks = (n ** (height + 2) - n ** (height % 2)) // (n**2 - 1)  # n^d over d = height, height - 2, ..
    return bits(stacks + 1)


def _members(N: int, n: int, k: int) -> int | None:
    """Walks from 0 back to 0 that stay within the depth, times the types of the brackets that open."""
    ways = {0: 1}
    for _ in range(N):
        after: dict[int, int] = {}
        for height, count in ways.items():
            for new in (height - 1, height + 1):
                if 0 <= new <= k:
                    after[new] = after.get(new, 0) + count
        ways = after
    return countable(ways[0] * n ** (N // 2))


TYPES, DEPTH = Integer(1, 1 << 16), Integer(1, 10**5)
TASKS = {
    "dyck": Task(
        {"length": Integer(2, 10**5, even=True), "types": TYPES, "depth": DEPTH, "positives": Word(("walk", "fair-walk", "uniform"))}, dyck
    ),
    "dyck-1": Task({"length": Integer(2, 10**4, even=True)}, partial(unbounded, 1)),
    "dyck-2": Task({"length": Integer(2, 10**4, even=True)}, partial(unbounded, 2)),
    "dyck-next": Task({"length": Integer(2, 10**4, even=True), "types": TYPES, "depth": Integer(1, 10**4)}, dyck_next),
}
