"""Rules of a controller: under a condition say a word, or a number. Each is a few hidden units of the last layer.

[wen2024 Definition 3.2; the word embedding reads out]

They write where the embedding wrote what was read, which one unit for each coordinate takes away. So the stream then holds 2 v and -1 in
place of a number and its square, and 1 in place of the word that is said.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from separatrix.constructions.assembler import Layer
from separatrix.constructions.forms import Form
from separatrix.constructions.gadgets import Gadget, Part, constant, equal, when
from separatrix.constructions.parts.numbered import Numbered


class Rules:
    """The rules of the last layer. At most one applies to a token, or what they say is added up."""

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

    def say_by(self, word: str, gadget: Gadget) -> None:
        """Say a word as strongly as a gadget says."""
        self.rules.append((word, gadget))

    def finish(self, layer: Layer) -> None:
        """Replace what was read by what is said, and have the word embedding read it out."""
        program = self.program
        spoken = [(program.words.index(word), gadget) for word, gadget in self.rules if word]
        layer.write("word", when([], -1 * program.word))
        if spoken:
            layer.write("word", combined("words", len(program.words), spoken))
        if program.n:
            layer.write("number", when([], -1 * program.number))
            layer.write("number", constant(0.0, -1.0))
            numbers = [(0, scaled(2.0, gadget)) for word, gadget in self.rules if not word]
            if numbers:
                layer.write("number", combined("numbers", 2, numbers))
            program.fits(3 * program.n**2, "logits of numbers")
        program.net.read_out_by_words()


def scaled(factor: float, gadget: Gadget) -> Gadget:
    """A gadget whose output is multiplied by a factor."""
    parts = tuple(Part(factor * part.matrix, part.form, part.gate) for part in gadget.parts)
    return replace(gadget, parts=parts, constant=factor * gadget.constant, low=None, high=None, chooses=None)


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
