"""Machines as weights: the automaton of a language in one number of ceil(log2 states) bits, with one transition for words of every length.

[bhattamishra2024 Lemma 4] [bhattamishra2024 Remark 12] [bhattamishra2024 Remark 3; the recurrent half] [hahn2020 Remark 6]

One layer, a recurrence through ReLUs in `fixed:p,0`; parts/number_state.py says how one number moves. Its p bits are those that the
states of the minimal automaton need: the bound is tight. Only where two states would do with one bit does the format have a second.
Nothing but the model's length depends on N, so the weights of a short word serve every longer one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from separatrix.architectures import Architecture
from separatrix.certificates.claim import Claim
from separatrix.certificates.construction import Construction, Sizes
from separatrix.constructions.parts.machine import Machine, dyck_machine, parity_machine, regular_machine
from separatrix.constructions.parts.number_state import NumberState
from separatrix.models.config import EmbeddingConfig, LayerConfig, ModelConfig, ReadoutConfig
from separatrix.tasks import Task
from separatrix.tasks.dyck import Dyck
from separatrix.tasks.parity import Parity
from separatrix.tasks.regular import Regular

if TYPE_CHECKING:
    from separatrix.certificates.built import Built


def regular(task: Regular) -> Built:
    """Any regular language by a recurrent model that runs its automaton."""
    return _built(task, regular_machine(task), REGULAR_RECURRENT)


def dyck(task: Dyck) -> Built:
    """Bounded Dyck: the state is the stack."""
    return _built(task, dyck_machine(task), DYCK_RECURRENT)


def parity(task: Parity) -> Built:
    """PARITY by a recurrent model of two states, even and odd."""
    return _built(task, parity_machine(task), PARITY_RECURRENT)


def _built(task: Task, machine: Machine, declared: Construction) -> Built:
    from separatrix.certificates.built import Built
    from separatrix.certificates.program import Program
    from separatrix.constructions.compiler import model_of, read_as
    from separatrix.models.mixers.relu_rnn import ReluRnnConfig

    state, width = NumberState(machine), machine.tokens
    mixer, first = state.tensors(), state.first_accepting
    shown = np.eye(width, 1)  # h goes into the first coordinate of the stream
    sign = np.array([[-1.0], [1.0]])
    tensors = {
        "embedding.table": np.eye(machine.tokens),
        **{f"layers.0.mixer.{name}": tensor for name, tensor in mixer.items()},
        "layers.0.mixer.out": shown,
        "readout.weight": sign @ shown.T,
        "readout.bias": np.array([first - 1.0, -float(first)]),  # h - first against first - 1 - h: yes leads iff h >= first
    }
    config = ModelConfig(
        embedding=EmbeddingConfig(machine.tokens),
        layers=(LayerConfig(ReluRnnConfig(1, len(mixer["bias"]))),),
        readout=ReadoutConfig(2),
        width=width,
        arithmetic=f"fixed:{state.bits},0",
        length=task.token_count,
    )
    facts = {"state bits": float(state.bits), "states": float(machine.states)}
    claim = Claim(declared.name, declared.cites, task.name, task.parameters, {}, config.arithmetic, facts)
    return Built(Program(model_of(config, tensors, declared.name), read_as(task)), claim, task)


def _sizes(machine: Machine) -> Sizes:
    bits = NumberState(machine).bits
    return Sizes(layers=1, heads=0, width=machine.tokens, precision_bits=bits, state_bits=bits)


REGULAR_RECURRENT = Construction(
    name="regular/recurrent",
    cites="bhattamishra2024 Lemma 4",
    computes=Regular,
    architecture=Architecture.ONE_TRANSITION,
    build=regular,
    formula=lambda task: _sizes(regular_machine(task)),
    quick=({"length": 9, "language": "(ab|b)*a?"}, {"length": 60, "language": "(0|1(01*0)*1)*"}),
    defaults={"language": "(ab)*"},
)
DYCK_RECURRENT = Construction(
    name="dyck/recurrent",
    cites="bhattamishra2024 Lemma 4",
    computes=Dyck,
    architecture=Architecture.ONE_TRANSITION,
    build=dyck,
    formula=lambda task: _sizes(dyck_machine(task)),
    quick=({"length": 6}, {"length": 100}, {"length": 40, "types": 3, "depth": 3}),
)
PARITY_RECURRENT = Construction(
    name="parity/recurrent",
    computes=Parity,
    architecture=Architecture.ONE_TRANSITION,
    build=parity,
    formula=lambda task: _sizes(parity_machine(task)),
    quick=({"length": 10}, {"length": 200}),
)
