"""An induction head: the label that followed the key nearest to the last one, in two attention layers.

[bhattamishra2024 Theorem 7; corrected construction]

Notation   x_i, y_i  keys and their labels, x_1 y_1 x_2 y_2 ..   B      norm of every x_i, at most 1
           eps       weight of layer 1 off its place             eta    inverse temperature of layer 2, an integer: eta x is exact
           gamma B^2 how far the nearest key leads in <x, x'>    lead   what copying and rounding leave of gamma B^2

Layer 1: each token reads the token before it, so a label holds a copy of its key; a further head brings the token's own features along.
Layer 2: a key asks with itself, only labels answer, and the label whose copy is nearest has 9/10 of the weight. The key's own token is
not a label, so nothing has to suppress it: that is why the width does not depend on gamma. A causal mask only removes later tokens,
so every key of a stream is answered in one pass.

Where a key may be absent, every token that is not a label says `none`, gamma B^2 / 2 below an exact match and as much above any other: the
first layer clears what such tokens have copied, so that they all score alike.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from separatrix.arithmetic import Format, parse_format
from separatrix.bits import bits_for
from separatrix.certificates.construction import Sizes
from separatrix.constructions.assembler import Assembler, Layer, refuse_beyond_tolerance
from separatrix.constructions.forms import Array, Form, stack
from separatrix.constructions.gadgets import constant, identity, sign, step
from separatrix.constructions.number_limits import (
    fractional_bits,
    largest_number,
    next_representable,
    refuse_large_embedding,
    refuse_off_grid,
    representable,
)
from separatrix.constructions.parts.addresses import Address, Lookup, lookup
from separatrix.constructions.parts.softmax_reads import accumulated, reads_past, roundoff
from separatrix.constructions.parts.symbol_codes import sign_code
from separatrix.errors import BadInput
from separatrix.tasks.alternating import Alternating

if TYPE_CHECKING:
    from separatrix.certificates.built import Trace

BAR = 4.0  # <x, x'> >= -B^2 at the nearest label and <= B^2 at a key, and gamma <= 2: keys stay 2 B^2 + gamma B^2 <= 4 behind


@dataclass(frozen=True, eq=False)
class Keys:
    """Vectors that differ only in signs: the magnitudes of their coordinates, and the lead of the nearest key in <x, x'>.

    Integers are scaled by a power of two to a norm in (1/2, 1]: they stay exact, unlike unit vectors.
    """

    integers: tuple[int, ...]  # w_1 .. w_d before scaling
    lead: int  # of the nearest key in inner products of the integers

    @property
    def scale(self) -> float:
        """2^-s with 2^s >= sqrt(w_1^2 + .. + w_d^2)."""
        return 2.0 ** -math.ceil(math.log2(sum(w * w for w in self.integers)) / 2)

    @property
    def magnitudes(self) -> Array:
        """|x_1| .. |x_d|."""
        return np.array(self.integers) * self.scale

    @property
    def norm(self) -> float:
        """B, the norm of the scaled integers."""
        return math.sqrt(sum(w * w for w in self.integers)) * self.scale

    @property
    def margin(self) -> float:
        """gamma B^2, the scaled lead."""
        return self.lead * self.scale**2

    @property
    def between(self) -> float:
        """B^2 - gamma B^2 / 2, halfway from a match to the nearest other key; on the dot."""
        return (sum(w * w for w in self.integers) - self.lead / 2) * self.scale**2


@dataclass(frozen=True)
class Comparison:
    """Layer 2: its inverse temperature, and the least weight on the label whose key is nearest."""

    eta: float
    share: float
    lead: float
    magnitude: float  # largest logit


def induction_head(
    task: Alternating, keys: Keys, x: Array, tokens: int, address: Address, residual: bool, arithmetic: str, absent: bool = False
) -> tuple[Assembler, dict[str, float]]:
    """The program, and the constants of its proof. `x` [keys, d] are the vectors themselves; the last target is `none` where absent."""
    T, compare = both_layers(task.name, keys, tokens, address, parse_format(arithmetic), absent)
    net = Assembler(plain=task.vocabulary, targets=task.targets, length=tokens, arithmetic=arithmetic, residual=residual, causal=True)

    rho = sign_code(task.targets)
    silent = rho[-1:] if absent else np.zeros((1, rho.shape[1]))  # what a token says that is not a label
    rest = task.vocabulary - task.keys - task.targets  # filler is like a silent key
    key = net.token("x", x)  # a key is [x | 0 | 0 | K(t) | Q(t) | Q(t - 1)], a label [0 | rho(y) | 1 | K(t) | Q(t) | Q(t - 1)]
    label = net.token("y", np.concatenate([np.repeat(silent, task.keys, axis=0), rho, np.repeat(silent, rest, axis=0)]))
    flag = net.token("label", np.concatenate([np.zeros((task.keys, 1)), np.ones((task.targets, 1))]))
    place = net.place("place", T.weights)
    own = None if residual else T.ask(net, "own", T.weights)
    previous = T.ask(net, "previous", T.weights.before())
    one = net.token("one", np.ones((task.vocabulary, 1))) if residual else None

    first = net.layer()
    copy = first.attend("previous", query=T.query(previous), key=T.key(place), value=key, into="before", share=T.share)
    if own is not None:
        itself = first.attend("self", query=T.query(own), key=T.key(place), value=stack(key, label, flag), into="itself", share=T.share)
        d, b = key.rows, label.rows
        copy = _of_labels(first, copy, keys.scale, itself[d + b :]) if absent else first.write("before", identity(copy))
        key = first.write("x", identity(itself[:d]))
        label = first.write("y", sign(itself[d : d + b]))  # of a label; a key has a 0 here, and is hardly read
        flag = first.write("label", step(itself[d + b :]))
        one = first.write("one", constant(1.0))
    assert one is not None

    second = net.layer()
    between = keys.between
    z = second.attend(
        "nearest",
        query=compare.eta * stack(key, one),
        key=stack(
            copy, between * one - between * flag if absent else BAR * flag - BAR * one
        ),  # <x, x'> at labels, at most that - 4 at keys
        value=label,
        into="read",
        share=compare.share,
    )
    bits = second.write("answer", sign(z))
    net.read_out(rho, bits, np.zeros(task.targets))  # b - 2 hamming: the right label wins by 2
    facts = {
        "eta": T.eta,
        "magnitude": T.magnitude,
        "share": T.share,
        "eta of layer 2": compare.eta,
        "magnitude of layer 2": compare.magnitude,
    }
    return net, facts | {"share of layer 2": compare.share, "margin": keys.margin, "lead": compare.lead}


def _of_labels(layer: Layer, copy: Form, scale: float, flag: Form) -> Form:
    """The copies at labels, on the dot, and 0 elsewhere: the signs of a vector whose coordinates all have one size."""
    lifted = 2 * stack(*[flag] * copy.rows) - 1.5
    return scale * (layer.write("plus", step(copy * (1 / scale) + lifted)) - layer.write("minus", step(lifted - copy * (1 / scale))))


def induction_sizes(
    name: str, keys: Keys, labels: int, tokens: int, address: Address, residual: bool, arithmetic: str, absent: bool = False
) -> Sizes:
    """d + b + 1 numbers of a token and three addresses, or two vectors, a label, its flag and a constant; with a residual all slots."""
    format, d, b = parse_format(arithmetic), len(keys.integers), bits_for(labels + absent)
    T, compare = both_layers(name, keys, tokens, address, format, absent)
    if absent and residual:
        raise BadInput(f"{name}: absent keys are built without a residual connection, found residual = true")
    refuse_beyond_tolerance(f"{name}, layer 2: sign", 2 * (1 - compare.share), 0.5)  # signs of a label are -1 and 1
    refuse_off_grid((T.eta, T.largest_query_weight, compare.eta, BAR, *(() if residual else (1.5,))), format, name)
    queries = 1 if residual else 2
    refuse_large_embedding(1 + T.embedded(tokens) + queries * T.embedded(tokens, T.largest_query_weight), format.fraction, format, name)
    width = 2 * d + 3 * b + 2 + 2 * T.dims if residual else max(d + b + 1 + 3 * T.dims, (3 if absent else 2) * d + b + 2)
    value_width = max(d, b) if residual else d + b + 1
    return Sizes(layers=2, heads=1 if residual else 2, width=width, value_width=value_width, precision_bits=format.bits)


def both_layers(name: str, keys: Keys, tokens: int, address: Address, format: Format, absent: bool = False) -> tuple[Lookup, Comparison]:
    """The address of layer 1 and the comparison of layer 2; refused if the format cannot hold them."""
    if not representable(keys.magnitudes, format):
        finest = fractional_bits(keys.magnitudes)
        raise BadInput(f"{name}: the vectors have coordinates in multiples of 2^-{finest}, which are not representable in {format.name}")
    eps = 0.0 if format.exact else keys.margin / keys.norm**2 / 32  # an exact format copies exactly
    T = lookup(address, tokens, format, 1 - eps, extra=0)
    return T, comparison(name, keys.margin / (2 if absent else 1), keys.norm, len(keys.integers), T, tokens, format)


def comparison(name: str, margin: float, B: float, d: int, T: Lookup, tokens: int, format: Format) -> Comparison:
    """The least integer eta that puts 9/10 of layer 2 on the nearest label; refused if rounding uses up the margin or logits do not fit."""
    off = B * (2 * (1 - T.share) + 2 * roundoff(format))  # |copy - x| <= 2 eps B, and the same for a token's copy of itself
    rounding = accumulated(format, d + 1) * (B + off) ** 2  # of one logit, in units of eta
    lead = margin - 2 * (2 * off * B + off**2) - 2 * rounding  # two logits, each of two vectors that are off
    if lead <= 0:
        raise BadInput(
            f"{name}: a margin of {margin:.4g} in <x, x'> is lost in {format.name}, whose rounding may change it by {margin - lead:.4g}"
        )
    floor = 2.0**-format.fraction if format.exact else 0.0  # an exact format stores the logits rounded
    eta = next_representable(math.ceil((math.log(9 * (tokens + 1)) + floor) / lead), format)
    magnitude = eta * (BAR + (B + off) ** 2)
    if magnitude > largest_number(format):
        raise BadInput(f"{name}: logits of layer 2 reach {magnitude:.4g}, more than {format.name} holds")
    return Comparison(float(eta), reads_past(eta * lead - floor, tokens - 1, format).share, lead, magnitude)


def read_by_last(trace: Trace, keys: int) -> tuple[int, float]:
    """The pair that the last key reads in layer 2, counted from 1 by the keys, and its weight."""
    weights = trace.attention[1][0, 0]
    place = int(weights.argmax())
    return sum(token < keys for token in trace.tokens[: place + 1]), float(weights[place])
