"""A table in a matrix state, as the weights of one mixer: DeltaNet, gated DeltaNet, Mamba-2 or Mamba.

Notation   m  rows of the table, its slots      columns  one for each bucket and bit      K  a gain at which silu is a ReLU

    written    k or B = slot,  v or u = silu(2 K ([values of the token] - 1/2)) = K where the token writes, else silu(-K) = 0 exactly, for
               K >= 800; DeltaNet, whose convolution has no bias, has silu(K [values of the token])
    read       q or C = slot of the token itself
    selected   by the gate silu([bucket]), which is 0 exactly elsewhere; DeltaNet has none, and shows all columns

`lag` = 1 writes what the token says into the slot of the token before, which the short convolution still shows. Nothing fades: e^a = 0
for a = -1000. In DeltaNet the share beta = 2^-60 makes the rule additive: v - k S rounds to v. What is read is then so small beside the
10^-6 in the norm that the norm only multiplies by 1000, and what was written once is read as 1. Mamba-2 reads at least 1/2 where
something stands, if no cell counts beyond 2, and Mamba 1/2 for each time that it was written.

Values are 1 or 0 and below, 1/2 away from where silu bends: Mamba-2's norm would make something of the 10^-4 that a weight wrong by a unit
in the last place leaves of 0. What DeltaNet writes is so small that its norm does not.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from separatrix.constructions.named.streams import Array, Tensors
from separatrix.models.config import MixerConfig

TAPS = 4  # of the short convolutions, as published
GAIN = 1024.0  # K: silu(-K) = 0 and silu(K) = K in float64 and in float32
LONG = 2.0**20  # of keys that are normalised: |k|^2 + 10^-6 rounds to |k|^2
LIGHT = 60 * math.log(2)  # sigma(-LIGHT) = 2^-60, the share of DeltaNet's writes
FROZEN = -1000.0  # a with e^a = 0: nothing fades
APART = 0.25  # between 0 and the least that a bit of 1 leaves: 1/2
BY = ("deltanet", "gated-deltanet", "mamba2", "mamba")


@dataclass(frozen=True)
class TableMaps:
    """What a mixer reads off the stream, as linear maps [.., width], and where its columns go."""

    slot: Array  # [m, width] the slot that a token shows
    values: Array  # [columns, width] with `bias` 1 where a token writes, else 0 or below
    writes: Array  # [1, width] 1 at every token that writes, for DeltaNet's share
    bucket: Array  # [columns, width] the gate
    out: Array  # [width, columns]
    lag: int  # 1: a token writes into the slot of the one before, and the values of both are added
    bias: float = 0.0  # of the values, where the convolution has one

    @property
    def slots(self) -> int:
        """m, the slots of the table."""
        return len(self.slot)

    @property
    def columns(self) -> int:
        """Columns of the table."""
        return len(self.values)


def state_of(by: str, slots: int, columns: int) -> int:
    """Numbers that cross a cut: the table and three inputs of the convolution; Mamba's channels have `slots` numbers each."""
    if by == "mamba":
        return (columns + 2 * slots) * (slots + TAPS - 1)
    return slots * columns + (TAPS - 1) * (2 * slots + columns)


def heads_of(by: str) -> int:
    """Heads as a model's description counts them: Mamba and Mamba-2 have none."""
    return 1 if "deltanet" in by else 0


def table_mixer(by: str, maps: TableMaps, layer: int) -> tuple[MixerConfig, Tensors]:
    """The mixer with its weights, named as those of a layer."""
    config, tensors = _MIXERS[by](maps)
    return config, {f"layers.{layer}.mixer.{name}": tensor for name, tensor in tensors.items()}


