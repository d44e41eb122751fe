"""The read-out: logits = U norm(x) + c, where U is a matrix of its own, or the word embedding and c = 0.

[wen2024 Definition 3.2; U is the word embedding]
"""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

from separatrix.arithmetic.operators import Arithmetic, Values
from separatrix.models.config import ReadoutConfig
from separatrix.models.embedding import Embedding
from separatrix.models.layer import norm
from separatrix.models.mixers.mixer import bias, weight


class Readout(nn.Module):
    """From stream vectors to logits, as a floating-point tensor."""

    def __init__(self, config: ReadoutConfig, width: int, numbers: Arithmetic) -> None:
        super().__init__()
        self.config, self.numbers = config, numbers
        self.norm = norm(config.norm, width)
        self.weight, self.bias = weight(config.targets, width), bias(config.targets, config.bias)

    def forward(self, x: Values) -> Tensor:
        """Logits [..., targets] of stream vectors [..., width]."""
        return self.numbers.leave(self.numbers.linear(x if self.norm is None else self.norm(x), self.weight, self.bias))

    def start(self, deviation: float | None) -> None:
        """Fresh weights, normal with this deviation; None starts them as torch starts linear maps, uniform within 1 / sqrt(width)."""
        if deviation is not None:
            nn.init.normal_(self.weight, 0.0, deviation)
            return
        bound = 1 / math.sqrt(self.weight.shape[1])
        for parameter in (self.weight, self.bias):
            if parameter is not None:
                nn.init.uniform_(parameter, -bound, bound)


class TiedReadout(nn.Module):
    """The logit of a token is the product of its embedding, without its place, and the stream vector: nothing is stored."""

    bias: None = None

    def __init__(self, config: ReadoutConfig, width: int, numbers: Arithmetic, embedding: Embedding) -> None:
        super().__init__()
        self.config, self.numbers = config, numbers
        self.norm = norm(config.norm, width)
        object.__setattr__(self, "words", embedding)  # not a part of this module: the weights are the embedding's
        self._weight: tuple[tuple[object, ...], Tensor] | None = None

    @property
    def weight(self) -> Tensor:
        """The embedding of every token, [targets, width]; computed again when a weight of the embedding was changed."""
        words: Embedding = self.words  # type: ignore[assignment]
        stored = [words.table, *([] if words.number is None else words.number.parameters())]
        version = tuple((p.data_ptr(), p._version, p.dtype) for p in stored)
        if torch.is_grad_enabled() and any(p.requires_grad for p in stored):
            return words.of_tokens(torch.arange(self.config.targets))
        if self._weight is None or self._weight[0] != version:
            self._weight = version, words.of_tokens(torch.arange(self.config.targets)).detach()
        return self._weight[1]

    def forward(self, x: Values) -> Tensor:
        """Logits [..., targets] of stream vectors [..., width]."""
        return self.numbers.leave(self.numbers.linear(x if self.norm is None else self.norm(x), self.weight, None))

    def start(self, deviation: float | None) -> None:
        """Nothing to start: the embedding does."""
