"""Recall by a table in a matrix state: DeltaNet, gated DeltaNet, Mamba-2 and Mamba, in one layer.

Notation   S  keys, key s stands in slot s mod m of bucket s // m        b  bits of a label
           m  slots, the rows of the state      w  buckets, each with b columns

A label is written by the key before it, which a short convolution still shows: into the row of that key's slot, into the columns of
its bucket, one for each bit of the label that is 1. A key reads the row of its slot, and only the columns of its bucket pass.
So the state has m rows and w b columns for S = m w keys, and the stream is about m + w wide: of order sqrt S.

    written    k or B = slot of the token before, 0 at every key: there the token before is a label, or none
               v or u = silu(K ([bucket before] + [bit here] - 1)) = K if both, else 0 exactly: silu(-K) = 0 in floats for K >= 800
    read       q or C = slot of the token itself
    selected   by the gate silu([bucket]), which is 0 exactly elsewhere; DeltaNet has no gate: ReLU([bucket] M + read - M)

Nothing fades: e^a = 0 for a = -1000. A key is written once for each time it occurs with its label, so a cell counts up to 2 in
multi-query recall (the pair, and once more behind the query) and up to 1 in associative recall: 0 stays 0, and what is not 0 keeps
away from it, also through an RMS norm: a cell that counts 1 beside cells that count up to 2 is at least 1/2 after the norm.
In DeltaNet the share beta = 2^-60 makes the rule additive: v - k S rounds to v. What is read is then so small beside the 10^-6 in
the norm that the norm only multiplies by 1000, and counts stay counts.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from separatrix.architectures import Architecture
from separatrix.certificates.construction import Construction, Sizes
from separatrix.constructions.named.streams import Stream, Tensors, assembled, binary, bits_of, by_bits, code_bits, one_hot, stream
from separatrix.models.config import EmbeddingConfig, FeedForwardConfig, LayerConfig
from separatrix.tasks.alternating import Recall
from separatrix.tasks.associative_recall import AssociativeRecall
from separatrix.tasks.mqar import Mqar

if TYPE_CHECKING:
    from separatrix.certificates.built import Built

TAPS = 4  # of the short convolutions, as published
GAIN = 1024.0  # K: silu(-K) = 0 and silu(K) = K in float64 and in float32
LONG = 2.0**20  # of keys that are normalised: |k|^2 + 10^-6 rounds to |k|^2
LIGHT = 60 * math.log(2)  # sigma(-LIGHT) = 2^-60, the share of DeltaNet's writes
FROZEN = -1000.0  # a with e^a = 0: nothing fades
APART = 0.25  # between 0 and the least that a bit of 1 leaves: 1/2, in Mamba-2


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
        """Of the state."""
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


def split(keys: int, slot: int, bucket: int) -> tuple[int, int]:
    """Slots and buckets for so many keys, where each costs so many numbers of the stream: the cheapest, with fewest slots."""
    about = math.isqrt(keys * bucket // slot) + 1
    candidates = range(max(1, about // 2), min(keys, 2 * about) + 1)
    slots = min(candidates, key=lambda m: slot * m + bucket * -(-keys // m))
    return slots, -(-keys // slots)


def tokens_of(task: Recall, table: Table) -> np.ndarray:
    """The embedding of keys and then labels."""
    labels = {"code": binary(task.labels)} | ({"label": np.ones((task.labels, 1))} if "label" in table.stream.slots else {})
    return np.concatenate([table.embedding(), table.stream.rows(task.labels, **labels)])


def readout(task: Recall, table: Table) -> Tensors:
    """Bits of the label, which are read into `code`."""
    weight, bias = by_bits(task.labels, table.stream.rows(table.bits, code=np.eye(table.bits)), APART)
    return {"readout.weight": weight, "readout.bias": bias}


# -- the delta rule ------------------------------------------------------------------------------------------------------------------


def delta_table(task: Recall, gated: bool, width: int) -> Table:
    """DeltaNet puts what it reads beside the rest and selects afterwards; with a gate what passes is the answer."""
    b = code_bits(task.labels)
    m, w = split(task.keys, 1, 1 if gated else 1 + b)
    slots = {"slot": m, "bucket": w, "code": b, "label": 1} | ({} if gated else {"read": w * b})
    return Table(m, w, b, task.keys, stream(f"{task.name} with {task.keys} keys", width, **slots))


def delta_tensors(at: Table, gated: bool) -> Tensors:
    """q, k and v of one head, and its share."""
    s, m, columns = at.stream, at.slots, at.columns
    slot = s.rows(m, slot=LONG * np.eye(m))
    value = s.rows(columns, bucket=GAIN * at.of_bucket(), code=GAIN * at.of_bit(), label=np.full((columns, 1), -GAIN))
    taps = np.zeros((2 * m + columns, TAPS))
    taps[:m, -1] = taps[m : 2 * m, -2] = 1  # the token itself, the token before
    taps[2 * m :, -2:] = 1  # both
    tensors = {
        "into": np.concatenate([slot, slot, value]),
        "convolution.weight": taps,
        "share": s.rows(1, label=np.full((1, 1), -LIGHT)),
        "norm.weight": np.full(columns, math.sqrt(m) * 2.0**50 / 1000),  # what is written once is read as 1
        "out": s.rows(columns, **{"code": at.of_bit()} if gated else {"read": np.eye(columns)}).T,
    }
    if gated:
        tensors |= {"rate": np.zeros((1, s.width)), "rate_bias": np.zeros(1), "decay": np.full(1, FROZEN)}
        tensors["gate"] = s.rows(columns, bucket=at.of_bucket())
    return {f"layers.0.mixer.{name}": tensor for name, tensor in tensors.items()}


def deltanet(task: Recall, width: int = 0, arithmetic: str = "float64") -> Built:
    """One head, and a feed-forward part that selects the bucket."""
    from separatrix.models.mixers.deltanet import DeltaNetConfig

    at = delta_table(task, False, width)
    columns, most = at.columns, 4.0  # more than any count
    tensors = {
        "embedding.table": tokens_of(task, at),
        **delta_tensors(at, gated=False),
        "layers.0.feedforward.inner": at.stream.rows(columns, read=np.eye(columns), bucket=most * at.of_bucket()),
        "layers.0.feedforward.inner_bias": np.full(columns, -most),
        "layers.0.feedforward.outer": at.stream.rows(columns, code=at.of_bit()).T,
        "layers.0.feedforward.outer_bias": np.zeros(at.stream.width),
        **readout(task, at),
    }
    mixer = DeltaNetConfig(1, at.slots, columns, TAPS, negative=False)
    layer = LayerConfig(mixer, FeedForwardConfig(columns), residual=True)
    return _built(task, "deltanet", {"width": width}, arithmetic, at, delta_sizes(task, width, arithmetic, False), layer, tensors)


def gated_deltanet(task: Recall, width: int = 0, arithmetic: str = "float64") -> Built:
    """One head whose gate selects the bucket; no feed-forward part."""
    from separatrix.models.mixers.gated_deltanet import GatedDeltaNetConfig

    at = delta_table(task, True, width)
    tensors = {"embedding.table": tokens_of(task, at), **delta_tensors(at, gated=True), **readout(task, at)}
    mixer = GatedDeltaNetConfig(1, at.slots, at.columns, TAPS, negative=False)
    sizes = delta_sizes(task, width, arithmetic, gated=True)
    return _built(task, "gated-deltanet", {"width": width}, arithmetic, at, sizes, LayerConfig(mixer, residual=True), tensors)


def delta_sizes(task: Recall, width: int, arithmetic: str, gated: bool) -> Sizes:
    """One head of m x w b numbers, and three inputs of its convolution."""
    at, p = delta_table(task, gated, width), bits_of(task.name, arithmetic)
    numbers = at.slots * at.columns + (TAPS - 1) * (2 * at.slots + at.columns)
    return Sizes(layers=1, heads=1, width=at.stream.width, precision_bits=p, state_bits=p * numbers)


# -- state spaces --------------------------------------------------------------------------------------------------------------------


def space_table(task: Recall, state: int, width: int) -> Table:
    """With `state` slots, or as many as make the narrowest stream if that is 0."""
    m, w = (state, -(-task.keys // state)) if state else split(task.keys, 1, 1)
    b = code_bits(task.labels)
    return Table(m, w, b, task.keys, stream(f"{task.name} with {task.keys} keys", width, slot=m, bucket=w, code=b))


def space_channels(at: Table) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The inputs of the channels u, B and C, their taps, and their biases."""
    s, m, columns = at.stream, at.slots, at.columns
    slot = s.rows(m, slot=GAIN * np.eye(m))
    taps, bias = np.zeros((columns + 2 * m, TAPS)), np.zeros(columns + 2 * m)
    taps[:columns, -2:], bias[:columns] = 1, -GAIN  # bucket of the key before, and bit of the label
    taps[columns : columns + m, -2] = taps[columns + m :, -1] = 1  # B shows the slot before, C the slot
    return np.concatenate([s.rows(columns, bucket=GAIN * at.of_bucket(), code=GAIN * at.of_bit()), slot, slot]), taps, bias


