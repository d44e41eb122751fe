"""Any star-free language in a selective RNN with positive gates: one number of state and one layer for each coordinate of a cascade.

Notation   v   the values 1 .. m of a coordinate, where the cascade counts from 0        eps   2^-f, a digit further right

There is no convolution that remembers the token before, and a layer sees what is below after the token. So a number holds two digits:

    h = v + eps v'           the value of the coordinate, and the one before its last reset
    keep     gate 1          h stays
    reset    gate eps        h <- eps h + w: v becomes the second digit, and what was there is rounded off

The feed-forward part knows from e whether the token reset it: the value before the token is v' then, and v else. For each e a digit y is
affine in h, and min(max(2 (y - j) + 1, 0), 1) says whether it is at least j. In `fixed:p,f` a product is rounded down, so that
eps^2 v' < eps is gone; in floats it is less than half of the last bit of w.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from separatrix.architectures import Architecture
from separatrix.arithmetic.format import parse_format
from separatrix.certificates.construction import Construction, Sizes
from separatrix.constructions.languages.cascade_stream import (
    MOST,
    Array,
    CascadeStream,
    LanguageTask,
    answers_of,
    automaton_read,
    cascade_of,
    recognising,
    tracking,
)
from separatrix.errors import BadInput
from separatrix.models.config import FeedForwardConfig, LayerConfig
from separatrix.tasks.regular import Regular

if TYPE_CHECKING:
    from separatrix.certificates.built import Built
    from separatrix.models.mixers.selective_rnn import Gates

Tensors = dict[str, Array]
NATIVE = {"float32": 14, "float64": 28}  # digits of eps: two of them are more than a significand holds, two and a small number less
BY = "selective-rnn-positive"


def selective_rnn(task: LanguageTask, arithmetic: str = "fixed:16,4") -> Built:
    """The weights, right at every prefix and at the end symbol."""
    stream = _stream(task)
    f = _digits(stream, arithmetic)
    parts = [(_register(stream, level, f), _reader(stream, level, f)) for level in stream.levels]
    return one_number_a_layer(task, BY, stream, "positive", parts, arithmetic)


def one_number_a_layer(
    task: LanguageTask, by: str, stream: CascadeStream, gates: Gates, parts: Sequence[tuple[Tensors, Tensors]], arithmetic: str
) -> Built:
    """A model of these layers: for each level of the cascade a register, and the feed-forward part that reads it."""
    from separatrix.models.mixers.selective_rnn import SelectiveRnnConfig

    tensors: Tensors = {}
    layers = []
    for level, (register, reader) in zip(stream.levels, parts, strict=True):
        named = {"mixer": register, "feedforward": reader}
        tensors |= {f"layers.{level}.{part}.{name}": tensor for part, some in named.items() for name, tensor in some.items()}
        layers.append(LayerConfig(SelectiveRnnConfig(1, gates), FeedForwardConfig(len(reader["inner"])), residual=True))
    model = stream.model(layers, tensors, [answers_of(task)], arithmetic, task.token_count, by)
    return recognising(task, model, by, one_number_sizes(stream, arithmetic), arithmetic)


def one_number_sizes(stream: CascadeStream, arithmetic: str) -> Sizes:
    """One layer and one number of state for each level."""
    K, bits = len(stream.levels), parse_format(arithmetic).bits
    return Sizes(layers=K, heads=0, width=stream.width, precision_bits=bits, state_bits=K * bits)


def refuse_wide(stream: CascadeStream, name: str) -> CascadeStream:
    """The stream, unless it is too wide to be built."""
    if stream.width > MOST:
        raise BadInput(f"{name}: the language needs a stream of {stream.width} numbers, at most {MOST} are built")
    return stream


def _register(stream: CascadeStream, level: int, f: int) -> dict[str, Array]:
    """h of one coordinate, written to the number of the stream that belongs to the level."""
    gate, drive, out = np.zeros((1, stream.width)), np.zeros((1, stream.width)), np.zeros((stream.width, 1))
    for place, reset in stream.resets(level).items():
        gate[0, place] = 1.0 if reset is None else 2.0**-f
        drive[0, place] = 0.0 if reset is None else reset + 1
    out[stream.more[level]] = 1.0
    initial = np.array([stream.coordinate(level).initial + 1.0])
    return {"gate": gate, "gate_bias": np.zeros(1), "drive": drive, "drive_bias": np.zeros(1), "initial": initial, "out": out}


def _reader(stream: CascadeStream, level: int, f: int) -> dict[str, Array]:
    """For each e: the number 1 if it is there, and for each j > 0 two units whose difference is 1 if the digit is at least j."""
    values, resets = stream.coordinate(level).values, stream.resets(level)
    pairs = {(e, i): above for e, i, above in stream.pairs(level)}
    inner, bias, outer = [], [], []
    for e, reset in resets.items():
        digit = 0 if reset is None else f
        scale, off = 2.0**digit, 2.0 ** _range(values, digit)
        shift = -1.0 if reset is None else -(reset + 1) * scale - 1  # y = scale h + shift
        for j in range(values):
            for unit in (0,) if j == 0 else (1, 0):
                row, column = np.zeros(stream.width), np.zeros(stream.width)
                row[e] = 1.0 if j == 0 else off  # shut unless e is there
                row[stream.more[level]] = 0.0 if j == 0 else 2 * scale
                sign = 1.0 if unit or j == 0 else -1.0
                for i, share in ((j, sign), (j - 1, -sign)):  # at least j: it is no longer j - 1
                    if (e, i) in pairs:
                        column[pairs[e, i]] = share
                inner.append(row)
                bias.append(0.0 if j == 0 else 2 * (shift - j) + unit - off)
                outer.append(column)
    return {"inner": np.array(inner), "inner_bias": np.array(bias), "outer": np.array(outer).T, "outer_bias": np.zeros(stream.width)}


def _range(values: int, f: int) -> int:
    """2^r is more than twice anything that y is, where its scale is 2^f."""
    return f + 2 + values.bit_length()


def _stream(task: LanguageTask) -> CascadeStream:
    return refuse_wide(CascadeStream(cascade_of(automaton_read(task)), lambda _, __: 1), f"{task.name}/{BY}")


def _digits(stream: CascadeStream, arithmetic: str) -> int:
    """f of eps, or a refusal of a format that has no room for two digits."""
    format, values = parse_format(arithmetic), max(stream.coordinate(level).values for level in stream.levels)
    f = NATIVE.get(arithmetic, format.fraction)
    if format.kind not in ("fixed", "native") or f == 0:
        raise BadInput(f"{REGULAR_SELECTIVE.name}: expected fixed:p,f, float32 or float64, found {arithmetic}")
    if values.bit_length() > (f if format.kind == "fixed" else 8) or (format.kind == "fixed" and format.integer_bits <= _range(values, f)):
        least = values.bit_length()
        raise BadInput(
            f"{REGULAR_SELECTIVE.name}: a coordinate has {values} values: expected at least "
            f"fixed:{2 + least + _range(values, least)},{least}, found {arithmetic}"
        )
    return f


def _sizes(task: LanguageTask, arithmetic: str) -> Sizes:
    stream = _stream(task)
    _digits(stream, arithmetic)
    return one_number_sizes(stream, arithmetic)


REGULAR_SELECTIVE = Construction(
    name="regular/selective-rnn-positive",
    computes=Regular,
    architecture=Architecture.ONE_TRANSITION,
    build=selective_rnn,
    formula=_sizes,
    quick=({"length": 40, "language": "(ab)*"}, {"length": 40, "language": "@flip-flop"}),
    defaults={"language": "(ab)*"},
)
TRACKING_SELECTIVE = tracking(REGULAR_SELECTIVE, BY, {"length": 40, "language": "(ab)*"})
