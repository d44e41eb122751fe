"""Languages: whether a word of N symbols before the end symbol is in it, or the state of its automaton after every symbol."""

from __future__ import annotations

from collections.abc import Sequence

from separatrix.checker.numbers import arrays
from separatrix.checker.specs.automata import language_of, minimal, shown_language
from separatrix.checker.specs.counts import bits, strings
from separatrix.checker.specs.expressions import Table
from separatrix.checker.specs.forms.automaton import Automaton, EveryLength, Phase, Tracker
from separatrix.checker.specs.parameters import Field, Integer, Text, Word
from separatrix.checker.specs.spec import LONGEST, Choices, Spec, Task, Tokens

TABULATED = 1 << 19  # length times states times symbols


def parity(length: int) -> Spec:
    """Whether the number of 1s before the end symbol 2 is even."""
    alphabets = (range(2),) * length + (range(2, 3),)
    every = EveryLength("parity", (Phase(range(2), repeats=True), Phase(range(2, 3), repeats=False)))
    return Spec(
        title=f"parity, N = {length}",
        alphabets=alphabets,
        vocabulary=3,
        targets=2,
        truth=lambda tokens: 1 - sum(tokens[:-1]) % 2,
        input_count=strings(2, length),
        # the state is the parity so far; the end symbol leaves it as it is
        form=lambda: Automaton(alphabets, 0, lambda odd, token: odd ^ (token == 1), lambda odd: 1 - odd, every=every),
        state_bits=1,
    )


