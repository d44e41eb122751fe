"""Networks of signs in the cells that people train: the same units as an Elman network, a GRU and an LSTM.

Notation   h  a unit, 0 before the first token and then -1 or 1       K  a gain at which tanh(K / 2) rounds to 1

    Elman   h' = tanh(K (D x + U h + b))                          D x is a row of the embedding: each token drives each unit
    GRU     the same, with the update gate shut and the reset gate open for good: h' = n
    LSTM    the same, with c' = g: the input and output gates open, the forget gate shut; h is +-tanh 1, so U is divided by tanh 1

No unit may rest on a tie: its sum stays 1/2 away from 0, or is exactly 0 as long as the unit is to stay 0.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from separatrix.certificates.construction import Sizes
from separatrix.constructions.named.streams import Array, assembled, bits_of
from separatrix.errors import BadInput
from separatrix.models.config import EmbeddingConfig, LayerConfig, MixerConfig
from separatrix.tasks import Task

if TYPE_CHECKING:
    from separatrix.certificates.built import Built

GAIN = 80.0  # K
ON = math.tanh(1.0)  # |h| of an LSTM
MOST = 4096  # units
VECTORS = {"elman": 1, "gru": 1, "lstm": 2}


@dataclass(frozen=True)
class SignNetwork:
    """Units that turn to the sign of `drive[token] + U h + b`; the logits are linear in them."""

    drive: Array  # [vocabulary, units]
    recurrent: Array  # U [units, units]
    bias: Array  # b [units]
    readout: Array  # [targets, units]
    readout_bias: Array  # [targets]


def realised(task: Task, network: SignNetwork, cell: str, arithmetic: str) -> Built:
    """The network as a cell of a kind."""
    units = len(network.bias)
    kernel, config, shown = _KINDS[cell](network)
    tensors = {
        "embedding.table": GAIN * network.drive,
        **{f"layers.0.mixer.kernel.{name}": tensor for name, tensor in kernel.items()},
        "readout.weight": network.readout / shown,
        "readout.bias": network.readout_bias,
    }
    sizes, name = sizes_of(task, units, cell, arithmetic), f"{task.name}/{cell}"
    facts = {"bits held": float(VECTORS[cell] * units)}
    return assembled(task, name, arithmetic, {}, sizes, EmbeddingConfig(task.vocabulary), (LayerConfig(config),), tensors, facts)


def sizes_of(task: Task, units: int, cell: str, arithmetic: str) -> Sizes:
    """One vector of units, two for an LSTM."""
    if units > MOST:
        raise BadInput(f"{task.name}/{cell}, N = {task.length}: {units} units are above {MOST}: expected a shorter input or fewer symbols")
    p = bits_of(task.name, arithmetic)
    return Sizes(layers=1, heads=0, width=units, precision_bits=p, state_bits=VECTORS[cell] * units * p)


def _elman(network: SignNetwork) -> tuple[dict[str, Array], MixerConfig, float]:
    from separatrix.models.mixers.elman import ElmanConfig

    units = len(network.bias)
    return _kernel(np.eye(units), GAIN * network.recurrent, GAIN * network.bias), ElmanConfig(), 1.0


def _gru(network: SignNetwork) -> tuple[dict[str, Array], MixerConfig, float]:
    from separatrix.models.mixers.gru import GruConfig

    units = len(network.bias)
    none = np.zeros((2 * units, units))
    gates = np.concatenate([np.full(units, GAIN), np.full(units, -GAIN), GAIN * network.bias])  # reset open, update shut
    W, U = np.concatenate([none, np.eye(units)]), np.concatenate([none, GAIN * network.recurrent])
    return _kernel(W, U, gates), GruConfig(), 1.0


def _lstm(network: SignNetwork) -> tuple[dict[str, Array], MixerConfig, float]:
    from separatrix.models.mixers.lstm import LstmConfig

    units = len(network.bias)
    W, U, open_ = np.zeros((4 * units, units)), np.zeros((4 * units, units)), np.full(units, GAIN)
    W[2 * units : 3 * units], U[2 * units : 3 * units] = np.eye(units), GAIN * network.recurrent / ON
    return _kernel(W, U, np.concatenate([open_, -open_, GAIN * network.bias, open_])), LstmConfig(), ON


_KINDS = {"elman": _elman, "gru": _gru, "lstm": _lstm}


def _kernel(W: Array, U: Array, b: Array) -> dict[str, Array]:
    return {"weight_ih_l0": W, "weight_hh_l0": U, "bias_ih_l0": b, "bias_hh_l0": np.zeros(len(b))}
