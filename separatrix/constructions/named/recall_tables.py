"""Recall by a table in a matrix state: DeltaNet, gated DeltaNet, Mamba-2 and Mamba, in one layer.

Notation   S  keys, key s stands in slot s mod m of bucket s // m        b  bits of a label
           m  slots, the rows of the state      w  buckets, each with b columns

A label is written by the key before it, which a short convolution still shows: into the row of that key's slot, into the columns of
its bucket, one for each bit of the label that is 1. A key reads the row of its slot, and only the columns of its bucket pass.
So the state has m rows and w b columns for S = m w keys, and the stream is about m + w wide: of order sqrt S.

    written    k or B = slot of the token before, 0 at every key: there the token before is a label, or none
               v or u = K if [bucket before] and [bit here], else 0 exactly
    selected   by the gate of the mixer; DeltaNet has no gate: ReLU([bucket] M + read - M)

table_mixers.py has the weights. A key is written once for each time it occurs with its label, so a cell counts up to 2 in
multi-query recall (the pair, and once more behind the query) and up to 1 in associative recall: 0 stays 0, and what is not 0 keeps
away from it, also through an RMS norm: a cell that counts 1 beside cells that count up to 2 is at least 1/2 after the norm.

Filler shows nothing and writes nothing. Where a key may be absent, 0 is the code of `none` and labels have the codes 1 .. L: a key that was
never written reads 0, and `none`, which follows the query for such a key, writes nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from separatrix.architectures import Architecture
from separatrix.certificates.construction import Construction, Settings, Sizes
from separatrix.constructions.named.streams import (
    Stream,
    Tensors,
    assembled,
    binary,
    bits_of,
    by_bits,
    code_bits,
    one_hot,
    stream,
    table_sides,
)
from separatrix.constructions.named.table_mixers import APART, TAPS, TableMaps, heads_of, state_of, table_mixer
from separatrix.models.config import EmbeddingConfig, FeedForwardConfig, LayerConfig
from separatrix.tasks.alternating import Recall
from separatrix.tasks.associative_recall import AssociativeRecall
from separatrix.tasks.mqar import Mqar

if TYPE_CHECKING:
    from separatrix.certificates.built import Built


@dataclass(frozen=True)
class Table:
    """Slots and buckets for the keys of a task, with the stream that addresses them."""

    slots: int
    buckets: int
    bits: int
    keys: int
    stream: Stream

    @property
    def columns(self) -> int:
        """Columns of the state, one per bucket and bit."""
        return self.buckets * self.bits

    def embedding(self) -> np.ndarray:
        """A key shows its slot and its bucket; a label its bits, and where there is a flag that it is a label."""
        key, table = np.arange(self.keys), np.zeros((0, self.stream.width))
        keys = self.stream.rows(self.keys, slot=one_hot(key % self.slots, self.slots), bucket=one_hot(key // self.slots, self.buckets))
        return np.concatenate([table, keys])

    def of_bucket(self) -> np.ndarray:
        """For each column its bucket, [columns, buckets]."""
        return np.repeat(np.eye(self.buckets), self.bits, axis=0)

    def of_bit(self) -> np.ndarray:
        """For each column its bit, [columns, bits]."""
        return np.tile(np.eye(self.bits), (self.buckets, 1))


def tokens_of(task: Recall, table: Table) -> np.ndarray:
    """The embedding of keys, then labels and `none`, then filler."""
    labels = {"code": codes(task)} | ({"label": np.ones((task.targets, 1))} if "label" in table.stream.slots else {})
    filler = table.stream.rows(task.vocabulary - task.keys - task.targets)
    return np.concatenate([table.embedding(), table.stream.rows(task.targets, **labels), filler])


def codes(task: Recall) -> np.ndarray:
    """The bits of each label; those of `none`, the last, are 0."""
    return np.roll(binary(task.targets), -1, axis=0) if task.absent else binary(task.targets)


def readout(task: Recall, table: Table) -> Tensors:
    """Bits of the label, which are read into `code`."""
    weight, bias = by_bits(task.targets, table.stream.rows(table.bits, code=np.eye(table.bits)), APART)
    first = -1 if task.absent else 0  # `none` has the code 0, and comes last
    return {"readout.weight": np.roll(weight, first, axis=0), "readout.bias": np.roll(bias, first)}


# -- the four mixers -----------------------------------------------------------------------------------------------------------------


def table_of(task: Recall, by: str, state: int, width: int) -> Table:
    """DeltaNet puts what it reads beside the rest and selects afterwards; with a gate what passes is the answer.

    Mamba has `state` slots; the others as many as make the narrowest stream.
    """
    b, what = code_bits(task.targets), f"{task.name} with {task.keys} keys"
    m, w = table_sides(task.keys, state, 1, 1 + b if by == "deltanet" else 1)
    slots = {"slot": m, "bucket": w, "code": b} | ({"label": 1} if "deltanet" in by else {}) | ({"read": w * b} if by == "deltanet" else {})
    return Table(m, w, b, task.keys, stream(what, width, **slots))


def _maps(at: Table, by: str) -> TableMaps:
    """A label writes its bits into the slot and bucket of the key before."""
    s, columns, delta = at.stream, at.columns, "deltanet" in by
    both = {"bucket": at.of_bucket(), "code": at.of_bit()} | ({"label": np.full((columns, 1), -1.0)} if delta else {})
    out = {"read": np.eye(columns)} if by == "deltanet" else {"code": at.of_bit()}
    return TableMaps(
        slot=s.rows(at.slots, slot=np.eye(at.slots)),
        values=s.rows(columns, **both),
        writes=s.rows(1, **{"label": np.ones((1, 1))} if delta else {}),
        bucket=s.rows(columns, bucket=at.of_bucket()),
        out=s.rows(columns, **out).T,
        lag=1,
        bias=0.0 if delta else -1.0,
    )


def recall_by(by: str, task: Recall, state: int, width: int, arithmetic: str) -> Built:
    """One layer; DeltaNet has a feed-forward part that selects the bucket."""
    at, sizes = table_of(task, by, state, width), table_sizes(by, task, state, width, arithmetic)
    mixer, weights = table_mixer(by, _maps(at, by), 0)
    tensors, hidden = {"embedding.table": tokens_of(task, at), **weights, **readout(task, at)}, None
    if by == "deltanet":
        columns, most = at.columns, float(task.token_count)  # more than any count
        hidden = FeedForwardConfig(columns)
        tensors |= {
            "layers.0.feedforward.inner": at.stream.rows(columns, read=np.eye(columns), bucket=most * at.of_bucket()),
            "layers.0.feedforward.inner_bias": np.full(columns, -most),
            "layers.0.feedforward.outer": at.stream.rows(columns, code=at.of_bit()).T,
            "layers.0.feedforward.outer_bias": np.zeros(at.stream.width),
        }
    settings = ({"state": state} if by == "mamba" else {}) | {"width": width}
    facts, layers = {"bits held": float(held_bits(task, at))}, (LayerConfig(mixer, hidden, residual=True),)
    return assembled(task, f"{task.name}/{by}", arithmetic, settings, sizes, EmbeddingConfig(task.vocabulary), layers, tensors, facts)


def table_sizes(by: str, task: Recall, state: int, width: int, arithmetic: str) -> Sizes:
    """One layer with one table."""
    at, p = table_of(task, by, state, width), bits_of(task.name, arithmetic)
    return Sizes(layers=1, heads=heads_of(by), width=at.stream.width, precision_bits=p, state_bits=p * state_of(by, at.slots, at.columns))


def deltanet(task: Recall, width: int = 0, arithmetic: str = "float64") -> Built:
    """One head, and a feed-forward part that selects the bucket."""
    return recall_by("deltanet", task, 0, width, arithmetic)


def gated_deltanet(task: Recall, width: int = 0, arithmetic: str = "float64") -> Built:
    """One head whose gate selects the bucket; no feed-forward part."""
    return recall_by("gated-deltanet", task, 0, width, arithmetic)


def mamba2(task: Recall, width: int = 0, arithmetic: str = "float64") -> Built:
    """One head; the time step is softplus(0) at every token, since only labels write."""
    return recall_by("mamba2", task, 0, width, arithmetic)


def mamba(task: Recall, state: int = 16, width: int = 0, arithmetic: str = "float64") -> Built:
    """B and C are linear in channels of their own, whose state nobody reads: their gates are shut."""
    return recall_by("mamba", task, state, width, arithmetic)


def held_bits(task: Recall, at: Table) -> int:
    """Bits that hold what is read of the state: cells that count to 2, or to 1 if no pair comes twice, and the last three tokens."""
    most = 1 if isinstance(task, AssociativeRecall) else 2
    return at.slots * at.columns * code_bits(most + 1) + (TAPS - 1) * code_bits(task.vocabulary)


def _declared(computes: type[Recall], by: str, build: Callable[..., Built], *quick: Settings) -> Construction:
    formula = partial(table_sizes, by) if by == "mamba" else partial(table_sizes, by, state=0)
    around = ({"length": 2, "symbols": 3, "filler": 1, "absent": True},) if computes is AssociativeRecall and by != "mamba" else ()
    return Construction(
        name=f"{computes.name}/{by}",
        computes=computes,
        architecture=Architecture(by),
        build=build,
        formula=formula,
        quick=(*quick, *around),
        default_length=16,
        extended=("filler", "absent"),
    )


_short = {"arithmetic": "float32"}
MQAR_DELTANET = _declared(Mqar, "deltanet", deltanet, {"length": 4}, {"length": 64})
MQAR_GATED_DELTANET = _declared(Mqar, "gated-deltanet", gated_deltanet, {"length": 4, **_short}, {"length": 16})
MQAR_MAMBA2 = _declared(Mqar, "mamba2", mamba2, {"length": 4}, {"length": 64})
MQAR_MAMBA = _declared(Mqar, "mamba", mamba, {"length": 4, **_short}, {"length": 16})
RECALL_DELTANET = _declared(AssociativeRecall, "deltanet", deltanet, {"length": 2, **_short}, {"length": 16})
RECALL_GATED_DELTANET = _declared(AssociativeRecall, "gated-deltanet", gated_deltanet, {"length": 2}, {"length": 16})
RECALL_MAMBA2 = _declared(AssociativeRecall, "mamba2", mamba2, {"length": 2, **_short}, {"length": 16})
RECALL_MAMBA = _declared(AssociativeRecall, "mamba", mamba, {"length": 2}, {"length": 16})
