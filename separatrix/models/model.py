"""A sequence model: an embedding, layers and a read-out. The same class carries built and trained weights.

    model(tokens)              logits [b, n, targets]
    model(tokens, at=i)        logits [b, targets] at one position of each row
    model.step(state, s_t)     the next state, and the logits [b, targets] after token s_t

Every number is computed by an operator of the model's arithmetic, so rounding happens there and nowhere else.
A state is everything that crosses the cut between two tokens, except the clock: the number of tokens read is free.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol, final, runtime_checkable

import torch
from torch import Tensor, nn

from separatrix.arithmetic import arithmetic
from separatrix.arithmetic.format import stored_bits
from separatrix.arithmetic.operators import Values
from separatrix.bits import ceil_log2
from separatrix.errors import BadInput
from separatrix.kernels import avoid_amx
from separatrix.models.config import ModelConfig
from separatrix.models.embedding import Embedding
from separatrix.models.fast.streaming import can_stream, stream, streamed_numbers
from separatrix.models.layer import Layer
from separatrix.models.mixers.mixer import Tensors, pick
from separatrix.models.readout import Readout, TiedReadout
from separatrix.models.state_at_cut import LayerCut, bits_at_cut

EXACT_BYTES = 64


@dataclass(frozen=True)
class State:
    """What a model carries from the tokens it has read."""

    clock: int  # tokens read so far
    layers: tuple[Tensors, ...]  # the tensors of each layer

    def of_rows(self, rows: Any) -> State:
        """The state of some rows of the batch."""
        return State(self.clock, tuple(tuple(tensor[rows] for tensor in layer) for layer in self.layers))


@runtime_checkable
class Stepper(Protocol):
    """Anything that reads one token of each sequence at a time."""

    def initial_state(self, rows: int) -> Any:
        """The state before the first token of `rows` sequences."""

    def step(self, state: Any, tokens: Tensor) -> tuple[Any, Tensor]:
        """The next state and the logits [rows, targets]."""


@final
class Model(nn.Module):
    """tokens [b, n] (or integer vectors [b, n, plain]) -> logits [b, n, targets]."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        avoid_amx()
        self.config, self.numbers = config, arithmetic(config.arithmetic)
        if self.numbers.format.kind != "native" and config.inexact():
            raise BadInput(f"{config.arithmetic} has no exact form of {config.inexact()}: expected a native float, such as float64")
        self.embedding = Embedding(config.embedding, config.width)
        self.layers = nn.ModuleList(Layer(layer, config.width, self.numbers, config.dropout) for layer in config.layers)
        tied = config.readout.tied
        self.readout: Readout | TiedReadout = (
            TiedReadout(config.readout, config.width, self.numbers, self.embedding)
            if tied
            else Readout(config.readout, config.width, self.numbers)
        )

    def forward(self, tokens: Tensor, at: int | Tensor | None = None) -> Tensor:
        """Logits everywhere, or at the position `at` of each row (-1 is the last), where alone the last layer is then computed."""
        self.need_tokens(tokens)
        if at is None:
            return self.logits(self.hidden(tokens, None))
        where = read_positions(tokens, at)
        return self.logits(stream(self, tokens) if can_stream(self, tokens, where) else self.hidden(tokens, where))[:, 0]

    def hidden(self, tokens: Tensor, at: Tensor | None) -> Values:
        """The stream after the last layer, at every position or at one of each row."""
        x = self.numbers.enter(self.embedding(tokens))
        last = len(self.layers) - 1
        for index, layer in enumerate(self.layers):
            x = layer(x, at if index == last else None)
        return x if at is None or self.layers else pick(x, at)

    def logits(self, x: Values) -> Tensor:
        """The logits of stream vectors."""
        logits: Tensor = self.readout(x)
        return logits

    def initial_state(self, rows: int) -> State:
        """The state before the first token of `rows` sequences."""
        return State(0, tuple(layer.initial_state(rows) for layer in self.each_layer()))

    def step(self, state: State, tokens: Tensor) -> tuple[State, Tensor]:
        """Read one token [rows] (or vector [rows, plain]) of each sequence: the next state and the logits [rows, targets]."""
        self.need_steps()
        x = self.numbers.enter(self.embedding(tokens[:, None], start=state.clock + 1))[:, 0]
        carried = []
        for layer, before in zip(self.each_layer(), state.layers, strict=True):
            after, x = layer.step(before, x, state.clock)
            carried.append(after)
        return State(state.clock + 1, tuple(carried)), self.logits(x)

    def state_numbers(self, length: int) -> int:
        """How many numbers the state of one sequence holds after `length` tokens."""
        self.need_steps()
        return sum(layer.mixer.state_numbers(length) for layer in self.each_layer() if layer.mixer is not None)

    def state_bits(self, length: int, dtype: str = "float32") -> int:
        """Bits of the tensors that cross the cut after `length` tokens, with numbers of type `dtype`."""
        if length < 0:
            raise BadInput(f"state_bits: length must not be negative, found {length}")
        self.need_steps()
        bits = stored_bits(dtype)
        return sum(layer.mixer.state_bits(length, bits) for layer in self.each_layer() if layer.mixer is not None)

    def bits_at_cut(self, length: int, dtype: str = "float32", token_bits: int | None = None) -> int:
        """Bits that the state after `length` tokens can be worth, which may be fewer than it has: see models/state_at_cut.py.

        `token_bits` are those of one input token; by default the logarithm of the vocabulary, rounded up.
        """
        bits = stored_bits(dtype)
        each = ceil_log2(self.config.embedding.vocabulary) if token_bits is None else token_bits
        return bits_at_cut(self.cuts(length), self.config.width, bits, each)

    def cuts(self, length: int) -> list[LayerCut]:
        """What each layer that mixes carries across the cut after `length` tokens."""
        if length < 0:
            raise BadInput(f"cut: length must not be negative, found {length}")
        self.need_steps()
        return [layer.mixer.cut(length) for layer in self.each_layer() if layer.mixer is not None]

    def bytes_of_a_row(self, n: int, once: bool) -> int:
        """Estimated memory of a forward pass for one row of n tokens, read out everywhere or once."""
        exact, size = self.numbers.format.kind != "native", self.embedding.table.element_size()
        each = EXACT_BYTES if exact else size  # a number of an exact format may temporarily be a Python integer
        streamed = streamed_numbers(self, n) if once else 0
        if streamed:
            return each * streamed
        largest = 0
        for index, layer in enumerate(self.each_layer(), 1):
            readers = 1 if once and index == len(self.layers) else n
            mixing = 0 if layer.mixer is None else layer.mixer.working_numbers(n, readers)
            hidden = 0 if layer.feedforward is None else 3 * readers * layer.feedforward.config.hidden
            largest = max(largest, mixing, hidden)
        return each * (4 * n * self.config.width + largest + 2 * (1 if once else n) * self.config.readout.targets)

    @property
    def causal(self) -> bool:
        """Whether no logits depend on a later token."""
        return all(layer.mixer is None or layer.mixer.causal for layer in self.each_layer())

    @property
    def state_known(self) -> bool:
        """Whether every mixer declares the size of its state; one of a user's own without `step` does not."""
        return all(layer.mixer is None or layer.mixer.state_known for layer in self.each_layer())

    def each_layer(self) -> list[Layer]:
        """The layers, with their type."""
        return [layer for layer in self.layers if isinstance(layer, Layer)]

    def need_tokens(self, tokens: Tensor) -> None:
        """Refuse anything but rows of ids, or of integer vectors for a model that reads vectors."""
        embedding = self.config.embedding
        dims, what = (3, f"vectors [rows, n, {embedding.plain}]") if embedding.reads == "vectors" else (2, "tokens [rows, n]")
        if tokens.dim() != dims or tokens.is_floating_point() or (dims == 3 and tokens.shape[2] != embedding.plain):
            shape = f"{str(tokens.dtype).removeprefix('torch.')} of shape {list(tokens.shape)}"
            raise BadInput(f"expected integer {what}, found {shape}")

    def need_steps(self) -> None:
        """Refuse a mask that is not causal below the last layer: the layers above would read tokens that have seen later ones."""
        for index, layer in enumerate(self.each_layer()[:-1], 1):
            if layer.mixer is not None and not layer.mixer.causal:
                raise BadInput(
                    f"layer {index} of {len(self.layers)} has no causal mask, so the model has no state: every token reads all others"
                )


def read_positions(tokens: Tensor, at: int | Tensor) -> Tensor:
    """`at` as one position per row, counted from 0."""
    rows, n = tokens.shape[:2]
    where = torch.full((rows,), at) if isinstance(at, int) else at
    where = torch.where(where < 0, where + n, where)
    if where.shape != (rows,) or bool(((where < 0) | (where >= n)).any()):
        raise BadInput(f"read-out positions must be one per row in 0..{n - 1}")
    return where
