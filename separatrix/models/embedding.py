"""Tokens and positions into the residual stream: x_t = E[s_t] + [s_t is a number] A(n_t) W + sum over places g[s_t] A(t) W.

Ids 0 .. plain - 1 have a row of E each. Ids plain, plain + 1, ... are the numbers 1, 2, ...: they share the last row of E,
and their value enters through an address, so that N of them cost no table.
A place adds the address of the position t, of t - shift, of t folded (1, .., m, 1, .., m), or of a stored pointer
(t -> pointers[t]), times a gate by token row.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from separatrix.errors import BadInput
from separatrix.models.positions import Address, empty_address


@dataclass(frozen=True)
class PlaceConfig:
    """One positional feature: which address, how wide, of which index."""

    address: str  # sign | quadratic | one-hot | table | sinusoidal
    dims: int
    extent: int = 0  # bits of a sign address, rows of a table
    shift: int = 0  # the address of t - shift
    fold: int = 0  # ... counted again from 1 after every `fold` positions
    pointers: int = 0  # how many stored pointers; 0 means the position itself
    projected: bool = True  # False: the address is as wide as the stream and is added as it is


@dataclass(frozen=True)
class EmbeddingConfig:
    """The tokens and positions of a model."""

    plain: int  # ids with a row of their own
    numbers: int = 0  # further ids, standing for 1, 2, ...
    number_address: PlaceConfig | None = None
    places: tuple[PlaceConfig, ...] = ()
    gated: bool = False  # whether places are switched off by token row

    @property
    def vocabulary(self) -> int:
        """Number of input ids."""
        return self.plain + self.numbers


class Place(nn.Module):
    """An address and the directions it is written along."""

    pointers: Tensor | None

    def __init__(self, config: PlaceConfig, width: int) -> None:
        super().__init__()
        self.shift, self.fold = config.shift, config.fold
        self.address: Address = empty_address(config.address, config.dims, config.extent)
        self.weight = nn.Parameter(torch.zeros(config.dims, width)) if config.projected else None
        self.register_buffer("pointers", torch.zeros(config.pointers, dtype=torch.int64) if config.pointers else None)

    def forward(self, i: Tensor, dtype: torch.dtype) -> Tensor:
        """The features [..., width] of integers i."""
        return self.write(self.address(self.index(i), dtype))

    def index(self, i: Tensor) -> Tensor:
        """Which integer is addressed at position i."""
        if self.pointers is not None:
            return self.pointers[(i - 1).clamp(max=len(self.pointers) - 1)]
        return i - self.shift if not self.fold else (i - self.shift - 1) % self.fold + 1

    def store(self, numbers: Tensor) -> None:
        """Write what the address stores: a generator, rows of a table."""
        for tensor in (*self.address.parameters(), *self.address.buffers()):
            with torch.no_grad():
                tensor.copy_(numbers)

    def write(self, vectors: Tensor) -> Tensor:
        """Address vectors in the stream."""
        return vectors if self.weight is None else vectors @ self.weight


class Embedding(nn.Module):
    """Token rows, numbers and places, added up."""

    gate: nn.Parameter | None

    def __init__(self, config: EmbeddingConfig, width: int) -> None:
        super().__init__()
        self.config = config
        rows = config.plain + (config.numbers > 0)
        self.table = nn.Parameter(torch.zeros(rows, width))
        self.gate = nn.Parameter(torch.ones(rows)) if config.gated else None
        self.number = Place(config.number_address, width) if config.number_address else None
        self.places = nn.ModuleList(Place(place, width) for place in config.places)

    def forward(self, tokens: Tensor, start: int = 1) -> Tensor:
        """The vectors [..., n, width] of tokens [..., n] that stand at positions start, start + 1, ..."""
        self.check(tokens)
        dtype, rows = self.table.dtype, self.rows(tokens)
        x = self.table[rows]
        if self.number is not None:
            numbered = tokens >= self.config.plain
            if bool(numbered.any()):  # address only the few tokens that are numbers
                x = x.index_put((numbered,), x[numbered] + self.number(self.value(tokens[numbered]), dtype))
        positions = torch.arange(start, start + tokens.shape[-1])
        for place in self.places:
            features = place(positions, dtype)
            x = x + (features if self.gate is None else self.gate[rows][..., None] * features)
        return x

    def every_place(self) -> list[Place]:
        """The places, by their type."""
        return [place for place in self.places if isinstance(place, Place)]

    def rows(self, tokens: Tensor) -> Tensor:
        """Which row of E each token has."""
        return tokens.clamp(max=len(self.table) - 1) if self.config.numbers else tokens

    def value(self, tokens: Tensor) -> Tensor:
        """The numbers 1, 2, ... that numbered tokens stand for."""
        return tokens - self.config.plain + 1

    def check(self, tokens: Tensor) -> None:
        """Refuse ids outside the vocabulary."""
        if tokens.numel() and not (int(tokens.min()) >= 0 and int(tokens.max()) < self.config.vocabulary):
            wrong = tokens[(tokens < 0) | (tokens >= self.config.vocabulary)][0]
            raise BadInput(f"token {int(wrong)} lies outside the vocabulary 0..{self.config.vocabulary - 1}")
