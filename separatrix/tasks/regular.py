"""Any regular language as a task, from a regular expression or an automaton.

    a b a b <eos>  ->  1        language=(ab)*

`language` is a regular expression, `@` and a name of the gallery, the name of a .json file with an automaton, or that JSON itself.
Half of the words are uniform among the members of length N, half are outside: `uniform` among the non-members of length N,
or `near`, a uniform member with one symbol changed so that it leaves the language (where one change can).
If all words of length N are members, or none is, every label is the same.
Draws: 0 the label (high bit 0 is a member), 1 the changed symbol, c + 2 the symbol c. Uniform up to 2^-32 in each symbol.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from separatrix.errors import BadInput
from separatrix.tasks.drawing.counter import Words, below, words
from separatrix.tasks.languages import automata, regular_expression
from separatrix.tasks.languages.automata import Automaton
from separatrix.tasks.languages.gallery import is_named, named_language
from separatrix.tasks.recognition import END, Recognition, pick
from separatrix.tasks.task import Integers, Leak, sized

ENTRIES = 10**7  # the sampler stores a number for each label, position, state and symbol


class OfLanguage:
    """A task about one regular language, which is a parameter."""

    language: str
    alphabet: str | None

    @functools.cached_property
    def automaton(self) -> Automaton:
        """The minimal complete automaton of the language."""
        return read_language(self.language, self.alphabet)

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters; an automaton is written out, so that its file name does not matter."""
        parameters: dict[str, Any] = super().parameters  # type: ignore[misc]
        if is_automaton(self.language):
            parameters["language"] = json.dumps(self.automaton.document(), separators=(",", ":"))
        return parameters


