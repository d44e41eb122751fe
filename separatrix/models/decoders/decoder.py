"""`Decoder`, and how a model writes a chain: token by token through its state, until the chain ends or reaches its limit."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from separatrix.errors import BadInput

if TYPE_CHECKING:
    from torch import Tensor

    from separatrix.models.config import ModelConfig
    from separatrix.models.model import Model, State

Token = int | tuple[int, ...]  # an id, or an integer vector for models that read vectors


@dataclass(frozen=True)
class Chain:
    """What a model wrote after a prompt, and whether it stopped by itself."""

    tokens: tuple[Token, ...]
    ended: bool
    why: str = ""  # why it could not go on, if that is not its limit


class CannotContinue(Exception):
    """A chain cannot go on: the message says why."""


class Decoder(ABC):
    """A way to read an answer: a frozen dataclass with the fields that files store."""

    kind: ClassVar[str]

    def refuse(self, config: ModelConfig) -> None:  # noqa: B027
        """Refuse a model that this decoder cannot read."""


class ChainDecoder(Decoder):
    """A decoder that lets a model write: its output at the last token is its next input."""

    limit: int  # the largest number of tokens written

    @abstractmethod
    def following(self, logits: Tensor) -> tuple[Tensor, Tensor]:
        """The next inputs [rows] or [rows, plain] from logits [rows, targets], and which rows have ended."""

    def given(self, prompt: Sequence[Any], chain: Sequence[Token]) -> Token | None:  # noqa: ARG002
        """The token that follows a chain whatever the model says; None where the model writes. May raise `CannotContinue`."""
        return None

    def refuse(self, config: ModelConfig) -> None:  # noqa: ARG002
        if self.limit < 1:
            raise BadInput(f"{self.kind}: the limit of a chain must be at least 1, found {self.limit}")

    def chains(self, model: Model, prompts: Sequence[Sequence[Any]]) -> list[Chain]:
        """The chain after each prompt. Prompts of equal length run side by side; a row stops when its chain ends."""
        if not model.causal:
            raise BadInput(
                "a model without a causal mask cannot write a chain: every token it writes would change what it has already read"
            )
        written: list[Chain] = [Chain((), False)] * len(prompts)
        for length in sorted({len(prompt) for prompt in prompts}):
            rows = [r for r, prompt in enumerate(prompts) if len(prompt) == length]
            for r, chain in zip(rows, self._side_by_side(model, [prompts[r] for r in rows]), strict=True):
                written[r] = chain
        return written

    def _side_by_side(self, model: Model, prompts: list[Sequence[Any]]) -> list[Chain]:
        import torch

        if not len(prompts[0]):
            raise BadInput("a chain follows a prompt: expected at least one token, found none")
        inputs = torch.tensor([list(prompt) for prompt in prompts])
        with torch.no_grad():
            state, logits = _read(model, inputs)
            chains: list[list[Token]] = [[] for _ in prompts]
            ended, why = [False] * len(prompts), [""] * len(prompts)
            running = list(range(len(prompts)))
            for written in range(1, self.limit + 1):
                following, over = self.following(logits)
                stays = []
                for i, (row, token, last) in enumerate(zip(running, following.tolist(), over.tolist(), strict=True)):
                    try:
                        given = self.given(prompts[row], chains[row])
                    except CannotContinue as reason:
                        why[row] = str(reason)
                        continue
                    if given is not None:
                        following[i] = torch.tensor(given)
                    chains[row].append(given if given is not None else tuple(token) if isinstance(token, list) else token)
                    ended[row] = last and given is None
                    if not ended[row]:
                        stays.append(i)
                if not stays or written == self.limit:
                    break
                if len(stays) < len(running):
                    running = [running[i] for i in stays]
                    state, following = state.of_rows(stays), following[stays]
                state, logits = model.step(state, following)
        return [Chain(tuple(chain), end, reason) for chain, end, reason in zip(chains, ended, why, strict=True)]


def _read(model: Model, inputs: Tensor) -> tuple[State, Tensor]:
    """The state after the inputs, and the logits after the last of them."""
    state = model.initial_state(len(inputs))
    for t in range(inputs.shape[1] - 1):
        state, _ = model.step(state, inputs[:, t])
    return model.step(state, inputs[:, -1])
