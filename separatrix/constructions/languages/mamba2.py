"""Any star-free language in Mamba-2, two layers for each coordinate of a cascade that keeps or resets.

Notation   f     what stood in the block e_k at the token before, or nothing at the first one
           M     a gain beyond which exp(-M) is 0 in the format        one   a number of the stream that the norm makes 1

The step size of Mamba-2 is not behind the convolution, so the token before has to be in the stream:

    delay      no state is written (B = 0). u is f, by the second last tap, and reaches the stream through the skip connection
    register   step size softplus(M) = M where f resets: exp(-M) = 0 forgets, and u is written; softplus(-M) = 0 keeps. Nothing before the
               first token resets to the initial value. The gate silu(z) is M for the present e_k, so that channel (e, i) is a conjunction

In both one channel is on and all others are 0, so the norm of the head makes it sqrt(channels), whatever its size. Kept numbers are
multiplied by exp(0) = 1: a statement about floats, as for Mamba.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from separatrix.architectures import Architecture
from separatrix.certificates.construction import Construction, Sizes
from separatrix.constructions.languages.cascade_stream import (
    BITS,
    Array,
    CascadeStream,
    LanguageTask,
    answers_of,
    recognising,
    stream_of,
    tracking,
)
from separatrix.constructions.languages.mamba import PREVIOUS, TAPS, M
from separatrix.models.config import LayerConfig
from separatrix.tasks.regular import Regular

if TYPE_CHECKING:
    from separatrix.certificates.built import Built

BY = Architecture.MAMBA2.value
LAST = TAPS - 1  # the tap that sees the present token


def mamba2(task: LanguageTask, arithmetic: str = "float64") -> Built:
    """The weights, right at every prefix and at the end symbol."""
    from separatrix.models.mixers.mamba2 import Mamba2Config

    stream = _stream(task, arithmetic)
    tensors: dict[str, Array] = {}
    layers: list[LayerConfig] = []
    for level in stream.levels:
        for mixer in (_delay(stream, level), _register(stream, level)):
            tensors |= {f"layers.{len(layers)}.mixer.{name}": tensor for name, tensor in mixer.items()}
            tensors |= {f"layers.{len(layers)}.before_mixing.{name}": tensor for name, tensor in stream.norm(len(layers) + 1).items()}
            layers.append(LayerConfig(Mamba2Config(1, len(mixer["norm.weight"]), 1, 1, TAPS), residual=True, norm="layer"))
    tensors |= {f"readout.norm.{name}": tensor for name, tensor in stream.norm(len(layers) + 1).items()}
    model = stream.model(layers, tensors, [answers_of(task)], arithmetic, task.token_count, BY, "layer")
    return recognising(task, model, BY, _sizes(task, arithmetic), arithmetic)


def _delay(stream: CascadeStream, level: int) -> dict[str, Array]:
    """The block e_k of the token before, and one place more that is 1 if there was none."""
    here, before = [*stream.places[level].values()], [*range(stream.width)[stream.more[level]]]
    inner = len(before)
    into, gates, bias, out = np.zeros((inner, stream.width)), np.zeros((inner, stream.width)), np.full(inner, -M), _to(before, stream)
    into[:-1, here], into[-1, here], bias[-1] = np.eye(inner - 1), -1.0, M
    gates[:, stream.one] = M
    return _tensors(into, gates, bias, PREVIOUS, np.zeros(stream.width), 0.0, out)


def _register(stream: CascadeStream, level: int) -> dict[str, Array]:
    """A channel for each (e, i): the value i, driven by f, beside the present e."""
    pairs, initial = stream.pairs(level), stream.coordinate(level).initial
    before = stream.more[level].start
    resets = [*stream.resets(level).values(), initial]  # of each place of f; the last is nothing
    inner = len(pairs)
    into, gates, rate = np.zeros((inner, stream.width)), np.zeros((inner, stream.width)), np.zeros(stream.width)
    rate[stream.one] = M
    for f, reset in enumerate(resets):
        rate[before + f] = -2 * M if reset is None else 0.0
    for channel, (e, i, _) in enumerate(pairs):
        into[channel, before : before + len(resets)] = [float(reset == i) for reset in resets]
        gates[channel, e], gates[channel, stream.one] = 2 * M, -M
    return _tensors(into, gates, np.full(inner, -M), LAST, rate, 1.0, _to([above for _, _, above in pairs], stream))


def _to(places: list[int], stream: CascadeStream) -> Array:
    """What undoes the norm of the head, a channel for each of these places."""
    out = np.zeros((stream.width, len(places)))
    out[places, np.arange(len(places))] = len(places) ** -0.5
    return out


def _tensors(into: Array, gates: Array, bias: Array, tap: int, rate: Array, written: float, out: Array) -> dict[str, Array]:
    """One head with one number of state for each channel; B and C are silu(written) for all tokens, and u is read directly if that is 0."""
    inner = len(into)
    taps = np.zeros((inner + 2, TAPS))
    taps[:inner, tap] = 2 * M
    return {
        "into": np.concatenate([gates, into, np.zeros((2, into.shape[1])), rate[None]]),
        "convolution.weight": taps,
        "convolution.bias": np.concatenate([bias, [written, written]]),
        "rate_bias": np.zeros(1),
        "decay": np.zeros(1),  # A = -1
        "skip": np.array([float(written == 0)]),
        "norm.weight": np.ones(inner),
        "out": out,
    }


def _stream(task: LanguageTask, arithmetic: str) -> CascadeStream:
    return stream_of(task, arithmetic, BY, lambda stream, level: len(stream.seen[level]) + 1)


def _sizes(task: LanguageTask, arithmetic: str) -> Sizes:
    stream, bits = _stream(task, arithmetic), BITS[arithmetic]
    inner = [size for level in stream.levels for size in (len(stream.seen[level]) + 1, len(stream.pairs(level)))]
    numbers = sum(size + (TAPS - 1) * (size + 2) for size in inner)
    return Sizes(layers=len(inner), heads=0, width=stream.width, precision_bits=bits, state_bits=numbers * bits)


REGULAR_MAMBA2 = Construction(
    name="regular/mamba2",
    computes=Regular,
    architecture=Architecture.MAMBA2,
    build=mamba2,
    formula=_sizes,
    quick=(
        {"length": 40, "language": "(ab)*"},
        {"length": 40, "language": "@flip-flop", "arithmetic": "float32"},
        {"length": 12, "language": "1*", "alphabet": "01"},  # `ones`
        {"length": 4, "language": "aabb"},  # `an-bn` at N = 4
    ),
    defaults={"language": "(ab)*"},
)
TRACKING_MAMBA2 = tracking(REGULAR_MAMBA2, BY, {"length": 40, "language": "(ab)*"})
