"""The least width of a linear or a sparse Transformer that writes a chain: the cut behind the prompt, with constants.

[yang2024 Theorem 4.4] [yang2024 Theorem B.5] [yang2024 Theorem B.6] [yang2024 Proposition 5.2] [yang2024 Theorem C.1]
[yang2024 Proposition 5.5] [yang2024 Theorem C.4]

Notation   n  entries of the prompt      M  layers that mix tokens       D  width        p  bits of a number
           v  of them, those that some later token sees                  H  heads        b  bits that the chain reveals of the prompt

After the prompt the model must be able to write every chain. What is left of the prompt then are the states of linear layers,
D^2 / H + D numbers each, or what sparse layers keep of v tokens: below the first mixer the bits of a token, above it at most D numbers.
So M (D^2 / H + D) p >= b, and v (log2 |S| + (M - 1) D p) >= b. The cut calculator (models/state_at_cut.py) solves both for whole widths.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import product

import numpy as np

from separatrix.errors import BadInput
from separatrix.models.state_at_cut import LayerCut, least_width
from separatrix.tasks.capabilities import Revealed, RevealsPrompt
from separatrix.tasks.programs.dynamic_program import DynamicProgram


def revealed(task: object) -> Revealed:
    """What the chain of a task reveals: by the task's own argument, or by counting the tables of a small program."""
    known = task.revealed_by_chain() if isinstance(task, RevealsPrompt) else None
    if known is not None and not known.loose:
        return known
    if isinstance(task, DynamicProgram) and task.symbols**task.entries <= MOST:
        counted = tables(task)
        return Revealed(math.log2(counted.tables), f"log2 of {counted.tables:,} tables, counted")
    if known is None:
        raise BadInput(f"{getattr(task, 'name', task)!r:.80}: no count of its chains is known; tables.py counts them at small sizes")
    return known


def revealed_or_none(task: object) -> Revealed | None:
    """Bits that the chain reveals; None where nothing is known."""
    try:
        return revealed(task)
    except BadInput:
        return None


def visible_entries(n: int, block: int, local: int = 1, far: int = 1) -> int:
    """v: of n tokens, those that a later token may read under block-sparse attention."""
    near = min(n, local * block - 1)
    rest = n - near
    return near + far * (rest // block) + max(0, rest % block - (block - far))


def linear_width(bits: float, layers: int, heads: int, p: int) -> float:
    """The real D at which M (D^2 / H + D) p = b."""
    return heads / 2 * (math.sqrt(1 + 4 * bits / (layers * p * heads)) - 1)


def least_linear_width(bits: float, layers: int, heads: int, p: int) -> int:
    """The least whole D that is not refuted if heads have ceil(D / H) numbers each; by the cut calculator.

    If D must be a multiple of H, the next multiple is the bound.
    """
    head = least_width(lambda d: [LayerCut(numbers=heads * (d * d + d))] * layers, bits, p, 0)
    assert head is not None, "the bits of a linear layer grow without bound"
    return (head - 1) * heads + 1


def least_sparse_width(bits: float, visible: int, token_bits: int, layers: int, p: int) -> int | None:
    """The least width with sparse attention; None where no width is enough."""
    return least_width(lambda D: [LayerCut(tokens=visible, numbers_each=2 * D)] * layers, bits, p, token_bits)


MOST = 1 << 20  # inputs


@dataclass(frozen=True)
class Tables:
    """How many tables of values all inputs of one size have, and two inputs with the same, if there are any."""

    inputs: int
    tables: int
    alike: tuple[tuple[int, ...], tuple[int, ...]] | None

    @property
    def regular(self) -> bool:
        """Whether every input has a table of its own."""
        return self.alike is None


def tables(program: DynamicProgram) -> Tables:
    """Every input of the program's size."""
    count = program.symbols**program.entries
    if count > MOST:
        raise BadInput(f"{program.label}: {count:,} inputs are too many to run, at most {MOST:,}")
    inputs = np.array(list(product(range(program.symbols), repeat=program.entries)), dtype=np.int64)
    first: dict[bytes, int] = {}
    alike: tuple[tuple[int, ...], tuple[int, ...]] | None = None
    for row, values in enumerate(program.unrolled.run(inputs)):
        met = first.setdefault(values.tobytes(), row)
        if met != row and alike is None:
            alike = tuple(inputs[met].tolist()), tuple(inputs[row].tolist())
    return Tables(count, len(first), alike)
