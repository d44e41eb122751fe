"""The smallest machine without a clock: one transition for all steps, right on every word up to a length.

[bhattamishra2024 Lemma 4; proof F.1]

Notation   n        longest word            x ~ y   no z with |xz|, |yz| <= n separates x and y
           sig[d]   what a word answers with every continuation of at most d symbols

Words that are not similar need two states. Similarity is not transitive, but it is along increasing lengths: |x| <= |y| <= |z| with
x ~ y and y ~ z give x ~ z. So one representative per new word, shortest first, is enough: sending each extension to the first
similar representative gives a machine that is right up to n, with pairwise dissimilar states, hence the fewest. It is the minimal
cover automaton. Once n is large enough for a regular language it is the language's minimal complete automaton, sink included; for any
n its size is a lower bound for every larger n.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from separatrix.bits import ceil_log2
from separatrix.bounds.states.answers import EVALUATIONS, Alphabets, Answer, about, alphabets_of, require_length, tabulate
from separatrix.bounds.states.residuals import Ids, shared_rows
from separatrix.errors import BadInput


@dataclass(frozen=True, eq=False)
class CoverAutomaton:
    """A complete automaton with start state 0 and an answer in every state, right on all words of at most `length` symbols."""

    alphabet: tuple[Hashable, ...]
    transitions: NDArray[np.int64]  # [states, symbols]
    outputs: tuple[Hashable, ...]
    length: int

    @property
    def states(self) -> int:
        """The number of states, including a sink."""
        return len(self.outputs)

    @property
    def bits(self) -> int:
        """State bits that are necessary and sufficient for a recurrent model with one transition for all steps."""
        return ceil_log2(self.states)

    def run(self, word: Sequence[Any]) -> Hashable:
        """Run a word; return the answer after its last symbol."""
        state = 0
        for place, symbol in enumerate(word):
            if symbol not in self.alphabet:
                raise BadInput(f"symbol {place} must be one of {self.alphabet!r:.80}, found {symbol!r:.80}")
            state = int(self.transitions[state, self.alphabet.index(symbol)])
        return self.outputs[state]


def minimal_automaton(answer: Answer, alphabet: str | Iterable[Any], length: int) -> CoverAutomaton:
    """The fewest states with one transition for all steps, right on every word of 0..`length` symbols.

    [bhattamishra2024 Lemma 4; proof F.1]

    The lemma is about the minimal automaton: mp >= log2(states). `answer` must answer every word; there is no promise here.
    """
    n = require_length(length)
    (symbols, *_) = alphabets_of([tuple(alphabet)], 1)
    answers, values = _answers_by_length(answer, symbols, n)
    signatures = _signatures(answers, len(symbols))
    representatives = [(0, 0)]  # (length, place among the words of that length)
    transitions: list[list[int]] = []
    for state, (size, place) in enumerate(representatives):  # the list grows while it is read: breadth first
        row: list[int] = []
        for a in range(len(symbols)):
            if size == n:
                row.append(state)  # words of length n + 1 are never read
                continue
            word = (size + 1, place * len(symbols) + a)
            horizon = signatures[n - size - 1]
            similar = (i for i, (k, at) in enumerate(representatives) if horizon[k][at] == horizon[word[0]][word[1]])
            target = next(similar, len(representatives))
            if target == len(representatives):
                representatives.append(word)
            row.append(target)
        transitions.append(row)
    outputs = tuple(values[int(answers[size][place])] for size, place in representatives)
    return CoverAutomaton(symbols, np.array(transitions, dtype=np.int64), outputs, n)


def _answers_by_length(answer: Answer, symbols: tuple[Hashable, ...], n: int) -> tuple[list[Ids], tuple[Hashable, ...]]:
    """Answer codes of all words, one array per length, with one numbering for all lengths."""
    total = sum(len(symbols) ** size for size in range(n + 1))
    if total > EVALUATIONS:
        raise BadInput(f"{about(total)} evaluations of the answer are above the limit of {EVALUATIONS:,}: use a shorter length")
    code_of: dict[Hashable, int] = {}
    answers: list[Ids] = []
    for size in range(n + 1):
        alphabets: Alphabets = (symbols,) * size
        table = tabulate(answer, alphabets)
        if (table.codes < 0).any():
            word = next(w for w, code in zip(product(*alphabets), table.codes, strict=True) if code < 0)
            raise BadInput(f"a machine without a clock needs an answer for every word of 0..{n} symbols, found None on {word!r:.80}")
        renumbered = np.array([code_of.setdefault(value, len(code_of)) for value in table.values])
        answers.append(renumbered[table.codes])
    return answers, tuple(code_of)


def _signatures(answers: list[Ids], symbols: int) -> list[list[Ids]]:
    """signatures[d][k][place]: equal numbers iff the words have equal answers with every continuation of at most d symbols."""
    signatures = [answers]
    for d in range(1, len(answers)):
        children = [level.reshape(-1, symbols) for level in signatures[-1][1:]]
        rows = np.concatenate([np.column_stack([a, c]) for a, c in zip(answers[: len(answers) - d], children, strict=True)])
        ids, _ = shared_rows(rows, int(rows.max()) + 1, 0)
        ends = np.cumsum([len(c) for c in children])[:-1]
        signatures.append(list(np.split(ids, ends)))
    return signatures
