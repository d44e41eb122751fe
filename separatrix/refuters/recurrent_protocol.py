"""Any recurrent model as a one-way protocol: Alice reads her tokens and sends the state, Bob continues from it and answers.

[bhattamishra2024 Theorem 2]

The message is the state itself, every tensor in the bits of its own number type, one bit for a Boolean. Besides it Bob has only public
knowledge: the weights, the number of tokens read so far, and the sizes of the state's tensors after that many tokens.
So the bits of the message are those of the lower bound, and nothing else crosses the cut: Bob starts from the bits alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from separatrix.errors import BadInput
from separatrix.models.model import Model, State


@dataclass(frozen=True)
class StateMessage:
    """What Alice sends after `clock` tokens."""

    clock: int
    content: bytes
    bits: int

    def __str__(self) -> str:
        shown = self.content.hex() if len(self.content) <= 16 else f"{self.content[:16].hex()}.."
        return f"Alice -> {shown}   my state after {self.clock} tokens ({self.bits} bits)"


def as_machine(model: Model, tokens: int) -> tuple[Callable[[int, bytes, int], bytes], Callable[[bytes], int], bytes]:
    """The model on inputs of `tokens` tokens as a machine: step(t, state, token), output(last state), first state.

    A state is the message at that point; after the last token it is the answer.
    """
    sizes = [model.initial_state(1)]  # some state after each number of tokens, for its sizes alone
    with torch.no_grad():
        for _ in range(tokens):
            sizes.append(model.step(sizes[-1], torch.zeros(1, dtype=torch.int64))[0])

    def step(t: int, state: bytes, token: int) -> bytes:
        with torch.no_grad():
            following, logits = model.step(decoded(sizes[t], StateMessage(t, state, 0)), torch.tensor([token]))
        return encoded(following).content if t < tokens - 1 else int(logits[0].argmax()).to_bytes(4, "big")

    return step, lambda state: int.from_bytes(state, "big"), encoded(model.initial_state(1)).content


def encoded(state: State) -> StateMessage:
    """A state of one sequence as bits."""
    parts, bits = [], 0
    for tensor in _tensors(state):
        flat = tensor.detach().contiguous().reshape(-1)
        if tensor.dtype == torch.bool:
            packed = torch.cat([flat, torch.zeros(-len(flat) % 8, dtype=torch.bool)]).reshape(-1, 8).to(torch.uint8)
            parts.append(bytes((packed << torch.arange(8, dtype=torch.uint8)).sum(dim=1).tolist()))
            bits += len(flat)
        else:
            parts.append(bytes(flat.view(torch.uint8).tolist()))
            bits += 8 * len(parts[-1])
    return StateMessage(state.clock, b"".join(parts), bits)


def decoded(template: State, message: StateMessage) -> State:
    """The state encoded in a message; its tensors have the sizes of `template`, which is any state after that many tokens."""
    place, layers = 0, []
    for layer in template.layers:
        tensors = []
        for tensor in layer:
            size = -(-tensor.numel() // 8) if tensor.dtype == torch.bool else tensor.numel() * tensor.element_size()
            raw = torch.tensor(list(message.content[place : place + size]), dtype=torch.uint8)
            place += size
            if tensor.dtype == torch.bool:
                flat = ((raw[:, None] >> torch.arange(8, dtype=torch.uint8)) & 1).reshape(-1)[: tensor.numel()].to(torch.bool)
            else:
                flat = raw.view(tensor.dtype)
            tensors.append(flat.reshape(tensor.shape))
        layers.append(tuple(tensors))
    return State(message.clock, tuple(layers))


def _tensors(state: State) -> list[Tensor]:
    tensors = [tensor for layer in state.layers for tensor in layer]
    for tensor in tensors:
        if not isinstance(tensor, Tensor):
            raise BadInput(f"the state of a protocol must consist of tensors, found {type(tensor).__name__}")
    return tensors
