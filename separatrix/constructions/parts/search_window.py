"""A linear recurrent network that writes one search: a window of the last words, and one rule for each word of the chain.

[wen2024 Lemma B.20; wen2024 Theorem 5.2]

A chain is <StartSearch> w_1 .. w_m <EndSearch>, the result, the answer, </s>. How many words ago the search began is all that the network
needs to know: i words ago it says w_(i+1), which is a fragment or the j-th of Q words of the query, and that one lies i + 1 + Q - j words
back. A linear unit holds the flag of <StartSearch> and the numbers of so many words; each rule is one hidden unit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from separatrix.constructions.assembler import Layer
from separatrix.constructions.forms import Form, slot_form, stack
from separatrix.constructions.gadgets import Gadget, Part, when
from separatrix.constructions.parts.numbered import Numbered
from separatrix.constructions.recurrences import history
from separatrix.tasks.searching import END, START, STOP

Rules = list[tuple[str, Gadget]]  # what is said, "" for the number, and where


class SearchWindow:
    """The program of such a network. `pattern` has the fragments as words and the j-th word of the query, from 1 on, as j."""

    def __init__(self, program: Numbered, pattern: Sequence[str | int], query: int, zero: str | None = None) -> None:
        self.program, self.rules, m = program, [], len(pattern)
        self.layer: Layer = program.net.linear_unit()
        back = max(i + 1 + query - j for i, j in enumerate(pattern) if isinstance(j, int))
        begun = self.layer.remember("begun", history(program.flag(START), m + 3))
        numbers = self.layer.remember("numbers", history(program.number[0], back))
        self.since = stack(program.flag(START), begun)  # row i: the search began i words ago
        for i, word in enumerate(pattern):
            if isinstance(word, str):
                self.say(word, self.since[i])
            else:
                number = numbers[i + query - word]
                self.say("", self.since[i], number)
                if zero is not None:  # the number 0 is a special word, whose logit of 1/2 only loses to a number
                    self.say(zero, self.since[i], 0.5 * program.one)
        self.say(END, self.since[m])
        self.say(STOP, self.since[m + 3])
        self.rules.append((START, when([], program.one, unless=[self.since[i] for i in range(m + 4)])))
        self.result = self.since[m + 2]  # the word is the result of the search

    def say(self, word: str, flag: Form, value: Form | None = None, unless: Sequence[Form] = ()) -> None:
        """A rule: where the flag is 1, say the word, or the number with this value if the word is empty."""
        self.rules.append((word, when([flag], self.program.one if value is None else value, unless)))

    def finish(self) -> None:
        """Write all rules into one slot, and read out what it holds."""
        words = list(dict.fromkeys(["", *(word for word, _ in self.rules)]))
        parts: list[Part] = []
        for word, gadget in self.rules:
            row = np.eye(len(words))[:, [words.index(word)]]
            parts += [Part(row @ part.matrix, part.form, part.gate) for part in gadget.parts]
        inputs = tuple(form for _, gadget in self.rules for form in gadget.inputs)
        self.layer.write("says", Gadget("rules", tuple(parts), np.zeros(len(words)), inputs, low=None, high=None))
        says = slot_form("says", len(words))
        spoken: Mapping[str, Form] = {word: says[row] for row, word in enumerate(words) if word}
        self.program.say(says[0], spoken)