def _delta(maps: TableMaps, gated: bool) -> Tensors:
    m, columns, width = maps.slots, maps.columns, maps.slot.shape[1]
    taps = np.zeros((2 * m + columns, TAPS))
    taps[:m, -1] = taps[m : 2 * m, -1 - maps.lag] = 1  # the token itself, the token that is written to
    taps[2 * m :, TAPS - 1 - maps.lag :] = 1
    tensors = {
        "into": np.concatenate([LONG * maps.slot, LONG * maps.slot, GAIN * maps.values]),
        "convolution.weight": taps,
        "share": -LIGHT * maps.writes,
        "norm.weight": np.full(columns, math.sqrt(m) * 2.0**50 / 1000),  # what is written once is read as 1
        "out": maps.out,
    }
    if gated:
        tensors |= {"rate": np.zeros((1, width)), "rate_bias": np.zeros(1), "decay": np.full(1, FROZEN), "gate": maps.bucket}
    return tensors


def _deltanet(maps: TableMaps) -> tuple[MixerConfig, Tensors]:
    from separatrix.models.mixers.deltanet import DeltaNetConfig

    return DeltaNetConfig(1, maps.slots, maps.columns, TAPS, negative=False), _delta(maps, gated=False)


def _gated_deltanet(maps: TableMaps) -> tuple[MixerConfig, Tensors]:
    from separatrix.models.mixers.gated_deltanet import GatedDeltaNetConfig

    return GatedDeltaNetConfig(1, maps.slots, maps.columns, TAPS, negative=False), _delta(maps, gated=True)


def _channels(maps: TableMaps) -> tuple[Array, Array, Array]:
    """The inputs of the channels u, B and C, their taps, and their biases."""
    m, columns = maps.slots, maps.columns
    taps, bias = np.zeros((columns + 2 * m, TAPS)), np.zeros(columns + 2 * m)
    taps[:columns, TAPS - 1 - maps.lag :], bias[:columns] = 1, GAIN * (2 * maps.bias - 1)
    taps[columns : columns + m, -1 - maps.lag] = taps[columns + m :, -1] = 1  # B shows the slot that is written to, C the token's own
    return np.concatenate([2 * GAIN * maps.values, GAIN * maps.slot, GAIN * maps.slot]), taps, bias


def _mamba2(maps: TableMaps) -> tuple[MixerConfig, Tensors]:
    """One head; the time step is softplus(0) at every token."""
    from separatrix.models.mixers.mamba2 import Mamba2Config

    channels, taps, bias = _channels(maps)
    mixer = {
        "into": np.concatenate([maps.bucket, channels, np.zeros((1, maps.slot.shape[1]))]),
        "convolution.weight": taps,
        "convolution.bias": bias,
        "rate_bias": np.zeros(1),
        "decay": np.full(1, FROZEN),
        "skip": np.zeros(1),
        "norm.weight": np.ones(maps.columns),
        "out": maps.out,
    }
    return Mamba2Config(heads=1, head_width=maps.columns, groups=1, state=maps.slots, convolution=TAPS), mixer


def _mamba(maps: TableMaps) -> tuple[MixerConfig, Tensors]:
    """B and C are linear in channels of their own, whose state nobody reads: their gates are shut."""
    from separatrix.models.mixers.mamba import MambaConfig

    channels, taps, bias = _channels(maps)
    m, columns, inner, width = maps.slots, maps.columns, len(channels), maps.slot.shape[1]
    select = np.zeros((1 + 2 * m, inner))
    select[1:, columns:] = np.eye(2 * m)
    out = np.zeros((width, inner))
    out[:, :columns] = maps.out / GAIN**3  # u, B and C are K each: a write leaves softplus(0) silu(1)
    mixer = {
        "into": np.concatenate([channels, maps.bucket, np.zeros((2 * m, width))]),
        "convolution.weight": taps,
        "convolution.bias": bias,
        "select": select,
        "rate": np.zeros((inner, 1)),
        "rate_bias": np.zeros(inner),
        "decay": np.full((inner, m), FROZEN),
        "skip": np.zeros(inner),
        "out": out,
    }
    return MambaConfig(inner, m, TAPS, rank=1), mixer


_MIXERS = {"deltanet": _deltanet, "gated-deltanet": _gated_deltanet, "mamba2": _mamba2, "mamba": _mamba}