def mamba2(task: Recall, width: int = 0, arithmetic: str = "float64") -> Built:
    """One head; the time step is softplus(0) at every token, since only labels write."""
    from separatrix.models.mixers.mamba2 import Mamba2Config

    at = space_table(task, 0, width)
    channels, taps, bias = space_channels(at)
    mixer = {
        "into": np.concatenate([at.stream.rows(at.columns, bucket=at.of_bucket()), channels, np.zeros((1, at.stream.width))]),
        "convolution.weight": taps,
        "convolution.bias": bias,
        "rate_bias": np.zeros(1),
        "decay": np.full(1, FROZEN),
        "skip": np.zeros(1),
        "norm.weight": np.ones(at.columns),
        "out": at.stream.rows(at.columns, code=at.of_bit()).T,
    }
    config = Mamba2Config(heads=1, head_width=at.columns, groups=1, state=at.slots, convolution=TAPS)
    tensors = {"embedding.table": tokens_of(task, at), **{f"layers.0.mixer.{k}": v for k, v in mixer.items()}, **readout(task, at)}
    sizes = mamba2_sizes(task, width, arithmetic)
    return _built(task, "mamba2", {"width": width}, arithmetic, at, sizes, LayerConfig(config, residual=True), tensors)


def mamba2_sizes(task: Recall, width: int, arithmetic: str) -> Sizes:
    """One head of m x w b numbers, and three inputs of its convolution."""
    at, p = space_table(task, 0, width), bits_of(task.name, arithmetic)
    numbers = at.slots * at.columns + (TAPS - 1) * (2 * at.slots + at.columns)
    return Sizes(layers=1, heads=0, width=at.stream.width, precision_bits=p, state_bits=p * numbers)


