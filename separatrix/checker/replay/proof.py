"""The result of a proof rule: a proof that a program is right on every input of the stated sizes, or the hypothesis that failed."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from separatrix.checker.numbers.formats import Numbers
from separatrix.checker.seal import Unproven

__all__ = ["Proof", "Unfit", "Unproven", "formats_of", "tokens_in"]


class Unfit(Exception):
    """A rule that does not cover models or tasks of this shape; one line says what it expects."""


@dataclass(frozen=True)
class Proof:
    """The proof of a rule: the right answer leads on every input of the sizes of the claim."""

    rule: str  # "lookup"
    margin: Fraction | float  # least lead of the right answer over every input, > 0; never above the truth
    hypotheses: tuple[str, ...]  # what is assumed and what was checked on the tensors, as sentences for a reader
    every_length: str | None = None  # the title of the task where the proof is about inputs of every length
    constant: bool | None = None  # whether all inputs that it is about have one answer; None: those of the task's form


def tokens_in(lengths: range) -> str:
    """Inputs of 17 tokens, of 11 to 17 tokens."""
    return f"inputs of {lengths[0]} tokens" if len(lengths) == 1 else f"inputs of {lengths[0]} to {lengths[-1]} tokens"


def formats_of(ops: Numbers) -> str:
    """The hypothesis of the format."""
    if ops.scale is not None:
        return f"{ops.name} is computed exactly, and rounded once by every operator"
    return f"any order of summation in {ops.name}; exp accurate to 4 units in the last place"
