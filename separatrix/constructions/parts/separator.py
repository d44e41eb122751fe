"""Counting from a separator: every token learns its distance from the separator, wherever that is.

Notation   t      place of a token                 t_#   place of the separator, which every later token reads by attention
           d      t - t_#                          gap   of the logits: keys that far below get weight 0

One head looks for the separator and reads its place; before the separator it reads an average of places and the flag `seen` is 0.
The place i is (i, i^2) in the stream, so that the query for place p, (2p, -1), is a linear form of t and t_#: with binary digits the
difference would need a carry. Both heads are so sharp that integers are read exactly.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from separatrix.arithmetic import Format
from separatrix.constructions.assembler import Assembler, Attention
from separatrix.constructions.forms import Form, stack
from separatrix.constructions.gadgets import conjunction, constant, identity
from separatrix.constructions.number_limits import refuse_large_embedding
from separatrix.constructions.parts.addresses import Lookup, lookup
from separatrix.constructions.parts.softmax_reads import vanishing_gap
from separatrix.constructions.parts.symbol_codes import sign_code


@dataclass(frozen=True)
class Counted:
    """The forms of the stream that a token has after the layer."""

    symbol: Form  # rho(s) as -1, +1; 0 at the separator
    place: Form  # (t, t^2)
    d: Form
    one: Form
    behind: Form  # 1 after the separator, 0 at it and before it
    gap: float

    def asks(self, T: Lookup, p: Form) -> Form:
        """The query for place p, against the keys `place`."""
        return T.eta * stack(2 * p, -self.one)


def count_from_separator(net: Assembler, symbols: int, format: Format, attention: Attention = "softmax") -> Counted:
    """One layer, for tokens 0 .. symbols - 1 and the separator `symbols`; two heads, or one with a residual connection."""
    gap, T = sharp_lookup(net.length, format)

    symbol = net.token("symbol", sign_code(symbols))  # the separator has 0 there
    apart = net.token("separator", (np.arange(symbols + 1) == symbols).astype(np.float64)[:, None])
    one = net.token("one", np.ones((symbols + 1, 1)))
    place = net.place("place", T.weights)

    layer = net.layer(attention=attention)
    separator = layer.attend("separator", query=gap * one, key=apart, value=stack(place[0], apart), into="separator place")  # t_#, seen
    if net.residual:
        behind = layer.write("behind", conjunction([separator[1], 1 - apart]))
        return Counted(symbol, place, place[0] - separator[0], one, behind, gap)
    own = T.eta * stack(2 * place[0], -one)
    itself = layer.attend("self", query=own, key=place, value=stack(symbol, place, apart), into="itself")
    b = symbol.rows
    return Counted(
        symbol=layer.write("symbol", identity(itself[:b])),
        place=layer.write("place", identity(itself[b : b + 2])),
        d=layer.write("distance", identity(itself[b] - separator[0])),
        one=layer.write("one", constant(1.0)),
        behind=layer.write("behind", conjunction([separator[1], 1 - itself[b + 2]])),
        gap=gap,
    )


def sharp_lookup(n: int, format: Format) -> tuple[float, Lookup]:
    """A gap at which all other keys get weight 0, and an address that sharp for n places; refused if its logits do not fit."""
    gap = float(vanishing_gap(n, float(n * n), format))
    return gap, lookup("quadratic", n, format, extra=0, eta=gap)


def refuse_separator(n: int, format: Format, where: str) -> None:
    """What `count_from_separator` refuses for n tokens: sharp logits, and an embedding that float64 would round."""
    _, T = sharp_lookup(n, format)
    refuse_large_embedding(1 + T.embedded(n), format.fraction, format, where)
