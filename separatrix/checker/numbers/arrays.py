"""Arrays of integers and truth values: tokens, places, rows, masks. NumPy's functions, through which no float passes.

Rules, kinds, specs and models count and choose with these alone. What they compute about numbers of a model is done by the other files of
this folder, which bound it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Integers = npt.NDArray[np.int64]
Truths = npt.NDArray[np.bool_]
int8, uint8, int64, uint64 = np.int8, np.uint8, np.int64, np.uint64


def _whole(function: Any) -> Callable[..., Array]:
    """A function of NumPy, for integers and truth values."""

    def whole(*arguments: Any, **options: Any) -> Any:
        result = function(*arguments, **options)
        for x in (*arguments, result):
            if isinstance(x, float) or (isinstance(x, np.ndarray) and x.dtype.kind in "fc"):
                raise TypeError("a float among integers")
        return result

    return whole


arange, argsort, array, asarray, append = map(_whole, (np.arange, np.argsort, np.array, np.asarray, np.append))
broadcast_to, concatenate, cumsum, flatnonzero = map(_whole, (np.broadcast_to, np.concatenate, np.cumsum, np.flatnonzero))
full, maximum, minimum, repeat, searchsorted = map(_whole, (np.full, np.maximum, np.minimum, np.repeat, np.searchsorted))
stack, take, tile, unique, where, zeros_like = map(_whole, (np.stack, np.take, np.tile, np.unique, np.where, np.zeros_like))
array_equal: Callable[..., bool] = _whole(np.array_equal)  # type: ignore[assignment]
ix_: Callable[..., Any] = _whole(np.ix_)
nonzero: Callable[..., Any] = _whole(np.nonzero)
unravel_index: Callable[..., Any] = _whole(np.unravel_index)
empty, ones, zeros = (_whole(partial(function, dtype=np.int64)) for function in (np.empty, np.ones, np.zeros))


def integers(x: Any) -> Integers:
    """The array as 64-bit integers."""
    return np.asarray(x, dtype=np.int64)


def unlike(count: int) -> Truths:
    """Whether two of `count` things differ, by their numbers."""
    return ~np.eye(count, dtype=bool)


def encoded(x: Any) -> bytes:
    """Integers as little-endian 64-bit numbers."""
    return np.ascontiguousarray(x, dtype="<i8").tobytes()


def quiet() -> np.errstate:
    """Without warnings: an overflow is seen in what it leads to, an infinite error or a number that is not finite."""
    return np.errstate(all="ignore")
