"""Rules of a controller: under a condition say a word, or a number. Each is a few hidden units, and all of them write into one slot."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from separatrix.constructions.assembler import Layer
from separatrix.constructions.forms import Form
from separatrix.constructions.gadgets import Gadget, Part, equal, when
from separatrix.constructions.parts.numbered import Numbered

SAYS = "says"


class Rules:
    """The rules of one layer. At most one applies to a token, or what they say is added up."""

    def __init__(self, program: Numbered) -> None:
        self.program = program
        self.rules: list[tuple[str, Gadget]] = []  # the word, "" for a number

    def say(self, word: str, flags: Sequence[Form], unless: Sequence[Form] = (), weight: float = 1.0) -> None:
        """Say a word where every flag is 1 and none of `unless` is."""
        self.rules.append((word, when(flags, weight * self.program.one, unless)))

    def say_number(self, number: Form, flags: Sequence[Form], unless: Sequence[Form] = ()) -> None:
        """Say a number, if it is at least 1."""
        self.rules.append(("", when(flags, number, unless)))

    def say_where(self, word: str, x: Form, value: int, flag: Form) -> None:
        """Say a word where the flag is 1 and an integer has this value."""
        self.rules.append((word, equal(x, value * self.program.one, flag)))

    def finish(self, layer: Layer) -> None:
        """Write all rules into one slot, and read out what it holds."""
        words = list(dict.fromkeys(word for word, _ in self.rules))
        says = layer.write(SAYS, combined("rules", len(words), [(words.index(word), gadget) for word, gadget in self.rules]))
        spoken = {word: says[row] for row, word in enumerate(words) if word}
        self.program.say(says[words.index("")] if "" in words else None, spoken)


def combined(
    name: str, rows: int, gadgets: Sequence[tuple[int | Sequence[int], Gadget]], low: float | None = None, high: float | None = None
) -> Gadget:
    """Gadgets of one output side by side, each added to a row of one output, or to several; [low, high] is known of every row."""
    parts: list[Part] = []
    for row, gadget in gadgets:
        column = np.zeros((rows, 1))
        column[row if isinstance(row, int) else [*row]] = 1
        parts += [Part(column @ part.matrix, part.form, part.gate) for part in gadget.parts]
    inputs = tuple(form for _, gadget in gadgets for form in gadget.inputs)
    return Gadget(name, tuple(parts), np.zeros(rows), inputs, low=low, high=high)
