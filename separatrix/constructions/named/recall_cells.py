"""Recall by a register for every key in an LSTM or a GRU: width S b + m + w for S = m w keys and labels of b bits, or less in more layers.

Notation   K  a gain at which a gate is open or shut: sigma(K/2) = 1, sigma(-K/2) = 0       on  tanh 1, what a cell of 1 shows

    digits      m + w units show slot and bucket of the token, if it is a key: written anew at every token, so that at the next token
                they still show those of the key before
    registers   cell (s, c) holds bit c of the label of key s, as -1 or 1; 0 before it is known
                written iff the token is a label and the digits are those of s:  i = sigma(K (slot + bucket + [label] - 5/2)),  f = 1 - i
                shown iff the token is the key s:                                o = sigma(K (slot + bucket - 3/2))

At a query one key's register is shown, and the read-out adds up all of them. A key that comes again is overwritten: the latest label wins.

A GRU shows all of its registers at every token, and its read-out is linear: one layer cannot select. So the next layer does, with a unit
for each register that is -1 unless the token is its key and its bit is 1:  tanh(K (register + 2 (slot + bucket) - 4)), update gate shut.

Layers share the keys. Then each shows the token to the next as it saw it, in units that are written anew, and b more units say what the
layers below have found: sgn of all that is shown in an LSTM, and in a GRU 1 if a selecting unit was, or the layer below said so.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from separatrix.architectures import Architecture
from separatrix.certificates.construction import Construction, Settings, Sizes
from separatrix.constructions.named.streams import Array, Tensors, assembled, binary, bits_of, code_bits, one_hot, split
from separatrix.errors import BadInput
from separatrix.models.config import EmbeddingConfig, LayerConfig
from separatrix.tasks.alternating import Recall
from separatrix.tasks.associative_recall import AssociativeRecall
from separatrix.tasks.latest_recall import LatestRecall
from separatrix.tasks.mqar import Mqar

if TYPE_CHECKING:
    from separatrix.certificates.built import Built

GAIN = 2048.0  # K
ON = math.tanh(1.0)
MOST, DEEPEST = 1 << 26, 64  # weights, layers
GATES = {"lstm": 4, "gru": 3}
LEAST = {"lstm": 1, "gru": 2}  # layers


@dataclass(frozen=True)
class Registers:
    """The units of a layer: registers of its share of the keys, those that select (GRU), then what is shown of the token."""

    cell: str
    layers: int
    keys: int
    labels: int

    @property
    def groups(self) -> int:
        """How many layers have registers: a GRU's last one only selects."""
        return self.layers - LEAST[self.cell] + 1

    @property
    def bits(self) -> int:
        """Bits of a label."""
        return code_bits(self.labels)

    @property
    def digits(self) -> tuple[int, int]:
        """How many slots and buckets a key's number is written with."""
        return split(self.keys, 1, 1)

    @property
    def share(self) -> int:
        """How many registers one layer holds."""
        return -(-self.keys // self.groups) * self.bits

    @property
    def shown(self) -> int:
        """Units that show the token to the next layer, and what was found below; one group of keys needs the digits alone."""
        return sum(self.digits) + (0 if self.groups == 1 else 2 * self.bits + 1)

    @property
    def width(self) -> int:
        """Units; the tokens themselves must fit into as many numbers."""
        own = self.share if self.groups == 1 or self.cell == "lstm" else 2 * self.share
        return max(own, self.bits + 1) + self.shown

    @property
    def weights(self) -> int:
        """Weights of all layers, of the embedding and of the read-out."""
        D, gates = self.width, GATES[self.cell]
        return self.layers * 2 * gates * D * (D + 1) + (self.keys + 2 * self.labels) * D + self.labels

    @property
    def registers(self) -> slice:
        """The units of a layer that are registers: the first ones."""
        return slice(0, self.share)

    @property
    def selecting(self) -> slice:
        """Tensors of a GRU that selects; they take the place of registers where the last layer has none."""
        return self.registers if self.groups == 1 else slice(self.share, 2 * self.share)

    @property
    def slots(self) -> slice:
        """The digits are the last units: slots, then buckets."""
        return slice(self.width - sum(self.digits), self.width)

    @property
    def label(self) -> int:
        """1 at labels; where nothing is passed on, the embedding has its place among the registers."""
        return self.bits if self.groups == 1 else self.width - sum(self.digits) - 1

    @property
    def code(self) -> slice:
        """The bits of a label, before the flag."""
        return slice(self.label - self.bits, self.label)

    @property
    def found(self) -> slice:
        """What the layers below have found, before the code."""
        return slice(self.code.start - self.bits, self.code.start)

    @property
    def passed(self) -> slice:
        """All that shows the token to the next layer."""
        return self.slots if self.groups == 1 else slice(self.code.start, self.width)

    @property
    def of_bit(self) -> Array:
        """For each register its bit, [share, bits]."""
        return np.tile(np.eye(self.bits), (self.share // self.bits, 1))

    def of_key(self, group: int) -> Array:
        """For each register of a layer the two digits of its key; none where there are no more keys."""
        each, (m, w) = self.share // self.bits, self.digits
        key = np.arange(group * each, (group + 1) * each)
        digits = np.concatenate([one_hot(key % m, m), one_hot(np.minimum(key // m, w - 1), w)], axis=1) * (key < self.keys)[:, None]
        return np.repeat(digits, self.bits, axis=0)

    def tokens(self) -> Array:
        """The embedding: keys show their digits, labels their bits and that they are labels."""
        (m, w), key, table = self.digits, np.arange(self.keys), np.zeros((self.keys + self.labels, self.width))
        table[: self.keys, self.slots] = np.concatenate([one_hot(key % m, m), one_hot(key // m, w)], axis=1)
        table[self.keys :, self.code], table[self.keys :, self.label] = binary(self.labels), 1
        return table


def registers_of(cell: str, task: Recall | LatestRecall, layers: int) -> Registers:
    """The units of so many layers, or of as few as fit if layers = 0; refuses more weights than a machine holds."""
    possible = [Registers(cell, L, task.keys, task.labels) for L in range(LEAST[cell], DEEPEST + 1)]
    fitting = [at.layers for at in possible if at.weights <= MOST]
    name = f"{task.name}/{cell} with {task.keys} keys"
    if not fitting:
        least = min(at.weights for at in possible)
        raise BadInput(f"{name} needs {least:,} weights in up to {DEEPEST} layers, more than {MOST:,}: expected fewer keys")
    if layers and not LEAST[cell] <= layers <= DEEPEST:
        raise BadInput(f"{name}: expected layers between {LEAST[cell]} and {DEEPEST}, or 0 for as few as fit, found {layers}")
    at = Registers(cell, layers or fitting[0], task.keys, task.labels)
    if at.weights > MOST:
        fit = f"{fitting[0]} layers fit" if fitting[0] == fitting[-1] else f"{fitting[0]} to {fitting[-1]} layers fit"
        raise BadInput(f"{name} in {layers} layers needs {at.weights:,} weights, more than {MOST:,}: {fit}")
    return at


def lstm(task: Recall | LatestRecall, layers: int = 0, arithmetic: str = "float64") -> Built:
    """Recall by one layer of LSTM, or by several that share the keys."""
    from separatrix.models.mixers.lstm import LstmConfig

    sizes, at = lstm_sizes(task, layers, arithmetic), registers_of("lstm", task, layers)
    kernels: Tensors = {}
    for layer in range(at.layers):
        kernels |= _kernel(layer, *_lstm_layer(at, layer))
    readout = np.zeros((task.labels, at.width))
    signs = (2 * binary(task.labels) - 1) / ON
    readout[:, at.registers] = signs @ at.of_bit.T
    if at.groups > 1:
        readout[:, at.found] = signs
    tensors = {"embedding.table": ON * at.tokens(), **kernels, "readout.weight": readout, "readout.bias": np.zeros(task.labels)}
    facts = {"bits held": float(held_bits(at))}
    config = (LayerConfig(LstmConfig()),) * at.layers
    embedding, settings = EmbeddingConfig(task.vocabulary), {"layers": layers}
    return assembled(task, f"{task.name}/lstm", arithmetic, settings, sizes, embedding, config, tensors, facts)


def _lstm_layer(at: Registers, layer: int) -> tuple[Array, Array, Array]:
    """W, U and the bias of the gates i, f, g and o; what is 1 is read as `on`."""
    D, (i, f, g, o) = at.width, range(4)
    W, U, bias, of_key = np.zeros((4, D, D)), np.zeros((4, D, D)), np.zeros((4, D)), at.of_key(layer)
    U[i, at.registers, at.slots], W[i, at.registers, at.label], bias[i, at.registers] = of_key, 1.0, -2.5
    W[f], U[f], bias[f] = -W[i], -U[i], -bias[i]
    W[g, at.registers, at.code], W[g, at.registers, at.label] = 2 * at.of_bit, -1.0
    W[o, at.registers, at.slots], bias[o, at.registers] = of_key, -1.5
    anew = [at.passed] if at.groups == 1 else [at.passed, at.found]
    for units in anew:  # written anew, and shown
        W[g, units, units], bias[i, units], bias[f, units], bias[o, units] = np.eye(units.stop - units.start), 1.0, -1.0, 1.0
    if at.groups > 1:
        W[g, at.found, at.registers] = at.of_bit.T
    return W / ON, U / ON, bias


def gru(task: Recall | LatestRecall, layers: int = 0, arithmetic: str = "float64") -> Built:
    """Two layers, registers and the one that is asked for; or several that share the keys, each selecting from the one below."""
    from separatrix.models.mixers.gru import GruConfig

    sizes, at = gru_sizes(task, layers, arithmetic), registers_of("gru", task, layers)
    kernels: Tensors = {}
    for layer in range(at.layers):
        kernels |= _kernel(layer, *_gru_layer(at, layer))
    signs, readout = 2 * binary(task.labels) - 1, np.zeros((task.labels, at.width))
    readout[:, at.selecting] = signs @ at.of_bit.T
    if at.groups > 1:
        readout[:, at.found] = signs
    each = at.share // at.bits - (at.groups == 1)  # all selecting units are at -1 but one, and those that find nothing
    tensors = {"embedding.table": at.tokens(), **kernels, "readout.weight": readout, "readout.bias": each * signs.sum(axis=1)}
    facts = {"bits held": float(held_bits(at))}
    config = (LayerConfig(GruConfig()),) * at.layers
    embedding, settings = EmbeddingConfig(task.vocabulary), {"layers": layers}
    return assembled(task, f"{task.name}/gru", arithmetic, settings, sizes, embedding, config, tensors, facts)


def _gru_layer(at: Registers, layer: int) -> tuple[Array, Array, Array]:
    """W, U and the bias of the gates; the reset gate stays half open: nothing passes through it."""
    D, (_, update, new) = at.width, range(3)
    W, U, bias = np.zeros((3, D, D)), np.zeros((3, D, D)), np.zeros((3, D))
    bias[update] = -1.0  # written anew
    if layer < at.groups:  # shut, so that it is written, iff both digits and the label are there
        U[update, at.registers, at.slots], bias[update, at.registers] = -at.of_key(layer), 2.5
        W[update, at.registers, at.label] = -1.0
        W[new, at.registers, at.code], W[new, at.registers, at.label] = 2 * at.of_bit, -1.0
        W[new, at.passed, at.passed] = np.eye(D - at.passed.start)
    if layer > 0:
        W[new, at.selecting, at.registers], W[new, at.selecting, at.slots] = np.eye(at.share), 2 * at.of_key(layer - 1)
    if layer > 0 or at.groups > 1:
        bias[new, at.selecting] = -4.0
    if at.groups > 1:
        bias[new, at.found] = -1.0
        if layer > 0:  # 1 iff a unit below selects a bit of 1, or one below that did
            W[new, at.found, at.found], W[new, at.found, at.selecting] = np.eye(at.bits), at.of_bit.T
            bias[new, at.found] = at.share // at.bits
    return W, U, bias


def _kernel(layer: int, W: Array, U: Array, bias: Array) -> Tensors:
    kernel = {"weight_ih_l0": W, "weight_hh_l0": U, "bias_ih_l0": bias, "bias_hh_l0": 0 * bias}
    return {f"layers.{layer}.mixer.kernel.{name}": GAIN * tensor.reshape(-1, *tensor.shape[2:]) for name, tensor in kernel.items()}


def held_bits(at: Registers) -> int:
    """A register is -1, 0 or 1, and an LSTM has two vectors; what selecting units and `found` remember is never used."""
    each = at.keys * at.bits * 2 + at.groups * (at.shown - (at.bits if at.groups > 1 else 0))
    return 2 * each if at.cell == "lstm" else each


def lstm_sizes(task: Recall | LatestRecall, layers: int, arithmetic: str) -> Sizes:
    """Sizes of recall by layers of LSTM."""
    return _sizes("lstm", task, layers, arithmetic)


def gru_sizes(task: Recall | LatestRecall, layers: int, arithmetic: str) -> Sizes:
    """Sizes of recall by layers of GRU."""
    return _sizes("gru", task, layers, arithmetic)


def _sizes(cell: str, task: Recall | LatestRecall, layers: int, arithmetic: str) -> Sizes:
    at, p = registers_of(cell, task, layers), bits_of(task.name, arithmetic)
    vectors = 2 if cell == "lstm" else 1
    return Sizes(layers=at.layers, heads=0, width=at.width, precision_bits=p, state_bits=vectors * at.layers * at.width * p)


def _declared(
    computes: type[Recall], cell: str, build: Callable[..., Built], formula: Callable[..., Sizes], *quick: Settings
) -> Construction:
    return Construction(
        name=f"{computes.name}/{cell}",
        computes=computes,
        architecture=Architecture(cell),
        build=build,
        formula=formula,
        quick=quick,
        default_length=16,
    )


_short = {"arithmetic": "float32"}
MQAR_LSTM = _declared(Mqar, "lstm", lstm, lstm_sizes, {"length": 4, **_short}, {"length": 16}, {"length": 8, "layers": 2})
MQAR_GRU = _declared(Mqar, "gru", gru, gru_sizes, {"length": 4}, {"length": 16}, {"length": 6, "layers": 3})
RECALL_LSTM = _declared(AssociativeRecall, "lstm", lstm, lstm_sizes, {"length": 2}, {"length": 16})
RECALL_GRU = _declared(AssociativeRecall, "gru", gru, gru_sizes, {"length": 2, **_short}, {"length": 16})
