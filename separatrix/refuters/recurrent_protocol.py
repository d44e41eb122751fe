"""Any recurrent model as a one-way protocol: Alice reads her tokens and sends the state, Bob continues from it and answers.

[bhattamishra2024 Theorem 2]

The message is the state itself, every tensor in the bits of its own number type, one bit for a Boolean. Besides it Bob has only public
knowledge: the weights, the number of tokens read so far, and the sizes of the state's tensors after that many tokens.
So the bits of the message are those of the lower bound, and nothing else crosses the cut: Bob starts from the bits alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
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


@dataclass(frozen=True)
class RecurrentRun:
    """One run of the protocol: the message, and Bob's logits."""

    message: StateMessage
    logits: Tensor  # [targets], after the last token

    @property
    def answer(self) -> int:
        """What Bob answers at the end of the protocol."""
        return int(self.logits.argmax())


@dataclass(frozen=True)
class Sent:
    """Bits that cross the cut after `tokens` tokens: what the model sends, and what the task needs."""

    tokens: int
    sent: int
    needed: int

    @property
    def refuted(self) -> bool:
        """Whether the message is shorter than any correct model needs."""
        return self.sent < self.needed


def run_recurrent_protocol(model: Model, tokens: Sequence[int], cut: int) -> RecurrentRun:
    """Alice holds the first `cut` tokens, Bob the others.

    [bhattamishra2024 Theorem 2]
    """
    if not 0 < cut < len(tokens):
        raise BadInput(f"the cut must leave tokens on both sides, 1..{len(tokens) - 1}, found {cut}")
    with torch.no_grad():
        message = encoded(read_on(model, model.initial_state(1), tokens[:cut])[0])
        _, logits = read_on(model, decoded(_template(model, cut), message), tokens[cut:])
    if logits is None or not bool(torch.isfinite(logits).all()):
        raise BadInput("the model's outputs are not finite numbers")
    refuse_looking_ahead(model, tokens, cut)
    return RecurrentRun(message, logits[0])


def refuse_looking_ahead(model: Model, tokens: Sequence[int], cut: int) -> None:
    """Refuse a model whose outputs before the cut depend on tokens after it: it is not a one-way protocol."""
    row = torch.tensor([list(tokens)])
    with torch.no_grad():
        whole, prefix = model(row)[:, :cut], model(row[:, :cut])
    if not torch.allclose(whole, prefix, rtol=1e-4, atol=1e-5):
        raise BadInput(
            f"the model looks ahead: its outputs at the first {cut} tokens change with the tokens after them, so it is not causal"
        )


def messages_against(model: Model, needed: Sequence[int]) -> tuple[Sent, ...]:
    """For every cut, the bits of the model's message beside the bits that the task needs there (`bits_at` of a state profile)."""
    with torch.no_grad():
        return tuple(Sent(t, encoded(_template(model, t)).bits, bits) for t, bits in enumerate(needed) if 0 < t < len(needed) - 1)


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


def read_on(model: Model, state: State, tokens: Sequence[int]) -> tuple[State, Tensor | None]:
    """The state after these tokens, and the logits after the last of them."""
    logits = None
    for token in tokens:
        state, logits = model.step(state, torch.tensor([token]))
    return state, logits


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


def _template(model: Model, clock: int) -> State:
    """Some state after `clock` tokens, used only for its sizes."""
    return read_on(model, model.initial_state(1), [0] * clock)[0]


def _tensors(state: State) -> list[Tensor]:
    tensors = [tensor for layer in state.layers for tensor in layer]
    for tensor in tensors:
        if not isinstance(tensor, Tensor):
            raise BadInput(f"the state of a protocol must consist of tensors, found {type(tensor).__name__}")
    return tensors
