"""Recall inside models exactly as they are trained by name: width 64, two layers, layer norms, feed-forward parts.

Notation   K  a gain at which silu is a ReLU: silu(-K/2) = 0      b  bits of a label      one  a coordinate that every token shows

A key has a slot, a row of the state, and a bucket, b of its columns: each of the two as two digits, one-hot. A label shows each of its bits
and its complement. So every token's row has five ones, mean and variance are the same at every token, and a layer norm with weight
sqrt(variance + 10^-5) and bias mean is the identity. A product of digits is silu(K (sum - count + 1/2)).

    written    k or B = [slot of the key before],  v or u = [bucket before and bit here]
    read       q or C = [slot],  and the gate lets the bucket pass; DeltaNet has none, and its feed-forward part selects
    DeltaNet   4 heads of 16 rows, 16 columns; with a share of 2^-20 the keys of a row leave each other all but 2^-15 of what they wrote
    Mamba-2    64 rows, 128 columns          Mamba   16 rows, 96 columns; 32 channels more show B and C

The second layer adds nothing. The read-out adds up +-(bit - 1/4 one), and takes as much from a coordinate that is always 0, so that the
last norm only scales it. The first layer alone carries rows x (columns / b) keys: what stands in the way of more is not bits but that a key
has to reach the state through 64 numbers, and that the second layer would have to be told what the first one found.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from separatrix.architectures import Architecture
from separatrix.certificates.construction import Construction, Sizes
from separatrix.constructions.named.streams import Array, Stream, Tensors, binary, bits_of, code_bits, one_hot
from separatrix.constructions.named.table_mixers import APART, FROZEN, TAPS
from separatrix.errors import BadInput
from separatrix.models.config import ModelConfig
from separatrix.tasks.mqar import Mqar

if TYPE_CHECKING:
    from separatrix.certificates.built import Built

WIDTH, LAYERS, LABELS, HEADS = 64, 2, 8, 4
GAIN = 2048.0  # K
ONES = 5  # in the row of every token
SHARE = 2.0**-20  # of DeltaNet's writes
SELECT = 64.0  # what a unit of DeltaNet's feed-forward part magnifies: gelu is a ReLU then
STATE = {  # numbers of state in a layer: matrices or channels, and three inputs of the convolution
    **dict.fromkeys(("deltanet", "gated-deltanet"), WIDTH * WIDTH // HEADS + (TAPS - 1) * 3 * WIDTH),
    "mamba2": 2 * WIDTH * 64 + (TAPS - 1) * (2 * WIDTH + 2 * 64),
    "mamba": 2 * WIDTH * (16 + TAPS - 1),
}
SLOTS = {"deltanet": (8, 8), "gated-deltanet": (8, 8), "mamba2": (8, 8), "mamba": (4, 4)}  # rows, by two digits
BUCKETS = {"deltanet": (4, 4), "gated-deltanet": (4, 4), "mamba2": (16, 8), "mamba": (12, 8)}  # columns, for labels of one bit


@dataclass(frozen=True)
class Table:
    """The rows and columns of one layer, with the stream that addresses them."""

    by: str
    bits: int

    @property
    def rows(self) -> int:
        """Slots of the table, one row of the state each."""
        return math.prod(SLOTS[self.by])

    @property
    def buckets(self) -> int:
        """Buckets of the table: groups of as many columns as a label has bits."""
        return math.prod(BUCKETS[self.by]) // self.bits

    @property
    def columns(self) -> int:
        """Columns of the state that the table uses."""
        return self.buckets * self.bits

    @property
    def keys(self) -> int:
        """What the first layer carries."""
        return self.rows * self.buckets

    @property
    def stream(self) -> Stream:
        """Digits, bits and their complements, what makes five ones of a label, and two constants, 1 and 0."""
        (s, t), (u, v), b = SLOTS[self.by], BUCKETS[self.by], self.bits
        read = {"read": math.prod(BUCKETS[self.by])} if self.by == "deltanet" else {}
        slots = {"slot": s, "slot2": t, "bucket": u, "bucket2": v, "code": b, "not": b, "label": 4 - b, "one": 1, "zero": 1}
        return Stream(slots | read, WIDTH)

    def slot(self) -> Array:
        """K (digit + digit - 3/2), for every row."""
        s, (m, w), j = self.stream, SLOTS[self.by], np.arange(self.rows)
        return GAIN * s.rows(len(j), slot=one_hot(j % m, m), slot2=one_hot(j // m, w), one=np.full((len(j), 1), -1.5))

    def bucket(self, threshold: float, *, code: bool) -> Array:
        """K (digit + digit, and the bit, - threshold), for every column that is used."""
        s, (m, w), k = self.stream, BUCKETS[self.by], np.arange(self.columns) // self.bits
        bit = {"code": np.tile(np.eye(self.bits), (self.buckets, 1))} if code else {}
        return GAIN * s.rows(len(k), bucket=one_hot(k % m, m), bucket2=one_hot(k // m, w), one=np.full((len(k), 1), -threshold), **bit)

    def answer(self) -> Array:
        """From the columns to the bits, [64, columns]."""
        return self.stream.rows(self.columns, code=np.tile(np.eye(self.bits), (self.buckets, 1))).T

    def tokens(self, task: Mqar) -> Array:
        """Embeddings of all keys, then of all labels."""
        s, (m, w), (u, v), key = self.stream, SLOTS[self.by], BUCKETS[self.by], np.arange(task.keys)
        j, k, one, code = key % self.rows, key // self.rows, np.ones((task.keys, 1)), binary(task.labels)
        digits = {"slot": one_hot(j % m, m), "slot2": one_hot(j // m, w), "bucket": one_hot(k % u, u), "bucket2": one_hot(k // u, v)}
        keys = s.rows(task.keys, one=one, **digits)
        flags = np.ones((task.labels, 4 - self.bits))
        return np.concatenate([keys, s.rows(task.labels, code=code, label=flags, one=one[:1], **{"not": 1 - code})])


def _padded(matrix: Array, rows: int) -> Array:
    """With rows of 0 below, where a shape has more columns than are used."""
    return np.concatenate([matrix, np.zeros((rows - len(matrix), matrix.shape[1]))])


def _delta(at: Table) -> Tensors:
    """4 heads, side by side; each has the same columns. Over two tokens `one` counts twice, so a threshold is halved."""
    s, each, slot = at.stream, WIDTH // HEADS, at.slot()
    values = np.tile(_padded(at.bucket(1.25, code=True), each), (HEADS, 1))
    taps = np.zeros((3 * WIDTH, TAPS))
    taps[:WIDTH, -1] = taps[WIDTH : 2 * WIDTH, -2] = 1
    taps[2 * WIDTH :, -2:] = 1
    gated = at.by == "gated-deltanet"
    out = at.answer() / (GAIN / 2) if gated else s.rows(at.columns, read=np.eye(at.columns, s.slots["read"])).T
    tensors = {
        "into": np.concatenate([slot, slot, values]),
        "convolution.weight": taps,
        "share": s.rows(HEADS, label=np.full((HEADS, 4 - at.bits), math.log(SHARE) / (4 - at.bits))),
        "norm.weight": np.full(each, math.sqrt(each) / SHARE / (GAIN / 2) / 1000),  # what is written once is read as 1, beside 10^-6
        "out": np.tile(_padded(out.T, each), (HEADS, 1)).T,
    }
    if gated:
        rates = {"rate": np.zeros((HEADS, WIDTH)), "rate_bias": np.zeros(HEADS), "decay": np.full(HEADS, FROZEN)}
        tensors |= rates | {"gate": np.tile(_padded(at.bucket(1.5, code=False), each), (HEADS, 1))}
    return tensors


def _selecting(at: Table, hidden: int) -> Tensors:
    """DeltaNet's feed-forward part: a column passes if both digits of its bucket are there; weights that add up to 0 see no mean."""
    s, most = at.stream, 4.0  # more than a column counts
    inner = at.bucket(2.0, code=False) / GAIN * most + s.rows(at.columns, read=np.eye(at.columns, s.slots["read"]))
    inner[:, s["zero"]] = -inner.sum(axis=1, keepdims=True)
    return {"inner": _padded(SELECT * inner, hidden), "outer": _padded(at.answer().T, hidden).T}