def ones(length: int) -> Spec:
    """1*: whether no 0 stands before the end symbol 2."""

    def sample(choices: Choices) -> Tokens:
        """The word of ones, or a word with few zeros."""
        word = arrays.ones(length)
        if choices.below(2):
            word[choices.many(1 + choices.below(max(1, length // 10)), length)] = 0
        return arrays.append(word, 2)

    return Spec(
        title=f"1*, N = {length}",
        alphabets=(range(2),) * length + (range(2, 3),),
        vocabulary=3,
        targets=2,
        truth=lambda tokens: int(all(tokens[:-1])),
        input_count=strings(2, length),
        state_bits=1,
        sample=sample,
        families={"fair-bits": lambda choices: arrays.append(choices.many(length, 2), 2)},
    )


def an_bn(length: int) -> Spec:
    """a^n b^n: whether a word before the end symbol 2 is n times a (0), then n times b (1)."""
    N, half = length, length // 2
    member = [0] * half + [1] * (N - half)  # for odd N a near miss

    def sample(choices: Choices) -> list[int]:
        """The word, the same with one symbol changed or two exchanged, or another border between a and b."""
        word, kind = list(member), choices.below(6)
        if kind == 5:
            border = choices.below(N + 1)
            word = [0] * border + [1] * (N - border)
        if kind in (3, 4):
            word[choices.below(N)] ^= 1
        if kind == 4:
            word[choices.below(N)] ^= 1
        return [*word, 2]

    return Spec(
        title=f"a^n b^n, N = {N}",
        alphabets=(range(2),) * N + (range(2, 3),),
        vocabulary=3,
        targets=2,
        truth=lambda tokens: int(N % 2 == 0 and list(tokens[:-1]) == member),
        input_count=strings(2, N),
        state_bits=int(N % 2 == 0),  # whether the word is still right
        sample=sample,
        families={"fair-bits": lambda choices: arrays.append(choices.many(N, 2), 2)},
    )


def regular(length: int, language: str, alphabet: str | None, negatives: str) -> Spec:
    """Any regular language, as an expression or the JSON of an automaton. `negatives` only chooses what a task draws."""
    del negatives
    letters, (moves, accepting) = language_of(language, alphabet, TABULATED // length)
    N, S, title = length, len(letters), shown_language(language, alphabet)
    alphabets, reach = (range(S),) * N + (range(S, S + 1),), dict[int, list[set[int]]]()

    def truth(tokens: Sequence[int]) -> int:
        state = 0
        for token in tokens[:-1]:
            state = moves[state][token]
        return int(state in accepting)

    def step(state: int, token: int) -> int:
        """The end symbol leaves the state as it is."""
        return state if token == S else moves[state][token]

    def word(choices: Choices, label: int) -> list[int]:
        """Symbol by symbol, each after which the label can still be reached where one can."""
        if label not in reach:
            reach[label] = _leading(moves, {state for state in range(len(moves)) if (state in accepting) == bool(label)}, N)
        row, state = [], 0
        for t, drawn in enumerate(choices.many(N, 1 << 32).tolist()):
            leading = [a for a, after in enumerate(moves[state]) if after in reach[label][t + 1]] or [*range(S)]
            row.append(leading[drawn * len(leading) >> 32])
            state = moves[state][row[-1]]
        return [*row, S]

    def near(choices: Choices) -> list[int]:
        """A member, and in odd cases the same with one symbol changed."""
        row = word(choices, 1)
        place = choices.below(N)
        row[place] = (row[place] + choices.number % 2 * (1 + choices.below(max(1, S - 1)))) % S
        return row

    every = EveryLength(title, (Phase(range(S), repeats=True), Phase(range(S, S + 1), repeats=False)))
    return Spec(
        title=f"{title}, N = {N}",
        alphabets=alphabets,
        vocabulary=S + 1,
        targets=2,
        truth=truth,
        input_count=strings(S, N),
        form=lambda: Automaton(alphabets, 0, step, lambda state: int(state in accepting), every=every),
        state_bits=bits(_classes((moves, accepting), N)),
        drawing=1 << 13,
        sample=lambda choices: word(choices, choices.below(2)),
        families={"one-symbol": near},
    )


def state_tracking(length: int, language: str, alphabet: str | None) -> Spec:
    """After every symbol, the state of the minimal automaton of a language."""
    letters, table = language_of(language, alphabet, TABULATED // length)
    moves, _ = minimal(table)
    N, S, title = length, len(letters), f"the state of the minimal automaton of {shown_language(language, alphabet)} after every symbol"
    alphabets, traps = (range(S),) * N, {q for q, row in enumerate(moves) if {*row} == {q}}
    every = EveryLength(title, (Phase(range(S), repeats=True),))
    tracker = Tracker(alphabets, 0, lambda state, token: moves[state][token], lambda state: state, every=every)

    def truth(tokens: Sequence[int]) -> int | tuple[int, ...]:
        states, state = [], 0
        for token in tokens:
            state = moves[state][token]
            states.append(state)
        return states[0] if N == 1 else tuple(states)

    def alive(choices: Choices) -> list[int]:
        """Symbols that lead to no trap, where there are some."""
        row, state = [], 0
        for drawn in choices.many(N, 1 << 32).tolist():
            safe = [a for a, after in enumerate(moves[state]) if after not in traps] or [*range(S)]
            row.append(safe[drawn * len(safe) >> 32])
            state = moves[state][row[-1]]
        return row

    return Spec(
        title=f"{title}, N = {N}",
        alphabets=alphabets,
        vocabulary=S,
        targets=max(2, len(moves)),
        truth=truth,
        input_count=strings(S, N),
        form=lambda: tracker,
        decoder="position" if N == 1 else "positions",
        scored=lambda tokens: range(len(tokens)),
        state_bits=bits(_most_reached(tracker)),  # the answer after a token is the state itself
        drawing=1 << 13,
        families={"alive": alive},
    )


def _most_reached(tracker: Tracker) -> int:
    """The most states that words of one length lead to, up to where a set of them comes again."""
    most, seen = 1, set[frozenset[object]]()
    for states in tracker.reached():
        if frozenset(states) in seen:
            break
        seen.add(frozenset(states))
        most = max(most, len(states))
    return most


def _leading(moves: Sequence[Sequence[int]], goal: set[int], N: int) -> list[set[int]]:
    """The states from which N, N - 1, .., 0 more symbols can lead to the goal."""
    leading = [goal]
    for _ in range(N):
        leading.append({state for state, row in enumerate(moves) if not leading[-1].isdisjoint(row)})
    return leading[::-1]


def _classes(table: Table, N: int) -> int:
    """The most states that t symbols reach and the remaining N - t tell apart, over all t. Both sequences end in a cycle."""
    moves, accepting = table
    block = tuple(int(state in accepting) for state in range(len(moves)))
    blocks, block_at = [block], {block: 0}
    while len(blocks) <= N:
        names: dict[tuple[int, ...], int] = {}
        block = tuple(names.setdefault(tuple(block[r] for r in row), len(names)) for row in moves)
        if block in block_at:
            break
        block_at[block] = len(blocks)
        blocks.append(block)
    reached, most, known = frozenset({0}), 1, dict[tuple[frozenset[int], int], int]()
    for t in range(N + 1):
        left = N - t
        if left >= len(blocks):  # further on the cycle
            first = block_at[block]
            left = first + (left - first) % (len(blocks) - first)
        key = (reached, left)
        if key not in known:
            known[key] = len({blocks[left][state] for state in reached})
        most = max(most, known[key])
        reached = frozenset(r for state in reached for r in moves[state])
    return most


WORD: dict[str, Field] = {"length": Integer(1, LONGEST - 1)}
REGULAR: dict[str, Field] = {
    "length": Integer(1, 10**4),
    "language": Text(1 << 24),
    "alphabet": Text(1 << 24, (str, type(None))),
    "negatives": Word(("uniform", "near")),
}
TRACKED: dict[str, Field] = {"length": Integer(1, 10**4), "language": Text(1 << 24), "alphabet": Text(1 << 24, (str, type(None)))}
TASKS = {
    "parity": Task(WORD, parity),
    "ones": Task(WORD, ones),
    "an-bn": Task(WORD, an_bn),
    "regular": Task(REGULAR, regular),
    "state-tracking": Task(TRACKED, state_tracking),
}
