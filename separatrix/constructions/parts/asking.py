"""What a reader asks with: the address of another place than its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import torch

from separatrix.constructions.assembler import Assembler, Named
from separatrix.constructions.forms import Form
from separatrix.constructions.parts.addresses import Lookup


def ask(net: Assembler, slot: str, T: Lookup, named: Named) -> Form:
    """A slot that holds what a reader asks with: the address, or (2p, -1) for the quadratic one."""
    form = net.place(slot, named, T.asked_weight())
    if T.address == "quadratic":
        net.token(slot, torch.tensor([[0.0, -1.0]], dtype=torch.float64).repeat(net.plain + (net.numbers > 0), 1))
    return form


def folded(named: Named, period: int) -> Named:
    """The address of ((i - 1) mod period) + 1."""
    return Named(replace(named.config, fold=period), named.stored)


def before(named: Named, distance: int = 1) -> Named:
    """The address of i - distance."""
    return Named(replace(named.config, shift=distance), named.stored)


def pointing(named: Named, places: Sequence[int]) -> Named:
    """The address of the place that each position points to, as stored weights."""
    return Named(replace(named.config, pointers=len(places)), named.stored, torch.tensor(places, dtype=torch.int64))
