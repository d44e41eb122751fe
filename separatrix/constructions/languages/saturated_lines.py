"""Any regular language in a linear RNN whose numbers saturate: in such a format its update is not linear, and it runs every automaton.

    h_t = A h_(t-1) + B x_t, stored once in fixed:p,f: what lies beyond -M and M - 1 ulp becomes these, with M = 2^(p - 1 - f)

Notation   u(q, a)   M - 1 ulp, "on", if the last token is a and was read in state q, and else -M, "off"
           S(q)      the pairs (p, b) of a state and a letter that lead to q; all are off but at most one
           z         0 before the first token, and -M from then on

    u(q, a) <- sum of u over S(q) + w z + c, and 2 M less where the token is not a

With w = -|S(q)| and c = -M this is M - 1 ulp if a pair of S(q) is on, and -M if none is; before the first token, when all are 0, it is
-M. In the first state w and c are greater by 2 and 2 M, so that it is on before the first token, and later the same. Two M less is off.
Nothing is rounded. The end symbol is a token like others, and what is read is the sum of u(q, end) over accepting states.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from separatrix.architectures import Architecture
from separatrix.arithmetic.format import parse_format
from separatrix.certificates.construction import Construction, Sizes
from separatrix.constructions.languages.cascade_stream import recognising
from separatrix.constructions.parts.machine import Machine, regular_machine
from separatrix.errors import BadInput
from separatrix.models.config import EmbeddingConfig, LayerConfig, ModelConfig, ReadoutConfig
from separatrix.tasks.regular import Regular

if TYPE_CHECKING:
    from separatrix.certificates.built import Built

K = 4.0  # of a one-hot token, so that 3 M is K times a number of the format
MOST = 1024  # units


def linear_rnn(task: Regular, arithmetic: str = "fixed:16,4") -> Built:
    """The weights: one layer."""
    from separatrix.constructions.compiler import model_of
    from separatrix.models.mixers.linear_rnn import LinearRnnConfig

    machine, M = _machine(task, arithmetic)
    T, units = machine.tokens, len(machine.pairs)
    transition, drive, out = np.zeros((units + 1, units + 1)), np.zeros((units + 1, T)), np.zeros((T, units + 1))
    z, end = units, T - 1
    drive[z] = -M / K  # every token
    for number, (q, a) in enumerate(machine.pairs):
        first, leading = 2.0 * (q == 0), _leading(machine, q)
        transition[number, leading], transition[number, z] = 1.0, first - len(leading)
        drive[number] = (first - 3) * M / K
        drive[number, a] = (first - 1) * M / K
        if a == end and q in machine.accepting:
            out[0, number] = 1.0
    out[0, z] = 1.0 - len(machine.accepting)  # the others are off
    answers = np.zeros((2, T))
    answers[1, 0] = 1.0
    tensors = {
        "embedding.table": K * np.eye(T),
        "layers.0.mixer.transition": transition,
        "layers.0.mixer.drive": drive,
        "layers.0.mixer.out": out,
        "readout.weight": answers,
        "readout.bias": np.zeros(2),
    }
    config = ModelConfig(
        embedding=EmbeddingConfig(T),
        layers=(LayerConfig(LinearRnnConfig(units + 1)),),
        readout=ReadoutConfig(2),
        width=T,
        arithmetic=arithmetic,
        length=task.token_count,
    )
    return recognising(
        task, model_of(config, tensors, REGULAR_SATURATED.name), REGULAR_SATURATED.architecture, _sizes(task, arithmetic), arithmetic
    )


def _leading(machine: Machine, q: int) -> list[int]:
    """The pairs that lead to a state by a letter; nothing follows the end symbol."""
    return [number for number, (state, a) in enumerate(machine.pairs) if a < machine.tokens - 1 and machine.moves[state][a] == q]


def _machine(task: Regular, arithmetic: str) -> tuple[Machine, float]:
    """The machine of the language and M, or a refusal of what is too large, or of a format that has no room for it."""
    machine, format = regular_machine(task), parse_format(arithmetic)
    if len(machine.pairs) > MOST:
        raise BadInput(f"{REGULAR_SATURATED.name}: the language needs {len(machine.pairs)} units, at most {MOST} are built")
    most = max(K, *(len(_leading(machine, q)) for q in range(machine.states)), len(machine.accepting))
    M = 2.0 ** (format.bits - 1 - format.fraction) if format.kind == "fixed" else 0.0
    if most >= M:
        raise BadInput(f"{REGULAR_SATURATED.name}: expected fixed:p,f with 2^(p - 1 - f) > {most:g}, found {arithmetic}")
    return machine, M


def _sizes(task: Regular, arithmetic: str) -> Sizes:
    machine, _ = _machine(task, arithmetic)
    bits = parse_format(arithmetic).bits
    return Sizes(layers=1, heads=0, width=machine.tokens, precision_bits=bits, state_bits=(len(machine.pairs) + 1) * bits)


REGULAR_SATURATED = Construction(
    name="regular/linear-rnn",
    computes=Regular,
    architecture=Architecture.LINEAR_RNN,
    build=linear_rnn,
    formula=_sizes,
    quick=({"length": 40, "language": "@s3"}, {"length": 40, "language": "(ab)*", "arithmetic": "fixed:5,0"}),
    defaults={"language": "@parity"},
)
