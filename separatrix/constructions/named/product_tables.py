"""Recall by DeltaProduct in two layers: a product of two factors shows the key before, which no convolution does here.

Notation   S  keys, key s stands in slot s mod m of bucket s // m        b  bits of a label

    first layer    two rows, the digits of this token and of the one before. The first factor swaps them, beta = 2 and
                   k = (e_1 - e_2) / sqrt 2; the second overwrites the first row, beta = 1 and k = e_1. The query e_2 shows the digits of
                   the token before; the feed-forward part makes the cells [bucket before and bit here]
    second layer   one factor: k = slot before, v = cells, beta = 2^-20 at labels and 0 at keys, so that each write leaves the other keys of
                   its row all but 2^-20; q = slot. The feed-forward part keeps the columns of the token's bucket

A swap is exact up to a unit in the last place. What that leaves of a label where a key is expected, 10^-13, is nothing beside the
10^-3 in the norm of a key, and where it counts beta is 0. In float32 it is 10^-4: the model is right, the checker's bounds are too wide.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from separatrix.architectures import Architecture
from separatrix.certificates.construction import Construction, Settings, Sizes
from separatrix.constructions.named.streams import (
    Array,
    Stream,
    Tensors,
    assembled,
    binary,
    bits_of,
    by_bits,
    code_bits,
    one_hot,
    split,
    stream,
)
from separatrix.constructions.named.table_mixers import APART
from separatrix.models.config import EmbeddingConfig, FeedForwardConfig, LayerConfig
from separatrix.tasks.alternating import Recall
from separatrix.tasks.associative_recall import AssociativeRecall
from separatrix.tasks.mqar import Mqar

if TYPE_CHECKING:
    from separatrix.certificates.built import Built

GAIN = 1024.0  # of keys and values: 10^-6 beside its square is nothing
OPEN, SHUT = 64.0, -800.0  # sigma(OPEN) = 1, sigma(SHUT) = 0
SHARE = 2.0**-20  # beta of a write
MOST = 4.0  # more than a cell counts


@dataclass(frozen=True)
class Table:
    """Slots, buckets, bits of a label, and the stream."""

    slots: int
    buckets: int
    bits: int
    stream: Stream

    @property
    def columns(self) -> int:
        """Columns of the table: one for each bit of each bucket."""
        return self.buckets * self.bits

    def of_bucket(self) -> Array:
        """For each column its bucket."""
        return np.repeat(np.eye(self.buckets), self.bits, axis=0)

    def of_bit(self) -> Array:
        """The bit of a label that each column stores, one-hot: [columns, bits]."""
        return np.tile(np.eye(self.bits), (self.buckets, 1))


def table_of(task: Recall, width: int) -> Table:
    """A slot costs two numbers of the stream, a bucket two and two for each bit."""
    b = code_bits(task.labels)
    m, w = split(task.keys, 2, 2 + 2 * b)
    slots = {"slot": m, "bucket": w, "slot_before": m, "bucket_before": w, "cell": w * b, "read": w * b}
    return Table(m, w, b, stream(f"{task.name} with {task.keys} keys", width, **slots, code=b, answer=b, key=1, label=1, one=1))


def recalled(task: Recall, width: int = 0, arithmetic: str = "float64") -> Built:
    """Two layers of one head each, with feed-forward parts."""
    from separatrix.models.mixers.deltaproduct import DeltaProductConfig

    sizes, at = product_sizes(task, width, arithmetic), table_of(task, width)
    s, m, w, key = at.stream, at.slots, at.buckets, np.arange(task.keys)
    one, digits = np.ones((task.keys, 1)), {"slot": one_hot(key % m, m), "bucket": one_hot(key // m, w)}
    labels = s.rows(task.labels, code=binary(task.labels), label=one[: task.labels], one=one[: task.labels])
    weight, bias = by_bits(task.labels, s.rows(at.bits, answer=np.eye(at.bits)), APART)
    tensors: Tensors = {"embedding.table": np.concatenate([s.rows(task.keys, **digits, key=one, one=one), labels])}
    both = ({"mixer": _before(at), "feedforward": _cells(at)}, {"mixer": _table(at), "feedforward": _selecting(at)})
    for layer, parts in enumerate(both):
        tensors |= {f"layers.{layer}.{part}.{name}": tensor for part, some in parts.items() for name, tensor in some.items()}
    tensors |= {"readout.weight": weight, "readout.bias": bias}
    hidden = FeedForwardConfig(at.columns)
    layers = (
        LayerConfig(DeltaProductConfig(1, 2, m + w, 2), hidden, residual=True),
        LayerConfig(DeltaProductConfig(1, m, at.columns, 1), hidden, residual=True),
    )
    facts = {"bits held": float(held_bits(task, at))}
    name, embedding = f"{task.name}/deltaproduct", EmbeddingConfig(task.vocabulary)
    return assembled(task, name, arithmetic, {"width": width}, sizes, embedding, layers, tensors, facts)


def _before(at: Table) -> Tensors:
    """Swap, then overwrite; the query shows the second row."""
    s, u, one = at.stream, at.slots + at.buckets, np.ones((1, 1))
    digits = s.rows(u, slot=np.eye(u, at.slots), bucket=np.eye(u, at.buckets, k=-at.slots))
    always = s.rows(1, one=one)
    shown = s.rows(u, slot_before=np.eye(u, at.slots), bucket_before=np.eye(u, at.buckets, k=-at.slots))
    return {
        "query": GAIN * np.concatenate([0 * always, always]),
        "key": GAIN * np.concatenate([always, -always, always, 0 * always]),  # of the swap, of the overwrite
        "value": GAIN * np.concatenate([0 * digits, digits]),
        "share": np.concatenate([OPEN * always, 0 * always]),  # beta = 2, beta = 1
        "norm.weight": np.full(u, math.sqrt(2 / u)),  # two digits of u numbers
        "out": shown.T,
    }


def _cells(at: Table) -> Tensors:
    """A cell that stays empty is at -1 or below."""
    s, columns = at.stream, at.columns
    inner, outer = s.rows(columns, bucket_before=2 * at.of_bucket(), code=2 * at.of_bit()), s.rows(columns, cell=np.eye(columns)).T
    return {"inner": inner, "inner_bias": np.full(columns, -3.0), "outer": outer, "outer_bias": np.zeros(s.width)}


def _table(at: Table) -> Tensors:
    """What is written once is read as 1."""
    s, m, columns, one = at.stream, at.slots, at.columns, np.ones((1, 1))
    return {
        "query": GAIN * s.rows(m, slot=np.eye(m)),
        "key": GAIN * s.rows(m, slot_before=np.eye(m)),
        "value": GAIN * s.rows(columns, cell=np.eye(columns)),
        "share": s.rows(1, label=math.log(SHARE / 2) * one, key=SHUT * one),
        "norm.weight": np.full(columns, math.sqrt(m) / SHARE / GAIN / 1000),
        "out": s.rows(columns, read=np.eye(columns)).T,
    }


def _selecting(at: Table) -> Tensors:
    """The columns of the token's bucket."""
    s, columns = at.stream, at.columns
    inner, outer = s.rows(columns, read=np.eye(columns), bucket=MOST * at.of_bucket()), s.rows(columns, answer=at.of_bit()).T
    return {"inner": inner, "inner_bias": np.full(columns, -MOST), "outer": outer, "outer_bias": np.zeros(s.width)}


def held_bits(task: Recall, at: Table) -> int:
    """Cells that count to 2, or to 1 if no pair comes twice, and the last two tokens."""
    most = 1 if isinstance(task, AssociativeRecall) else 2
    return at.slots * at.columns * code_bits(most + 1) + 2 * code_bits(task.vocabulary)


def product_sizes(task: Recall, width: int, arithmetic: str) -> Sizes:
    """Two rows of digits, and the table."""
    at, p = table_of(task, width), bits_of(task.name, arithmetic)
    numbers = 2 * (at.slots + at.buckets) + at.slots * at.columns
    return Sizes(layers=2, heads=1, width=at.stream.width, precision_bits=p, state_bits=p * numbers)


def _declared(computes: type[Recall], *quick: Settings) -> Construction:
    return Construction(
        name=f"{computes.name}/deltaproduct",
        computes=computes,
        architecture=Architecture.DELTAPRODUCT,
        build=recalled,
        formula=product_sizes,
        quick=quick,
        default_length=16,
    )


MQAR_DELTAPRODUCT = _declared(Mqar, {"length": 4})
RECALL_DELTAPRODUCT = _declared(AssociativeRecall, {"length": 2})