def mamba(task: Recall, state: int = 16, width: int = 0, arithmetic: str = "float64") -> Built:
    """B and C are linear in channels of their own, whose state nobody reads: their gates are shut."""
    from separatrix.models.mixers.mamba import MambaConfig

    at = space_table(task, state, width)
    channels, taps, bias = space_channels(at)
    m, columns, inner = at.slots, at.columns, len(channels)
    select = np.zeros((1 + 2 * m, inner))
    select[1:, columns:] = np.eye(2 * m)
    out = np.zeros((at.stream.width, inner))
    out[:, :columns] = at.stream.rows(columns, code=at.of_bit()).T / GAIN**3  # u, B and C are K each: a write leaves softplus(0) silu(1)
    mixer = {
        "into": np.concatenate([channels, at.stream.rows(columns, bucket=at.of_bucket()), np.zeros((2 * m, at.stream.width))]),
        "convolution.weight": taps,
        "convolution.bias": bias,
        "select": select,
        "rate": np.zeros((inner, 1)),
        "rate_bias": np.zeros(inner),
        "decay": np.full((inner, m), FROZEN),
        "skip": np.zeros(inner),
        "out": out,
    }
    config = MambaConfig(inner, m, TAPS, rank=1)
    tensors = {"embedding.table": tokens_of(task, at), **{f"layers.0.mixer.{k}": v for k, v in mixer.items()}, **readout(task, at)}
    sizes, settings = mamba_sizes(task, state, width, arithmetic), {"state": state, "width": width}
    return _built(task, "mamba", settings, arithmetic, at, sizes, LayerConfig(config, residual=True), tensors)


def mamba_sizes(task: Recall, state: int, width: int, arithmetic: str) -> Sizes:
    """`state` numbers and three inputs for each channel."""
    at, p = space_table(task, state, width), bits_of(task.name, arithmetic)
    return Sizes(
        layers=1, heads=0, width=at.stream.width, precision_bits=p, state_bits=p * (at.columns + 2 * at.slots) * (at.slots + TAPS - 1)
    )


def _built(
    task: Recall, by: str, settings: dict[str, int], arithmetic: str, at: Table, sizes: Sizes, layer: LayerConfig, tensors: Tensors
) -> Built:
    facts = {"bits held": float(held_bits(task, at))}
    return assembled(task, f"{task.name}/{by}", arithmetic, settings, sizes, EmbeddingConfig(task.vocabulary), (layer,), tensors, facts)


def held_bits(task: Recall, at: Table) -> int:
    """Bits that hold what is read of the state: cells that count to 2, or to 1 if no pair comes twice, and the last three tokens."""
    most = 1 if isinstance(task, AssociativeRecall) else 2
    return at.slots * at.columns * code_bits(most + 1) + (TAPS - 1) * code_bits(task.vocabulary)


def _declared(
    computes: type[Recall], by: str, build: Callable[..., Built], formula: Callable[..., Sizes], quick: int, **chosen: str
) -> Construction:
    return Construction(
        name=f"{computes.name}/{by}",
        cites="",
        computes=computes,
        architecture=Architecture(by),
        build=build,
        formula=formula,
        quick=({"length": quick, **chosen},),
        default_length=16,
    )


_delta, _gated = partial(delta_sizes, gated=False), partial(delta_sizes, gated=True)
MQAR_DELTANET = _declared(Mqar, "deltanet", deltanet, _delta, 4)
MQAR_GATED_DELTANET = _declared(Mqar, "gated-deltanet", gated_deltanet, _gated, 4, arithmetic="float32")
MQAR_MAMBA2 = _declared(Mqar, "mamba2", mamba2, mamba2_sizes, 4)
MQAR_MAMBA = _declared(Mqar, "mamba", mamba, mamba_sizes, 4, arithmetic="float32")
RECALL_DELTANET = _declared(AssociativeRecall, "deltanet", deltanet, _delta, 2, arithmetic="float32")
RECALL_GATED_DELTANET = _declared(AssociativeRecall, "gated-deltanet", gated_deltanet, _gated, 2)
RECALL_MAMBA2 = _declared(AssociativeRecall, "mamba2", mamba2, mamba2_sizes, 2, arithmetic="float32")
RECALL_MAMBA = _declared(AssociativeRecall, "mamba", mamba, mamba_sizes, 2)
