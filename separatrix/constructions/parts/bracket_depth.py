"""The depth of every bracket by one causal layer, and any piecewise-linear function of it.

Notation   t    place, from 1           d    opening minus closing brackets up to t
           u    d/t, w = 1/t            G    what a wrong depth costs, eta  what a place back costs

Uniform attention averages +1 and -1 over the tokens so far: u. It averages what only the first token has: w. A gated unit is then

    relu(u - v w) t  =  relu(d - v)

so sums of such units are any piecewise-linear function of the depth, on one stream: d itself, its square on the integers 0 .. D, flags.

With them a head finds the latest opening bracket at depth q: the logit

    2 G q d_s - G d_s^2 - 4 G [s does not open] + eta s   =   G q^2 - G (d_s - q)^2 - 4 G [..] + eta s

is largest there. Among openings at one depth the later wins by 2 eta, since they are at least two places apart, and
G = 4 eta (N + 2) outweighs all places together.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from separatrix.arithmetic.format import Format
from separatrix.constructions.address_weights import AddressWeights
from separatrix.constructions.assembler import Assembler, Layer
from separatrix.constructions.forms import Array, Form, column, stack
from separatrix.constructions.gadgets import Gadget, Part
from separatrix.constructions.parts.softmax_reads import WIDE, roundoff
from separatrix.constructions.parts.symbol_codes import sign_code
from separatrix.errors import BadInput

ETA = 4.0
BLUR = 1 / 4  # how far rounding may move a logit


@dataclass(frozen=True, eq=False)
class Brackets:
    """A program that has read the depth of every bracket: its slots, and the square of depths up to D."""

    net: Assembler
    layer: Layer
    kind: Form  # the code of the type, +1 and -1
    opens: Form
    closes: Form
    one: Form
    place: Form
    means: Form  # (u, w)
    deepest: int  # D

    def function(self, name: str, pieces: Sequence[tuple[float, int, int]], high: float) -> Gadget:
        """The sum of coefficient relu(sign d - v) over pieces (coefficient, sign, v), between 0 and `high`."""
        signs, knots = ([piece[k] for piece in pieces] for k in (1, 2))
        matrix: Array = np.array([[float(sign), -float(v)] for sign, v in zip(signs, knots, strict=True)])
        part = Part(np.array([[piece[0] for piece in pieces]]), self.means.through(matrix), stack(*[self.place] * len(pieces)))
        return Gadget(name, (part,), np.zeros(1), (self.means, self.place), high=high)

    def depth(self) -> Form:
        """d, or 0 below the ground."""
        return self.layer.write("depth", self.function("depth", [(1.0, 1, 0)], float(self.net.length)))

    def square(self) -> Form:
        """d^2 for 0 <= d <= D."""
        pieces = [(1.0, 1, 0), *((2.0, 1, v) for v in range(1, self.deepest))]
        return self.layer.write("square", self.function("square", pieces, float(2 * self.deepest * self.net.length)))

    def latest(self, layer: Layer, q: Form, depth: Form, square: Form, into: str) -> Form:
        """The type of the latest opening bracket at depth q."""
        G = bracket_scale(self.net.length)
        query = stack(2 * G * q, self.one)
        key = stack(depth, -G * square - 4 * G * (self.one - self.opens) + ETA * self.place)
        share = bracket_share(self.net.length)
        return layer.attend(f"the latest opening bracket, {into}", query=query, key=key, value=self.kind, into=into, share=share)


def read_depths(types: int, targets: int, tokens: int, deepest: int, arithmetic: str, ends: int = 0) -> Brackets:
    """The embedding, and a first layer whose feed-forward part is still to be written.

    The last `ends` ids are no brackets: they neither open nor close.
    """
    plain = 2 * types + ends
    net = Assembler(plain=plain, targets=targets, length=tokens, arithmetic=arithmetic, residual=True, causal=True, activation="reglu")
    code, half = sign_code(types), [1.0] * types
    kind = net.token("kind", np.concatenate([code, code]))
    opens, closes = net.token("opens", column(*half, *[0.0] * types)), net.token("closes", column(*[0.0] * types, *half))
    one = net.token("one", column(*[1.0] * plain))
    place = net.place("place", AddressWeights("quadratic", 2), column(1.0, 0.0))
    first = net.place("first", AddressWeights("one-hot", 1))  # 1 at the first token alone
    layer = net.layer(attention="uniform")
    means = layer.attend("depth, over the places so far", value=stack(opens - closes, first), into="means")
    return Brackets(net, layer, kind, opens, closes, one, place, means, deepest)


def bracket_scale(N: int) -> float:
    """G = 4 eta (N + 2)."""
    return 4 * ETA * (N + 2)


def bracket_share(N: int) -> float:
    """The least weight on the bracket that is looked for, if rounding moves no logit by more than BLUR."""
    others = sum(math.exp(-2 * ETA * j) for j in range(1, 10)) + N * math.exp(-(bracket_scale(N) - ETA * N))
    return 1 / (1 + math.exp(2 * BLUR) * others)


def refuse_blurred(N: int, deepest: int, format: Format, name: str) -> None:
    """Refuse numbers in which a logit may move by more than BLUR.

    A mean of N signs is off by N + 9 roundings, so a depth by three times N (N + 9) of them, its square by 2 D times as much.
    """
    depth = 3 * N * (N + 9) * roundoff(format)
    off = bracket_scale(N) * (4 * (deepest + 1) * depth + 16 * (deepest + 1) ** 2 * roundoff(format))
    if format.name not in WIDE or off > BLUR:
        raise BadInput(
            f"{name}: {format.name} moves the logits of {N} brackets by up to {off:.3g}, more than {BLUR}, or has no softmax for it"
        )
