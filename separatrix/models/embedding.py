"""Tokens and positions into the residual stream: x_t = E[s_t] + [s_t is a number] A(n_t) W + sum over places g[s_t] A(t) W.

Ids 0 .. plain - 1 have a row of E each. Ids plain, plain + 1, ... are the numbers 1, 2, ...: they share the last row of E,
and their value enters through an address, so that N of them need no table.
A model may read integer vectors instead of ids: then v_t E replaces E[s_t].
A place adds the address of the position t, of t - shift, of t folded (1, .., m, 1, .., m), or of a stored pointer
(t -> pointers[t]), times a gate by token row.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from separatrix.errors import BadInput
from separatrix.models.config import EmbeddingConfig, PlaceConfig
from separatrix.models.positions import Address, empty_address


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
        """The integer addressed at position i."""
        if self.pointers is not None:
            return self.pointers[(i - 1).clamp(max=len(self.pointers) - 1)]
        return i - self.shift if not self.fold else (i - self.shift - 1) % self.fold + 1

    def store(self, numbers: Tensor) -> None:
        """Fill in what the address stores: a generator, or rows of a table."""
        for tensor in (*self.address.parameters(), *self.address.buffers()):
            with torch.no_grad():
                tensor.copy_(numbers)

    def write(self, vectors: Tensor) -> Tensor:
        """Address vectors projected into the stream."""
        return vectors if self.weight is None else vectors @ self.weight


class Embedding(nn.Module):
    """Token rows, numbers and places, added up."""

    gate: nn.Parameter | None

    def __init__(self, config: EmbeddingConfig, width: int) -> None:
        super().__init__()
        self.config = config
        self.table = nn.Parameter(torch.zeros(config.rows, width))
        self.gate = nn.Parameter(torch.ones(config.rows)) if config.gated else None
        self.number = Place(config.number_address, width) if config.number_address else None
        self.places = nn.ModuleList(Place(place, width) for place in config.places)

    def forward(self, tokens: Tensor, start: int = 1) -> Tensor:
        """The vectors [b, n, width] of tokens [b, n] (or integer vectors [b, n, plain]) at positions start, start + 1, ..."""
        dtype, positions = self.table.dtype, torch.arange(start, start + tokens.shape[1])
        x = self.of_tokens(tokens) if self.config.reads == "tokens" else tokens.to(dtype) @ self.table
        for place in self.places:
            features = place(positions, dtype)
            x = x + (features if self.gate is None else self.gate[self.rows(tokens)][..., None] * features)
        return x

    def of_tokens(self, tokens: Tensor) -> Tensor:
        """Rows of the table, and the addresses of numbers."""
        self.check(tokens)
        x = self.table[self.rows(tokens)]
        if self.number is not None:
            numbered = tokens >= self.config.plain
            if bool(numbered.any()):  # address only the few tokens that are numbers
                x = x.index_put((numbered,), x[numbered] + self.number(self.value(tokens[numbered]), x.dtype))
        return x

    def every_place(self) -> list[Place]:
        """The places, with their type."""
        return [place for place in self.places if isinstance(place, Place)]

    def rows(self, tokens: Tensor) -> Tensor:
        """The row of E for each token."""
        return tokens.clamp(max=len(self.table) - 1) if self.config.numbers else tokens

    def value(self, tokens: Tensor) -> Tensor:
        """The numbers 1, 2, ... that numbered tokens stand for."""
        return tokens - self.config.plain + 1

    def start(self, deviation: float) -> None:
        """Fresh rows, and fresh learned positions, from torch's generator."""
        for parameter in self.parameters():
            if parameter.dim() >= 2:
                nn.init.normal_(parameter, 0.0, deviation)

    def check(self, tokens: Tensor) -> None:
        """Refuse ids outside the vocabulary."""
        if tokens.numel() and not (int(tokens.min()) >= 0 and int(tokens.max()) < self.config.vocabulary):
            wrong = tokens[(tokens < 0) | (tokens >= self.config.vocabulary)][0]
            raise BadInput(f"token {int(wrong)} lies outside the vocabulary 0..{self.config.vocabulary - 1}")
