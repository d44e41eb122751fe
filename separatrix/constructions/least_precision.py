"""The least precision that a construction needs, found by building; and a built model run in a number format it was not built for."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from separatrix.constructions import build
from separatrix.errors import BadInput

if TYPE_CHECKING:
    from separatrix.certificates.built import Built

WIDEST = 64


@dataclass(frozen=True)
class LeastPrecision:
    """fixed:p,f is the narrowest fixed point that holds the construction; every fixed:p-1,f' is refused."""

    p: int
    f: int
    built: Built


def least_fixed(name: str, **parameters: Any) -> LeastPrecision:
    """The least p, and for it the least f, such that fixed:p,f holds the construction."""
    for p in range(3, WIDEST + 1):
        for f in range(1, p - 1):
            try:
                return LeastPrecision(p, f, build(name, arithmetic=f"fixed:{p},{f}", **parameters))
            except BadInput:
                continue
    raise BadInput(f"{name}: no fixed point of up to {WIDEST} bits can hold it")


def carried_over(built: Built, name: str) -> Built:
    """These weights, each rounded to another number format and run in it: nothing is derived again, nothing is refused."""
    import torch

    from separatrix.arithmetic import arithmetic
    from separatrix.models.model import Model

    numbers = arithmetic(name)
    model = Model(replace(built.model.config, arithmetic=name)).double()
    model.load_state_dict(built.model.double().state_dict())
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(numbers.leave(numbers.enter(parameter.detach())))
    return replace(built, program=replace(built.program, model=model), claim=replace(built.claim, arithmetic=name))
