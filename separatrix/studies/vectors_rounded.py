"""How many bits must almost orthogonal vectors have?

[bhattamishra2024 Lemma 2; bhattamishra2024 Corollary 8.1]

    T(1) .. T(N)   unit vectors of k dimensions, each entry stored with f fractional bits, rounded down (`fixed`) or to the `nearest`
    coherence      the largest <T(i), T(j)> / <T(i), T(i)> with i != j: from 1 on a head cannot tell place i from place j
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from separatrix.studies.answer import Answer, decided
from separatrix.studies.panel import curves, side_by_side
from separatrix.studies.study import Cell, Row, concatenated

QUESTION = "How many fractional bits must the entries of almost orthogonal vectors have so that they stay almost orthogonal?"
PREDICTION = "The lemma speaks of real numbers and the constructions of O(log N) bits: half of log2 k plus a constant should do."
CITES = ("bhattamishra2024 Lemma 2", "bhattamishra2024 Corollary 8.1")
CAPTION = (
    "Signs: the paper's random signs over sqrt k, at its own k = (8 / gamma^2) ln 2N for gamma = "
    "1/4. Normal: unit vectors of independent normal numbers, as random projections usually are. Code: the deterministic sign vectors "
    "that this project builds with. Largest coherence over all pairs, one draw; a vector of which nothing is left counts as coherence "
    "1. An entry is about 1 / sqrt k. Signs kept as +1 and -1, with the factor 1/k in the temperature, need no fractional bits at all: "
    "that is how addresses are built here. A question that the papers leave open."
)
LENGTHS, BITS, GAMMA = (100, 1000), tuple(range(1, 13)), 1 / 4
FAMILIES = ("signs", "normal", "code")
Vectors = npt.NDArray[np.float64]
ROUNDINGS: dict[str, Callable[[Vectors], Vectors]] = {"fixed": np.floor, "nearest": np.rint}

TRAINS = False
CELLS: tuple[Cell, ...] = tuple({"family": family, "length": N} for N in LENGTHS for family in FAMILIES)
rows = concatenated


def run(cell: Cell) -> list[Row]:
    """One family of N vectors at every number of fractional bits, rounded in both ways."""
    family, N = cell["family"], cell["length"]
    exact = vectors(family, N)
    real, k = coherence(exact), exact.shape[1]
    return [
        {
            "family": family,
            "length": N,
            "k": k,
            "half_log_k": round(math.log2(k) / 2, 2),
            "rounding": rounding,
            "f": f,
            "coherence": round(coherence(rounded(exact * 2.0**f)), 4),
            "unrounded": round(real, 4),
            "series": f"{family}, k = {k}",
        }
        for rounding, rounded in ROUNDINGS.items()
        for f in BITS
    ]


def vectors(family: str, N: int) -> Vectors:
    """T(1) .. T(N), [N, k], of unit length."""
    from separatrix.constructions.parts.codes.near_orthogonal import almost_orthogonal
    from separatrix.constructions.parts.codes.random_signs import paper_dimensions, random_signs

    if family == "normal":
        drawn = np.random.default_rng(0).standard_normal((N, paper_dimensions(N)))
        unit: Vectors = drawn / np.linalg.norm(drawn, axis=1, keepdims=True)
        return unit
    signs = random_signs(N) if family == "signs" else almost_orthogonal(N, GAMMA).addresses(N)
    scaled: Vectors = signs / math.sqrt(signs.shape[1])
    return scaled


def coherence(T: Vectors) -> float:
    """The largest product of two vectors, over that of the first with itself; 1 if a vector is 0."""
    products = T @ T.T
    own = products.diagonal().copy()
    if not own.all():
        return 1.0
    np.fill_diagonal(products, -np.inf)
    return float((products / own[:, None]).max())


def figure(rows: list[Row]) -> dict[str, Any]:
    """The coherence against the bits, a panel for each way of rounding, at the largest N."""
    panels = []
    for rounding in ROUNDINGS:
        some = [row for row in rows if (row["length"], row["rounding"]) == (LENGTHS[-1], rounding)]
        title = f"N = {LENGTHS[-1]}, rounded {'down' if rounding == 'fixed' else 'to the nearest'}"
        panels.append(curves(some, title, ("f", "fractional bits of an entry"), ("coherence", "coherence"), "series", "xy"))
    return side_by_side(*panels)


def answer(rows: list[Row]) -> Answer:
    """The fractional bits from which on signs keep their coherence, beside half of log2 k."""
    N = max(row["length"] for row in rows)
    signs = [row for row in rows if (row["length"], row["family"]) == (N, "signs")]
    least = {}
    for rounding in ROUNDINGS:
        some = sorted((row for row in signs if row["rounding"] == rounding), key=lambda row: int(row["f"]), reverse=True)
        enough = [row["f"] for row, _ in zip(some, itertools.takewhile(lambda row: row["coherence"] <= GAMMA, some), strict=False)]
        least[rounding] = min(enough, default=None)
    half = signs[0]["half_log_k"]
    holds = all(f is not None and f <= half + 2 for f in least.values())
    said = f"{least['nearest']} bits rounded to the nearest and {least['fixed']} rounded down"
    return decided(holds, f"At N = {N:,} the paper's signs stay within 1/4 with {said}; half of log2 k is {half:g}.")
