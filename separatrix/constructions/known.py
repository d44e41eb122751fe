"""What is known of a slot of the stream: where its true value lies, and how far the computed one may be off.

Every coordinate has an interval and an error of its own. Reals here are those of real arithmetic; what a number format adds is
allowed for where a head's share of attention is derived.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import torch
from torch import Tensor

from separatrix.constructions.forms import Form
from separatrix.constructions.gadgets import Gadget, Part
from separatrix.models.config import PlaceConfig


@dataclass(frozen=True)
class Known:
    """The true value lies in [low, high]; what is computed is off by at most `error`. One number for each coordinate."""

    low: Tensor
    high: Tensor
    error: Tensor

    def __add__(self, other: Known) -> Known:
        return Known(self.low + other.low, self.high + other.high, self.error + other.error)

    @property
    def size(self) -> Tensor:
        """The largest magnitude that may be computed."""
        return torch.maximum(self.low.abs(), self.high.abs()) + self.error

    @property
    def off(self) -> float:
        """The largest error of any coordinate."""
        return float(self.error.max()) if len(self.error) else 0.0


def exactly(low: Tensor, high: Tensor) -> Known:
    """Without error, between two bounds."""
    return Known(low, high, torch.zeros_like(low))


def between(low: float, high: float, width: int) -> Known:
    """Without error, every coordinate between the same bounds."""
    return exactly(torch.full((width,), low, dtype=torch.float64), torch.full((width,), high, dtype=torch.float64))


def of_form(form: Form, slots: Mapping[str, Known]) -> Known:
    """What is known of every row of a linear form."""
    low, high, error = form.constant.clone(), form.constant.clone(), torch.zeros_like(form.constant)
    for slot, matrix in form.terms.items():
        about, positive, negative = slots[slot], matrix.clamp(min=0), matrix.clamp(max=0)
        low = low + _dot(positive, about.low) + _dot(negative, about.high)
        high = high + _dot(positive, about.high) + _dot(negative, about.low)
        error = error + _dot(matrix.abs(), about.error)
    return Known(low, high, error)


def read_with(value: Known, leak: float) -> Known:
    """What a head reads whose weight off the intended place is at most `leak`: the rest is anything within the range."""
    return Known(value.low, value.high, value.error + _scaled(value.high - value.low + 2 * value.error, leak))


def logit_error(query: Known, key: Known) -> float:
    """How far a dot product may be off."""
    return float((_product(query.size, key.error) + _product(key.size, query.error)).sum())


def of_gadget(gadget: Gadget, slots: Mapping[str, Known]) -> Known:
    """What is known of a gadget's outputs: exact where its inputs are, or where they are off by no more than it tolerates."""
    parts = [_of_part(part, slots) for part in gadget.parts]
    total = exactly(gadget.constant, gadget.constant)
    for part in parts:
        total = total + part
    low = total.low if gadget.low is None else torch.full_like(gadget.constant, gadget.low)
    high = total.high if gadget.high is None else torch.full_like(gadget.constant, gadget.high)
    inputs = [of_form(form, slots) for form in gadget.inputs]
    if gadget.tolerance > 0 or not any(known.off for known in inputs):
        return exactly(low, high)
    error = total.error if gadget.slope is None else torch.full_like(low, gadget.slope * max(known.off for known in inputs))
    return Known(low, high, error)


def of_address(config: PlaceConfig, stored: Tensor | None, first: int, last: int, matrix: Tensor, everywhere: bool) -> Known:
    """What is known of an address of the integers first .. last through a matrix; 0 too, where not every token has it."""
    low, high = torch.full((config.dims,), -1.0, dtype=torch.float64), torch.full((config.dims,), 1.0, dtype=torch.float64)
    if config.address == "quadratic":
        least = 0 if first <= 0 <= last else min(first**2, last**2)
        low, high = torch.tensor([first, least], dtype=torch.float64), torch.tensor([last, max(first**2, last**2)], dtype=torch.float64)
    elif config.address == "table" and stored is not None:
        low, high = stored.amin(dim=0).to(torch.float64), stored.amax(dim=0).to(torch.float64)
    elif config.address == "one-hot":
        low = torch.zeros_like(low)
    positive, negative = matrix.T.clamp(min=0), matrix.T.clamp(max=0)
    low, high = positive @ low + negative @ high, positive @ high + negative @ low
    return exactly(low, high) if everywhere else exactly(low.clamp(max=0), high.clamp(min=0))


def _of_part(part: Part, slots: Mapping[str, Known]) -> Known:
    """matrix @ (relu(form) * gate)."""
    form = of_form(part.form, slots)
    unit = Known(form.low.clamp(min=0), form.high.clamp(min=0), form.error)
    if part.gate is not None:
        gate = of_form(part.gate, slots)
        ends = torch.stack(
            [_product(unit.low, gate.low), _product(unit.low, gate.high), _product(unit.high, gate.low), _product(unit.high, gate.high)]
        )
        unit = Known(ends.amin(dim=0), ends.amax(dim=0), _product(unit.size, gate.error) + _product(gate.size, unit.error))
    positive, negative = part.matrix.clamp(min=0), part.matrix.clamp(max=0)
    return Known(
        _dot(positive, unit.low) + _dot(negative, unit.high),
        _dot(positive, unit.high) + _dot(negative, unit.low),
        _dot(part.matrix.abs(), unit.error),
    )


def _dot(matrix: Tensor, vector: Tensor) -> Tensor:
    return _product(matrix, vector).sum(dim=1)


def _scaled(x: Tensor, factor: float) -> Tensor:
    return torch.zeros_like(x) if factor == 0 else x * factor


def _product(x: Tensor, y: Tensor) -> Tensor:
    """0 times infinity is 0 here: what is not read does not matter."""
    product = x * y
    return torch.where((x == 0) | (y == 0), torch.zeros_like(product), product)