@dataclass(frozen=True)
class Regular(OfLanguage, Recognition):
    """Words of length N over the alphabet of the language (the symbols that the expression mentions, unless `alphabet` is set)."""

    language: str
    alphabet: str | None = None
    negatives: Literal["uniform", "near"] = "uniform"

    name = "regular"
    title = "Any regular language"
    cites = "hahn2020 Footnote 2"
    known_leaks = (
        Leak("The language (ab)* has one word of each even length, so half of the examples are that word and samples share it."),
        Leak(
            "Its non-members are uniform, so a few symbols anywhere give them away; `negatives=near` changes a single symbol instead.",
            ("first-symbols", "last-symbols", "symbol-count", "bag-of-symbols", "odd-counts"),
        ),
    )
    stand_ins = sized(language="(ab)*")
    enumerated_at = sized(length=5, language="(ab|b)*a?")
    sampled_at = (sized(length=24, language="(ab|b)*a?"),)

    def __post_init__(self) -> None:
        super().__post_init__()
        if END in self.automaton.alphabet:
            raise BadInput(f"regular: the symbol {END} is the end of a word and cannot be in the alphabet")

    @property
    def letters(self) -> tuple[str, ...]:
        return self.automaton.alphabet

    def member(self, word: Sequence[int]) -> bool:
        return self.automaton.accepts(word)

    def second(self, tokens: Sequence[int]) -> int:
        """For an expression, track the places in the word that its parts reach; for an automaton, run it backwards."""
        word = tokens[:-1]
        if not is_automaton(self.language):
            return int(len(word) in reach(regular_expression.parse(self.language), [self.letters[symbol] for symbol in word], {0}))
        leads = set(self.automaton.accepting)
        for symbol in reversed(word):
            leads = {q for q, row in enumerate(self.automaton.moves) if row[symbol] in leads}
        return int(0 in leads)

    def draw(self, key: int, examples: Integers) -> tuple[Integers, Integers]:
        drawn = words(key, examples, np.arange(self.length + 2))
        labels = 1 - below(drawn[:, 0], 2)
        some_outside, some_inside = (int(table[0, 0, -1]) > 0 for table in self._thresholds)
        labels = np.where(some_inside & some_outside, labels, int(some_inside))
        symbols = self._uniform(labels, drawn[:, 2:])
        if self.negatives == "near" and some_inside:
            outside = np.flatnonzero(labels == 0)
            left, leaves = self._changed(self._uniform(np.ones_like(outside), drawn[outside, 2:]), drawn[outside, 1])
            symbols[outside[leaves]] = left[leaves]
        return symbols, labels

    def neighbours(self, key: int, examples: Integers) -> tuple[Integers, Integers]:
        """Members of length N if there are any, each paired with a one-symbol change; unchanged where no change leaves the language."""
        drawn = words(key, examples, np.arange(self.length + 2))
        inside = int(self._thresholds[1, 0, 0, -1] > 0)
        members = self._uniform(np.full(len(examples), inside), drawn[:, 2:])
        return members, self._changed(members, drawn[:, 1])[0]

    @property
    def _thresholds(self) -> Words:
        return thresholds(self.automaton, self.length)

    def _uniform(self, labels: Integers, drawn: Words) -> Integers:
        """Words of length N with these labels, uniform."""
        table, moves = self._thresholds, np.array(self.automaton.moves)
        symbols, state = np.empty(drawn.shape, dtype=np.int64), np.zeros(len(drawn), dtype=np.int64)
        for t in range(self.length):
            symbols[:, t] = ((drawn[:, t, None] >> np.uint64(32)) >= table[labels, t, state]).sum(axis=1)
            state = moves[state, symbols[:, t]]
        return symbols

    def _changed(self, members: Integers, drawn: Words) -> tuple[Integers, npt.NDArray[np.bool_]]:
        """Each word with one symbol changed so that it leaves the language, all such changes equally likely, and whether one exists."""
        moves, (rows, N), symbols = np.array(self.automaton.moves), members.shape, len(self.letters)
        state = np.zeros((rows, N + 1), dtype=np.int64)
        for t in range(N):
            state[:, t + 1] = moves[state[:, t], members[:, t]]
        accepts = np.zeros((rows, self.automaton.states), dtype=bool)  # [r, q]: from state q, the rest of word r is accepted
        accepts[:, list(self.automaton.accepting)] = True
        leaves = np.zeros((rows, N, symbols), dtype=bool)
        for t in reversed(range(N)):
            leaves[:, t] = ~np.take_along_axis(accepts, moves[state[:, t]], axis=1)
            accepts = np.take_along_axis(accepts, moves[:, members[:, t]].T, axis=1)
        options = leaves.reshape(rows, N * symbols)
        some: npt.NDArray[np.bool_] = np.any(options, axis=1)
        outside, changing, change = members.copy(), np.flatnonzero(some), pick(options, drawn)
        outside[changing, change[changing] // symbols] = change[changing] % symbols
        return outside, some


@functools.lru_cache(maxsize=16)
def thresholds(automaton: Automaton, length: int) -> Words:
    """[label, position, state, symbol]: a half word below this threshold, and not below the previous one, gives the symbol.

    Of the words that lead from a state to the label in the steps left, counted exactly, each symbol gets its share.
    A state from which no word does has only zeros.
    """
    states, symbols = automaton.states, len(automaton.alphabet)
    if 2 * length * states * symbols > ENTRIES:
        raise BadInput(
            f"regular: sampling words of length {length} over {states} states and {symbols} symbols needs a table above {ENTRIES} entries"
        )
    table = np.zeros((2, length, states, symbols), dtype=np.uint64)
    for label in (0, 1):
        ways = [int((q in automaton.accepting) == bool(label)) for q in range(states)]
        for t in reversed(range(length)):
            shares = [[ways[r] for r in row] for row in automaton.moves]
            ways = [sum(share) for share in shares]
            for q, share in enumerate(shares):
                table[label, t, q] = [2**32 * sum(share[: a + 1]) // ways[q] if ways[q] else 0 for a in range(symbols)]
    table.flags.writeable = False
    return table


def reach(expression: regular_expression.Expression, word: Sequence[str], starts: set[int]) -> set[int]:
    """The places in a word that an expression can end at when it begins at one of `starts`."""
    if isinstance(expression, regular_expression.Symbols):
        return {i + 1 for i in starts if i < len(word) and expression.has(word[i])}
    if isinstance(expression, regular_expression.Union):
        return set().union(*(reach(part, word, starts) for part in expression.parts))
    if isinstance(expression, regular_expression.Sequence):
        return functools.reduce(lambda places, part: reach(part, word, places), expression.parts, starts)
    ends, fresh = set(starts), set(starts)
    while fresh:
        fresh = reach(expression.part, word, fresh) - ends
        ends |= fresh
    return ends


def is_automaton(text: str) -> bool:
    """Whether the text is an automaton, or the name of one, rather than a regular expression."""
    return text.lstrip().startswith("{") or text.endswith(".json") or is_named(text)


def read_language(text: str, alphabet: str | None = None) -> Automaton:
    """The minimal complete automaton of a regular expression, of a name of the gallery, of a .json file, or of a JSON text."""
    if not is_automaton(text):
        return regular_expression.automaton(text, alphabet)
    if alphabet is not None:
        raise BadInput("an automaton has its own alphabet: leave out the other one")
    if is_named(text):
        return named_language(text)
    return automata.from_file(Path(text)) if text.endswith(".json") else automata.from_json(text, "in the text")
