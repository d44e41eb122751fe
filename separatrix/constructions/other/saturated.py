"""Any automaton in the cells that people train: an Elman network, a GRU and an LSTM whose units are saturated.

[bhattamishra2024 Section 2(2)]

Notation   (q, s)  a unit for each state and token: on after s was read in q       K  a gain at which tanh and sigmoid are 1 or 0
           h       what a unit shows; on is 1 and off is -1 in an Elman network, on is tanh 1 and off is 0 in an LSTM

Unit (q, s) turns on iff s is read and a unit is on whose move leads to q:

    K (sum of what is on among the units that lead to q  +  [s is read]  -  3/2),     K/2 away from 0 at least

Before the first token nothing is on, which is to mean the first state. So the units of that state turn on unless another state is shown:

    K ([s is read]  -  sum of what is on among the units that lead elsewhere  -  1/2)

In an Elman network `off` is not 0 from the first token on. One more unit, which every token turns on, tells the two apart. A GRU is an
Elman network whose reset gate is open and whose update gate is shut for good. Brackets of bounded depth are an automaton with a state for
each stack, and parity is one with two. Where the state itself is asked for, its target adds up the units that lead to it.
"""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from separatrix.architectures import Architecture
from separatrix.arithmetic.format import parse_format
from separatrix.certificates.claim import Claim
from separatrix.certificates.construction import Construction, Settings, Sizes
from separatrix.constructions.parts.machine import Machine, machine_of
from separatrix.errors import BadInput
from separatrix.models.config import EmbeddingConfig, LayerConfig, MixerConfig, ModelConfig, ReadoutConfig
from separatrix.tasks.dyck import Dyck
from separatrix.tasks.parity import Parity
from separatrix.tasks.regular import Regular
from separatrix.tasks.state_tracking import StateTracking

if TYPE_CHECKING:
    from separatrix.certificates.built import Built

Array = npt.NDArray[np.float64]
GAIN = 80.0  # K: sigmoid(-40) < 2^-57, and tanh(40) rounds to 1 in every float
ON = math.tanh(1.0)  # what a unit of the LSTM shows: its cell is 1, its output gate open
MOST = 4096  # units
Finite = Regular | Dyck | Parity | StateTracking


def elman(task: Finite, arithmetic: str = "float64") -> Built:
    """h' = tanh(W x + U h + b)."""
    from separatrix.models.mixers.elman import ElmanConfig

    machine = _machine(task)
    W, U, b = _signs(machine)
    return _built(task, machine, "elman", ElmanConfig(), _kernel(W, U, b), *_signs_shown(machine), arithmetic)


def gru(task: Finite, arithmetic: str = "float64") -> Built:
    """h' = (1 - z) tanh(W x + r (U h) + b) + z h with r = 1 and z = 0."""
    from separatrix.models.mixers.gru import GruConfig

    machine = _machine(task)
    W, U, b = _signs(machine)
    none, open_ = np.zeros((2 * len(b), len(b))), np.full(len(b), GAIN)
    kernel = _kernel(np.concatenate([none, W]), np.concatenate([none, U]), np.concatenate([open_, -open_, b]))
    return _built(task, machine, "gru", GruConfig(), kernel, *_signs_shown(machine), arithmetic)


def _signs(machine: Machine) -> tuple[Array, Array, Array]:
    """W, U and b of units that are 1 where they are on and -1 where they are off; the last has read something."""
    moved, read, bias = _units(machine)
    P = len(machine.pairs)
    U, W, b = np.zeros((P + 1, P + 1)), np.zeros((P + 1, P + 1)), np.zeros(P + 1)
    U[:P, :P], U[:P, P] = moved / 2, moved.sum(axis=1) / 2  # (h + r)/2 is 1 where a unit is on; r is the last unit
    W[:P, : machine.tokens], b[:P], b[P] = read, bias, GAIN
    return W, U, b


def _signs_shown(machine: Machine) -> tuple[Array, Array]:
    """The read-out of signs: 2 for the target whose unit is on, and 0 for every other."""
    shown = _shown(machine)
    return np.pad(shown, ((0, 0), (0, 1))), shown.sum(axis=1)


def _kernel(W: Array, U: Array, b: Array) -> dict[str, Array]:
    return {"weight_ih_l0": W, "weight_hh_l0": U, "bias_ih_l0": b, "bias_hh_l0": np.zeros(len(b))}


def lstm(task: Finite, arithmetic: str = "float64") -> Built:
    """c' = sigma(f) c + sigma(i) tanh(g), h' = sigma(o) tanh(c'): the input gate is the unit, everything else is open or shut for good."""
    from separatrix.models.mixers.lstm import LstmConfig

    machine = _machine(task)
    moved, read, bias = _units(machine)
    P = len(machine.pairs)
    W, U, b = np.zeros((4 * P, P)), np.zeros((4 * P, P)), np.zeros(4 * P)
    i, f, g, o = (slice(k * P, (k + 1) * P) for k in range(4))
    U[i], W[i, : machine.tokens], b[i] = moved / ON, read, bias
    b[f], b[g], b[o] = -GAIN, GAIN, GAIN
    return _built(task, machine, "lstm", LstmConfig(), _kernel(W, U, b), 2 * _shown(machine) / ON, np.zeros(machine.targets), arithmetic)


