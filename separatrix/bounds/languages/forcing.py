"""How few symbols, fixed at places of one's choice, force a word of n symbols into a regular language or out of it.

[hahn2020 Corollary 2] [hahn2020 Claim 1] [hahn2020 Remark 5]

Hard attention becomes constant after some symbols are fixed. If fewer are fixed than would force the language, both answers are still
possible, and the model is wrong on one of them: so where the least number grows in proportion to n, as it does for PARITY (all n of them)
and not for 1* (a single 0), every model of hard attention that fixes fewer is refuted.

A word with some symbols free leaves a set of states that are possible; fixing a symbol costs 1, leaving it free costs nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

from separatrix.tasks.languages.automata import Automaton

SETS = 20_000  # sets of states; beyond that there is no count


@dataclass(frozen=True)
class Forcing:
    """The least number of symbols that force words of one length into a language, and out of it; None where nothing does."""

    inside: int | None
    outside: int | None

    @property
    def least(self) -> int:
        """As long as fewer are fixed, both answers are possible."""
        return min(number for number in (self.inside, self.outside) if number is not None)


def forcing(automaton: Automaton, length: int) -> Forcing | None:
    """What forces words of this length; None if there are too many sets of states to count."""
    cost = {frozenset({0}): 0}
    for _ in range(length):
        after: dict[frozenset[int], int] = {}
        for states, fixed in cost.items():
            moved = [frozenset(automaton.moves[q][a] for q in states) for a in range(len(automaton.alphabet))]
            for new, more in ((frozenset().union(*moved), 0), *((each, 1) for each in moved)):
                after[new] = min(after.get(new, fixed + more), fixed + more)
        if len(after) > SETS:
            return None
        cost = after
    inside = min((fixed for states, fixed in cost.items() if states <= automaton.accepting), default=None)
    outside = min((fixed for states, fixed in cost.items() if not states & automaton.accepting), default=None)
    return Forcing(inside, outside)