def _mamba2(at: Table) -> Tensors:
    """Two heads of 64 columns each, and 64 rows."""
    inner, state, heads = 2 * WIDTH, 64, 2
    slot, taps = at.slot(), np.zeros((inner + 2 * state, TAPS))
    taps[:inner, -2:] = taps[inner : inner + state, -2:-1] = taps[inner + state :, -1:] = 1
    gate, values = (_padded(part, inner) for part in (at.bucket(1.5, code=False), at.bucket(1.25, code=True)))
    return {
        "into": np.concatenate([gate, values, slot, slot, np.zeros((heads, WIDTH))]),
        "convolution.weight": taps,
        "convolution.bias": np.zeros(inner + 2 * state),
        "rate_bias": np.zeros(heads),
        "decay": np.full(heads, FROZEN),
        "skip": np.zeros(heads),
        "norm.weight": np.ones(inner),
        "out": _padded(at.answer().T, inner).T,
    }


def _mamba(at: Table) -> Tensors:
    """Channels for the columns, then 16 that show B and 16 that show C, whose own states nobody reads."""
    inner, state, rank = 2 * WIDTH, at.rows, -(-WIDTH // 16)
    cells, slot = inner - 2 * state, at.slot()
    taps, select = np.zeros((inner, TAPS)), np.zeros((rank + 2 * state, inner))
    taps[:cells, -2:] = 1
    taps[cells : cells + state, -2] = taps[cells + state :, -1] = 1
    select[rank:, cells:] = np.eye(2 * state)
    values, gate = _padded(at.bucket(1.25, code=True), cells), _padded(at.bucket(1.5, code=False), inner)
    return {
        "into": np.concatenate([values, slot, slot, gate]),
        "convolution.weight": taps,
        "convolution.bias": np.zeros(inner),
        "select": select,
        "rate": np.zeros((inner, rank)),
        "rate_bias": np.zeros(inner),
        "decay": np.full((inner, state), FROZEN),
        "skip": np.zeros(inner),
        "out": _padded(at.answer().T, inner).T / (GAIN / 2) ** 4,
    }


MIXERS: dict[str, Callable[[Table], Tensors]] = {"deltanet": _delta, "gated-deltanet": _delta, "mamba2": _mamba2, "mamba": _mamba}


def config_of(task: Mqar, by: str, arithmetic: str) -> ModelConfig:
    """The configuration of the model that is trained under this name."""
    from separatrix.models import model_for
    from separatrix.models.model import Model

    model = model_for(by, {"vocabulary": task.vocabulary, "targets": task.targets}, {"width": WIDTH, "layers": LAYERS})
    assert isinstance(model, Model)
    return replace(model.config, arithmetic=arithmetic, length=task.token_count)


def recall(task: Mqar, by: str, arithmetic: str) -> Built:
    """The weights: the first layer recalls, the second rests."""
    from separatrix.certificates.built import Built
    from separatrix.certificates.claim import Claim
    from separatrix.certificates.program import Program
    from separatrix.constructions.compiler import model_of, read_as
    from separatrix.models.model import Model

    sizes, config, at = unchanged_sizes(task, by, arithmetic), config_of(task, by, arithmetic), Table(by, code_bits(task.labels))
    s, share, signs = at.stream, ONES / WIDTH, 2 * binary(task.labels) - 1
    tensors: Tensors = {name: np.zeros(tuple(tensor.shape)) for name, tensor in Model(config).state_dict().items()}
    norms = {name: np.ones_like(tensor) for name, tensor in tensors.items() if "norm" in name or "before_" in name}
    tensors |= {name: 0 * tensor if name.endswith("bias") else tensor for name, tensor in norms.items()}
    tensors["layers.0.before_mixing.weight"] = np.full(WIDTH, math.sqrt(share * (1 - share) + 1e-5))
    tensors["layers.0.before_mixing.bias"] = np.full(WIDTH, share)
    tensors |= {f"layers.0.mixer.{name}": tensor for name, tensor in MIXERS[by](at).items()}
    if by == "deltanet":
        hidden = len(tensors["layers.0.feedforward.inner"])
        tensors |= {f"layers.0.feedforward.{name}": tensor for name, tensor in _selecting(at, hidden).items()}
    readout = s.rows(task.labels, code=signs, one=-APART * signs.sum(axis=1, keepdims=True))
    readout[:, s["zero"]] = -readout.sum(axis=1, keepdims=True)
    tensors |= {"embedding.table": at.tokens(task), "readout.weight": readout}
    name = f"mqar/{by}-{LAYERS}-{WIDTH}"
    claim = Claim(name, "", task.name, task.parameters, {}, arithmetic, {"state bits": float(sizes["state_bits"])})
    return Built(Program(model_of(config, tensors, name), read_as(task)), claim, task)


def unchanged_sizes(task: Mqar, by: str, arithmetic: str) -> Sizes:
    """Sizes of the model that is trained under this name; refuses more keys than its first layer can carry."""
    most = Table(by, code_bits(min(task.labels, LABELS))).keys
    if task.keys > most or task.labels > LABELS:
        raise BadInput(
            f"mqar/{by}-{LAYERS}-{WIDTH} holds up to {most:,} keys with {min(task.labels, LABELS)} labels, "
            f"found {task.keys:,} and {task.labels}: mqar/{by} builds as wide a model as they need"
        )
    p = bits_of(task.name, arithmetic)
    heads = HEADS if "deltanet" in by else 0
    return Sizes(LAYERS, heads, WIDTH, p, state_bits=p * LAYERS * STATE[by])


def _declared(by: str, **quick: str | int) -> Construction:
    def build(task: Mqar, arithmetic: str = "float64") -> Built:
        return recall(task, by, arithmetic)

    def formula(task: Mqar, arithmetic: str) -> Sizes:
        return unchanged_sizes(task, by, arithmetic)

    return Construction(
        name=f"mqar/{by}-{LAYERS}-{WIDTH}",
        computes=Mqar,
        architecture=Architecture(by),
        build=build,
        formula=formula,
        quick=({"length": 4, **quick},),
        default_length=6,
        shape=f"{by}-{LAYERS}-{WIDTH}",
    )


MQAR_DELTANET_2_64 = _declared("deltanet")
MQAR_GATED_DELTANET_2_64 = _declared("gated-deltanet")
MQAR_MAMBA2_2_64 = _declared("mamba2")
MQAR_MAMBA_2_64 = _declared("mamba")
