"""Cases that a certificate carries with it, for a task that only its author knows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from separatrix.certificates.cases import Piece
from separatrix.certificates.evaluator import rows_of

GIVEN = "tested-cases"
TOKENS = 1 << 17  # that a certificate carries at most, shared by the families


def given_pieces(cases: Iterable[Piece]) -> list[Piece]:
    """The cases as one family, as many of each as there is room for, numbered throughout."""
    drawn = list(cases)
    kinds = list(dict.fromkeys(kind for kind, _, _ in drawn))
    room = dict.fromkeys(kinds, TOKENS // max(1, len(kinds)))
    found: list[Piece] = []
    number = 0
    for kind, _, batch in drawn:
        fits = np.cumsum(batch.lengths) <= room[kind]
        count = int(fits.sum()) if number or fits.any() else 1  # one case at least
        if count:
            found.append((GIVEN, number, rows_of(batch, slice(0, count))))
            room[kind] -= int(batch.lengths[:count].sum())
            number += count
    return found


def family_of(given: list[Piece]) -> dict[str, Any]:
    """The given cases as a family."""
    return {"kind": GIVEN, "seed": 0, "count": sum(len(batch.tokens) for _, _, batch in given)}


def written(given: list[Piece]) -> list[dict[str, Any]]:
    """Every case with the positions that are scored and what is expected there."""
    return [
        {
            "tokens": list(batch.row(r)),
            "at": np.flatnonzero(batch.mask[r]).tolist(),
            "expected": batch.targets[r][batch.mask[r]].tolist(),
        }
        for _, _, batch in given
        for r in range(len(batch.tokens))
    ]
