"""Copying, looking up and comparing by a delay line, in Elman networks, GRUs and LSTMs: width of order N.

Notation   b  bits of a symbol      stage j  the bits of the symbol read j tokens ago, -1 or 1; 0 while there is none

    copy           stage N at every token from the separator on: (N + 1) b units
    index lookup   the index p drives every unit to -1 but stage N + 1 - p, so that one symbol is left to add up: (N + 1) b units
    equality       a symbol is compared with the one N/2 tokens ago, bit by bit, and one unit remembers whether two have differed
    intersects     the same, and one unit remembers whether two bits were 1

For the last two one more unit says that something was read: before the first token a unit that is off shows 0, and -1 from then on.
What the last token finds is not yet remembered, so the read-out takes it from the units that compare.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from separatrix.architectures import Architecture
from separatrix.certificates.construction import Construction, Settings, Sizes
from separatrix.constructions.named.sign_networks import MOST, SignNetwork, realised, sizes_of
from separatrix.constructions.named.streams import Array, binary, code_bits
from separatrix.errors import BadInput
from separatrix.tasks import Task
from separatrix.tasks.copying import Copy
from separatrix.tasks.equality import Equality
from separatrix.tasks.index_lookup import IndexLookup
from separatrix.tasks.intersects import Intersects

if TYPE_CHECKING:
    from separatrix.certificates.built import Built

FORCED = -2.0  # more than a stage can resist


def delay_units(task: Copy | IndexLookup) -> int:
    """Units of a delay line with stages 0 .. N, each of which holds one symbol's code."""
    return (task.length + 1) * code_bits(task.symbols)


def comparing_units(task: Equality | Intersects) -> int:
    """Stages 0 .. N/2 - 1, units that compare, one that remembers, one that has read."""
    bits = code_bits(task.vocabulary)
    return bits * task.length // 2 + (2 * bits if isinstance(task, Equality) else 1) + 2


def copying(task: Copy) -> SignNetwork:
    """The symbol N tokens ago is due."""
    drive, shift, bits = _line(task.symbols, task.length + 1, task.vocabulary)
    signs = 2 * binary(task.symbols) - 1
    readout = np.concatenate([np.zeros((task.symbols, task.length * bits)), signs], axis=1)
    return SignNetwork(drive, shift, np.zeros(len(shift)), readout, np.zeros(task.symbols))


def looking_up(task: IndexLookup) -> SignNetwork:
    """An index leaves one symbol standing, and N stages at -1."""
    N, stages = task.length, task.length + 1
    drive, shift, bits = _line(task.symbols, stages, task.vocabulary)
    for p in range(1, N + 1):
        standing = np.arange(stages) == N + 1 - p
        drive[task.symbols + p - 1] = np.where(np.repeat(standing, bits), 0.0, FORCED)
    signs = 2 * binary(task.symbols) - 1
    return SignNetwork(drive, shift, np.zeros(len(shift)), np.tile(signs, stages), N * signs.sum(axis=1))


def comparing(task: Equality | Intersects) -> SignNetwork:
    """Units that compare a symbol with that of N/2 tokens ago; one that remembers; one that has read."""
    half, bits, symbols = task.length // 2, code_bits(task.vocabulary), task.vocabulary
    differ = isinstance(task, Equality)
    found = 2 * bits if differ else 1
    units, code = half * bits + found + 2, 2 * binary(symbols) - 1
    line, shift, _ = _line(symbols, half, symbols)
    drive, U, b = np.zeros((symbols, units)), np.zeros((units, units)), np.zeros(units)
    drive[:, : half * bits], U[: half * bits, : half * bits] = line, shift
    compare, remember, read = slice(half * bits, units - 2), units - 2, units - 1
    last = np.arange(half * bits)[-bits:]  # the stage whose symbol was read N/2 tokens before the next one
    now = np.concatenate([code, -code], axis=1) if differ else code  # 1 here and -1 there, or the other way round; or 1 in both
    drive[:, compare] = now
    U[compare, last] = np.concatenate([-np.eye(bits), np.eye(bits)]) if differ else np.ones((1, 1))
    b[compare], b[read] = -1.5, 1.0
    U[remember, compare] = U[remember, remember] = 1.0
    U[remember, read] = found + 1
    b[remember] = -0.5
    weight = np.zeros(units)
    weight[compare] = weight[remember] = 1.0  # -1 each, or some 1
    answer = -1.0 if differ else 1.0
    return SignNetwork(drive, U, b, np.stack([0 * weight, answer * weight]), np.array([0.0, answer * found]))


def _line(symbols: int, stages: int, vocabulary: int) -> tuple[Array, Array, int]:
    """What drives the first stage, and the shift of all stages by one."""
    bits = code_bits(symbols)
    if stages * bits > MOST:
        raise BadInput(f"{stages} stages of {bits} bits are above {MOST} units: expected a shorter input or fewer symbols")
    drive = np.zeros((vocabulary, stages * bits))
    drive[:symbols, :bits] = 2 * binary(symbols) - 1
    return drive, np.eye(stages * bits, k=-bits), bits


# -- declarations --------------------------------------------------------------------------------------------------------------------


def _declared(
    computes: type[Task], network: Callable[[Any], SignNetwork], units: Callable[[Any], int], cell: str, *quick: Settings
) -> Construction:
    def build(task: Task, arithmetic: str = "float64") -> Built:
        sizes_of(task, units(task), cell, arithmetic)  # refuses before anything is filled in
        return realised(task, network(task), cell, arithmetic)

    def formula(task: Task, arithmetic: str) -> Sizes:
        return sizes_of(task, units(task), cell, arithmetic)

    fixed = ("distribution",) if computes is IndexLookup else ()
    return Construction(
        name=f"{computes.name}/{cell}",
        computes=computes,
        architecture=Architecture(cell),
        build=build,
        formula=formula,
        quick=quick,
        default_length=16,
        fixed=fixed,
    )


_lookup = partial(_declared, IndexLookup, looking_up, delay_units)
_copy = partial(_declared, Copy, copying, delay_units)
_equality = partial(_declared, Equality, comparing, comparing_units)
_intersects = partial(_declared, Intersects, comparing, comparing_units)
LOOKUP_ELMAN = _lookup("elman", {"length": 4, "symbols": 3}, {"length": 16, "symbols": 2})
LOOKUP_GRU = _lookup("gru", {"length": 4, "symbols": 3, "arithmetic": "float32"}, {"length": 16, "symbols": 2})
LOOKUP_LSTM = _lookup("lstm", {"length": 4, "symbols": 3}, {"length": 16, "symbols": 2})
COPY_ELMAN = _copy("elman", {"length": 4, "symbols": 4, "arithmetic": "float32"})
COPY_GRU = _copy("gru", {"length": 4, "symbols": 4})
COPY_LSTM = _copy("lstm", {"length": 4, "symbols": 4, "arithmetic": "float32"})
EQUALITY_ELMAN = _equality("elman", {"length": 8})
EQUALITY_GRU = _equality("gru", {"length": 4, "symbols": 3, "arithmetic": "float32"})
EQUALITY_LSTM = _equality("lstm", {"length": 4, "symbols": 3})
INTERSECTS_ELMAN = _intersects("elman", {"length": 8, "arithmetic": "float32"})
INTERSECTS_GRU = _intersects("gru", {"length": 8})
INTERSECTS_LSTM = _intersects("lstm", {"length": 8, "arithmetic": "float32"})
