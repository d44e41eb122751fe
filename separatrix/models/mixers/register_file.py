"""A file of one-bit registers with gated writes and time-dependent weights: recurrent models with as few bits as a task needs.

[bhattamishra2024 Section 2(2)]

    stream       the first `rows` coordinates are the one-hot row of the token, the next `numbers` the one-hot number it stands for
    h            registers, each 0 or 1; all that crosses a cut. The scratch registers after them are 0 before each token
    at token t   K writes one after the other, each to one register w of h, which may read one more register r:
                 h_w' = a + b h_w + c h_r + d h_w h_r
    a, b, c, d   depend on time, write and row; w on time and write; r on time and write, or on the number of a token
    mixed        the registers, in the first coordinates

As in the theorem, every step may have its own weights. All numbers stay 0 or 1, in any number format.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor, nn
from torch.nn import functional

from separatrix.arithmetic.operators import Arithmetic, Values
from separatrix.errors import BadInput
from separatrix.models.config import MixerConfig
from separatrix.models.layer_styles import BARE, LayerStyle
from separatrix.models.mixers.mixer import Mixer, Tensors

KEEP = (0.0, 1.0, 0.0, 0.0)  # h_w' = h_w


@dataclass(frozen=True)
class RegisterFileConfig(MixerConfig):
    """How many registers, writes and steps there are."""

    registers: int
    scratch: int  # registers that a step may use within itself
    writes: int  # K, at every token
    rows: int  # token rows, each with its own gates
    numbers: int  # values of numbered tokens, which share a row; each value reads its own registers
    length: int  # tokens of an input; each step has its own weights

    kind: ClassVar[str] = "register-file"
    style: ClassVar[LayerStyle] = BARE

    def __post_init__(self) -> None:
        for name, least in (("registers", 1), ("scratch", 0), ("writes", 1), ("rows", 1), ("numbers", 0), ("length", 1)):
            if getattr(self, name) < least:
                raise BadInput(f"register-file: {name} must be at least {least}, found {getattr(self, name)}")

    @property
    def least_width(self) -> int:
        """The stream must hold what is read and what is written back."""
        return max(self.rows + self.numbers, self.registers)

    def build(self, width: int, numbers: Arithmetic) -> RegisterFile:
        if width < self.least_width:
            raise BadInput(f"register-file: the stream must be at least {self.least_width} wide, found {width}")
        return RegisterFile(self, width, numbers)


class RegisterFile(Mixer):
    """Registers beside a stream that carries the next token."""

    write: Tensor  # [length, writes]
    read: Tensor  # [length, writes]
    number_read: Tensor | None  # [numbers, writes]

    def __init__(self, config: RegisterFileConfig, width: int, numbers: Arithmetic) -> None:
        super().__init__(width, numbers)
        self.config = config
        T, K = config.length, config.writes
        self.register_buffer("write", torch.zeros(T, K, dtype=torch.int64))
        self.register_buffer("read", torch.zeros(T, K, dtype=torch.int64))
        self.register_buffer("number_read", torch.zeros(config.numbers, K, dtype=torch.int64) if config.numbers else None)
        self.gates = nn.Parameter(torch.tensor(KEEP).expand(T, K, config.rows, 4).clone())

    def mix(self, x: Values) -> Values:
        state, outputs = self.initial_state(len(x)), []
        for t in range(x.shape[1]):
            state, y = self.step(state, x[:, t], t)
            outputs.append(y[:, None])
        return self.numbers.join(outputs, 1)

    def initial_state(self, rows: int) -> Tensors:
        """All registers 0."""
        return (torch.zeros(rows, self.config.registers, dtype=torch.bool),)

    def step(self, state: Tensors, x: Values, clock: int) -> tuple[Tensors, Values]:
        c = self.config
        if clock >= c.length:
            raise BadInput(f"register-file: there are weights for {c.length} tokens, found one more")
        row, number = self._token(self.numbers.leave(x))
        h = functional.pad(state[0].to(self.gates.dtype), (0, c.scratch))
        every = torch.arange(len(h))
        for k in range(c.writes):
            w = self.write[clock, k]
            r = self.read[clock, k].expand(len(h))
            if self.number_read is not None:
                r = torch.where(number >= 0, self.number_read[number.clamp(min=0), k], r)
            h_w, h_r, gate = h[:, w], h[every, r], self.gates[clock, k, row]
            written = (gate * torch.stack([torch.ones_like(h_w), h_w, h_r, h_w * h_r], dim=1)).sum(dim=1)
            self._refuse_other_numbers(written, clock)
            h = h.index_copy(1, w[None], written[:, None])
        h = h[:, : c.registers]
        return (h.to(torch.bool),), self.numbers.enter(functional.pad(h, (0, self.width - c.registers)))

    def state_numbers(self, length: int) -> int:  # noqa: ARG002
        return self.config.registers

    def state_bits(self, length: int, bits: int) -> int:  # noqa: ARG002
        """One bit for each register, whatever the format of the weights."""
        return self.config.registers

    def inside(self, x: Values, at: Tensor | None) -> dict[str, Tensor]:  # noqa: ARG002
        """The registers after every token, [b, n, registers]."""
        return {"registers": self.numbers.leave(self.mix(x))[..., : self.config.registers]}

    def _token(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """The row and the number (from 0) encoded in vectors x [b, width] of the stream; -1 for a token without a number."""
        c = self.config
        which, number = x[:, : c.rows], x[:, c.rows : c.rows + c.numbers]
        one_hot = ((x[:, : c.rows + c.numbers] == 0) | (x[:, : c.rows + c.numbers] == 1)).all()
        if not bool(one_hot) or not bool((which.sum(dim=1) == 1).all()) or bool((number.sum(dim=1) > 1).any()):
            raise BadInput(f"register-file: the first {c.rows + c.numbers} coordinates of the stream must be a one-hot row and number")
        if not c.numbers:
            return which.argmax(dim=1), torch.full((len(x),), -1)
        return which.argmax(dim=1), torch.where(number.sum(dim=1) > 0, number.argmax(dim=1), -1)

    def _refuse_other_numbers(self, written: Tensor, clock: int) -> None:
        wrong = written[(written != 0) & (written != 1)]
        if len(wrong):
            raise BadInput(f"register-file: token {clock + 1} writes {float(wrong[0].detach())!r} to a one-bit register")


def register_file() -> RegisterFileConfig:
    """Refused: one-bit registers have no gradient."""
    raise BadInput("register-file cannot be trained: its registers are bits, which have no gradient")
