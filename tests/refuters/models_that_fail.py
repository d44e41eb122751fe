"""Small models with known failures, for tests of attacks."""

from __future__ import annotations

import torch
from torch import Tensor, nn


class WrongOnOne(nn.Module):
    """Index lookup, done by indexing; wrong by `depth` where place 3 holds symbol 5 and place 3 is asked for."""

    def __init__(self, symbols: int = 8, depth: float = 1.0) -> None:
        super().__init__()
        self.symbols, self.depth = symbols, nn.Parameter(torch.tensor(depth))
        self.embedding = nn.Embedding(64, 1)

    def forward(self, tokens: Tensor) -> Tensor:
        place = (tokens[:, -1] - self.symbols).clamp(min=0)
        symbol = tokens.gather(1, place[:, None])[:, 0].clamp(max=self.symbols - 1)
        logits = nn.functional.one_hot(symbol, self.symbols).float() * 2
        fails = (place == 2) & (symbol == 5)
        logits[fails, 0] = 2 + self.depth.detach()
        return logits[:, None, :].expand(-1, tokens.shape[1], -1)


class Constant(nn.Module):
    """The same answer everywhere."""

    def __init__(self, vocabulary: int, targets: int) -> None:  # noqa: ARG002
        super().__init__()
        self.logits = nn.Parameter(torch.arange(float(targets)))

    def forward(self, tokens: Tensor) -> Tensor:
        return self.logits.expand(*tokens.shape, -1)


class NotNumbers(Constant):
    """Outputs that are not numbers."""

    def forward(self, tokens: Tensor) -> Tensor:
        return super().forward(tokens) * float("nan")


class WrongShape(Constant):
    """One answer for each row."""

    def forward(self, tokens: Tensor) -> Tensor:
        return super().forward(tokens)[:, 0]
