"""A regular language that two parties decide only by exchanging bits in proportion to the length, shown by four short words.

[bhattamishra2024 Lemma 1] [bhattamishra2024 Theorem 4]

    Dyck-(2, 2)        u0 = (   u1 = [   v0 = )   v1 = ]      each round Alice writes u0 or u1 and Bob v0 or v1

Words x  u v  u v ... u v  y  with n rounds. From the state q after x, u0 v0 and u1 v1 lead back to q; u0 v1 or u1 v0, or both, do not,
and then no further round ever leads to a state that y accepts as it does q (or, the other way round, rejects as it does q).
So the 2^n words with equal choices are a fooling set, and n bits must be exchanged. That is n = (N - |x| - |y|) / (|u| + |v|),
for the partition in which Alice holds the places of u; a one-layer Transformer then obeys Theorem 4 with n bits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

from separatrix.tasks.languages.automata import Automaton
from separatrix.tasks.languages.periods import shortest_words

Word = tuple[int, ...]

LONGEST = 2  # symbols in u and in v
KINDS = 40  # words of one length that act differently; beyond this there is no search
CELLS = 400  # pairs (u, v) that lead back to q; beyond this there is no search
PATHS = 20_000  # tuples of states visited in the search for y


@dataclass(frozen=True)
class CrossedBlocks:
    """The witness: x, (u0, u1), (v0, v1), y; the words with equal choices are all members, or all non-members."""

    automaton: Automaton
    x: Word
    u: tuple[Word, Word]
    v: tuple[Word, Word]
    y: Word
    member: bool

    @property
    def round(self) -> int:
        """Symbols in a round."""
        return len(self.u[0]) + len(self.v[0])

    @property
    def ends(self) -> int:
        """Symbols before and after the rounds."""
        return len(self.x) + len(self.y)

    @property
    def bits(self) -> str:
        """The bits to exchange, as a formula in N."""
        return f"(N - {self.ends}) / {self.round}" if self.ends else f"N / {self.round}"

    def word(self, alice: Sequence[int], bob: Sequence[int]) -> Word:
        """The word in which round i has the blocks u[alice[i]] and v[bob[i]]."""
        rounds = (self.u[a] + self.v[b] for a, b in zip(alice, bob, strict=True))
        return self.x + sum(rounds, ()) + self.y

    def document(self) -> dict[str, Any]:
        """The witness as JSON."""
        x, u0, u1, v0, v1, y = ([self.automaton.alphabet[a] for a in word] for word in (self.x, *self.u, *self.v, self.y))
        return {
            "before": x,
            "alice": [u0, u1],
            "bob": [v0, v1],
            "after": y,
            "member": self.member,
            "bits": self.bits,
        }


def crossed_blocks(automaton: Automaton) -> CrossedBlocks | None:
    """The first witness with blocks of at most two symbols, short blocks first; None if there is none, or if the search is too large."""
    reached = shortest_words(automaton)
    lengths = sorted(product(range(1, LONGEST + 1), repeat=2), key=lambda pair: (sum(pair), pair))
    kinds = {k: words_of_length(automaton, k) for k in range(1, LONGEST + 1)}
    for k, m in lengths:
        if max(len(kinds[k]), len(kinds[m])) > KINDS:
            continue
        for q, x in reached.items():
            for u, v in _clashes(automaton, q, kinds[k], kinds[m]):
                dead = _afterwards(automaton, q, u, v)
                y = None if q in dead else _separating(automaton, q, dead)
                if y is not None:
                    return CrossedBlocks(automaton, x, u, v, y, automaton.run(y, q) in automaton.accepting)
    return None


def words_of_length(automaton: Automaton, length: int) -> tuple[Word, ...]:
    """One word of this length for each way in which such words act on the states."""
    identity = tuple(range(automaton.states))
    acting: dict[tuple[int, ...], Word] = {identity: ()}
    for _ in range(length):
        longer: dict[tuple[int, ...], Word] = {}
        for states, word in acting.items():
            for symbol in range(len(automaton.alphabet)):
                longer.setdefault(tuple(automaton.moves[q][symbol] for q in states), (*word, symbol))
        acting = longer
    return tuple(acting.values())


def _clashes(
    automaton: Automaton, q: int, ours: tuple[Word, ...], theirs: tuple[Word, ...]
) -> Iterator[tuple[tuple[Word, Word], tuple[Word, Word]]]:
    """Pairs (u0, u1), (v0, v1) such that u0 v0 and u1 v1 lead from q to q, and u0 v1 or u1 v0 does not."""
    back = {(u, v) for u in ours for v in theirs if automaton.run(u + v, q) == q}
    if len(back) > CELLS:
        return
    for (u0, v0), (u1, v1) in combinations(sorted(back), 2):
        if (u0, v1) not in back or (u1, v0) not in back:
            yield (u0, u1), (v0, v1)


def _afterwards(automaton: Automaton, q: int, u: tuple[Word, Word], v: tuple[Word, Word]) -> frozenset[int]:
    """Every state that can follow a round that did not lead from q back to q."""
    rounds = [a + b for a in u for b in v]
    reached = {automaton.run(word, q) for word in rounds} - {q}
    queue = list(reached)
    for state in queue:  # grows during the loop
        for word in rounds:
            r = automaton.run(word, state)
            if r not in reached:
                reached.add(r)
                queue.append(r)
    return frozenset(reached)


def _separating(automaton: Automaton, q: int, others: frozenset[int]) -> Word | None:
    """A shortest word that q accepts and none of the others does, or the reverse."""
    start = (q, *sorted(others))
    words: dict[tuple[int, ...], Word] = {start: ()}
    queue = [start]
    for states in queue:  # grows during the loop
        accepts = [state in automaton.accepting for state in states]
        if not any(accepts[1:]) if accepts[0] else all(accepts[1:]):
            return words[states]
        for symbol in range(len(automaton.alphabet)):
            after = tuple(automaton.moves[state][symbol] for state in states)
            if after not in words and len(words) < PATHS:
                words[after] = (*words[states], symbol)
                queue.append(after)
    return None
