"""A linear recurrent network that writes one search: a window of the last words, and one rule for each word of the chain.

[wen2024 Lemma B.20; wen2024 Theorem 5.2]

A chain is <StartSearch> w_1 .. w_m <EndSearch>, the result, the answer, </s>. How many words ago the search began is all that the network
needs to know: i words ago it says w_(i+1), which is a fragment or the j-th of Q words of the query, and that one lies i + 1 + Q - j words
back. A linear unit holds the flag of <StartSearch> and the numbers of so many words; each rule is one hidden unit.
"""

from __future__ import annotations

from collections.abc import Sequence

from separatrix.constructions.assembler import Layer
from separatrix.constructions.forms import stack
from separatrix.constructions.parts.numbered import Numbered
from separatrix.constructions.parts.rules import Rules
from separatrix.constructions.recurrences import history
from separatrix.tasks.searching import END, START, STOP


class SearchWindow:
    """The program of such a network. `pattern` has the fragments as words and the j-th word of the query, from 1 on, as j."""

    def __init__(self, program: Numbered, pattern: Sequence[str | int], query: int, zero: str | None = None) -> None:
        self.rules, m = Rules(program), len(pattern)
        self.layer: Layer = program.net.linear_unit()
        back = max(i + 1 + query - j for i, j in enumerate(pattern) if isinstance(j, int))
        begun = self.layer.remember("begun", history(program.flag(START), m + 3))
        numbers = self.layer.remember("numbers", history(program.number[0], back))
        since = stack(program.flag(START), begun)  # row i: the search began i words ago
        for i, word in enumerate(pattern):
            if isinstance(word, str):
                self.rules.say(word, [since[i]])
                continue
            self.rules.say_number(numbers[i + query - word], [since[i]])
            if zero is not None:  # the number 0 is a special word, whose logit of 1/2 only loses to a number
                self.rules.say(zero, [since[i]], weight=0.5)
        self.rules.say(END, [since[m]])
        self.rules.say(STOP, [since[m + 3]])
        self.rules.say(START, [], unless=[since[i] for i in range(m + 4)])
        self.result = since[m + 2]  # the word is the result of the search

    def finish(self) -> None:
        """Write the rules that were collected into the layer."""
        self.rules.finish(self.layer)
