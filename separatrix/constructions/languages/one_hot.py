"""Any automaton in one layer, its state as a one-hot vector: by rank-one factors, and by column-one-hot matrices (PD).

An automaton whose letters permute or reset needs symmetric factors only, I - beta k k^T with |k| = 1 and beta 1 or 2, as DeltaProduct has.

Notation   h   one number for each state, 1 at the current one        f   a letter, as a map of states

rank-one    f is a product of swaps I - (e_i - e_j)(e_i - e_j)^T and merges I - (e_i - e_j) e_i^T, at most N - 1 of them
symmetric   every state twice, so that the unit key of a swap, (e_i - e_j + e_i' - e_j') / 2, is dyadic: I - 2 k k^T; a reset erases each
            number by I - e e^T and writes the state
pd          P_f has its 1 of column q in row f(q), a table of its own for each letter; its gates are 1

Everything is 0, 1 or -1, and every sum has at most two terms that are not 0: the same in every float, and at every length. The end symbol
leaves the state as it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from separatrix.architectures import Architecture
from separatrix.arithmetic.format import parse_format
from separatrix.certificates.construction import Construction, Sizes
from separatrix.constructions.languages.cascade_stream import LanguageTask, recognising, tracking
from separatrix.constructions.parts.machine import Machine, machine_of
from separatrix.errors import BadInput
from separatrix.models.config import EmbeddingConfig, LayerConfig, MixerConfig, ModelConfig, ReadoutConfig
from separatrix.tasks.languages.factors import factors
from separatrix.tasks.regular import Regular

if TYPE_CHECKING:
    from separatrix.certificates.built import Built

Array = npt.NDArray[np.float64]
MOST = 256  # states


def rank_one(task: LanguageTask, arithmetic: str = "float64") -> Built:
    """Any regular language by one layer of rank-one factors, states one-hot."""
    from separatrix.models.mixers.rank_one import RankOneConfig

    machine = _machine(task)
    products = [factors(image) for image in zip(*machine.moves, strict=True)]
    F, N, width = max(1, *map(len, products)), machine.states, _width(machine)
    moved, read = (np.zeros((F, N, width)) for _ in range(2))
    for token, product in enumerate(products):
        for number, factor in enumerate(product):
            moved[number, factor.i, token], moved[number, factor.j, token] = 1.0, -1.0  # a = e_i - e_j
            read[number, factor.i, token] = 1.0  # b = e_i, and for a swap e_i - e_j
            read[number, factor.j, token] = -1.0 if factor.kind == "swap" else 0.0
    mixer: dict[str, Array] = {"moved": moved.reshape(F * N, width), "read": read.reshape(F * N, width)}
    return _built(task, machine, "rank-one", RankOneConfig(N, F), mixer, _sizes(task, arithmetic), arithmetic)


def symmetric(task: LanguageTask, arithmetic: str = "float64") -> Built:
    """One layer of reflections and projections, for letters that permute the states or lead all of them to one."""
    from separatrix.models.mixers.rank_one import RankOneConfig

    machine = _machine(task)
    N, images, width = machine.states, [*zip(*machine.moves, strict=True)], _symmetric_width(machine)
    resets = [len({*image}) == 1 and N > 1 for image in images]
    F = symmetric_factors(machine)
    moved, read, drive = np.zeros((F, 2 * N, width)), np.zeros((F, 2 * N, width)), np.zeros((2 * N, width))
    for token, image in enumerate(images):
        if resets[token]:
            for place in range(2 * N):
                moved[place, place, token] = read[place, place, token] = 1.0  # I - e e^T
            drive[[image[0], N + image[0]], token] = 1.0
        else:
            for number, factor in enumerate(factors(image)):
                for place, sign in ((factor.i, 1.0), (factor.j, -1.0)):
                    moved[number, [place, N + place], token], read[number, [place, N + place], token] = sign, sign / 2  # 2 k and k
    mixer: dict[str, Array] = {"moved": moved.reshape(-1, width), "read": read.reshape(-1, width), "drive": drive}
    mixer |= {"initial": np.tile(np.eye(1, N)[0], 2), "out": np.eye(width, 2 * N)}
    return _built(task, machine, "one-symmetric-layer", RankOneConfig(2 * N, F), mixer, _symmetric_sizes(task, arithmetic), arithmetic)


def pd(task: LanguageTask, arithmetic: str = "float64") -> Built:
    """One layer with a table for each token."""
    from separatrix.models.mixers.pd import PdConfig

    machine = _machine(task)
    N, width = machine.states, _width(machine)
    tables = np.zeros((machine.tokens, N, N))
    for q, row in enumerate(machine.moves):
        for token, r in enumerate(row):
            tables[token, r, q] = 1.0
    mixer: dict[str, Array] = {"choice": np.eye(machine.tokens, width), "tables": tables.reshape(machine.tokens, N * N)}
    mixer |= {"gate": np.zeros((N, width)), "gate_bias": np.ones(N)}
    return _built(task, machine, "pd", PdConfig(N, machine.tokens), mixer, _sizes(task, arithmetic), arithmetic)


def _built(
    task: LanguageTask,
    machine: Machine,
    by: str,
    config: MixerConfig,
    mixer: dict[str, Array],
    sizes: Sizes,
    arithmetic: str,
) -> Built:
    """One-hot tokens, the layer, and a read-out that tells states with one answer from those with another."""
    from separatrix.constructions.compiler import model_of

    N, width = machine.states, sizes["width"]
    answers = np.zeros((machine.targets, width))
    answers[machine.answers, range(N)] = 1.0
    mixer = {"drive": np.zeros((N, width)), "initial": np.eye(1, N)[0], "out": np.eye(width, N), **mixer}
    tensors = {
        "embedding.table": np.eye(machine.tokens, width),
        **{f"layers.0.mixer.{name}": tensor for name, tensor in mixer.items()},
        "readout.weight": answers,
        "readout.bias": np.zeros(machine.targets),
    }
    model = ModelConfig(
        embedding=EmbeddingConfig(machine.tokens),
        layers=(LayerConfig(config),),
        readout=ReadoutConfig(machine.targets),
        width=width,
        arithmetic=arithmetic,
        length=task.token_count,
    )
    return recognising(task, model_of(model, tensors, by), by, sizes, arithmetic)


def _machine(task: LanguageTask) -> Machine:
    machine = machine_of(task)
    if machine.states > MOST:
        raise BadInput(f"{task.name}: a one-hot state of {machine.states} numbers, at most {MOST} are built")
    return machine


def _symmetric_width(machine: Machine) -> int:
    return max(machine.tokens, 2 * machine.states)


def symmetric_factors(machine: Machine) -> int:
    """The most that a token needs: one for each number where it resets, else its swaps."""
    images = [*zip(*machine.moves, strict=True)]
    return max(1, *(2 * machine.states if len({*image}) == 1 and machine.states > 1 else len(factors(image)) for image in images))


def is_symmetric(machine: Machine) -> bool:
    """Whether every letter permutes the states or leads all of them to one."""
    return all(len({*image}) in (1, machine.states) for image in zip(*machine.moves, strict=True))


def need_symmetric(machine: Machine, name: str) -> None:
    """Refuse letters that neither permute nor reset."""
    if machine.states > MOST or not is_symmetric(machine):
        raise BadInput(f"{name}: some letter neither permutes the states nor leads all of them to one, or there are more than {MOST}")


def _symmetric_sizes(task: LanguageTask, arithmetic: str) -> Sizes:
    sizes, machine = _sizes(task, arithmetic), _machine(task)
    need_symmetric(machine, task.name)
    return Sizes(layers=1, heads=0, width=_symmetric_width(machine), precision_bits=sizes["precision_bits"],
                 state_bits=2 * sizes["state_bits"])  # fmt: skip


def _width(machine: Machine) -> int:
    return max(machine.tokens, machine.states)


def _sizes(task: LanguageTask, arithmetic: str) -> Sizes:
    format, machine = parse_format(arithmetic), _machine(task)
    if format.kind != "native":
        raise BadInput(f"{task.name}: {format.name} has no products of vectors: expected a native float")
    return Sizes(layers=1, heads=0, width=_width(machine), precision_bits=format.bits, state_bits=machine.states * format.bits)


REGULAR_RANK_ONE = Construction(
    name="regular/rank-one",
    computes=Regular,
    architecture=Architecture.RANK_ONE,
    build=rank_one,
    formula=_sizes,
    quick=({"length": 40, "language": "@s3"},),
    defaults={"language": "(ab)*"},
)
REGULAR_SYMMETRIC = Construction(
    name="regular/one-symmetric-layer",
    computes=Regular,
    architecture=Architecture.RANK_ONE,
    build=symmetric,
    formula=_symmetric_sizes,
    quick=({"length": 40, "language": "@s3"}, {"length": 40, "language": "@last-is-1", "arithmetic": "float32"}),
    defaults={"language": "@parity"},
)
REGULAR_PD = Construction(
    name="regular/pd",
    computes=Regular,
    architecture=Architecture.PD,
    build=pd,
    formula=_sizes,
    quick=({"length": 40, "language": "@s3", "arithmetic": "float32"},),
    defaults={"language": "(ab)*"},
)
TRACKING_RANK_ONE = tracking(REGULAR_RANK_ONE, "rank-one", {"length": 40, "language": "@s3"})
TRACKING_SYMMETRIC = tracking(REGULAR_SYMMETRIC, "one-symmetric-layer", {"length": 40, "language": "@s3"})
TRACKING_PD = tracking(REGULAR_PD, "pd", {"length": 40, "language": "@s5"})
