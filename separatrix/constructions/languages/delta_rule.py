"""Any star-free language in DeltaNet and in gated DeltaNet, with beta at most 1, and with beta up to 2 languages whose groups are 2-groups.

Notation   f   what stood in the block e_k at the token before, or nothing at the first one
           M   a gain beyond which sigma(-M) is 0 in the format, and sigma(M) is 1        G   one beside which 1e-6 is nothing

A head has keys of one number, so that its key is 1 and S <- (1 - beta) S + beta v keeps v, or is reset to it. beta is not behind the
convolution, so the token before has to be in the stream:

    delay      beta = 1: S is v, which is f, by the second last tap
    register   beta = 1 where f resets, with v the value in one-hot, and beta = 0 where f keeps. Nothing before the first token resets to
               the initial value. A feed-forward part then makes the conjunction with the present e_k

One number of a head is on and all others are 0, so its norm makes it sqrt(values), whatever its size. Gated DeltaNet has the same weights,
with a decay of exp(0) = 1 and an open gate.

With negative eigenvalues beta = 2 sigma(.) is 1 where it is left at 2 sigma(0), and a coordinate with two values may also be flipped:

    register   beta = 2 where f flips, with v half of both values: S <- 2 v - S exchanges (M, 0) and (0, M)

A flip forgets nothing, and the checker knows of the key that it is nearly 1: it proves such a language at single lengths. Run token by
token the numbers stay on the dot where 1 / sqrt(4^k) is exact, as on a CPU.

Run token by token all are right at all lengths, since sigma(-M) is 0 in the floats of a machine: what is kept is kept bit by bit.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from separatrix.architectures import Architecture
from separatrix.certificates.construction import Construction, Sizes
from separatrix.constructions.languages.cascade_stream import (
    BITS,
    MOST,
    Array,
    CascadeStream,
    LanguageTask,
    answers_of,
    automaton_read,
    flips_of,
    recognising,
    stream_of,
    tracking,
)
from separatrix.constructions.languages.mamba import PREVIOUS, TAPS, M
from separatrix.constructions.languages.mamba2 import LAST
from separatrix.errors import BadInput
from separatrix.models.config import FeedForwardConfig, LayerConfig
from separatrix.tasks.languages.flips import FLIPPED
from separatrix.tasks.regular import Regular

if TYPE_CHECKING:
    from separatrix.certificates.built import Built
    from separatrix.models.mixers.delta_heads import DeltaConfig

G = 2.0**30


def deltanet(task: LanguageTask, arithmetic: str = "float64") -> Built:
    """The weights, right at every prefix and at the end symbol."""
    from separatrix.models.mixers.deltanet import DeltaNetConfig

    return _built(task, arithmetic, Architecture.DELTANET, DeltaNetConfig)


def deltanet_negative(task: LanguageTask, arithmetic: str = "float64") -> Built:
    """The automaton as a DeltaNet with negative eigenvalues, whose coordinates may also be flipped."""
    from separatrix.models.mixers.deltanet import DeltaNetConfig

    return _built(task, arithmetic, Architecture.DELTANET_NEGATIVE, DeltaNetConfig)


def gated_deltanet(task: LanguageTask, arithmetic: str = "float64") -> Built:
    """The automaton as a gated DeltaNet: the delta rule with a decay and an output gate besides."""
    from separatrix.models.mixers.gated_deltanet import GatedDeltaNetConfig

    return _built(task, arithmetic, Architecture.GATED_DELTANET, GatedDeltaNetConfig)


def _built(task: LanguageTask, arithmetic: str, by: Architecture, mixer: type[DeltaConfig]) -> Built:
    stream, gated, negative = _stream(task, arithmetic, by), by is Architecture.GATED_DELTANET, by is Architecture.DELTANET_NEGATIVE
    tensors: dict[str, Array] = {}
    layers: list[LayerConfig] = []
    for level in stream.levels:
        reader = _reader(stream, level)
        hidden = FeedForwardConfig(len(reader["inner"]))
        for part, after in ((_delay(stream, level, negative), None), (_register(stream, level, negative), hidden)):
            some = _opened(part, stream) if gated else part
            tensors |= {f"layers.{len(layers)}.mixer.{name}": tensor for name, tensor in some.items()}
            layers.append(LayerConfig(mixer(1, 1, len(part["norm.weight"]), TAPS, negative), after, residual=True))
        tensors |= {f"layers.{len(layers) - 1}.feedforward.{name}": tensor for name, tensor in reader.items()}
    model = stream.model(layers, tensors, [answers_of(task)], arithmetic, task.token_count, by)
    return recognising(task, model, by, _sizes(by, task, arithmetic), arithmetic)


def _delay(stream: CascadeStream, level: int, negative: bool) -> dict[str, Array]:
    """The block e_k of the token before, and one place more that is 1 if there was none."""
    here, before = [*stream.places[level].values()], [*range(stream.width)[stream.more[level]]][: len(stream.places[level]) + 1]
    into, taps, share = np.zeros((len(before), stream.width)), np.zeros((len(before), TAPS)), np.zeros((1, stream.width))
    into[:-1, here], taps[:, PREVIOUS] = np.eye(len(here)), M
    into[-1, stream.one], taps[-1, [PREVIOUS, LAST]] = 1.0, (-M, M)  # `one` is there now and was not before
    share[0, stream.one] = 0.0 if negative else M
    return _tensors(stream, into, taps, share, before)


def _register(stream: CascadeStream, level: int, negative: bool) -> dict[str, Array]:
    """The value before the present token in one-hot."""
    coordinate, (first, values) = stream.coordinate(level), _places(stream, level)
    into, taps, share = np.zeros((len(values), stream.width)), np.zeros((len(values), TAPS)), np.zeros((1, stream.width))
    resetting = 0.0 if negative else M
    taps[:, LAST], share[0, stream.one] = M, resetting
    resets = [*stream.resets(level).values(), coordinate.initial]  # of each place of f; the last is nothing
    flips = [*(negative and coordinate.changes[e] == FLIPPED for e in stream.places[level]), False]
    for f, (reset, flip) in enumerate(zip(resets, flips, strict=True), first):
        if flip:
            into[:, f], share[0, f] = 0.5, M
        elif reset is None:
            share[0, f] = -M - resetting
        else:
            into[reset, f] = 1.0
    return _tensors(stream, into, taps, share, values)


def _places(stream: CascadeStream, level: int) -> tuple[int, list[int]]:
    """Where f begins, and where the values of the coordinate stand."""
    more = range(stream.width)[stream.more[level]]
    return more[0], [*more[len(stream.places[level]) + 1 :]]


def _tensors(stream: CascadeStream, into: Array, taps: Array, share: Array, places: list[int]) -> dict[str, Array]:
    """One head with keys and queries of one number, which are 1."""
    keys, key_taps = np.zeros((2, stream.width)), np.zeros((2, TAPS))
    keys[:, stream.one], key_taps[:, LAST] = 1.0, G
    out = np.zeros((stream.width, len(places)))
    out[places, np.arange(len(places))] = len(places) ** -0.5
    return {
        "into": np.concatenate([keys, into]),
        "convolution.weight": np.concatenate([key_taps, taps]),
        "share": share,
        "norm.weight": np.ones(len(places)),
        "out": out,
    }


def _opened(part: dict[str, Array], stream: CascadeStream) -> dict[str, Array]:
    """The head of gated DeltaNet that does the same: silu(M) = M is undone by the output."""
    gate = np.zeros((len(part["norm.weight"]), stream.width))
    gate[:, stream.one] = M
    rate = {"rate": np.zeros((1, stream.width)), "rate_bias": np.full(1, -M), "decay": np.zeros(1), "gate": gate}
    return {**part, **rate, "out": part["out"] / M}


def _reader(stream: CascadeStream, level: int) -> dict[str, Array]:
    """(e, i) for each e and value i."""
    pairs, (_, values) = stream.pairs(level), _places(stream, level)
    inner, outer = np.zeros((len(pairs), stream.width)), np.zeros((stream.width, len(pairs)))
    for unit, (e, i, above) in enumerate(pairs):
        inner[unit, [e, values[i]]], outer[above, unit] = 2.0, 1.0
    return {"inner": inner, "inner_bias": np.full(len(pairs), -3.0), "outer": outer, "outer_bias": np.zeros(stream.width)}


def _stream(task: LanguageTask, arithmetic: str, by: str) -> CascadeStream:
    def more(stream: CascadeStream, level: int) -> int:
        return len(stream.seen[level]) + 1 + stream.coordinate(level).values

    if by != Architecture.DELTANET_NEGATIVE:
        return stream_of(task, arithmetic, by, more)
    if arithmetic not in BITS:
        raise BadInput(f"{task.name}/{by}: expected float32 or float64, found {arithmetic}")
    stream = CascadeStream(flips_of(automaton_read(task)), more)
    if stream.width > MOST:
        raise BadInput(f"{task.name}/{by}: the language needs a stream of {stream.width} numbers, at most {MOST} are built")
    return stream


def _sizes(by: str, task: LanguageTask, arithmetic: str) -> Sizes:
    stream, bits = _stream(task, arithmetic, by), BITS[arithmetic]
    values = [size for level in stream.levels for size in (len(stream.seen[level]) + 1, stream.coordinate(level).values)]
    numbers = sum(size + (TAPS - 1) * (size + 2) for size in values)
    return Sizes(layers=len(values), heads=1, width=stream.width, precision_bits=bits, state_bits=numbers * bits)


REGULAR_DELTANET = Construction(
    name="regular/deltanet",
    computes=Regular,
    architecture=Architecture.DELTANET,
    build=deltanet,
    formula=partial(_sizes, Architecture.DELTANET),
    quick=(
        {"length": 12, "language": "(ab)*"},
        {"length": 12, "language": "1*", "alphabet": "01"},  # `ones`
        {"length": 4, "language": "aabb"},  # `an-bn` at N = 4
    ),
    defaults={"language": "(ab)*"},
)
REGULAR_NEGATIVE = Construction(
    name="regular/deltanet-negative",
    computes=Regular,
    architecture=Architecture.DELTANET_NEGATIVE,
    build=deltanet_negative,
    formula=partial(_sizes, Architecture.DELTANET_NEGATIVE),
    quick=({"length": 12, "language": "@parity"}, {"length": 4, "language": "(.*c)?(b*ab*ab*ab*a)*b*"}),  # a modulo 4, since the last c
    defaults={"language": "@parity"},
)
REGULAR_GATED = Construction(
    name="regular/gated-deltanet",
    computes=Regular,
    architecture=Architecture.GATED_DELTANET,
    build=gated_deltanet,
    formula=partial(_sizes, Architecture.GATED_DELTANET),
    quick=(
        {"length": 12, "language": "@flip-flop"},
        {"length": 12, "language": "1*", "alphabet": "01"},  # `ones`
        {"length": 4, "language": "aabb"},  # `an-bn` at N = 4
    ),
    defaults={"language": "(ab)*"},
)
TRACKING_DELTANET = tracking(REGULAR_DELTANET, Architecture.DELTANET, {"length": 12, "language": "(ab)*"})
TRACKING_GATED = tracking(REGULAR_GATED, Architecture.GATED_DELTANET, {"length": 12, "language": "(ab)*"})
TRACKING_NEGATIVE = tracking(REGULAR_NEGATIVE, Architecture.DELTANET_NEGATIVE, {"length": 6, "language": "@parity"})
