"""Recurrences that read through a short convolution: y_t = silu(b + sum over j of w_j c_(t - K + 1 + j)) of each channel of c = W x.

The state is the last K - 1 inputs of the convolution, and a memory S.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from separatrix.checker.models.mixers import Weights
from separatrix.checker.models.mixers.recurrence import Recurrence, State
from separatrix.checker.numbers.boxes import Box, constant, join
from separatrix.checker.numbers.floats import Float
from separatrix.checker.numbers.formats import Numbers
from separatrix.checker.numbers.gates import convolved
from separatrix.checker.numbers.smooth import native, swish

STEP = 100_000  # work of the calls of one step


@dataclass(frozen=True)
class ShortConvolution(Recurrence):
    """A mixer with `channels` channels of `convolution` taps each, and a memory of this shape."""

    convolution: int

    title: ClassVar[str]

    @property
    @abstractmethod
    def channels(self) -> int:
        """How many channels the convolution has."""

    @property
    @abstractmethod
    def memory(self) -> tuple[int, ...]:
        """The shape of S."""

    @abstractmethod
    def token(self, ops: Float, w: Weights, x: Box, mixed: Box, S: Box) -> tuple[Box, Box]:
        """The next memory, and the output: from a token [.., width], its channels [.., channels] and the memory before it."""

    def begin(self, ops: Numbers, w: Weights, shape: tuple[int, ...], width: int) -> State:  # noqa: ARG002
        sizes = ((self.convolution - 1) * self.channels, math.prod(self.memory))
        return tuple(constant((*shape, size)) for size in sizes)

    def advance(self, ops: Numbers, w: Weights, state: State, x: Box) -> tuple[State, Box]:
        floats = native(ops, self.title)
        window = join([state[0], ops.linear(x, w["channels"])], axis=-1)
        inputs = shaped(window, self.convolution, self.channels)
        mixed = swish(floats, convolved(floats, inputs, w["convolution.weight"], w.get("convolution.bias")))
        S, given = self.token(floats, w, x, mixed, shaped(state[1], *self.memory))
        return (window.columns(self.channels, state[0].shape[-1]), flat(S, len(self.memory))), given

    def work(self, width: int, n: int, readers: int, ops: Numbers) -> int:  # noqa: ARG002
        linear = sum(math.prod(shape) for shape in self.shapes(width).values())
        return n * ((linear + 40 * math.prod(self.memory)) * ops.cost(width) + STEP)

    def numbers(self, width: int, n: int, readers: int) -> int:  # noqa: ARG002
        return 3 * n * width + 30 * (self.convolution * self.channels + math.prod(self.memory))

    def state_bits(self, width: int, bits: int) -> int | None:  # noqa: ARG002
        return ((self.convolution - 1) * self.channels + math.prod(self.memory)) * bits


def shaped(x: Box, *shape: int) -> Box:
    """The last axis as several."""
    return x.reshape(*x.shape[:-1], *shape)


def flat(x: Box, axes: int) -> Box:
    """The last axes as one."""
    return x.reshape(*x.shape[: x.low.ndim - axes], -1)
