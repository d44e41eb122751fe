"""The exact rank of an integer matrix, over the rationals or modulo a prime; floating point has no say in it."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from separatrix.errors import BadInput

LARGE_PRIME = 2**61 - 1


def exact_rank(matrix: NDArray[np.int64], field: int | None) -> int:
    """Rank over the integers modulo the prime `field`, or over the rationals if it is None."""
    flint = _flint()
    rows, columns = matrix.shape
    entries = matrix.ravel().tolist()
    if field is not None:
        if isinstance(field, bool) or not isinstance(field, int) or not 2 <= field < 2**63 or not flint.fmpz(field).is_prime():
            raise BadInput(f"field must be a prime below 2^63, or None for the rationals, found {field!r:.80}")
        return int(flint.nmod_mat(rows, columns, entries, field).rank())
    # A minor that is not 0 modulo a prime is not 0: the rank modulo a prime never exceeds the rational one, and is quicker to get.
    below = int(flint.nmod_mat(rows, columns, entries, LARGE_PRIME).rank())
    return below if below == min(rows, columns) else int(flint.fmpz_mat(rows, columns, entries).rank())


def _flint() -> Any:
    try:
        return import_module("flint")
    except ImportError:
        raise BadInput("an exact rank needs python-flint, which is not installed: pip install 'separatrix[bounds]'") from None
