"""A mixer in two stages: what a token reads from the tokens before it, then a map of that and of the token itself.

A task that is read out at one position needs the second stage there alone, and of the first one what that position reads.
"""

from __future__ import annotations

from abc import abstractmethod

from torch import Tensor

from separatrix.models.mixers.mixer import Mixer, pick


class TwoStage(Mixer):
    """mix(x) = output(read(x), x)."""

    @abstractmethod
    def read(self, x: Tensor, at: Tensor | None) -> Tensor:
        """What every token [b, n, ..] reads of x [b, n, width], or the token [b, 1, ..] at one position of each row."""

    @abstractmethod
    def output(self, read: Tensor, x: Tensor) -> Tensor:
        """The mixed vectors of tokens x, from what each has read."""

    def forward(self, x: Tensor, at: Tensor | None = None) -> Tensor:
        """At every position, or at one of each row."""
        return self.output(self.read(x, at), x if at is None else pick(x, at))

    def mix(self, x: Tensor) -> Tensor:
        return self.forward(x)
