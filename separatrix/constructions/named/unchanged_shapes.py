"""Recall inside models exactly as they are trained by name: width 64, two layers, layer norms, feed-forward parts; up to 64 keys.

Notation   K  a gain at which silu is a ReLU      slot, bucket  the digits of a key, one-hot      code  the label, one-hot

Every token's row has two ones, its two digits or its code and a flag, so that mean and variance are the same at every token, and a layer
norm with weight sqrt(variance + 10^-5) and bias mean is the identity. The second layer adds nothing. The read-out compares the
coordinates of the labels, whose order a norm does not change.

    DeltaNet, gated DeltaNet   4 heads of 16 keys: k = [slot and bucket of the key before], v = code, beta = 1 at labels and 0 at keys
    Mamba-2                    B = [both digits of the key before], 64 of them, C = [both digits], u = code
    Mamba                      B = slot before, C = slot, u = [bucket before and code]; the gate lets the bucket pass

One row of the state holds one key: 64 is what these layouts carry at width 64.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from separatrix.architectures import Architecture
from separatrix.certificates.construction import Construction, Sizes
from separatrix.constructions.named.streams import Array, Stream, Tensors, bits_of, one_hot
from separatrix.constructions.named.table_mixers import FROZEN, GAIN, TAPS
from separatrix.errors import BadInput
from separatrix.models.config import ModelConfig
from separatrix.tasks.mqar import Mqar

if TYPE_CHECKING:
    from separatrix.certificates.built import Built

WIDTH, LAYERS, KEYS, LABELS, HEADS = 64, 2, 64, 8, 4
SHUT = -800.0  # sigma(-800) = 0
MILD = 128.0  # K of keys that are normalised: a norm is the identity only up to a unit in the last place, which K magnifies
STATE = {  # numbers of state in a layer: matrices or channels, and three inputs of the convolution
    **dict.fromkeys(("deltanet", "gated-deltanet"), WIDTH * WIDTH // HEADS + (TAPS - 1) * 3 * WIDTH),
    "mamba2": 2 * WIDTH * 64 + (TAPS - 1) * (2 * WIDTH + 2 * 64),
    "mamba": 2 * WIDTH * (16 + TAPS - 1),
}
DIGITS = {"deltanet": (16, 4), "gated-deltanet": (16, 4), "mamba2": (8, 8), "mamba": (16, 4)}  # slots and buckets


def _stream(by: str) -> Stream:
    slots, buckets = DIGITS[by]
    return Stream({"slot": slots, "bucket": buckets, "code": LABELS, "label": 1}, WIDTH)


def _same_before(s: Stream, by: str, gain: float) -> Array:
    """K ([slot] + [bucket] - 3/2 [a key]) for every key, bucket by bucket: K/2 where both digits are there, else -K/2 or less."""
    slots, buckets = DIGITS[by]
    j = np.arange(slots * buckets)
    return gain * s.rows(len(j), slot=one_hot(j % slots, slots) - 1.5, bucket=one_hot(j // slots, buckets))


def _delta(s: Stream, by: str) -> Tensors:
    """4 heads; what is written is overwritten, so a label may come again."""
    keys, each = _same_before(s, by, MILD), WIDTH // HEADS
    values = np.tile(s.rows(each, code=GAIN * np.eye(each, LABELS)), (HEADS, 1))
    taps = np.zeros((3 * WIDTH, TAPS))
    taps[:WIDTH, -1] = taps[WIDTH : 2 * WIDTH, -2] = taps[2 * WIDTH :, -1] = 1
    tensors = {
        "into": np.concatenate([keys, keys, values]),
        "convolution.weight": taps,
        "share": s.rows(HEADS, label=np.full((HEADS, 1), GAIN), bucket=np.full((HEADS, DIGITS[by][1]), SHUT)),
        "norm.weight": np.ones(each),
        "out": np.tile(s.rows(each, code=np.eye(each, LABELS)), (HEADS, 1)).T,
    }
    if by == "gated-deltanet":
        rates = {"rate": np.zeros((HEADS, WIDTH)), "rate_bias": np.zeros(HEADS), "decay": np.full(HEADS, FROZEN)}
        tensors |= rates | {"gate": s.rows(WIDTH, bucket=np.ones((WIDTH, DIGITS[by][1])))}
    return tensors


def _mamba2(s: Stream, by: str) -> Tensors:
    """Two heads of 64, of which the first carries labels; 64 keys."""
    inner, state, heads = 2 * WIDTH, 64, 2
    keys, code = _same_before(s, by, GAIN), s.rows(inner, code=GAIN * np.eye(inner, LABELS))
    taps = np.zeros((inner + 2 * state, TAPS))
    taps[:inner, -1] = taps[inner : inner + state, -2] = taps[inner + state :, -1] = 1
    return {
        "into": np.concatenate([s.rows(inner, bucket=np.ones((inner, DIGITS[by][1]))), code, keys, keys, np.zeros((heads, WIDTH))]),
        "convolution.weight": taps,
        "convolution.bias": np.zeros(inner + 2 * state),
        "rate_bias": np.zeros(heads),
        "decay": np.full(heads, FROZEN),
        "skip": np.zeros(heads),
        "norm.weight": np.ones(inner),
        "out": s.rows(inner, code=np.eye(inner, LABELS)).T,
    }


def _mamba(s: Stream, by: str) -> Tensors:
    """Channels for bucket and label, then 16 that show B and 16 that show C."""
    inner, (state, buckets), rank = 2 * WIDTH, DIGITS[by], -(-WIDTH // 16)
    cells, column = buckets * LABELS, np.arange(buckets * LABELS)
    both = s.rows(cells, bucket=one_hot(column // LABELS, buckets), code=one_hot(column % LABELS, LABELS))
    slot, rest = s.rows(state, slot=np.eye(state)), inner - cells - 2 * state
    taps, bias, select = np.zeros((inner, TAPS)), np.zeros(inner), np.zeros((rank + 2 * state, inner))
    taps[:cells, -2:], bias[:cells] = 1, -GAIN
    taps[cells : cells + state, -2] = taps[cells + state : cells + 2 * state, -1] = 1
    select[rank:, cells : cells + 2 * state] = np.eye(2 * state)
    gate, out = np.zeros((inner, WIDTH)), np.zeros((WIDTH, inner))
    gate[:cells] = s.rows(cells, bucket=one_hot(column // LABELS, buckets))
    out[:, :cells] = s.rows(cells, code=one_hot(column % LABELS, LABELS)).T / GAIN**3
    return {
        "into": np.concatenate([GAIN * both, GAIN * slot, GAIN * slot, np.zeros((rest, WIDTH)), gate]),
        "convolution.weight": taps,
        "convolution.bias": bias,
        "select": select,
        "rate": np.zeros((inner, rank)),
        "rate_bias": np.zeros(inner),
        "decay": np.full((inner, state), FROZEN),
        "skip": np.zeros(inner),
        "out": out,
    }


MIXERS: dict[str, Callable[[Stream, str], Tensors]] = {"deltanet": _delta, "gated-deltanet": _delta, "mamba2": _mamba2, "mamba": _mamba}


def config_of(task: Mqar, by: str, arithmetic: str) -> ModelConfig:
    """That of the model that is trained under this name."""
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

    sizes, config, s = unchanged_sizes(task, by, arithmetic), config_of(task, by, arithmetic), _stream(by)
    slots, buckets = DIGITS[by]
    key, labels, two = np.arange(task.keys), np.arange(task.labels), 2 / WIDTH
    rows = [
        s.rows(task.keys, slot=one_hot(key % slots, slots), bucket=one_hot(key // slots, buckets)),
        s.rows(task.labels, code=one_hot(labels, LABELS), label=np.ones((task.labels, 1))),
    ]
    tensors: Tensors = {name: np.zeros(tuple(tensor.shape)) for name, tensor in Model(config).state_dict().items()}
    tensors |= {name: np.ones_like(tensor) for name, tensor in tensors.items() if "norm" in name or "before_" in name}
    tensors |= {"embedding.table": np.concatenate(rows), "readout.weight": s.rows(LABELS, code=np.eye(LABELS))[: task.labels]}
    tensors |= {name: np.zeros_like(tensor) for name, tensor in tensors.items() if name.endswith("norm.bias")}
    tensors |= {f"layers.{i}.{part}.bias": np.zeros(WIDTH) for i in range(LAYERS) for part in ("before_mixing", "before_feedforward")
                if f"layers.{i}.{part}.bias" in tensors}  # fmt: skip
    tensors["layers.0.before_mixing.weight"] = np.full(WIDTH, math.sqrt(two * (1 - two) + 1e-5))
    tensors["layers.0.before_mixing.bias"] = np.full(WIDTH, two)
    tensors |= {f"layers.0.mixer.{name}": tensor for name, tensor in MIXERS[by](s, by).items()}
    name = f"mqar/{by}-{LAYERS}-{WIDTH}"
    claim = Claim(name, "", task.name, task.parameters, {}, arithmetic, {"state bits": float(sizes["state_bits"])})
    return Built(Program(model_of(config, tensors, name), read_as(task)), claim, task)


def unchanged_sizes(task: Mqar, by: str, arithmetic: str) -> Sizes:
    """Those of the model that is trained; refuses what its first layer does not carry."""
    if task.keys > KEYS or task.labels > LABELS:
        raise BadInput(
            f"mqar/{by}-{LAYERS}-{WIDTH} holds up to {KEYS} keys and {LABELS} labels, found {task.keys} and {task.labels}: "
            f"mqar/{by} builds as wide a model as they need"
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
        cites="",
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
