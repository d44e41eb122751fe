"""A linear map to few dimensions that preserves the inner products of N unit vectors.

[bhattamishra2024 Lemma 3]

    A    signs [k, d]         T(x) = A x / sqrt(k)        eps   how far an inner product may move

Random signs: a vector's squared length moves by more than a factor 1 +- eps with probability at most 2 exp(-k (eps^2/2 - eps^3/3) / 2).
If the lengths of all u + v and u - v are kept, then so is <u, v> = (|u + v|^2 - |u - v|^2) / 4, by |<u, v> - <T u, T v>| <=
eps (|u + v|^2 + |u - v|^2) / 4 = eps. That is N^2 vectors, so k = 4 ln(2N) / (eps^2/2 - eps^3/3) succeeds with probability at least 1/2:
draw until it does. The paper leaves the constant open.

On the standard basis T(e_i) is column i of A over sqrt(k). The columns may then be the words of a code, without randomness.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import count
from math import ceil, log

import numpy as np
import numpy.typing as npt

from separatrix.constructions.parts.codes.near_orthogonal import almost_orthogonal
from separatrix.constructions.parts.codes.random_signs import random_signs
from separatrix.constructions.parts.codes.sign_code import Signs, check_positions
from separatrix.errors import BadInput

Vectors = npt.NDArray[np.float64]

UNIT = 1e-9  # how far a length may be from 1 to count as rounding


@dataclass(frozen=True, eq=False)
class SignMap:
    """A random map by signs: T(x) = A x / sqrt(k)."""

    A: Signs  # [k, d]

    @property
    def dims(self) -> int:
        """k, the number of dimensions."""
        return len(self.A)

    def __call__(self, x: Vectors) -> Vectors:
        """T of each row, [..., d] to [..., k]."""
        image: Vectors = x @ self.A.T.astype(np.float64) / np.sqrt(self.dims)
        return image


def preserving_dimensions(N: int, eps: float) -> int:
    """k = 4 ln(2N) / (eps^2/2 - eps^3/3), rounded up."""
    _check_error(eps)
    return ceil(4 * log(2 * check_positions(N)) / (eps**2 / 2 - eps**3 / 3))


def preserving_map(points: Vectors, eps: float, seed: int = 0) -> SignMap:
    """The first map, from `seed` on, that preserves all inner products of the unit vectors `points` [N, d] up to eps."""
    if points.ndim != 2 or not points.size:
        raise BadInput(f"points must be a matrix with one vector in each row, found shape {points.shape}")
    lengths = np.linalg.norm(points, axis=1)
    far = int(np.abs(lengths - 1).argmax())
    if not abs(lengths[far] - 1) <= UNIT:
        raise BadInput(f"points must have length 1, found {lengths[far]:.6g} in row {far}")
    N, d = points.shape
    k = preserving_dimensions(N, eps)
    drawn = (SignMap(random_signs(k, d, attempt)) for attempt in count(seed))  # each succeeds with probability at least 1/2
    return next(candidate for candidate in drawn if distortion(candidate, points) <= eps)


def basis_map(N: int, eps: float | Fraction = Fraction(1, 4)) -> SignMap:
    """A deterministic map of the standard basis of R^N: |<T e_i, T e_j>| <= eps for i != j, and exactly 1 for i = j.

    [bhattamishra2024 Corollary 8.1]
    """
    _check_error(eps)
    return SignMap(np.ascontiguousarray(almost_orthogonal(N, eps, two_sided=True).addresses(N).T))


def distortion(T: SignMap, points: Vectors) -> float:
    """The largest |<u, v> - <T u, T v>| over all pairs of rows, a row with itself included."""
    image = T(points)
    return float(np.abs(points @ points.T - image @ image.T).max())


def _check_error(eps: float | Fraction) -> None:
    if not 0 < eps < 0.5:
        raise BadInput(f"the error eps of an inner product must lie strictly between 0 and 1/2, found {eps}")