def _machine(task: Finite) -> Machine:
    machine = machine_of(task)
    if len(machine.pairs) >= MOST:
        raise BadInput(f"{task.name}: {machine.states} states and {machine.tokens} tokens need more than {MOST} units")
    return machine


def _units(machine: Machine) -> tuple[Array, Array, Array]:
    """What a unit gets from every unit that is on, from every token, and without either."""
    P = len(machine.pairs)
    moved, read, bias = np.zeros((P, P)), np.zeros((P, machine.tokens)), np.full(P, -1.5 * GAIN)
    leads = np.array([machine.moves[q][s] for q, s in machine.pairs])
    for number, (q, s) in enumerate(machine.pairs):
        read[number, s] = GAIN
        moved[number] = GAIN * (leads == q) if q else -GAIN * (leads != 0)
        bias[number] = -1.5 * GAIN if q else -0.5 * GAIN
    return moved, read, bias


def _shown(machine: Machine) -> Array:
    """For each target, 1 for every unit whose move leads to a state with that answer."""
    shown = np.zeros((machine.targets, len(machine.pairs)))
    for unit, (q, s) in enumerate(machine.pairs):
        shown[machine.answers[machine.moves[q][s]], unit] = 1.0
    return shown


def _built(
    task: Finite, machine: Machine, by: str, cell: MixerConfig, kernel: dict[str, Array], weight: Array, bias: Array, arithmetic: str
) -> Built:
    """The model: one-hot tokens, the cell, and the read-out."""
    from separatrix.certificates.built import Built
    from separatrix.certificates.program import Program
    from separatrix.constructions.compiler import model_of, read_as

    width = weight.shape[1]
    tensors: dict[str, npt.NDArray[Any]] = {
        "embedding.table": np.eye(machine.tokens, width),
        **{f"layers.0.mixer.kernel.{name}": tensor for name, tensor in kernel.items()},
        "readout.weight": weight,
        "readout.bias": bias,
    }
    config = ModelConfig(
        embedding=EmbeddingConfig(machine.tokens),
        layers=(LayerConfig(cell),),
        readout=ReadoutConfig(machine.targets),
        width=width,
        arithmetic=arithmetic,
        length=task.token_count,
    )
    name = f"{task.name}/{by}"
    model = model_of(config, tensors, name)
    facts = {"state bits": float(_sizes(by, task, arithmetic)["state_bits"]), "states": float(machine.states)}
    claim = Claim(name, "", task.name, task.parameters, {}, arithmetic, facts)
    return Built(Program(model, read_as(task)), claim, task)


def _sizes(by: str, task: Finite, arithmetic: str) -> Sizes:
    """A unit for each state and token; signs need one more, an LSTM a second vector."""
    format, width = parse_format(arithmetic), len(_machine(task).pairs) + (by != "lstm")
    if format.kind != "native":
        raise BadInput(f"{task.name}: {format.name} has no tanh: expected a native float")
    state = (2 if by == "lstm" else 1) * width * format.bits
    return Sizes(layers=1, heads=0, width=width, precision_bits=format.bits, state_bits=state)


_CELLS = {"elman": elman, "gru": gru, "lstm": lstm}


def _declared(computes: type[Finite], by: str, quick: Settings, defaults: Settings, *more: Settings) -> Construction:
    return Construction(
        name=f"{computes.name}/{by}",
        computes=computes,
        architecture=Architecture(by),
        build=_CELLS[by],
        formula=partial(_sizes, by),
        quick=(quick, *more),
        defaults=defaults,
    )


_language, _short = {"length": 40, "language": "(ab|b)*a?"}, {"arithmetic": "float32"}
_counters = ({"length": 12, "language": "1*", "alphabet": "01"}, {"length": 4, "language": "aabb"})  # `ones`, and `an-bn` at N = 4
REGULAR_ELMAN = _declared(Regular, "elman", {**_language, **_short}, {"language": "(ab)*"}, *_counters)
REGULAR_GRU = _declared(Regular, "gru", _language, {"language": "(ab)*"}, *_counters)
REGULAR_LSTM = _declared(Regular, "lstm", _language, {"language": "(ab)*"}, *_counters)
_tracked = {"length": 40, "language": "@s3"}
TRACKING_ELMAN = _declared(StateTracking, "elman", _tracked, {"language": "(ab)*"})
TRACKING_GRU = _declared(StateTracking, "gru", {**_tracked, **_short}, {"language": "(ab)*"})
TRACKING_LSTM = _declared(StateTracking, "lstm", _tracked, {"language": "(ab)*"})
DYCK_ELMAN = _declared(Dyck, "elman", {"length": 40}, {})
DYCK_GRU = _declared(Dyck, "gru", {"length": 40, **_short}, {})
DYCK_LSTM = _declared(Dyck, "lstm", {"length": 40, **_short}, {})
PARITY_ELMAN = _declared(Parity, "elman", {"length": 40, **_short}, {})
PARITY_GRU = _declared(Parity, "gru", {"length": 40, **_short}, {})
PARITY_LSTM = _declared(Parity, "lstm", {"length": 40}, {})
