"""Softmax rounded to nearest for whole arrays: through float64 where that is proven, by the integer routine for other rows."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from separatrix.arithmetic.exact_softmax import softmax_to_nearest
from separatrix.arithmetic.fast_exponential import FLOAT64_ARGUMENTS
from separatrix.arithmetic.integers import FLOAT64_HOLDS, Integers, Objects, objects
from separatrix.arithmetic.visible import hide, visible_array


def softmax_to_nearest_each(a: Integers, visible: Tensor | None, f: int) -> Integers:
    """The integers nearest to 2^f softmax(a / 2^f) over the visible keys of the last axis, ties to even; 0 at hidden keys."""
    see = visible_array(tuple(a.shape), visible)
    if isinstance(a, Tensor):
        w, undecided = _through_float64(_below_maximum(a, visible), f)
        rows = w.numpy()  # the same memory
    elif f <= FLOAT64_ARGUMENTS:
        w, undecided = _through_float64(_object_below_maximum(a, see), f)
        rows = objects(w)
    else:
        rows, undecided = np.zeros(a.shape, dtype=object), np.asarray(see.any(axis=-1))
    for i in zip(*np.nonzero(undecided), strict=True):
        rows[i][see[i]] = softmax_to_nearest(objects(a[i])[see[i]].tolist(), f)
    return w if isinstance(a, Tensor) else rows


def _below_maximum(a: Tensor, visible: Tensor | None) -> Tensor:
    hidden = hide(a, visible)
    top = hidden.amax(dim=-1, keepdim=True)
    return hidden - top.masked_fill(top.isneginf(), 0.0)


def _object_below_maximum(a: Objects, see: NDArray[np.bool_]) -> Tensor:
    """Differences below -2^53 are brought up to it, where float64 is exact.

    That is x <= -2^(53 - f) <= -64, a weight below 2^-92, which rounds to 0 and moves no other weight by more than 2^-92.
    """
    top = np.where(see, a, a.min()).max(axis=-1, keepdims=True)
    near = np.maximum(np.where(see, a - top, 0), -FLOAT64_HOLDS).astype(np.float64)
    return torch.from_numpy(np.where(see, near, -np.inf))


def _through_float64(d: Tensor, f: int) -> tuple[Tensor, NDArray[np.bool_]]:
    """Rounded weights, and the rows of which some weight lies too close to a tie to be sure.

    Relative errors in units of 2^-53: 4 of an exponential, 4 + (n - 1) of their sum in any order, 1 of the quotient, 2 of
    the products below. That is n + 10 at first order, and n + 16 leaves room for the higher orders.
    """
    t = torch.exp(d * 2.0**-f)
    Z = t.sum(dim=-1, keepdim=True)
    y = t / Z.masked_fill_(Z == 0, 1.0) * 2.0**f  # Z >= 1, but 0 where no key is visible
    error = (d.shape[-1] + 16) * 2.0**-53
    w = (y * (1 - error)).round_()
    return w, (w != (y * (1 + error)).round_()).any(dim=-1).numpy()
