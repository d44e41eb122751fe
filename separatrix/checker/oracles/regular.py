"""Any regular language: whether a word of N symbols before the end symbol is in it.

The language is an expression, or the JSON of an automaton, of which a missing move rejects for good.
Half of the words are uniform among the members, half outside: uniform too, or `near`, a member with one symbol changed.
Draws: 0 the label (0 is a member), 1 the changed symbol, c + 2 the symbol c, which by its high half takes its share of the words that
lead on to the label.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from separatrix.checker.fields import require_fields, within
from separatrix.checker.oracles.forms.automaton import Automaton
from separatrix.checker.oracles.forms.counts import bits, strings
from separatrix.checker.oracles.forms.expressions import STATES, Table, compiled
from separatrix.checker.oracles.forms.parameters import one_of
from separatrix.checker.oracles.forms.task_oracle import Number, TaskOracle, Tokens
from separatrix.checker.oracles.forms.words import Words
from separatrix.checker.seal import Refused

LONGEST = 10**4
TABULATED = 1 << 20  # entries of the tables of shares
SHOWN = 60  # characters of an expression in a sentence


class Oracle(TaskOracle):
    """`one-symbol` cases come in pairs: a member, and the same with one symbol changed so that it leaves, where a change can."""

    name = "regular"
    families = ("random", "one-symbol")
    drawing = 1 << 13

    def __init__(self, parameters: Any) -> None:
        kinds: dict[str, Any] = {"length": int, "language": str, "alphabet": (str, type(None)), "negatives": str}
        self.parameters = require_fields(parameters, "parameters", **kinds)
        self.N, self.near = within(parameters["length"], 1, LONGEST, "length"), one_of(parameters, "negatives", "uniform", "near") == "near"
        text = parameters["language"]
        given = text.lstrip().startswith("{")
        if given and parameters["alphabet"] is not None:
            raise Refused("alphabet: an automaton has its own")
        self.letters, (self.moves, self.accepting) = _given(text) if given else compiled(text, parameters["alphabet"])
        self.symbols = len(self.letters)
        within(2 * self.N * len(self.moves) * self.symbols, 1, TABULATED, "length times states times symbols")
        self.vocabulary, self.targets, self.tokens = self.symbols + 1, 2, self.N + 1
        self.title = f"the language {_shown(text)}, N = {self.N}" if not given else f"an automaton's language, N = {self.N}"
        self.input_count = strings(self.symbols, self.N)
        self.state_bits = bits(self._classes())
        self._shares: tuple[list[list[list[int]]], ...] | None = None

    @property
    def alphabets(self) -> tuple[range, ...]:
        return (range(self.symbols),) * self.N + (range(self.symbols, self.symbols + 1),)

    def truth(self, tokens: Sequence[int]) -> int | None:
        state = 0
        for token in tokens[:-1]:
            state = self.moves[state][token]
        return int(state in self.accepting)

    def form(self) -> Automaton:
        """The end symbol leaves the state as it is."""

        def step(state: int, token: int) -> int:
            return state if token == self.symbols else self.moves[state][token]

        return Automaton(self.alphabets, 0, step, lambda state: int(state in self.accepting))

    def draw(self, case: Number) -> Tokens:
        words = self.words(case.seed, case.number // 2 if case.family == "one-symbol" else case.number)
        inside, outside = (self.shares[label][0][0][-1] > 0 for label in (1, 0))
        if case.family == "one-symbol":
            row = self._uniform(words, int(inside))
            row = (self._changed(words, row) or row) if case.number % 2 else row
        else:
            label = 1 - words.below(0, 2) if inside and outside else int(inside)
            row = self._uniform(words, label)
            if label == 0 and self.near and inside:
                row = self._changed(words, self._uniform(words, 1)) or row
        return np.array([*row, self.symbols], dtype=np.int64)

    @property
    def shares(self) -> tuple[list[list[list[int]]], ...]:
        """[label][t][state][symbol]: 2^32 times the share of words with this symbol or an earlier one, of those that lead to the label."""
        if self._shares is None:
            self._shares = tuple(self._share(label) for label in (0, 1))
        return self._shares

    def _share(self, label: int) -> list[list[list[int]]]:
        ways = [int((state in self.accepting) == bool(label)) for state in range(len(self.moves))]
        table: list[list[list[int]]] = []
        for _ in range(self.N):
            each = [[sum(ways[r] for r in row[: a + 1]) for a in range(self.symbols)] for row in self.moves]
            table.append([[2**32 * part // row[-1] if row[-1] else 0 for part in row] for row in each])
            ways = [row[-1] for row in each]
        return table[::-1]

    def _uniform(self, words: Words, label: int) -> list[int]:
        row, state = [], 0
        for t in range(self.N):
            half = words.word(t + 2) >> 32
            row.append(sum(half >= threshold for threshold in self.shares[label][t][state]))
            state = self.moves[state][row[-1]]
        return row

    def _changed(self, words: Words, member: list[int]) -> list[int] | None:
        """One of all changes of one symbol that leave the language, by place and then by symbol; None if there is none."""
        leads = [{state for state in range(len(self.moves)) if state in self.accepting}]  # states from which the rest is accepted
        for symbol in reversed(member):
            leads.append({state for state, row in enumerate(self.moves) if row[symbol] in leads[-1]})
        state, options = 0, []
        for t, symbol in enumerate(member):
            options += [(t, a) for a in range(self.symbols) if self.moves[state][a] not in leads[self.N - t - 1]]
            state = self.moves[state][symbol]
        if not options:
            return None
        place, a = options[words.below(1, len(options))]
        return [*member[:place], a, *member[place + 1 :]]

    def _classes(self) -> int:
        """The most states that t symbols reach and the remaining N - t tell apart, over all t. Both sequences end in a cycle."""
        block = tuple(int(state in self.accepting) for state in range(len(self.moves)))
        blocks, block_at = [block], {block: 0}
        while len(blocks) <= self.N:
            names: dict[tuple[int, ...], int] = {}
            block = tuple(names.setdefault(tuple(block[r] for r in row), len(names)) for row in self.moves)
            if block in block_at:
                break
            block_at[block] = len(blocks)
            blocks.append(block)
        reached, most, known = frozenset({0}), 1, dict[tuple[frozenset[int], int], int]()
        for t in range(self.N + 1):
            left = self.N - t
            if left >= len(blocks):  # further on the cycle
                first = block_at[block]
                left = first + (left - first) % (len(blocks) - first)
            key = (reached, left)
            if key not in known:
                known[key] = len({blocks[left][state] for state in reached})
            most = max(most, known[key])
            reached = frozenset(r for state in reached for r in self.moves[state])
        return most


def _given(text: str) -> tuple[tuple[str, ...], Table]:
    """The automaton of a JSON text, with a last state for missing moves."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Refused("language: not the JSON of an automaton") from error
    require_fields(document, "language", alphabet=list, start=str, accepting=list, moves=dict)
    letters, moves = tuple(document["alphabet"]), document["moves"]
    if not letters or len(set(map(str, letters))) < len(letters) or not all(isinstance(a, str) and a for a in letters):
        raise Refused("language.alphabet: expected distinct symbols")
    within(len(moves), 1, STATES, "states")
    number = {state: i for i, state in enumerate([document["start"], *(state for state in moves if state != document["start"])])}
    if document["start"] not in moves or not all(isinstance(q, str) and q in moves for q in document["accepting"]):
        raise Refused("language: start and accepting are not among its states")
    rows = []
    for state in number:
        row = moves[state]
        if not isinstance(row, dict) or not all(a in letters and isinstance(r, str) and r in moves for a, r in row.items()):
            raise Refused("language.moves: expected an object {symbol: state} for each state")
        rows.append(tuple(number[row[a]] if a in row else len(number) for a in letters))
    rows.append((len(number),) * len(letters))
    return letters, (tuple(rows), frozenset(number[q] for q in document["accepting"]))


def _shown(text: str) -> str:
    short = text if len(text) <= SHOWN else f"{text[: SHOWN - 2]}.."
    return ascii(short)[1:-1]
