"""A recurrent network whose state is a file of one-bit registers, with gated writes and weights that change with time.

[bhattamishra2024 Section 2(2)]

    h            registers, each 0 or 1; all that crosses a cut. Scratch registers after them are 0 when a token comes
    at token t   K writes one after the other, each to one register w of h, which may read one more register r:
                 h_w' = a + b h_w + c h_r + d h_w h_r
    a, b, c, d   by time, write and token; w by time and write; r by time and write, or by the number that a token stands for
    read-out     logits = U h + u

The class of the theorem lets every step have its own weights, and so does this. All numbers stay 0 or 1, in any number format.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from separatrix.arithmetic import arithmetic
from separatrix.errors import BadInput
from separatrix.models.sequence_model import SequenceModel, State, need_tokens


@dataclass(frozen=True)
class RegisterFileConfig:
    """Everything but the numbers."""

    registers: int
    length: int  # tokens of an input, and so many steps have weights
    writes: int  # K, at every token
    plain: int  # ids with gates of their own
    numbers: int  # further ids, standing for 1, 2, ...: they share gates, and each reads registers of its own
    targets: int
    scratch: int = 0  # registers that a step may use within itself
    arithmetic: str = "float32"  # of the weights; a register has one bit


class RegisterFile(SequenceModel):
    """tokens [b, n] -> logits [b, n, targets] for n up to the length."""

    write: Tensor  # [length, writes]
    read: Tensor  # [length, writes]
    number_read: Tensor | None  # [numbers, writes]

    def __init__(self, config: RegisterFileConfig) -> None:
        super().__init__()
        self.config = config
        self.numbers = arithmetic(config.arithmetic)
        T, K, rows = config.length, config.writes, config.plain + (config.numbers > 0)
        self.register_buffer("write", torch.zeros(T, K, dtype=torch.int64))
        self.register_buffer("read", torch.zeros(T, K, dtype=torch.int64))
        self.register_buffer("number_read", torch.zeros(config.numbers, K, dtype=torch.int64) if config.numbers else None)
        self.gates = nn.Parameter(torch.tensor([0.0, 1.0, 0.0, 0.0]).expand(T, K, rows, 4).clone())  # h_w' = h_w
        self.unembedding, self.unembedding_bias = nn.Parameter(torch.zeros(config.targets, config.registers)), _zeros(config.targets)

    def forward(self, tokens: Tensor, at: int | Tensor | None = None) -> Tensor:
        need_tokens(tokens)
        state, logits = self.initial_state(len(tokens)), []
        for column in tokens.T:
            state, said = self.step(state, column)
            logits.append(said)
        every = torch.stack(logits, dim=1)
        if at is None:
            return every
        where = torch.full((len(tokens),), at) if isinstance(at, int) else at
        return every[torch.arange(len(tokens)), where]

    def initial_state(self, rows: int) -> State:
        """All registers 0."""
        return State(0, ((torch.zeros(rows, self.config.registers, dtype=torch.bool),),))

    def step(self, state: State, tokens: Tensor) -> tuple[State, Tensor]:
        t, c = state.clock, self.config
        if t >= c.length:
            raise BadInput(f"this register file has weights for {c.length} tokens, found one more")
        if tokens.numel() and not 0 <= int(tokens.min()) <= int(tokens.max()) < c.plain + c.numbers:
            raise BadInput(f"tokens must lie in 0..{c.plain + c.numbers - 1}")
        h = functional.pad(state.layers[0][0].to(self.gates.dtype), (0, c.scratch))
        every, numbered = torch.arange(len(tokens)), tokens >= c.plain
        for k in range(c.writes):
            w = self.write[t, k]
            r = self.read[t, k].expand(len(tokens))
            if self.number_read is not None:
                r = torch.where(numbered, self.number_read[(tokens - c.plain).clamp(min=0), k], r)
            h_w, h_r = h[:, w], h[every, r]
            gate = self.gates[t, k, tokens.clamp(max=c.plain)]
            h = h.index_copy(1, w[None], (gate * torch.stack([torch.ones_like(h_w), h_w, h_r, h_w * h_r], dim=1)).sum(dim=1)[:, None])
        h = h[:, : c.registers]
        return State(t + 1, ((h.to(torch.bool),),)), h @ self.unembedding.T + self.unembedding_bias

    def state_numbers(self, length: int) -> int:  # noqa: ARG002
        return self.config.registers

    def state_bits(self, length: int, dtype: str = "float32") -> int:  # noqa: ARG002
        """One bit for each register, whatever the format of the weights."""
        if length < 0:
            raise BadInput(f"state_bits: length must not be negative, found {length}")
        return self.config.registers


def _zeros(count: int) -> nn.Parameter:
    return nn.Parameter(torch.zeros(count))
