"""floor(exp(a / 2^f) 2^f) for whole arrays: through float64 where that is proven, by the integer routine elsewhere."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from separatrix.arithmetic.exponential import floor_exp
from separatrix.arithmetic.integers import Integers, objects

# float64 `exp` is taken to err by at most 2 units in the last place, 2^-51 relatively; twice that leaves room
# for the rounding of the two products below.
SLACK = 2.0**-50
FLOAT64_ARGUMENTS = 47  # up to this f, (f + 1) 2^f < 2^53: every argument with a positive result is a float64


def floor_exp_each(a: Integers, f: int) -> Integers:
    """floor(exp(a / 2^f) 2^f) of integers a <= 0; a float64 tensor may hold minus infinity, whose result is 0."""
    if isinstance(a, Tensor):
        return _of_tensor(a, f)
    if f > FLOAT64_ARGUMENTS:
        exact = {value: floor_exp(value, f) for value in set(a.flat)}
        return np.array([exact[value] for value in a.flat], dtype=object).reshape(a.shape)
    near = np.maximum(a, -((f + 1) << f))  # below -(f + 1) 2^f every result is 0
    return objects(_of_tensor(torch.from_numpy(near.astype(np.float64)), f))


def _of_tensor(a: Tensor, f: int) -> Tensor:
    y = torch.exp(a * 2.0**-f) * 2.0**f  # both products are exact
    e = (y * (1 - SLACK)).floor_()
    undecided = e != (y * (1 + SLACK)).floor_()  # an integer lies within the error
    one = a == 0
    e.masked_fill_(one, 2.0**f)
    undecided &= ~one
    if bool(undecided.any()):
        distinct, which = torch.unique(a[undecided], return_inverse=True)
        exact = [float(floor_exp(int(value), f)) for value in distinct.tolist()]
        e[undecided] = torch.tensor(exact, dtype=torch.float64)[which]
    return e
