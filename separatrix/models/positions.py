"""Addresses: the vectors of positions and numbered tokens. They are weights too.

[bhattamishra2024 Lemma 2; proof B.3]

    sign        T(i) = (-1)^(G bits(i)), G a stored 0/1 matrix; the identity gives the binary digits, a code gives near-orthogonality
    quadratic   (i, i^2)
    one-hot     e_i
    table       rows of a stored matrix: the paper's random signs, or learned positions
    sinusoidal  sines and cosines of i at geometric frequencies

Positions and numbers count from 1. An address is a module from integers [...] to vectors [..., dims].
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable

import torch
from torch import Tensor, nn

from separatrix.errors import BadInput

BLOCK = 1 << 15  # positions per block when keys are streamed: few calls, and tables that still fit into the cache


class Address(nn.Module, ABC):
    """A map from integers to vectors."""

    kind: str
    dims: int

    @abstractmethod
    def forward(self, i: Tensor, dtype: torch.dtype) -> Tensor:
        """The vectors of integers i, in a floating-point type."""

    def blocks(self, dtype: torch.dtype) -> Callable[[int, int], tuple[Tensor, Tensor | None]]:
        """A function that gives the vectors of start .. stop - 1: a table, and a factor for each coordinate if there is one."""
        return lambda start, stop: (self(torch.arange(start, stop), dtype), None)

    @property
    def stored_bits(self) -> int:
        """Bits of what is stored besides ordinary parameters."""
        return 0


class SignAddress(Address):
    """T(i) = (-1)^(G bits(i)) with G [dims, bits] stored as zeros and ones; bits(i) are the low bits of i."""

    kind = "sign"
    generator: Tensor

    def __init__(self, generator: Tensor) -> None:
        super().__init__()
        self.dims, self.bits = generator.shape
        self.register_buffer("generator", generator.to(torch.uint8))

    def forward(self, i: Tensor, dtype: torch.dtype) -> Tensor:
        digits = (i[..., None] >> torch.arange(self.bits)) & 1
        parity: Tensor = (digits.to(torch.float64) @ self.generator.T.to(torch.float64)) % 2  # at most `bits` ones: exact
        return (1 - 2 * parity).to(dtype)

    def blocks(self, dtype: torch.dtype) -> Callable[[int, int], tuple[Tensor, Tensor | None]]:
        """T is a homomorphism, T(high xor low) = T(high) T(low), so every aligned block is one table and a factor T(high)."""
        low = torch.ones(1, self.dims, dtype=dtype)
        for bit in range(BLOCK.bit_length() - 1):  # T(i + 2^bit) = T(i) T(2^bit) for i < 2^bit
            low = torch.cat([low, low * self(torch.tensor(1 << bit), dtype)])

        def block(start: int, stop: int) -> tuple[Tensor, Tensor | None]:
            if start % BLOCK or stop - start > BLOCK:
                return self(torch.arange(start, stop), dtype), None
            return low[: stop - start], self(torch.tensor(start), dtype)

        return block

    @property
    def stored_bits(self) -> int:
        return self.generator.numel()


class QuadraticAddress(Address):
    """(i, i^2): a dot product with (2p, -1) is p^2 - (i - p)^2, largest at i = p."""

    kind = "quadratic"
    dims = 2

    def forward(self, i: Tensor, dtype: torch.dtype) -> Tensor:
        x = i.to(dtype)
        return torch.stack([x, x * x], dim=0).movedim(0, -1)  # two rows: the fastest layout for a block of keys


class OneHotAddress(Address):
    """e_i: exactly orthogonal, and as wide as the input is long."""

    kind = "one-hot"

    def __init__(self, dims: int) -> None:
        super().__init__()
        self.dims = dims

    def forward(self, i: Tensor, dtype: torch.dtype) -> Tensor:
        return ((i[..., None] - 1) == torch.arange(self.dims)).to(dtype)


class TableAddress(Address):
    """Row i of a stored matrix [N, dims]: random signs or learned positions."""

    kind = "table"
    table: nn.Parameter

    def __init__(self, table: Tensor) -> None:
        super().__init__()
        self.dims = table.shape[1]
        self.table = nn.Parameter(table)

    def forward(self, i: Tensor, dtype: torch.dtype) -> Tensor:
        if i.numel() and int(i.max()) > len(self.table):
            raise BadInput(f"position {int(i.max())} lies beyond the {len(self.table)} positions that this model stores")
        return self.table[(i - 1).clamp(min=0)].to(dtype)


class SinusoidalAddress(Address):
    """sin and cos of i / 10000^(2j/dims)."""

    kind = "sinusoidal"

    def __init__(self, dims: int) -> None:
        super().__init__()
        self.dims = dims

    def forward(self, i: Tensor, dtype: torch.dtype) -> Tensor:
        precise = widest_float(i.device)
        rates = torch.exp(torch.arange(0, self.dims, 2, dtype=precise, device=i.device) * (-math.log(10000.0) / self.dims))
        angles = i[..., None].to(precise) * rates
        return torch.stack([angles.sin(), angles.cos()], dim=-1).reshape(*i.shape, -1)[..., : self.dims].to(dtype)


def widest_float(device: torch.device) -> torch.dtype:
    """float64, where the device has it."""
    return torch.float32 if device.type == "mps" else torch.float64


def empty_address(kind: str, dims: int, extent: int) -> Address:
    """An address of the right shape whose stored numbers are still zero; `extent` is its bits (sign) or rows (table)."""
    if kind == "sign":
        return SignAddress(torch.zeros(dims, extent, dtype=torch.uint8))
    if kind == "quadratic":
        return QuadraticAddress()
    if kind == "one-hot":
        return OneHotAddress(dims)
    if kind == "table":
        return TableAddress(torch.zeros(extent, dims))
    if kind == "sinusoidal":
        return SinusoidalAddress(dims)
    raise BadInput(f"unknown address {kind!r}: expected sign, quadratic, one-hot, table or sinusoidal")
