"""Any regular language in DeltaProduct; one whose letters permute or reset the states in one layer, as here, others by a cascade.

Notation   h   every state twice, 1 at the current one and else 0        S = h - h_0, since a state of DeltaProduct begins at 0

    swap (i j)   beta = 2 and the unit key k = (e_i - e_j + e_i' - e_j') / 2, which is dyadic: I - 2 k k^T
    reset        beta = 1 and the key e of each number in turn, which is erased and written anew
    S            (I - beta k k^T) h - h_0 = (I - beta k k^T) S + beta k v with v = -k h_0: what is written makes up for the start
    read         q S with q the sum of e over accepting states: 0, or of one sign, which the norm makes 1

Everything but keys at norm 1 is an integer or a half, and 1e-6 is nothing beside the squares of the keys: run token by token the numbers
stay on the dot in floats. The checker knows of a key that it is nearly dyadic, and a reflection forgets nothing: it proves single lengths.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from separatrix.architectures import Architecture
from separatrix.certificates.construction import Construction, Sizes
from separatrix.constructions.languages.cascade_stream import BITS, Array, LanguageTask, recognising, tracking
from separatrix.constructions.languages.deltaproduct_cascade import cascaded, cascaded_sizes
from separatrix.constructions.languages.one_hot import is_symmetric, need_symmetric, symmetric_factors
from separatrix.constructions.parts.machine import Machine, regular_machine
from separatrix.errors import BadInput
from separatrix.models.config import EmbeddingConfig, LayerConfig, ModelConfig, ReadoutConfig
from separatrix.tasks.languages.factors import factors
from separatrix.tasks.regular import Regular
from separatrix.tasks.state_tracking import StateTracking

if TYPE_CHECKING:
    from separatrix.certificates.built import Built

BY = Architecture.DELTAPRODUCT.value
M, G = 1024.0, 2.0**30  # sigma(M) = 1 and sigma(-M) = 0 in the format; beside G^2, 1e-6 is nothing


def deltaproduct(task: LanguageTask, arithmetic: str = "float64") -> Built:
    """The weights, right at every prefix and at the end symbol."""
    from separatrix.constructions.compiler import model_of
    from separatrix.models.mixers.deltaproduct import DeltaProductConfig

    if isinstance(task, StateTracking) or not is_symmetric(regular_machine(task)):
        return cascaded(task, arithmetic, BY)
    machine = regular_machine(task)
    sizes = _sizes(task, arithmetic)
    N, F, width = machine.states, symmetric_factors(machine), sizes["width"]
    tensors: dict[str, Array] = {f"layers.0.mixer.{name}": tensor for name, tensor in _mixer(machine, F, width).items()}
    yes = np.zeros((2, width))
    yes[1, 0] = 1.0
    begins = float(0 in machine.accepting)  # the read number is 1 less then
    tensors |= {"embedding.table": np.eye(machine.tokens, width), "readout.weight": yes, "readout.bias": np.array([0.5 - begins, 0.0])}
    config = ModelConfig(
        embedding=EmbeddingConfig(machine.tokens),
        layers=(LayerConfig(DeltaProductConfig(1, 2 * N, 1, F)),),
        readout=ReadoutConfig(2),
        width=width,
        arithmetic=arithmetic,
        length=task.token_count,
    )
    return recognising(task, model_of(config, tensors, BY), BY, sizes, arithmetic)


def _mixer(machine: Machine, F: int, width: int) -> dict[str, Array]:
    """Keys, values and shares of every token; factors that it does not need have a share of 0."""
    N, start = machine.states, np.tile(np.eye(1, machine.states)[0], 2)
    key, value, share = np.zeros((F, 2 * N, width)), np.zeros((F, 1, width)), np.full((F, width), -M)
    for token, image in enumerate(zip(*machine.moves, strict=True)):
        if len({*image}) == 1 and N > 1:
            for place in range(2 * N):
                key[place, place, token], share[place, token] = G, 0.0  # beta = 2 sigma(0) = 1
                value[place, 0, token] = float(place % N == image[0]) - start[place]
        else:
            for number, factor in enumerate(factors(image)):
                for place, sign in ((factor.i, 1.0), (factor.j, -1.0)):
                    key[number, [place, N + place], token] = sign * G
                value[number, 0, token], share[number, token] = -key[number, :, token] @ start / (2 * G), M  # beta = 2 sigma(M) = 2
    query = np.zeros((2 * N, width))
    query[[place for place in range(2 * N) if place % N in machine.accepting]] = G
    out = np.zeros((width, 1))
    out[0, 0] = 1.0
    mixer = {"query": query, "key": key.reshape(-1, width), "value": value.reshape(-1, width), "share": share}
    return {**mixer, "norm.weight": np.ones(1), "out": out}


def _sizes(task: LanguageTask, arithmetic: str) -> Sizes:
    if arithmetic not in BITS:
        raise BadInput(f"{task.name}/{BY}: expected float32 or float64, found {arithmetic}")
    if isinstance(task, StateTracking) or not is_symmetric(regular_machine(task)):
        return cascaded_sizes(task, arithmetic, BY)
    machine, bits = regular_machine(task), BITS[arithmetic]
    need_symmetric(machine, task.name)
    return Sizes(layers=1, heads=1, width=machine.tokens, precision_bits=bits, state_bits=2 * machine.states * bits)


REGULAR_DELTAPRODUCT = Construction(
    name="regular/deltaproduct",
    computes=Regular,
    architecture=Architecture.DELTAPRODUCT,
    build=deltaproduct,
    formula=_sizes,
    quick=({"length": 12, "language": "@s3"}, {"length": 12, "language": "@last-is-1"}, {"length": 12, "language": "(ab)*"}),
    defaults={"language": "@parity"},
)
TRACKING_DELTAPRODUCT = tracking(REGULAR_DELTAPRODUCT, BY, {"length": 12, "language": "(ab)*"}, {"length": 6, "language": "@parity"})
