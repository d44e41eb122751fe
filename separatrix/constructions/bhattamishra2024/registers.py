"""Recurrent models with exactly as many bits of state as the tasks need: the lower bounds on recurrent models are tight.

[bhattamishra2024 Theorem 2; bhattamishra2024 Theorem 3; bhattamishra2024 Theorem 11]

Notation   N  symbols     b  bits of a symbol, ceil(log2 |S|)     h  registers, one bit each

A symbol that will be needed goes into b registers of its own. Index lookup reads the registers of place p into the first b. Equality
and intersection store the first half; from then on each token frees the registers it is compared with, so the verdict so far fits
into the first one and needs no extra register. That is b N bits and b N/2 bits: exactly the state profile, where |S| is a power of 2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from separatrix.architectures import Architecture
from separatrix.bits import bits_for
from separatrix.certificates.construction import Construction
from separatrix.constructions.register_program import (
    AND,
    AND_NOT,
    CLEAR,
    COPY,
    KEEP,
    NOT,
    OR,
    SET,
    Registers,
    bit_gates,
    register_sizes,
)  # fmt: skip
from separatrix.tasks.equality import Equality
from separatrix.tasks.index_lookup import IndexLookup
from separatrix.tasks.intersects import Intersects

if TYPE_CHECKING:
    from separatrix.certificates.built import Built


def index_lookup(task: IndexLookup) -> Built:
    """Index lookup with b N registers.

    [bhattamishra2024 Theorem 3]
    """
    N, symbols, b = task.length, task.symbols, bits_for(task.symbols)
    program = Registers(registers=b * N, length=N + 1, writes=b, plain=symbols, numbers=N)
    for i in range(N):
        for k in range(b):
            program.put(i, k, w=b * i + k, r=0, gates=[*bit_gates(symbols, k, SET, CLEAR), KEEP])  # store rho(s_i)
    for k in range(b):
        program.put(N, k, w=k, r=k, gates=[*(KEEP,) * symbols, COPY])
        program.number_read[:, k] = b * np.arange(N) + k  # the index p reads the registers of place p
    return program.built(task, symbols, INDEX_LOOKUP_RECURRENT.cites)


def equality(task: Equality) -> Built:
    """Equality with b N/2 registers.

    [bhattamishra2024 Theorem 11]
    """
    half, symbols, b = task.length // 2, task.symbols, bits_for(task.symbols)
    program = Registers(registers=b * half, length=task.length, writes=b, plain=symbols)
    for i in range(half):
        for k in range(b):
            program.put(i, k, w=b * i + k, r=0, gates=bit_gates(symbols, k, SET, CLEAR))
            first = i == 0 and k == 0  # the first bit is compared in place: from here on h_0 is whether all agreed so far
            agrees = bit_gates(symbols, k, KEEP, NOT) if first else bit_gates(symbols, k, AND, AND_NOT)
            program.put(half + i, k, w=0, r=b * i + k, gates=agrees)
    return program.built(task, 2, EQUALITY_RECURRENT.cites)


def intersects(task: Intersects) -> Built:
    """Whether two sets meet, with N/2 registers.

    [bhattamishra2024 Theorem 2]
    """
    half = task.length // 2
    program = Registers(registers=half, length=task.length, writes=1, plain=2)
    for i in range(half):
        program.put(i, 0, w=i, r=0, gates=[CLEAR, SET])
        # h_0 is whether an element so far is in both sets; if the token is 1, element i is in both iff h_i
        program.put(half + i, 0, w=0, r=i, gates=[KEEP, OR] if i else [CLEAR, KEEP])
    return program.built(task, 2, INTERSECTS_RECURRENT.cites)


INDEX_LOOKUP_RECURRENT = Construction(
    name="index-lookup/recurrent",
    cites="bhattamishra2024 Theorem 3",
    computes=IndexLookup,
    architecture=Architecture.RECURRENT,
    build=index_lookup,
    formula=lambda task: register_sizes(bits_for(task.symbols) * task.length, task.vocabulary + 1),  # numbers share a row
    quick=({"length": 7, "symbols": 2}, {"length": 40, "symbols": 4}),  # at 7 all inputs
    fixed=("distribution",),
)
EQUALITY_RECURRENT = Construction(
    name="equality/recurrent",
    cites="bhattamishra2024 Theorem 11",
    computes=Equality,
    architecture=Architecture.RECURRENT,
    build=equality,
    formula=lambda task: register_sizes(bits_for(task.symbols) * task.length // 2, task.vocabulary),
    quick=({"length": 10}, {"length": 100}),
)
INTERSECTS_RECURRENT = Construction(
    name="intersects/recurrent",
    cites="bhattamishra2024 Theorem 2",
    computes=Intersects,
    architecture=Architecture.RECURRENT,
    build=intersects,
    formula=lambda task: register_sizes(task.length // 2, task.vocabulary),
    quick=({"length": 10}, {"length": 100}),
)
