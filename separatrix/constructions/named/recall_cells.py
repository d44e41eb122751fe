"""Recall by a register for every key in an LSTM or a GRU: width S b + m + w for S = m w keys and labels of b bits.

Notation   K  a gain at which a gate is open or shut: sigma(K/2) = 1       on  tanh 1, what a cell of 1 shows through an open gate

    digits      m + w units show slot and bucket of the token before, if that was a key: written anew at every token
    registers   cell (s, c) holds bit c of the label of key s, as -1 or 1; 0 before it is known
                written iff the token is a label and the digits are those of s:  i = sigma(K (slot + bucket + [label] - 5/2)),  f = 1 - i
                shown iff the token is the key s:                                o = sigma(K (slot + bucket - 3/2))

At a query one key's register is shown, and the read-out adds up all of them. A key that comes again is overwritten: the latest label wins.

A GRU shows all of its registers at every token, and its read-out is linear: one layer cannot select. So a second layer does, with a unit
for each register that is -1 unless the token is its key and its bit is 1:  tanh(K (register + 2 (slot + bucket) - 4)), update gate shut.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from separatrix.architectures import Architecture
from separatrix.certificates.construction import Construction, Sizes
from separatrix.constructions.named.streams import assembled, binary, bits_of, code_bits, one_hot, split, stream
from separatrix.errors import BadInput
from separatrix.models.config import EmbeddingConfig, LayerConfig
from separatrix.tasks.alternating import Recall
from separatrix.tasks.associative_recall import AssociativeRecall
from separatrix.tasks.latest_recall import LatestRecall
from separatrix.tasks.mqar import Mqar

if TYPE_CHECKING:
    from separatrix.certificates.built import Built

GAIN = 80.0  # K
ON = math.tanh(1.0)
MOST = 1 << 14  # units


def units_of(task: Recall | LatestRecall) -> tuple[int, int, int]:
    """Slots, buckets, and all units; the tokens themselves must fit into as many numbers."""
    slots, buckets = split(task.keys, 1, 1)
    bits = code_bits(task.labels)
    return slots, buckets, max(task.keys * bits, bits + 1) + slots + buckets


def lstm(task: Recall | LatestRecall, arithmetic: str = "float64") -> Built:
    """Recall by one layer of LSTM."""
    from separatrix.models.mixers.lstm import LstmConfig

    sizes, (m, w, D) = lstm_sizes(task, arithmetic), units_of(task)
    S, b, key = task.keys, code_bits(task.labels), np.arange(task.keys)
    s = stream(task.name, D, slot=m, bucket=w, code=b, label=1)
    slot, bucket = one_hot(key % m, m), one_hot(key // m, w)
    registers, digits = slice(0, S * b), slice(D - m - w, D)
    W, U, bias = np.zeros((4, D, D)), np.zeros((4, D, D)), np.zeros((4, D))
    i, f, g, o = range(4)
    of_key = np.repeat(np.concatenate([slot, bucket], axis=1), b, axis=0)  # of each register, its two digits
    U[i, registers, digits], bias[i, registers] = of_key / ON, -2.5
    W[i, registers] = s.rows(S * b, label=np.ones((S * b, 1)))
    W[f], U[f], bias[f] = -W[i], -U[i], -bias[i]
    W[g, registers] = s.rows(S * b, code=np.tile(2 * np.eye(b), (S, 1)), label=-np.ones((S * b, 1)))
    W[o, registers] = s.rows(S * b, slot=of_key[:, :m], bucket=of_key[:, m:])
    bias[o, registers] = -1.5
    bias[i, digits], bias[f, digits], bias[o, digits] = 1.0, -1.0, 1.0  # written anew, and shown
    W[g, digits] = s.rows(m + w, slot=np.eye(m + w, m), bucket=np.eye(m + w, w, k=-m))
    keys, labels = s.rows(S, slot=slot, bucket=bucket), s.rows(task.labels, code=binary(task.labels), label=np.ones((task.labels, 1)))
    readout = np.zeros((task.labels, D))
    readout[:, registers] = np.tile(2 * binary(task.labels) - 1, (1, S)) / ON
    kernel = {"weight_ih_l0": W, "weight_hh_l0": U, "bias_ih_l0": bias, "bias_hh_l0": 0 * bias}
    tensors = {
        "embedding.table": np.concatenate([keys, labels]),
        **{f"layers.0.mixer.kernel.{name}": GAIN * tensor.reshape(4 * D, *tensor.shape[2:]) for name, tensor in kernel.items()},
        "readout.weight": readout,
        "readout.bias": np.zeros(task.labels),
    }
    facts = {"bits held": float(2 * (S * b * 2 + m + w))}  # a register is -1, 0 or 1; both vectors cross a cut
    layers = (LayerConfig(LstmConfig()),)
    return assembled(task, f"{task.name}/lstm", arithmetic, {}, sizes, EmbeddingConfig(task.vocabulary), layers, tensors, facts)


def gru(task: Recall | LatestRecall, arithmetic: str = "float64") -> Built:
    """Two layers: registers, and the one that is asked for."""
    from separatrix.models.mixers.gru import GruConfig

    sizes, (m, w, D) = gru_sizes(task, arithmetic), units_of(task)
    S, b, key = task.keys, code_bits(task.labels), np.arange(task.keys)
    s = stream(task.name, D, slot=m, bucket=w, code=b, label=1)
    slot, bucket = one_hot(key % m, m), one_hot(key // m, w)
    registers, digits = slice(0, S * b), slice(D - m - w, D)
    of_key = np.repeat(np.concatenate([slot, bucket], axis=1), b, axis=0)  # of each register, its two digits
    _, update, new = range(3)  # the reset gate stays half open: nothing passes through it
    W, U, bias = np.zeros((2, 3, D, D)), np.zeros((2, 3, D, D)), np.zeros((2, 3, D))
    U[0, update, registers, digits], bias[0, update, registers] = -of_key, 2.5  # shut, so that it is written, iff all three are there
    W[0, update, registers] = s.rows(S * b, label=-np.ones((S * b, 1)))
    W[0, new, registers] = s.rows(S * b, code=np.tile(2 * np.eye(b), (S, 1)), label=-np.ones((S * b, 1)))
    W[0, new, digits] = s.rows(m + w, slot=np.eye(m + w, m), bucket=np.eye(m + w, w, k=-m))
    bias[0, update, digits] = bias[1, update] = -1.0  # written anew
    W[1, new, registers, registers], W[1, new, registers, digits] = np.eye(S * b), 2 * of_key
    bias[1, new, registers] = -4.0
    keys, labels = s.rows(S, slot=slot, bucket=bucket), s.rows(task.labels, code=binary(task.labels), label=np.ones((task.labels, 1)))
    signs, readout = 2 * binary(task.labels) - 1, np.zeros((task.labels, D))
    readout[:, registers] = np.tile(signs, (1, S))
    kernel = {"weight_ih_l0": W, "weight_hh_l0": U, "bias_ih_l0": bias, "bias_hh_l0": 0 * bias}
    tensors = {
        "embedding.table": np.concatenate([keys, labels]),
        **{
            f"layers.{layer}.mixer.kernel.{name}": GAIN * tensor[layer].reshape(3 * D, *tensor.shape[3:])
            for layer in range(2)
            for name, tensor in kernel.items()
        },
        "readout.weight": readout,
        "readout.bias": (S - 1) * signs.sum(axis=1),  # all registers but one are at -1
    }
    facts = {"bits held": float(S * b * 2 + m + w)}  # what the second layer remembers is never used
    layers = (LayerConfig(GruConfig()), LayerConfig(GruConfig()))
    return assembled(task, f"{task.name}/gru", arithmetic, {}, sizes, EmbeddingConfig(task.vocabulary), layers, tensors, facts)


def lstm_sizes(task: Recall | LatestRecall, arithmetic: str) -> Sizes:
    """Sizes of recall by one layer of LSTM."""
    return _sizes("lstm", 1, task, arithmetic)


def gru_sizes(task: Recall | LatestRecall, arithmetic: str) -> Sizes:
    """Sizes of recall by two layers of GRU."""
    return _sizes("gru", 2, task, arithmetic)


def _sizes(cell: str, layers: int, task: Recall | LatestRecall, arithmetic: str) -> Sizes:
    units, p = units_of(task)[2], bits_of(task.name, arithmetic)
    if units > MOST:
        raise BadInput(f"{task.name}/{cell}: {task.keys} keys need {units} units, more than {MOST}: expected fewer keys")
    return Sizes(layers=layers, heads=0, width=units, precision_bits=p, state_bits=2 * units * p)


def _declared(
    computes: type[Recall], cell: str, build: Callable[..., Built], formula: Callable[..., Sizes], **quick: str | int
) -> Construction:
    return Construction(
        name=f"{computes.name}/{cell}",
        cites="",
        computes=computes,
        architecture=Architecture(cell),
        build=build,
        formula=formula,
        quick=(quick,),
        default_length=16,
    )


MQAR_LSTM = _declared(Mqar, "lstm", lstm, lstm_sizes, length=4, arithmetic="float32")
MQAR_GRU = _declared(Mqar, "gru", gru, gru_sizes, length=4)
RECALL_LSTM = _declared(AssociativeRecall, "lstm", lstm, lstm_sizes, length=2)
RECALL_GRU = _declared(AssociativeRecall, "gru", gru, gru_sizes, length=2, arithmetic="float32")
