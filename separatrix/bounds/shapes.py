"""How many numbers cross between two tokens in a layer of each named architecture, by its width; and so the least width for a task.

[bhattamishra2024 Remark 2]

Notation   d  width of the stream      p  bits of a number      H  heads that share the width    3  inputs that a convolution keeps

    matrix states   linear attention d^2 / H + d (its normaliser), retention 2 d^2 / H, DeltaNet d^2 / H + 9 d, DeltaProduct d^2 / H, which
                    has no convolution: width ~ sqrt(bits / p)
    wide vectors    Mamba 2 d (16 + 3), Mamba-2 2 d (64 + 3) + 3 * 128, DSS 64 complex numbers a channel: width ~ bits / p, but less
    vectors         Elman, GRU, rank-one transitions and PD d, LSTM 2 d

A task that needs B bits of state needs layers x numbers(d) x p >= B: every number of the state counts, also those that a construction
leaves unused. This is about the shapes that are trained by name; heads of other sizes hold at most d^2 with one head. A linear RNN has as
many registers as one likes beside a stream of any width, so its construction says nothing about d.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from separatrix.architectures import Architecture
from separatrix.errors import BadInput

HEADS, STATE, STATE2, WAVES, KEPT = 4, 16, 64, 64, 3  # as trained by name
WIDEST = 1 << 60


@dataclass(frozen=True)
class Shape:
    """The numbers of state in one layer, from its width and its heads; and by which power of the bits the least width grows."""

    numbers: Callable[[int, int], int]
    growth: float  # 1/2 for a matrix, 1 for a vector
    formula: str
    shares: bool = True  # whether heads share the width, which they must divide


SHAPES: Mapping[Architecture, Shape] = {
    Architecture.LINEAR_ATTENTION: Shape(lambda d, H: d * d // H + d, 0.5, "d^2 / H + d"),
    Architecture.RETNET: Shape(lambda d, H: 2 * d * d // H, 0.5, "2 d^2 / H"),
    Architecture.DELTANET: Shape(lambda d, H: d * d // H + 3 * KEPT * d, 0.5, "d^2 / H + 9 d"),
    Architecture.GATED_DELTANET: Shape(lambda d, H: d * d // H + 3 * KEPT * d, 0.5, "d^2 / H + 9 d"),
    Architecture.DELTAPRODUCT: Shape(lambda d, H: d * d // H, 0.5, "d^2 / H"),
    Architecture.MAMBA: Shape(lambda d, _: 2 * d * (STATE + KEPT), 1.0, "38 d", shares=False),
    Architecture.MAMBA2: Shape(lambda d, _: 2 * d * (STATE2 + KEPT) + 2 * STATE2 * KEPT, 1.0, "134 d + 384", shares=False),
    Architecture.DSS: Shape(lambda d, _: 2 * d * WAVES, 1.0, "128 d", shares=False),
    Architecture.ELMAN: Shape(lambda d, _: d, 1.0, "d", shares=False),
    Architecture.GRU: Shape(lambda d, _: d, 1.0, "d", shares=False),
    Architecture.LSTM: Shape(lambda d, _: 2 * d, 1.0, "2 d", shares=False),
    Architecture.RANK_ONE: Shape(lambda d, _: d, 1.0, "d", shares=False),
    Architecture.PD: Shape(lambda d, _: d, 1.0, "d", shares=False),
}


def shape_of(architecture: Architecture) -> Shape:
    """The shape of an architecture; refuses one whose state has none here."""
    if architecture not in SHAPES:
        raise BadInput(f"no formula for the state of {architecture}: expected one of {', '.join(SHAPES)}")
    return SHAPES[architecture]


def state_numbers(architecture: Architecture, width: int, layers: int = 1, heads: int = HEADS) -> int:
    """The numbers that cross between two tokens."""
    shape = shape_of(architecture)
    for what, value in (("width", width), ("layers", layers), ("heads", heads)):
        if value < 1:
            raise BadInput(f"{architecture}: {what} must be at least 1, found {value}")
    if shape.shares and width % heads:
        raise BadInput(f"{architecture}: width {width} is not divisible by heads {heads}")
    return layers * shape.numbers(width, heads)


def least_width(architecture: Architecture, bits: int, precision: int, layers: int = 1, heads: int = HEADS) -> int:
    """The least width at which the state has so many bits, in numbers of `precision` bits; a multiple of the heads that share it."""
    if bits < 0 or precision < 1:
        raise BadInput(f"{architecture}: expected bits of at least 0 and a precision of at least 1, found {bits} and {precision}")
    step = heads if shape_of(architecture).shares else 1
    low, high = 0, 1
    while state_numbers(architecture, high * step, layers, heads) * precision < bits:
        low, high = high, 2 * high
        if high > WIDEST:
            raise BadInput(f"{architecture}: no width up to {WIDEST} holds {bits} bits")
    while high - low > 1:
        middle = (low + high) // 2
        enough = state_numbers(architecture, middle * step, layers, heads) * precision >= bits
        low, high = (low, middle) if enough else (middle, high)
    return high * step
