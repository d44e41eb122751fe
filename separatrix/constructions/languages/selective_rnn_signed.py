"""Languages whose groups are 2-groups in a selective RNN with signed gates: one number and one layer for each bit of a cascade of flips.

Notation   s    1 or -1, for the values 1 and 0 of a coordinate        eps   2^-f, a digit further right

As with positive gates (selective_rnn.py) a number holds two digits, because a layer sees what is below after the token:

    h = s + eps d           d is the sign before the last reset, or one less
    keep     gate 1         h stays
    flip     gate -1        h <- -h, which is exact in every format
    reset    gate eps       h <- eps h + s: the sign of h becomes the second digit, and what was there is rounded off

The feed-forward part knows from e what the token did: the value before it is the sign of h where it was kept, the other one where it was
flipped, and else the second digit. `fixed:p,f` rounds a product down, so that d may be one less than a sign: d is 1 or 0, or -1 or -2. In
floats eps^2 is less than half of the last bit of s.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from separatrix.architectures import Architecture
from separatrix.arithmetic.format import parse_format
from separatrix.certificates.construction import Construction, Sizes
from separatrix.constructions.languages.cascade_stream import Array, CascadeStream, LanguageTask, automaton_read, flips_of, tracking
from separatrix.constructions.languages.selective_rnn import NATIVE, one_number_a_layer, one_number_sizes, refuse_wide
from separatrix.errors import BadInput
from separatrix.tasks.languages.cascades import Change
from separatrix.tasks.languages.flips import FLIPPED, KEPT
from separatrix.tasks.regular import Regular

if TYPE_CHECKING:
    from separatrix.certificates.built import Built

ROOM = 4  # integer bits beyond f: a unit of the feed-forward part reaches 14 2^f
SIGNS = (-1.0, 1.0)
BY = "selective-rnn"


def selective_rnn(task: LanguageTask, arithmetic: str = "fixed:16,4") -> Built:
    """The weights, right at every prefix and at the end symbol."""
    stream, f = _stream(task), _digits(arithmetic)
    parts = [(_register(stream, level, f), _reader(stream, level, f)) for level in stream.levels]
    return one_number_a_layer(task, BY, stream, "signed", parts, arithmetic)


def _gate(change: Change, f: int) -> tuple[float, float]:
    """Gate and drive of a change."""
    if change == KEPT:
        return 1.0, 0.0
    return (-1.0, 0.0) if change == FLIPPED else (2.0**-f, SIGNS[change[0]])


def _register(stream: CascadeStream, level: int, f: int) -> dict[str, Array]:
    """h of one coordinate, written to the number of the stream that belongs to the level."""
    coordinate = stream.coordinate(level)
    gate, drive, out = np.zeros((1, stream.width)), np.zeros((1, stream.width)), np.zeros((stream.width, 1))
    for e, place in stream.places[level].items():
        gate[0, place], drive[0, place] = _gate(coordinate.changes[e], f)
    out[stream.more[level]] = 1.0
    initial = np.array([SIGNS[coordinate.initial]])
    return {"gate": gate, "gate_bias": np.zeros(1), "drive": drive, "drive_bias": np.zeros(1), "initial": initial, "out": out}


def _reader(stream: CascadeStream, level: int, f: int) -> dict[str, Array]:
    """For each e: the number 1 if it is there, and two units whose difference is 1 if the value before the token is 1."""
    coordinate, pairs = stream.coordinate(level), {(e, i): above for e, i, above in stream.pairs(level)}
    off = 2.0 ** (f + ROOM - 1)
    inner, bias, outer = [], [], []
    for seen, e in stream.places[level].items():
        gate, drive = _gate(coordinate.changes[seen], f)
        scale = gate if drive == 0 else 2.0**f
        shift = 0.0 if drive == 0 else 0.5 - drive * scale  # 2 y = 2 (scale h + shift) is at least 1 if the value is 1, and else at most -1
        for height, sign in ((None, 0.0), (0.0, 1.0), (1.0, -1.0)):  # e is there; relu(2 y) - relu(2 y - 1)
            row, column = np.zeros(stream.width), np.zeros(stream.width)
            row[e] = 1.0 if height is None else off  # shut unless e is there
            row[stream.more[level]] = 0.0 if height is None else 2 * scale
            for i, share in ((1, sign), (0, 1.0 if height is None else -sign)):
                if (e, i) in pairs:
                    column[pairs[e, i]] = share
            inner.append(row)
            bias.append(0.0 if height is None else 2 * shift - height - off)
            outer.append(column)
    return {"inner": np.array(inner), "inner_bias": np.array(bias), "outer": np.array(outer).T, "outer_bias": np.zeros(stream.width)}


def _stream(task: LanguageTask) -> CascadeStream:
    return refuse_wide(CascadeStream(flips_of(automaton_read(task)), lambda _, __: 1), f"{task.name}/{BY}")


def _digits(arithmetic: str) -> int:
    """f of eps, or a refusal of a format that has no room for two digits."""
    format = parse_format(arithmetic)
    f = NATIVE.get(arithmetic, format.fraction)
    if format.kind not in ("fixed", "native") or f < 2 or (format.kind == "fixed" and format.integer_bits < f + ROOM):
        raise BadInput(f"{REGULAR_SIGNED.name}: expected float32, float64 or at least fixed:9,2, found {arithmetic}")
    return f


def _sizes(task: LanguageTask, arithmetic: str) -> Sizes:
    _digits(arithmetic)
    return one_number_sizes(_stream(task), arithmetic)


REGULAR_SIGNED = Construction(
    name="regular/selective-rnn",
    computes=Regular,
    architecture=Architecture.ONE_TRANSITION,
    build=selective_rnn,
    formula=_sizes,
    quick=({"length": 40, "language": "@parity"}, {"length": 40, "language": "(ab|ba)*"}),
    defaults={"language": "@parity"},
)
TRACKING_SIGNED = tracking(REGULAR_SIGNED, BY, {"length": 40, "language": "@parity"})
