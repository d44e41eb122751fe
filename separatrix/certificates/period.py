"""Certificates of kind `period`: a word that a regular language counts, so that no stack of monotone coordinates recognises it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from separatrix.checker import SCHEMA, VERSION, sealed
from separatrix.checker.numbers.formats import numbers
from separatrix.tasks.languages.automata import Automaton

Word = Sequence[int]


@dataclass(frozen=True)
class MonotoneStack:
    """Sizes of a stack: layers, numbers of a coordinate (how many, or those of a format), and how many inputs choose a map in each layer.

    A layer with a running maximum beside its states counts as two.
    """

    layers: int
    numbers: int | str
    windows: tuple[int, ...] = ()

    @property
    def document(self) -> dict[str, Any]:
        """The stack as JSON; without windows every layer sees one input."""
        return {"layers": self.layers, "numbers": self.numbers, "windows": list(self.windows or (1,) * self.layers)}

    def blocks(self, block: int) -> int:
        """After how many words of so many symbols, one after the other, nothing changes any more."""
        most = 1 << numbers(self.numbers).bits if isinstance(self.numbers, str) else self.numbers
        return self.layers * (most - 1) + sum(-(-(w - 1) // block) for w in self.windows)


def period_certificate(
    automaton: Automaton, words: tuple[Word, Word, Word], p: int, stack: MonotoneStack | None = None, expression: str | None = None
) -> dict[str, Any]:
    """The sealed document about words (x, u, y); the language is named by its expression, if there is one, over the same alphabet."""
    x, u, y = (list(word) for word in words)
    text = json.dumps(automaton.document(), separators=(",", ":")) if expression is None else expression
    alphabet = None if expression is None else "".join(automaton.alphabet)
    blocks = None if stack is None else stack.blocks(len(u))
    return sealed(
        {
            "schema": SCHEMA,
            "version": VERSION,
            "kind": "period",
            "claim": {"task": "regular", "parameters": {"language": text, "alphabet": alphabet}},
            "x": x,
            "u": u,
            "y": y,
            "p": p,
            "answers": [int(automaton.accepts([*x, *u * i, *y])) for i in range(p)],
            "stack": None if stack is None else stack.document,
            "blocks": blocks,
            "longest": None if blocks is None else len(x) + len(u) * (blocks + p - 1) + len(y),
            "strength": "proven",
        }
    )
