"""A stack inside one number: brackets of any depth up to what p bits hold, by a recurrence whose size does not depend on it.

Notation   B  4: a digit for each open bracket, 1 or 3 by its type          h  the stack, 0.d_1 d_2 .. in base B, d_1 the innermost one
           D  open brackets that the format holds                         -1  the state of words that cannot be closed

    opening bracket with digit d    h / B + d / B        written in front
    closing bracket with digit d    B h - d              taken away again

The digits lie apart, so the first one shows: an empty stack is 0, and the innermost bracket puts h into [1/4, 1/2) or [3/4, 1).
Two bits for each open bracket and six for sign and weights, fixed:(2 D + 6),(2 D): 29 open brackets in 64 bits. A word of N brackets needs
D = N/2: if more are open, the lowest digits fall off, and not enough brackets are left to close those that remain.
A closing bracket is right for one interval and fails on the others. From 0 it leads to -1; on the other interval it has to come down again:

    -1 + relu(B h - d + 1) - relu(3 B h - 3 (d + 1)) + relu(2 B h - 2 (d + 2))
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from separatrix.architectures import Architecture
from separatrix.arithmetic.format import WIDEST
from separatrix.certificates.claim import Claim
from separatrix.certificates.construction import Construction, Sizes
from separatrix.errors import BadInput
from separatrix.models.config import EmbeddingConfig, FeedForwardConfig, LayerConfig, ModelConfig, ReadoutConfig
from separatrix.tasks.dyck_languages import Dyck2

if TYPE_CHECKING:
    from separatrix.certificates.built import Built

Array = npt.NDArray[np.float64]
BASE, DIGITS = 4.0, (1.0, 3.0)
OPEN, CLOSE, END = (0, 1), (2, 3), 4
FAR = 14.0  # below every number that a unit of another token has


def digits_format(depth: int) -> str:
    """The least fixed point that holds so many open brackets: two bits each, a sign, and five bits for weights up to 14."""
    return f"fixed:{2 * depth + 6},{2 * depth}"


def dyck_2(task: Dyck2) -> Built:
    """2DYCK recognised, however deep."""
    from separatrix.certificates.built import Built
    from separatrix.certificates.program import Program
    from separatrix.constructions.compiler import model_of, read_as
    from separatrix.models.mixers.relu_rnn import ReluRnnConfig

    sizes, tokens = _sizes(task), 5
    mixer = stack_tensors(tokens, refusing=True)
    tensors = {
        "embedding.table": np.eye(tokens),
        **{f"layers.0.mixer.{name}": tensor for name, tensor in mixer.items()},
        "layers.0.mixer.out": np.eye(tokens, 1),
        "layers.0.feedforward.inner": np.array([[1.0], [-1.0]]) @ np.eye(1, tokens),
        "layers.0.feedforward.inner_bias": np.zeros(2),
        "layers.0.feedforward.outer": np.eye(tokens, 1) @ np.array([[-4.0, -4.0]]),  # -4 |h|, which is 0 or at most -1
        "layers.0.feedforward.outer_bias": np.zeros(tokens),
        "readout.weight": np.array([[-1.0], [1.0]]) @ np.eye(1, tokens),
        "readout.bias": np.array([0.0, 1.0]),  # 1 - 4 |h| against 4 |h|
    }
    config = ModelConfig(
        embedding=EmbeddingConfig(tokens),
        layers=(LayerConfig(ReluRnnConfig(1, len(mixer["bias"])), FeedForwardConfig(2)),),
        readout=ReadoutConfig(2),
        width=tokens,
        arithmetic=digits_format(task.length // 2),
        length=task.token_count,
    )
    facts = {"state bits": float(sizes.precision_bits), "open brackets": float(task.length // 2)}
    claim = Claim(DYCK_2_RECURRENT.name, "", task.name, task.parameters, {}, config.arithmetic, facts)
    return Built(Program(model_of(config, tensors, DYCK_2_RECURRENT.name), read_as(task)), claim, task)


def stack_tensors(tokens: int, refusing: bool) -> dict[str, Array]:
    """The recurrence, without its output; it need not refuse closing brackets that do not fit where none come."""
    rows = _opening(tokens, refusing)
    for token, digit in zip(CLOSE, DIGITS, strict=True):
        rows += _closing(tokens, token, digit) if refusing else [_unit(tokens, BASE, {token: -digit}, 1.0)]
    if refusing:
        rows += [_unit(tokens, sign, {END: 0.0}, sign) for sign in (1.0, -1.0)]  # the end symbol leaves h as it is
    transition, drive, back = (np.array(column) for column in zip(*rows, strict=True))
    return {"transition": transition[:, None], "drive": drive, "bias": np.zeros(len(rows)), "back": back[None], "initial": np.zeros(1)}


Unit = tuple[float, list[float], float]


def _unit(tokens: int, slope: float, offsets: dict[int, float], weight: float) -> Unit:
    """weight relu(slope h + offset), where one of these tokens is read."""
    return slope, [offsets.get(token, -FAR) for token in range(tokens)], weight


def _opening(tokens: int, refusing: bool) -> list[Unit]:
    """h/B + d/B; at -1 the same would give (d - 1)/B, and has to give -1."""
    rows = [_unit(tokens, 1 / BASE, {token: digit / BASE for token, digit in zip(OPEN, DIGITS, strict=True)}, 1.0)]
    if refusing:
        rows += [_unit(tokens, -1.0, {token: 0.0}, -(1 + (d - 1) / BASE)) for token, d in zip(OPEN, DIGITS, strict=True)]
    return rows


def _closing(tokens: int, token: int, d: float) -> list[Unit]:
    rows = [_unit(tokens, 0.0, {token: 1.0}, -1.0), _unit(tokens, BASE, {token: 1.0 - d}, 1.0)]
    if d < max(DIGITS):
        rows += [_unit(tokens, 3 * BASE, {token: -3 * (d + 1)}, -1.0), _unit(tokens, 2 * BASE, {token: -2 * (d + 2)}, 1.0)]
    return rows


def _sizes(task: Dyck2) -> Sizes:
    bits = task.length + 6
    if bits > WIDEST:
        raise BadInput(f"dyck-2: {task.length} brackets need numbers of {bits} bits: expected at most {WIDEST}")
    return Sizes(layers=1, heads=0, width=5, precision_bits=bits, state_bits=bits)


DYCK_2_RECURRENT = Construction(
    name="dyck-2/recurrent",
    computes=Dyck2,
    architecture=Architecture.RECURRENT,
    build=dyck_2,
    formula=_sizes,
    quick=({"length": 6}, {"length": 58}),
)
