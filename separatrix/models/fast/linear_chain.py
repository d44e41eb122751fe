"""Greedy chains of a linear recurrent network whose weights are mostly 0, as those of a construction are: hundreds of thousands a second.

The naive text is the decoder's own loop over `Model.step`. Compiled, a token costs two operations for every weight that is not 0. Only
the order of summation differs.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import torch

from separatrix.models.fast.compiling import compiled
from separatrix.models.mixers.linear_rnn import LinearRnn

if TYPE_CHECKING:
    from types import ModuleType

    from separatrix.models.layer import Layer
    from separatrix.models.model import Model

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
SPARSE = 0.25  # of all weights, at most, are not 0
WORTH = 2000  # tokens from which loading a compiled kernel pays
KERNELS = "separatrix.models.fast.compiled_chain"


def writer(model: Model, tokens: int) -> Writer | None:
    """What writes the chains of this model faster than its own steps; None where nothing does."""
    if (tokens < WORTH and KERNELS not in sys.modules) or not isinstance(model, torch.nn.Module) or not _fits(model):
        return None
    weights = [parameter for parameter in model.parameters() if parameter.dim() == 2]
    if sum(int((w != 0).sum()) for w in weights) > SPARSE * sum(w.numel() for w in weights):
        return None
    kernels = compiled(KERNELS, "a chain of a linear recurrent network", "float64")
    return None if kernels is None else Writer(kernels, packed(model))


def _fits(model: Model) -> bool:
    """Whether it is a stack of linear recurrences and ReLUs in float64, on the CPU, that reads tokens without positions."""
    e, table = model.config.embedding, model.embedding.table
    plain = e.reads == "tokens" and not (e.places or e.numbers or e.gated)
    native = model.numbers.format.kind == "native" and table.dtype == torch.float64 and table.device.type == "cpu"
    return plain and native and model.config.readout.norm == "none" and all(_of_lines(layer) for layer in model.each_layer())


def _of_lines(layer: Layer) -> bool:
    known = layer.mixer is None or isinstance(layer.mixer, LinearRnn)
    ff = layer.config.feedforward
    return known and layer.config.norm == "none" and (ff is None or ff.activation in ("relu", "reglu"))


@dataclass(frozen=True)
class Packed:
    """A model as the kernel reads it."""

    table: Floats
    layers: Integers  # [layers, 6]
    states: Integers  # where the registers of each layer begin
    readout: int
    data: Floats
    columns: Integers
    start: Integers
    first: Integers
    biases: Floats

    def arguments(self) -> tuple[Any, ...]:
        """In the order of the kernel."""
        return (self.table, self.layers, self.states, self.readout, self.data, self.columns, self.start, self.first, self.biases)


@dataclass(frozen=True)
class Writer:
    """A model with the kernel that runs it."""

    kernels: ModuleType
    packed: Packed

    def write(self, prompt: Sequence[int], stop: int, limit: int) -> tuple[int, ...]:
        """The chain after a prompt, with its stop token if it ends within the limit."""
        chain = np.zeros(limit, dtype=np.int64)
        count = self.kernels.write(np.array(prompt, dtype=np.int64), stop, chain, *self.packed.arguments())
        return tuple(chain[:count].tolist())


def packed(model: Model) -> Packed:
    """All matrices of a model, without their zeros."""
    rows: list[Floats] = []
    first, biases = [0], list[Floats]()

    def add(weight: torch.Tensor, bias: torch.Tensor | None = None) -> int:
        matrix = weight.detach().numpy()
        rows.extend(matrix)
        biases.append(np.zeros(len(matrix)) if bias is None else bias.detach().numpy())
        first.append(first[-1] + len(matrix))
        return len(first) - 2

    layers, states = [], [0]
    for layer in model.each_layer():
        described = [-1, -1, -1, -1, -1, int(layer.config.residual)]
        if isinstance(layer.mixer, LinearRnn):
            described[:2] = add(torch.cat([layer.mixer.transition, layer.mixer.drive], dim=1)), add(layer.mixer.out)
            states.append(states[-1] + layer.mixer.state_size)
        else:
            states.append(states[-1])
        ff = layer.feedforward
        if ff is not None:
            described[2] = add(ff.inner, ff.inner_bias)
            described[3] = -1 if ff.gate is None else add(ff.gate, ff.gate_bias)
            described[4] = add(ff.outer, ff.outer_bias)
        layers.append(described)
    readout = add(model.readout.weight, model.readout.bias)
    at = [np.flatnonzero(row) for row in rows]
    return Packed(
        table=np.ascontiguousarray(model.embedding.table.detach().numpy()),
        layers=np.array(layers, dtype=np.int64).reshape(-1, 6),
        states=np.array(states, dtype=np.int64),
        readout=readout,
        data=np.concatenate([row[i] for row, i in zip(rows, at, strict=True)]),
        columns=np.concatenate(at).astype(np.int64),
        start=np.cumsum([0, *map(len, at)]),
        first=np.array(first, dtype=np.int64),
        biases=np.concatenate(biases),
    )
