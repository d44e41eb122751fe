"""Masks: which tokens a token may read. Each has two forms, for a whole sequence and for one token at a time.

    all            every token
    causal         itself and the tokens before it
    window         the last `size` tokens, itself included
    block-sparse   the last `local` blocks' worth of tokens, itself included, and the last `global` tokens of every block before it

The last is that of the sparse Transformer, with the tokens ahead left out. [yang2024 Equation 6]

Positions here count from 0. After n tokens a layer carries those that some later token may read, in their order; the next token reads
all of them and itself, and then at most one of them is dropped.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from separatrix.errors import BadInput

if TYPE_CHECKING:
    from torch import Tensor


class Mask(ABC):
    """A set of visible tokens for each token."""

    kind: ClassVar[str]
    causal: ClassVar[bool] = True  # whether no token reads a later one

    @abstractmethod
    def visible(self, readers: Tensor, n: int) -> Tensor | None:
        """Which of n tokens each reader [...] may read, [..., n]; None for all of them."""

    def carried(self, n: int) -> int:
        """How many of the first n tokens some later token may read."""
        return n

    def leaves(self, n: int) -> int | None:  # noqa: ARG002
        """Which of the tokens carried after n, with token n itself last, no later token reads; None if all stay."""
        return None


@dataclass(frozen=True)
class All(Mask):
    """Every token reads every token."""

    kind: ClassVar[str] = "all"
    causal: ClassVar[bool] = False

    def visible(self, readers: Tensor, n: int) -> Tensor | None:  # noqa: ARG002
        return None


@dataclass(frozen=True)
class Causal(Mask):
    """A token reads the tokens up to itself."""

    kind: ClassVar[str] = "causal"

    def visible(self, readers: Tensor, n: int) -> Tensor:
        return _positions(n) <= readers[..., None]


@dataclass(frozen=True)
class Window(Mask):
    """A token reads itself and the `size` - 1 tokens before it."""

    size: int
    kind: ClassVar[str] = "window"

    def __post_init__(self) -> None:
        if self.size < 1:
            raise BadInput(f"mask window: size must be at least 1, the token itself, found {self.size}")

    def visible(self, readers: Tensor, n: int) -> Tensor:
        reader, j = readers[..., None], _positions(n)
        return (j <= reader) & (j > reader - self.size)

    def carried(self, n: int) -> int:
        return min(n, self.size - 1)

    def leaves(self, n: int) -> int | None:
        return 0 if n + 1 >= self.size else None


@dataclass(frozen=True)
class BlockSparse(Mask):
    """The last `local` blocks of `block` tokens, and the last `global` tokens of every block."""

    block: int
    local: int
    global_: int
    kind: ClassVar[str] = "block-sparse"

    def __post_init__(self) -> None:
        if self.block < 1 or self.local < 1:
            raise BadInput(f"mask block-sparse: block and local must be at least 1, found block={self.block}, local={self.local}")
        if not 0 <= self.global_ <= self.block:
            raise BadInput(f"mask block-sparse: a block of {self.block} tokens has 0..{self.block} global ones, found {self.global_}")

    def visible(self, readers: Tensor, n: int) -> Tensor:
        reader, j = readers[..., None], _positions(n)
        return (j <= reader) & ((j > reader - self.local * self.block) | (j % self.block >= self.block - self.global_))

    def carried(self, n: int) -> int:
        near = max(0, n + 1 - self.local * self.block)  # from here on a token is near the next one
        return self._global_before(near) + n - near

    def leaves(self, n: int) -> int | None:
        leaving = n + 1 - self.local * self.block  # near token n, and no later one
        return None if leaving < 0 or self._global(leaving) else self._global_before(leaving)

    def _global(self, j: int) -> bool:
        return j % self.block >= self.block - self.global_

    def _global_before(self, j: int) -> int:
        return j // self.block * self.global_ + max(0, j % self.block - (self.block - self.global_))


MASKS: dict[str, type[Mask]] = {mask.kind: mask for mask in (All, Causal, Window, BlockSparse)}


def _positions(n: int) -> Tensor:
    import torch

    return torch.arange(n)
