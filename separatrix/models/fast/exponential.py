"""e^x for x <= 0 in compiled code, such that a loop of them runs on vector registers in float32. Imported by kernels only."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numba import types
from numba.extending import overload


def exponential(x: Any) -> Any:
    """e^x for x <= 0; numba compiles one of the two below."""
    raise NotImplementedError


@overload(exponential, inline="always")
def _exponential(x):
    if x == types.float32:
        return _short_exponential
    return lambda x: math.exp(x)  # noqa: PLW0108 (numba compiles Python functions, and math.exp is none)


def _short_exponential(x):
    """2^i 2^f with a polynomial for 2^f, |f| <= 1/2, without branches: the compiler turns a loop of these into vector code.

    The truncated Taylor series of e^y at |y| <= ln(2)/2 is off by less than y^8/8! < 5e-9; below -87 the result is e^-87.
    """
    y = max(x, np.float32(-87.0))
    i = np.int32(y * np.float32(1.4426950408889634) - np.float32(0.5))  # nearest integer, for y <= 0
    f = np.float32(i)
    y = (y - f * np.float32(0.693359375)) - f * np.float32(-2.12194440e-4)  # ln 2 in two parts, the first exact times i
    p = np.float32(1 / 5040)
    p = p * y + np.float32(1 / 720)
    p = p * y + np.float32(1 / 120)
    p = p * y + np.float32(1 / 24)
    p = p * y + np.float32(1 / 6)
    p = p * y + np.float32(0.5)
    p = p * y + np.float32(1.0)
    p = p * y + np.float32(1.0)
    return p * np.int32((i + np.int32(127)) << np.int32(23)).view(np.float32)
