"""An address of places or numbers as weights: which kind it is, what it stores, and which integer each position addresses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np
import numpy.typing as npt

from separatrix.constructions.number_limits import significant_bits

if TYPE_CHECKING:
    from separatrix.models.config import PlaceConfig

Stored = npt.NDArray[np.uint8] | npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class AddressWeights:
    """The address of i at position i, of i - shift, of i folded (1, .., m, 1, .., m), or of a stored pointer."""

    kind: Literal["sign", "quadratic", "one-hot", "table"]
    dims: int
    stored: Stored | None = None  # a generator [dims, bits] (sign), or rows [positions, dims] (table)
    shift: int = 0
    fold: int = 0  # positions after which counting restarts at 1; 0: never
    pointers: npt.NDArray[np.int64] | None = None  # the place that each position points to, if not to itself
    projected: bool = True  # False: the slot is the whole stream, and the address is added without a matrix

    @property
    def config(self) -> PlaceConfig:
        """The configuration of its module."""
        from separatrix.models.config import PlaceConfig

        pointers = 0 if self.pointers is None else len(self.pointers)
        return PlaceConfig(self.kind, self.dims, self.extent, self.shift, self.fold, pointers, self.projected)

    @property
    def extent(self) -> int:
        """Bits of a sign address, rows of a table."""
        return 0 if self.stored is None else self.stored.shape[1 if self.kind == "sign" else 0]

    def addressed(self, length: int) -> tuple[int, int]:
        """The least and the largest integer that positions 1 .. length address."""
        if self.pointers is not None:
            return int(self.pointers.min()), int(self.pointers.max())
        return (1, self.fold) if self.fold else (1 - self.shift, length - self.shift)

    def magnitude(self, length: int) -> float:
        """A bound on the numbers of an address, up to the last position."""
        if self.kind == "table" and self.stored is not None:
            return max(1.0, float(np.abs(self.stored).max()))
        return float(length**2) if self.kind == "quadratic" else 1.0

    def significant_bits(self, length: int) -> int:
        """Bits from the first one to the last one of any number of an address, up to the last position."""
        if self.kind == "quadratic":
            return (length**2).bit_length()
        return 1 if self.stored is None or self.kind == "sign" else significant_bits(self.stored.astype(np.float64))

    def folded(self, period: int) -> AddressWeights:
        """The address of ((i - 1) mod period) + 1."""
        return replace(self, fold=period)

    def before(self, distance: int = 1) -> AddressWeights:
        """The address of i - distance."""
        return replace(self, shift=distance)

    def pointing(self, places: Sequence[int]) -> AddressWeights:
        """The address of the place that each position points to, as stored weights."""
        return replace(self, pointers=np.array(places, dtype=np.int64))
