"""The claims of the recurrent constructions: as many bits of state as the tasks need. Their weights are in registers.py.

[bhattamishra2024 Theorem 2; bhattamishra2024 Theorem 3; bhattamishra2024 Theorem 11; bhattamishra2024 Proposition 9]

Notation   N  symbols or pairs     b  bits of a symbol or a label     S  possible keys     m  bits of a key, ceil(log2 S)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from separatrix.architectures import Architecture
from separatrix.bits import bits_for, ceil_log2
from separatrix.certificates.construction import Construction, Sizes
from separatrix.errors import BadInput
from separatrix.tasks.associative_recall import AssociativeRecall
from separatrix.tasks.equality import Equality
from separatrix.tasks.index_lookup import IndexLookup
from separatrix.tasks.intersects import Intersects

if TYPE_CHECKING:
    from separatrix.certificates.built import Built

MOST_GATES = 1 << 24  # of one model


def index_lookup(task: IndexLookup) -> Built:
    """Index lookup with b N registers."""
    from separatrix.constructions.bhattamishra2024.registers import index_lookup_registers

    return index_lookup_registers(task.length, task.symbols)


def equality(task: Equality) -> Built:
    """Equality with b N/2 registers."""
    from separatrix.constructions.bhattamishra2024.registers import equality_registers

    return equality_registers(task.length, task.symbols)


def intersects(task: Intersects) -> Built:
    """Whether two sets meet, with N/2 registers."""
    from separatrix.constructions.bhattamishra2024.registers import intersects_registers

    return intersects_registers(task.length)


def associative_recall(task: AssociativeRecall) -> Built:
    """Recall of N pairs over S keys, with max(b S, b (S - 1) + m) registers."""
    from separatrix.constructions.bhattamishra2024.recall_registers import recall_registers

    return recall_registers(task.length, task.symbols, task.labels)


def registers(count: int, tokens: int) -> Sizes:
    """One-bit registers; nothing else crosses a cut. The stream holds one-hot tokens, and then the registers."""
    return Sizes(layers=1, heads=0, width=max(count, tokens), precision_bits=32, state_bits=count)


def _recall_sizes(task: AssociativeRecall) -> Sizes:
    """A table of all labels, or all but one of them and the code of a key."""
    N, S, b, m = task.length, task.keys, bits_for(task.labels), ceil_log2(task.keys)
    code = b * (S - 1)
    count = max(b * S, code + m)
    at_key = code + (count - code) + m  # remove the key's entry, clear, write its code
    at_label = S * (1 + m) + 2 * (S - 1) + (count - code) + 2 * b + 6 * b * (S - 1)  # decode the key, clear, reopen its entry
    gates = (2 * N + 1) * max(at_key, at_label, b * S + b) * task.vocabulary * 4
    if gates > MOST_GATES:
        raise BadInput(f"associative-recall/recurrent, N = {N}: {gates} gates are above {MOST_GATES}")
    return registers(count, task.vocabulary)


INDEX_LOOKUP_RECURRENT = Construction(
    name="index-lookup/recurrent",
    cites="bhattamishra2024 Theorem 3",
    computes=IndexLookup,
    architecture=Architecture.RECURRENT,
    build=index_lookup,
    formula=lambda task: registers(bits_for(task.symbols) * task.length, task.vocabulary + 1),  # numbers share a row
    quick=({"length": 7, "symbols": 2}, {"length": 40, "symbols": 4}),  # at 7 all inputs
    fixed=("distribution",),
)
EQUALITY_RECURRENT = Construction(
    name="equality/recurrent",
    cites="bhattamishra2024 Theorem 11",
    computes=Equality,
    architecture=Architecture.RECURRENT,
    build=equality,
    formula=lambda task: registers(bits_for(task.symbols) * task.length // 2, task.vocabulary),
    quick=({"length": 10}, {"length": 100}),
)
INTERSECTS_RECURRENT = Construction(
    name="intersects/recurrent",
    cites="bhattamishra2024 Theorem 2",
    computes=Intersects,
    architecture=Architecture.RECURRENT,
    build=intersects,
    formula=lambda task: registers(task.length // 2, task.vocabulary),
    quick=({"length": 10}, {"length": 100}),
)
ASSOCIATIVE_RECALL_RECURRENT = Construction(
    name="associative-recall/recurrent",
    cites="bhattamishra2024 Proposition 9",
    computes=AssociativeRecall,
    architecture=Architecture.RECURRENT,
    build=associative_recall,
    formula=_recall_sizes,
    quick=({"length": 3, "symbols": 3},),
    default_length=8,
)
