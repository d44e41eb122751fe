"""PARITY by a linear recurrence with a negative eigenvalue: one number whose sign each 1 flips.

    h_t = g(x_t) h_(t-1),   h_0 = 1,   g(0) = 1,   g(1) = -1

Two bits in `fixed:2,0`, one transition for every length. With gates that cannot be negative the same recurrence decides PARITY of at most
2^p - 1 bits with a number of p bits, by counting: bounds/states/positive_gates.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from separatrix.architectures import Architecture
from separatrix.certificates.claim import Claim
from separatrix.certificates.construction import Construction, Sizes
from separatrix.models.config import EmbeddingConfig, LayerConfig, ModelConfig, ReadoutConfig
from separatrix.tasks.parity import Parity

if TYPE_CHECKING:
    from separatrix.certificates.built import Built

TOKENS, BITS = 3, 2


def parity(task: Parity) -> Built:
    """One number; the end symbol leaves it as it is."""
    from separatrix.certificates.built import Built
    from separatrix.certificates.program import Program
    from separatrix.constructions.compiler import model_of, read_as
    from separatrix.models.mixers.selective_rnn import SelectiveRnnConfig

    tensors = {
        "embedding.table": np.eye(TOKENS),
        "layers.0.mixer.gate": np.array([[0.0, -2.0, 0.0]]),
        "layers.0.mixer.gate_bias": np.array([1.0]),
        "layers.0.mixer.drive": np.zeros((1, TOKENS)),
        "layers.0.mixer.drive_bias": np.zeros(1),
        "layers.0.mixer.initial": np.array([1.0]),
        "layers.0.mixer.out": np.eye(TOKENS, 1),
        "readout.weight": np.array([[-1.0], [1.0]]) @ np.eye(1, TOKENS),
        "readout.bias": np.zeros(2),
    }
    config = ModelConfig(
        embedding=EmbeddingConfig(TOKENS),
        layers=(LayerConfig(SelectiveRnnConfig(1, "signed")),),
        readout=ReadoutConfig(2),
        width=TOKENS,
        arithmetic=f"fixed:{BITS},0",
        length=task.token_count,
    )
    claim = Claim(PARITY_SIGN_FLIP.name, "", task.name, task.parameters, {}, config.arithmetic, {"state bits": float(BITS), "states": 2.0})
    return Built(Program(model_of(config, tensors, PARITY_SIGN_FLIP.name), read_as(task)), claim, task)


def _sizes(task: Parity) -> Sizes:
    del task  # the same at every length
    return Sizes(layers=1, heads=0, width=TOKENS, precision_bits=BITS, state_bits=BITS)


PARITY_SIGN_FLIP = Construction(
    name="parity/linear-recurrent",
    computes=Parity,
    architecture=Architecture.ONE_TRANSITION,
    build=parity,
    formula=_sizes,
    quick=({"length": 10}, {"length": 200}),
)
