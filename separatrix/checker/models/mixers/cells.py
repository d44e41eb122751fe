"""What LSTM, GRU and Elman networks share: a cell that reads one token after the other, with torch's weights by torch's names.

kernel.weight_ih_l0 [gates width, width]   kernel.weight_hh_l0 [gates width, width]   kernel.bias_ih_l0   kernel.bias_hh_l0
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from separatrix.checker.models.mixers import Shapes, Weights
from separatrix.checker.numbers.floats import Float
from separatrix.checker.numbers.formats import Numbers
from separatrix.checker.numbers.smooth import native
from separatrix.checker.numbers.values import Array, Values, join

STEP = 20_000  # work of the calls of one step
State = tuple[Values, ...]
Step = Callable[[Float, Values, Values, State], State]


def shapes(gates: int, width: int) -> Shapes:
    """The tensors of a cell with so many gates."""
    matrix, bias = (gates * width, width), (gates * width,)
    return {"kernel.weight_ih_l0": matrix, "kernel.weight_hh_l0": matrix, "kernel.bias_ih_l0": bias, "kernel.bias_hh_l0": bias}


def run(ops: Numbers, w: Weights, x: Values, readers: Array, states: int, step: Step, what: str) -> Values:
    """The first part of the state at the readers; a step takes W x + b, U h + b' and the state."""
    floats, width = native(ops, what), x.shape[-1]
    read = ops.linear(x, w["kernel.weight_ih_l0"], w["kernel.bias_ih_l0"])
    state: State = (Values(np.zeros((*x.shape[:-2], 1, width))),) * states
    held = []
    for t in range(int(readers.max()) + 1):
        state = step(floats, read.rows(slice(t, t + 1)), ops.linear(state[0], w["kernel.weight_hh_l0"], w["kernel.bias_hh_l0"]), state)
        held.append(state[0])
    return join(held).rows(readers)


def work(gates: int, width: int, n: int, ops: Numbers) -> int:
    """Of n steps."""
    return n * (2 * gates * width * (width + 20) * ops.cost(width) + STEP)
