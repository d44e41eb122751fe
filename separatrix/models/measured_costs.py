"""The three measures of a recurrent model, and whether it is regular.

[wen2024 Definition 3.3; wen2024 Definition 3.4]

    P   parameter bits: every stored number, frozen ones too
    M   state bits after a length
    C   operations of one step: 2 for each multiplication and addition of a product, 1 for each number that anything else computes

C is counted while a step runs. A recurrent architecture is regular if C = Theta(P), P = Omega(M) and P is polynomial in M: a statement
about a family, which is compared with the width here. The state must not grow with the length; when the width is doubled, C / P
must stay within a factor of SAME and M / P must not rise by more.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves
from torch.utils.flop_counter import flop_registry

from separatrix.arithmetic import parse_format
from separatrix.models.model import Model, State

SAME = 1.5
LONG = 1 << 12  # tokens after which a state of fixed size has reached it


@dataclass(frozen=True)
class Measures:
    """P, M and C of a model, at a length and a number type."""

    parameters: int  # stored numbers
    trainable: int
    parameter_bits: int
    state_bits: int | None  # None: a mixer of a user's own has no step, so nobody knows
    operations: int | None


def measures(model: Model, length: int, dtype: str) -> Measures:
    """The measures of a model after `length` tokens."""
    stored = sum(p.numel() for p in model.parameters())
    trainable = sum(p.numel() for p in model.parameters() if p.requires_grad)
    bits = parse_format(dtype).bits
    if not model.state_known:
        return Measures(stored, trainable, bits * stored, None, None)
    return Measures(stored, trainable, bits * stored, model.state_bits(length, dtype), operations_per_token(model, length))


def operations_per_token(model: Model, length: int) -> int:
    """C of the token after `length` others."""
    token = torch.zeros(1, dtype=torch.int64)
    with torch.no_grad():
        state = _state_after(model, length, token)
        counting = _Counting()
        with counting:
            model.step(state, token)
    return counting.operations


def _state_after(model: Model, length: int, token: Tensor) -> State:
    """A state with the shapes of that after `length` tokens, which alone decide how much the next token costs.

    A layer takes only the steps after which its state has that size: of a hybrid's layers, those with attention take all, the others one.
    """
    x = model.numbers.enter(model.embedding(token[:, None], start=1))[:, 0]
    states, most = [], 1
    for layer in model.each_layer():
        state, steps = layer.initial_state(1), 1
        if layer.mixer is not None:
            size, size_after = layer.mixer.state_numbers(length), layer.mixer.state_numbers
            steps = next((t for t in range(1, length + 1) if size_after(t) == size), 1)
        for t in range(steps):
            state, _ = layer.step(state, x, t)
        states.append(state)
        most = max(most, steps)
    return State(most, tuple(states))


def grows(model: Model) -> bool:
    """Whether the state grows with the length, however long that is."""
    return model.state_numbers(2 * LONG) > model.state_numbers(LONG)


def regular(make: Callable[[int], Model], width: int, dtype: str) -> tuple[bool | None, str]:
    """Whether Definition 3.4 holds along the width, and why; `make` gives the model of a width. None: its state is unknown."""
    model = make(width)
    if not model.state_known:
        return None, "a mixer has no step(state, x), so the size of its state and the operations of a step are unknown"
    if grows(model):
        return False, "its state grows with the length, so Definition 3.3 does not cover it"
    (C, M), (C2, M2) = (_per_parameter_bit(each, dtype) for each in (model, make(2 * width)))
    steady = 1 / SAME <= C2 / C <= SAME
    small = M2 <= SAME * M
    evidence = f"from width {width} to {2 * width} C / P goes from {C:.3f} to {C2:.3f}, M / P from {M:.3f} to {M2:.3f}"
    return steady and small, evidence


def _per_parameter_bit(model: Model, dtype: str) -> tuple[float, float]:
    """C / P and M / P of a model whose state is known."""
    P = parse_format(dtype).bits * sum(p.numel() for p in model.parameters())
    return operations_per_token(model, LONG) / P, model.state_bits(LONG, dtype) / P


class _Counting(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Adds up what every operation computes."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.operations = 0

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        out = func(*args, **(kwargs or {}))
        formula = flop_registry.get(func._overloadpacket)
        if "scaled_dot_product" in func.__name__:  # its CPU form is not in torch's table
            (b, h, queries, m), keys, w = args[0].shape, args[1].shape[2], args[2].shape[3]
            self.operations += 2 * b * h * queries * keys * (m + w)
        elif formula is not None:
            self.operations += int(formula(*args, **(kwargs or {}), out_val=out))
        elif not func.is_view:
            self.operations += sum(leaf.numel() for leaf in tree_leaves(out) if isinstance(leaf, Tensor))
        return out
