"""Rounded chains: integer vectors appended one by one, each the nearest integers of the read-out, up to and with the zero vector.

Models of dynamic programs write this way: each vector is the next input as it stands, without a vocabulary.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from separatrix.errors import BadInput
from separatrix.models.decoders.decoder import Chain, ChainDecoder

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torch import Tensor

    from separatrix.models.config import ModelConfig
    from separatrix.models.model import Model

LARGEST = 1 << 53  # integers up to here are exact in float64


@dataclass(frozen=True)
class Rounding(ChainDecoder):
    """The rounded read-out becomes the next input vector."""

    limit: int
    kind: ClassVar[str] = "rounding"

    def refuse(self, config: ModelConfig) -> None:
        super().refuse(config)
        if config.embedding.reads != "vectors" or config.readout.targets != config.embedding.plain:
            sizes = f"{config.readout.targets} targets and an embedding of {config.embedding.plain} {config.embedding.reads}"
            raise BadInput(f"rounding: the read-out must be an input vector of the model, found {sizes}")

    def chains(self, model: Model, prompts: Sequence[Sequence[Any]]) -> list[Chain]:
        """Through the model's state; long chains of a model whose weights are mostly 0 by a compiled kernel."""
        from separatrix.models.fast.sparse_chain import writer

        fast = writer(model, sum(len(prompt) + self.limit for prompt in prompts))
        written = [None] if fast is None else [fast.round(prompt, self.limit) for prompt in prompts]
        if any(chain is None for chain in written):
            return super().chains(model, prompts)
        return [Chain(chain, not any(chain[-1])) for chain in written if chain is not None]

    def following(self, logits: Tensor) -> tuple[Tensor, Tensor]:
        import torch

        nearest = logits.to(torch.float64).round()
        if not bool((nearest.abs() <= LARGEST).all()):
            raise BadInput("rounding: the read-out is not a vector of integers that float64 holds exactly")
        vector = nearest.to(torch.int64)
        return vector, (vector == 0).all(dim=-1)
