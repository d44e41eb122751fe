"""Cases stored in a certificate, for a task that only its author knows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from separatrix.certificates.cases import Piece
from separatrix.certificates.evaluator import rows_of

TOKENS = 1 << 17  # the most that a certificate stores, shared by the families


def author_pieces(cases: Iterable[Piece]) -> list[Piece]:
    """The cases as one family, each input once, as many of each kind as fit, numbered consecutively."""
    drawn = list(cases)
    kinds = list(dict.fromkeys(kind for kind, _, _ in drawn))
    room = dict.fromkeys(kinds, TOKENS // max(1, len(kinds)))
    pieces: list[Piece] = []
    inputs: set[tuple[int, ...]] = set()
    number = 0
    for kind, _, batch in drawn:
        rows: list[int] = []
        for r in range(len(batch.tokens)):
            fits = int(batch.lengths[r]) <= room[kind] or not (number or rows)  # at least one case
            if fits and batch.row(r) not in inputs:
                inputs.add(batch.row(r))
                rows.append(r)
                room[kind] -= int(batch.lengths[r])
        if rows:
            pieces.append(("the author's", number, rows_of(batch, np.array(rows))))
            number += len(rows)
    return pieces


def written(pieces: list[Piece]) -> list[dict[str, Any]]:
    """Every case with its scored positions, counted from 1, and the answers expected there."""
    return [
        {
            "tokens": list(batch.row(r)),
            "at": [int(i) + 1 for i in np.flatnonzero(batch.mask[r])],
            "expected": batch.targets[r][batch.mask[r]].tolist(),
        }
        for _, _, batch in pieces
        for r in range(len(batch.tokens))
    ]
