"""The three measures of a recurrent model, and whether it is regular.

[wen2024 Definition 3.3; wen2024 Definition 3.4]

    P   parameter bits: every stored number, frozen ones too
    M   state bits after a length
    C   operations of one step: 2 for each multiplication and addition of a product, 1 for each number that anything else computes

C is counted while a step runs. A recurrent architecture is regular if C = Theta(P), P = Omega(M) and P is polynomial in M: a statement
about a family, which is held against the width here. The state must not grow with the length; when the width is doubled, C / P
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
    state_bits: int
    operations: int

    @property
    def computing(self) -> float:
        """C / P."""
        return self.operations / self.parameter_bits

    @property
    def remembering(self) -> float:
        """M / P."""
        return self.state_bits / self.parameter_bits


def measures(model: Model, length: int, dtype: str) -> Measures:
    """The measures of a model after `length` tokens."""
    stored = sum(p.numel() for p in model.parameters())
    trainable = sum(p.numel() for p in model.parameters() if p.requires_grad)
    bits = parse_format(dtype).bits
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


def regular(make: Callable[[int], Model], width: int, dtype: str) -> tuple[bool, str]:
    """Whether Definition 3.4 holds along the width, and why; `make` gives the model of a width."""
    model = make(width)
    if grows(model):
        return False, "its state grows with the length, so Definition 3.3 does not cover it"
    one, two = measures(model, LONG, dtype), measures(make(2 * width), LONG, dtype)
    steady = 1 / SAME <= two.computing / one.computing <= SAME
    small = two.remembering <= SAME * one.remembering
    evidence = (
        f"from width {width} to {2 * width} C / P goes from {one.computing:.3f} to {two.computing:.3f}, "
        f"M / P from {one.remembering:.3f} to {two.remembering:.3f}"
    )
    return steady and small, evidence


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
