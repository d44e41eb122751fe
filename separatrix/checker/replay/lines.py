"""Lines: what a model computes from one number h of its state, where no ReLU changes its mind and nothing is rounded.

Over an interval of h every linear form of (h, constants) is a line, slope h + offset; a ReLU of a line that has one sign there is that
line, or 0. In an exact format an operator rounds nothing if all its results are multiples of its unit, and clamps nothing if both ends
lie in its range. So a few lines of rational numbers say what the model computes, bit for bit, on every h of the interval.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from separatrix.checker.models.description import Layer
from separatrix.checker.models.layer import under
from separatrix.checker.models.mixers import Weights
from separatrix.checker.models.model import Model
from separatrix.checker.numbers.exact import Grid
from separatrix.checker.numbers.values import Array
from separatrix.checker.replay.proof import Unproven


@dataclass(frozen=True)
class Interval:
    """The multiples of 2^-grain between two numbers."""

    low: Fraction
    high: Fraction
    grain: int

    def within(self, other: Interval) -> bool:
        """Whether it lies inside another, whatever the grains are."""
        return other.low <= self.low and self.high <= other.high


@dataclass(frozen=True)
class Lines:
    """Numbers side by side, each slope h + offset."""

    slopes: tuple[Fraction, ...]
    offsets: tuple[Fraction, ...]

    def at(self, h: Fraction) -> tuple[Fraction, ...]:
        """The numbers at one h."""
        return tuple(slope * h + offset for slope, offset in zip(self.slopes, self.offsets, strict=True))


def state() -> Lines:
    """h itself."""
    return Lines((Fraction(1),), (Fraction(0),))


def constants(ops: Grid, units: Array) -> Lines:
    """Numbers of the format, by their units."""
    return Lines((Fraction(0),) * len(units), tuple(Fraction(int(u), ops.scale) for u in units))


def beside(one: Lines, other: Lines) -> Lines:
    """All numbers of two, side by side."""
    return Lines(one.slopes + other.slopes, one.offsets + other.offsets)


def linear(ops: Grid, x: Lines, weight: Array, bias: Array | None, over: Interval, rounds: bool = False) -> Lines:
    """A linear form, which the format must hold as it is; if it `rounds`, only its range is asked for."""
    slopes, offsets = [], []
    for i, row in enumerate(weight):
        used = [(Fraction(int(w), ops.scale), s, o) for w, s, o in zip(row, x.slopes, x.offsets, strict=True) if w]
        slope = sum((w * s for w, s, _ in used), Fraction(0))
        offset = sum((w * o for w, _, o in used), Fraction(0)) + (0 if bias is None else Fraction(int(bias[i]), ops.scale))
        if not all(ops.low <= (slope * h + offset) * ops.scale <= ops.high for h in (over.low, over.high)):
            raise Unproven("the model", "a number may overflow")
        slopes.append(slope)
        offsets.append(offset)
    lines = Lines(tuple(slopes), tuple(offsets))
    return lines if rounds else held(ops, lines, over)


def held(ops: Grid, x: Lines, over: Interval) -> Lines:
    """The same numbers; refused if the format has to round one of them."""
    if not all(_held(ops, slope, offset, over) for slope, offset in zip(x.slopes, x.offsets, strict=True)):
        raise Unproven("the model", f"{ops.name} rounds a number that depends on the stack")
    return x


def _held(ops: Grid, slope: Fraction, offset: Fraction, over: Interval) -> bool:
    """Whether slope h + offset is a number of the format, but for its range, at every h of an interval."""
    if over.low == over.high:
        return ((slope * over.low + offset) * ops.scale).denominator == 1
    return (offset * ops.scale).denominator == 1 and (slope * Fraction(ops.scale, 1 << over.grain)).denominator == 1


def relu(x: Lines, over: Interval) -> Lines:
    """max(x, 0), where every number has one sign."""
    slopes, offsets = [], []
    for slope, offset in zip(x.slopes, x.offsets, strict=True):
        low, high = sorted((slope * over.low + offset, slope * over.high + offset))
        if low < 0 < high:
            raise Unproven("the model", "a ReLU turns on somewhere between two stacks with the same top")
        slopes.append(slope if low >= 0 and high > 0 else Fraction(0))
        offsets.append(offset if low >= 0 and high > 0 else Fraction(0))
    return Lines(tuple(slopes), tuple(offsets))


def shown(model: Model, ops: Grid, x: Lines, over: Interval) -> Lines:
    """The logits, from the stream after the recurrence: a feed-forward part of ReLUs, layers without a mixer, the read-out."""
    for number, layer in enumerate(model.description.layers):
        if layer.residual or layer.norm != "none" or (number and layer.mixer is not None):
            raise Unproven(f"layer {number + 1}", "expected one recurrence, and neither a residual connection nor a norm")
        x = _fed_forward(ops, layer, under(model.layers[number], "feedforward"), x, over)
    if model.description.readout.norm != "none":
        raise Unproven("the read-out", "expected no norm")
    return linear(ops, x, model.weights["readout.weight"], model.weights.get("readout.bias"), over)


def _fed_forward(ops: Grid, layer: Layer, w: Weights, x: Lines, over: Interval) -> Lines:
    if layer.feedforward is None:
        return x
    if layer.feedforward.activation != "relu":
        raise Unproven("the feed-forward part", "expected ReLUs")
    units = held(ops, relu(linear(ops, x, w["inner"], w.get("inner_bias"), over, rounds=True), over), over)  # what is off may be rounded
    return linear(ops, units, w["outer"], w.get("outer_bias"), over)
