"""Cases that a certificate carries with it, for a task that only its author knows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from separatrix.certificates.cases import Piece
from separatrix.certificates.evaluator import rows_of

TOKENS = 1 << 17  # that a certificate carries at most, shared by the families


def given_pieces(cases: Iterable[Piece]) -> list[Piece]:
    """The cases as one family, each input once, as many of each kind as there is room for, numbered throughout."""
    drawn = list(cases)
    kinds = list(dict.fromkeys(kind for kind, _, _ in drawn))
    room = dict.fromkeys(kinds, TOKENS // max(1, len(kinds)))
    found: list[Piece] = []
    seen: set[tuple[int, ...]] = set()
    number = 0
    for kind, _, batch in drawn:
        rows: list[int] = []
        for r in range(len(batch.tokens)):
            fits = int(batch.lengths[r]) <= room[kind] or not (number or rows)  # one case at least
            if fits and batch.row(r) not in seen:
                seen.add(batch.row(r))
                rows.append(r)
                room[kind] -= int(batch.lengths[r])
        if rows:
            found.append(("the author's", number, rows_of(batch, np.array(rows))))
            number += len(rows)
    return found


def written(given: list[Piece]) -> list[dict[str, Any]]:
    """Every case with the positions that are scored, counted from 1, and what is expected there."""
    return [
        {
            "tokens": list(batch.row(r)),
            "at": [int(i) + 1 for i in np.flatnonzero(batch.mask[r])],
            "expected": batch.targets[r][batch.mask[r]].tolist(),
        }
        for _, _, batch in given
        for r in range(len(batch.tokens))
    ]
