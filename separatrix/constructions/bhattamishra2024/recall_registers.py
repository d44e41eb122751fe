"""Associative recall with a table of labels and the pending key, one bit for each bit that the promise leaves open.

[bhattamishra2024 Theorem 2; bhattamishra2024 Proposition 9]

Notation   N  pairs     S  keys there are     b  bits of a label     m  bits of a key, ceil(log2 S)

After a label the state is the table: b bits for each of S keys. After a key it is the code of that key and the labels of the others:
the key's own entry is removed, since keys do not repeat, and its code takes that room. So max(b S, b (S - 1) + m) registers are
enough. For S = N that is the state profile, N - 1 + log2 N bits for two labels, which is more than the paper's N.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from separatrix.architectures import Architecture
from separatrix.bits import bits_for, ceil_log2
from separatrix.certificates.construction import Construction, Sizes
from separatrix.constructions.register_program import (
    AND,
    AND_NOT,
    CLEAR,
    COPY,
    KEEP,
    OR,
    SET,
    Gates,
    Registers,
    register_sizes,
)  # fmt: skip
from separatrix.errors import BadInput
from separatrix.tasks.associative_recall import AssociativeRecall

if TYPE_CHECKING:
    from separatrix.certificates.built import Built

MOST_GATES = 1 << 24  # of one model

Write = tuple[int, int, Gates]  # the register written, the one that is read, a gate for each token


@dataclass(frozen=True)
class Layout:
    """The layout: labels from 0 on, the pending key's code from b (S - 1) on; then scratch, which never crosses a cut."""

    keys: int
    labels: int

    @property
    def b(self) -> int:
        """b, the bits of a label."""
        return bits_for(self.labels)

    @property
    def m(self) -> int:
        """m, the bits of a key."""
        return ceil_log2(self.keys)

    @property
    def code(self) -> int:
        """The first register of the pending key's code."""
        return self.b * (self.keys - 1)

    @property
    def registers(self) -> int:
        """The registers that cross a cut."""
        return max(self.b * self.keys, self.code + self.m)

    def is_key(self, x: int) -> int:
        """Scratch: whether the pending key is x."""
        return self.registers + x

    def is_before(self, x: int) -> int:
        """Scratch: whether the pending key is below x."""
        return self.registers + self.keys + x

    @property
    def spare(self) -> int:
        """One more scratch register."""
        return self.registers + 2 * self.keys

    @property
    def scratch(self) -> int:
        """The number of scratch registers."""
        return max(2 * self.keys + 1, self.b)

    def always(self, gate: tuple[float, ...]) -> Gates:
        """A gate that is the same at every token."""
        return [gate] * (self.keys + self.labels)


def associative_recall(task: AssociativeRecall) -> Built:
    """Associative recall of N pairs over S keys (2 N unless `symbols` is set)."""
    at = Layout(task.keys, task.labels)
    refuse_many_gates(task, at)
    steps = [*[key_step(at), label_step(at)] * task.length, query_step(at)]
    program = Registers(at.registers, len(steps), max(map(len, steps)), task.vocabulary, scratch=at.scratch)
    for t, step in enumerate(steps):
        for k, (w, r, gates) in enumerate(step):
            program.put(t, k, w, r, gates)
    return program.built(task, task.labels, ASSOCIATIVE_RECALL_RECURRENT.cites)


def key_step(at: Layout) -> list[Write]:
    """Remove the entry of key x by shifting the entries above it down, and write its code at the end."""
    closing = [
        (at.b * j + i, at.b * (j + 1) + i, [COPY if token <= j else KEEP for token in range(at.keys + at.labels)])
        for j in range(at.keys - 1)
        for i in range(at.b)
    ]
    cleared: list[Write] = [(r, 0, at.always(CLEAR)) for r in range(at.code, at.registers)]
    coded: list[Write] = [
        (at.code + i, 0, [SET if token < at.keys and token >> i & 1 else KEEP for token in range(at.keys + at.labels)]) for i in range(at.m)
    ]
    return [*closing, *cleared, *coded]


def label_step(at: Layout) -> list[Write]:
    """Decode the code into one scratch register for each key, then reopen that key's entry and write the label into it."""
    writes: list[Write] = []
    for x in range(at.keys):
        writes.append((at.is_key(x), 0, at.always(SET)))
        writes += [(at.is_key(x), at.code + i, at.always(AND if x >> i & 1 else AND_NOT)) for i in range(at.m)]
        if x:
            writes.append((at.is_before(x), at.is_before(x - 1), at.always(COPY)))
            writes.append((at.is_before(x), at.is_key(x - 1), at.always(OR)))
    writes += [(r, 0, at.always(CLEAR)) for r in range(at.code, at.registers)]
    for j in reversed(range(at.keys)):
        for i in range(at.b):
            here = at.b * j + i
            label = [OR if token >= at.keys and (token - at.keys) >> i & 1 else KEEP for token in range(at.keys + at.labels)]
            if j:  # keys above the pending one move up again
                writes.append((at.spare, at.is_before(j), at.always(COPY)))
                writes.append((at.spare, here - at.b, at.always(AND)))
                writes.append((here, at.is_before(j), at.always(AND_NOT)))
                writes.append((here, at.spare, at.always(OR)))
            writes.append((here, at.is_key(j), at.always(AND_NOT)))
            writes.append((here, at.is_key(j), label))
    return writes


def query_step(at: Layout) -> list[Write]:
    """Read the label of key x into the first registers."""
    writes: list[Write] = []
    for i in range(at.b):
        for x in range(at.keys):
            writes.append((at.registers + i, at.b * x + i, [COPY if token == x else KEEP for token in range(at.keys + at.labels)]))
    return writes + [(i, at.registers + i, at.always(COPY)) for i in range(at.b)]


def refuse_many_gates(task: AssociativeRecall, at: Layout) -> None:
    """Refuse a program above MOST_GATES, before any of it is written."""
    S, b, m = at.keys, at.b, at.m
    cleared = at.registers - at.code
    at_key = b * (S - 1) + cleared + m  # remove the key's entry, clear, write its code
    at_label = S * (1 + m) + 2 * (S - 1) + cleared + 2 * b + 6 * b * (S - 1)  # decode the key, clear, reopen its entry
    at_query = b * S + b
    gates = (2 * task.length + 1) * max(at_key, at_label, at_query) * task.vocabulary * 4
    if gates > MOST_GATES:
        raise BadInput(f"associative-recall/recurrent, N = {task.length}: {gates} gates are above {MOST_GATES}")


def _sizes(task: AssociativeRecall) -> Sizes:
    """A table of all labels, or all but one of them and the code of a key."""
    at = Layout(task.keys, task.labels)
    refuse_many_gates(task, at)
    return register_sizes(at.registers, task.vocabulary)


ASSOCIATIVE_RECALL_RECURRENT = Construction(
    name="associative-recall/recurrent",
    cites="bhattamishra2024 Proposition 9",
    computes=AssociativeRecall,
    architecture=Architecture.RECURRENT,
    build=associative_recall,
    formula=_sizes,
    quick=({"length": 3, "symbols": 3},),
    default_length=8,
)
