"""An induction head: the label that followed the key nearest to the last one, in two attention layers.

[bhattamishra2024 Theorem 7; corrected construction]

Notation   x_i, y_i  keys and their labels, x_1 y_1 x_2 y_2 ..   B      norm of every x_i, at most 1
           eps       weight of layer 1 off its place             eta    inverse temperature of layer 2, an integer: eta x is exact
           gamma B^2 how far the nearest key leads in <x, x'>    lead   what copying and rounding leave of gamma B^2

Layer 1: each token reads the token before it, so a label holds a copy of its key; a further head keeps the token's own features.
Layer 2: a key asks with itself, only labels answer, and the label whose copy is nearest has 9/10 of the weight. The key's own token is
no label, so nothing has to suppress it: that is why the width does not depend on gamma. A causal mask only removes what is not wanted,
so every key of a stream is answered in one pass.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor

from separatrix.arithmetic import Format, parse_format
from separatrix.arithmetic import arithmetic as operators
from separatrix.certificates.claim import Trace
from separatrix.constructions.assembler import Assembler
from separatrix.constructions.forms import stack
from separatrix.constructions.gadgets import constant, identity, sign, step
from separatrix.constructions.parts.addresses import Lookup, largest_number, lookup, representable
from separatrix.constructions.parts.asking import ask, before
from separatrix.constructions.parts.softmax_reads import accumulated, reads_past, roundoff
from separatrix.constructions.parts.symbol_codes import binary_code
from separatrix.errors import BadInput
from separatrix.tasks.alternating import Alternating

Address = Literal["binary", "quadratic", "code", "one-hot"]
BAR = 4.0  # <x, x'> >= -B^2 at the nearest label and <= B^2 at a key, and gamma <= 2: keys stay 2 B^2 + gamma B^2 <= 4 behind


@dataclass(frozen=True)
class Comparison:
    """Layer 2: its inverse temperature, and the least weight on the label whose key is nearest."""

    eta: float
    share: float
    lead: float
    magnitude: float  # largest logit


def induction_head(
    task: Alternating, x: Tensor, margin: float, tokens: int, address: Address, residual: bool, arithmetic: str
) -> tuple[Assembler, dict[str, float]]:
    """The program, and the constants of its proof. `x` [keys, d]; the nearest key leads by `margin` in <x, x'>."""
    format, B = parse_format(arithmetic), float(x.norm(dim=1).max())
    _refuse_off_format(task, x, format)
    eps = 0.0 if format.exact else margin / B**2 / 32  # an exact format copies exactly
    T = lookup(address, tokens, format, 1 - eps, extra=0)
    seen = comparison(task.name, margin, B, x.shape[1], T, tokens, format)
    net = Assembler(plain=task.vocabulary, targets=task.labels, length=tokens, arithmetic=arithmetic, residual=residual, causal=True)

    rho = 2 * binary_code(task.labels) - 1
    key = net.token("x", x)  # a key is [x | 0 | 0 | K(t) | Q(t) | Q(t - 1)], a label [0 | rho(y) | 1 | K(t) | Q(t) | Q(t - 1)]
    label = net.token("y", torch.cat([torch.zeros(task.keys, rho.shape[1], dtype=torch.float64), rho]))
    flag = net.token("label", (torch.arange(task.vocabulary) >= task.keys).to(torch.float64)[:, None])
    place = net.place("place", T.named)
    own = None if residual else ask(net, "own", T, T.named)
    previous = ask(net, "previous", T, before(T.named))
    one = net.token("one", torch.ones(task.vocabulary, 1, dtype=torch.float64)) if residual else None

    first = net.layer()
    copy = first.attend("previous", query=T.query(previous), key=T.key(place), value=key, into="before", share=T.share)
    if own is not None:
        kept = stack(key, label, flag)
        kept = first.attend("self", query=T.query(own), key=T.key(place), value=kept, into="kept", share=T.share)
        d, b = key.rows, label.rows
        copy = first.write("before", identity(copy))
        key = first.write("x", identity(kept[:d]))
        label = first.write("y", sign(kept[d : d + b]))  # of a label; a key has a 0 here, and what it becomes is hardly read
        flag = first.write("label", step(kept[d + b :]))
        one = first.write("one", constant(1.0))
    assert one is not None

    second = net.layer()
    z = second.attend(
        "nearest",
        query=seen.eta * stack(key, one),
        key=stack(copy, BAR * flag - BAR * one),  # <x, x'> at labels, at most <x, x'> - 4 at keys
        value=label,
        into="read",
        share=seen.share,
    )
    bits = second.write("answer", sign(z))
    net.read_out(rho, bits, torch.zeros(task.labels, dtype=torch.float64))  # b - 2 hamming: the right label wins by 2
    facts = {"eta": T.eta, "magnitude": T.magnitude, "share": T.share, "eta of layer 2": seen.eta, "magnitude of layer 2": seen.magnitude}
    return net, facts | {"share of layer 2": seen.share, "margin": margin, "lead": seen.lead}


def comparison(name: str, margin: float, B: float, d: int, T: Lookup, tokens: int, format: Format) -> Comparison:
    """The least integer eta that puts 9/10 of layer 2 on the nearest label; refused where nothing of the margin is left, or room for it."""
    off = B * (2 * (1 - T.share) + 2 * roundoff(format))  # |copy - x| <= 2 eps B, and the same for what a token keeps of itself
    rounding = accumulated(format, d + 1) * (B + off) ** 2  # of one logit, in units of eta
    lead = margin - 2 * (2 * off * B + off**2) - 2 * rounding  # two logits, each of two vectors that are off
    if lead <= 0:
        raise BadInput(
            f"{name}: a margin of {margin:.4g} in <x, x'> is lost in {format.name}, whose rounding may change it by {margin - lead:.4g}"
        )
    floor = 2.0**-format.fraction if format.exact else 0.0  # an exact format stores the logits rounded
    eta = representable(math.ceil((math.log(9 * (tokens + 1)) + floor) / lead), format)
    magnitude = eta * (BAR + (B + off) ** 2)
    if magnitude > largest_number(format):
        raise BadInput(f"{name}: logits of layer 2 reach {magnitude:.4g}, more than {format.name} has")
    return Comparison(float(eta), reads_past(eta * lead - floor, tokens - 1, format).share, lead, magnitude)


def _refuse_off_format(task: Alternating, x: Tensor, format: Format) -> None:
    """The vectors must be numbers of the format, or inner products would not be what the task says."""
    if not operators(format.name).on_grid(x):
        finest = next(s for s in range(64) if bool((x * 2.0**s == (x * 2.0**s).round()).all()))
        raise BadInput(f"{task.name}: the vectors have coordinates in multiples of 2^-{finest} that are no numbers of {format.name}")


def power_of_two_norm(vectors: Tensor) -> Tensor:
    """Integer vectors scaled by a power of two to norms at most 1: they stay exact, as unit vectors would not."""
    s = math.ceil(math.log2(float((vectors**2).sum(dim=1).max())) / 2)
    return vectors * 2.0**-s


def read_by_last(trace: Trace) -> tuple[int, float]:
    """Which pair the last key reads in layer 2, counted from 1, and with what weight."""
    weights = trace.attention[1][0, 0]
    place = int(weights.argmax())
    return place // 2 + 1, float(weights[place])
