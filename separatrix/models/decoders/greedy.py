"""Greedy chains: tokens appended one by one, each the largest logit at the last token, up to and with the stop token.

[wen2024 Definition A.4] [wen2024 Definition A.3] [wen2024 Clarification 2]
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from separatrix.errors import BadInput
from separatrix.models.decoders.decoder import Chain, ChainDecoder

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torch import Tensor

    from separatrix.models.config import ModelConfig
    from separatrix.models.fast.sparse_chain import Writer
    from separatrix.models.model import Model


class TokenChain(ChainDecoder):
    """The predicted token becomes the next input."""

    stop: int

    @abstractmethod
    def written(self, fast: Writer, prompt: Sequence[Any]) -> Chain | None:
        """The chain after a prompt, by a compiled kernel; None where it cannot write this one."""

    def chains(self, model: Model, prompts: Sequence[Sequence[Any]]) -> list[Chain]:
        """Through the model's state; long chains of a model whose weights are mostly 0 by a compiled kernel."""
        from torch import as_tensor

        from separatrix.models.fast.sparse_chain import writer

        fast = writer(model, sum(len(prompt) + self.limit for prompt in prompts)) if all(map(len, prompts)) else None
        if fast is None:
            return super().chains(model, prompts)
        for prompt in prompts:
            model.embedding.check(as_tensor(list(prompt)))
        written = [self.written(fast, prompt) for prompt in prompts]
        every = [chain for chain in written if chain is not None]
        return every if len(every) == len(prompts) else super().chains(model, prompts)

    def following(self, logits: Tensor) -> tuple[Tensor, Tensor]:
        best = logits.argmax(dim=-1)
        return best, best == self.stop


@dataclass(frozen=True)
class Greedy(TokenChain):
    """Nothing but the predicted tokens; targets are ids of the vocabulary."""

    stop: int
    limit: int
    kind: ClassVar[str] = "greedy"

    def refuse(self, config: ModelConfig) -> None:
        super().refuse(config)
        targets, vocabulary = config.readout.targets, config.embedding.vocabulary
        if config.embedding.reads != "tokens" or targets > vocabulary:
            raise BadInput(f"greedy: every target must be an input token, found {targets} targets and {vocabulary} tokens")
        if not 0 <= self.stop < targets:
            raise BadInput(f"greedy: a chain needs a stop token among the targets 0..{targets - 1}, found {self.stop}")

    def written(self, fast: Writer, prompt: Sequence[Any]) -> Chain | None:
        chain = fast.write(prompt, self.stop, self.limit)
        return None if chain is None else Chain(chain, chain[-1] == self.stop)
