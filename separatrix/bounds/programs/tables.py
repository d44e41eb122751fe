"""Whether a dynamic program is regular: whether any two inputs differ in some value. By counting at small sizes, with a witness.

[yang2024 Definition 4.3]
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np

from separatrix.errors import BadInput
from separatrix.tasks.programs.dynamic_program import DynamicProgram

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
