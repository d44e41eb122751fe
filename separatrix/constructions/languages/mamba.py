"""Any star-free language in Mamba, one layer for each coordinate of a cascade that keeps or resets.

Notation   M     a gain beyond which exp(-M) is 0 in the format       one   a number of the stream that the norm makes 1

Layer k reads e_k and writes e_(k+1) = (e_k, s_k), one-hot blocks of cascade_stream.py:

    register (e, i)    1 iff the coordinate has value i; it is driven by the token *before*, by the second last tap of the convolution
    step size          softplus(M) = M where that token resets: exp(-M) = 0 forgets, and the drive is written; softplus(-M) = 0 keeps
    gate               silu(z) is M for the present e_k and 0 for others, so that (e, i) is the conjunction of both

Before the first token the convolution is its bias alone: that drives the initial value. Kept numbers are multiplied by exp(0) = 1, so that
they stay bit for bit; this is a statement about floats, in which exp(-M) underflows, and not about real numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
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
    cascade_of,
    recognising,
    stream_of,
    tracking,
)
from separatrix.models.config import LayerConfig
from separatrix.tasks.languages.automata import Automaton
from separatrix.tasks.languages.cascades import with_end
from separatrix.tasks.recognition import END
from separatrix.tasks.regular import Regular

if TYPE_CHECKING:
    from separatrix.certificates.built import Built
    from separatrix.models.model import Model

M = 1024.0  # softplus(-M) is 0 in float32, where exp underflows below -103, and in float64, below -745
TAPS = 4
BY = Architecture.MAMBA.value
PREVIOUS = TAPS - 2  # the tap that sees the token before


def mamba(task: LanguageTask, arithmetic: str = "float64") -> Built:
    """The weights, right at every prefix and at the end symbol."""
    model = _model(stream_of(task, arithmetic, BY), [answers_of(task)], arithmetic, task.token_count)
    return recognising(task, model, BY, _sizes(task, arithmetic), arithmetic)


def recogniser(automaton: Automaton, languages: Sequence[frozenset[int]], arithmetic: str = "float64", length: int = 40) -> Model:
    """One stack for all languages with these moves: two targets for each set of accepting states, not a member and a member."""
    questions = [tuple(int(q in accepting) for q in range(automaton.states)) for accepting in languages]
    return _model(CascadeStream(cascade_of(with_end(automaton, END))), questions, arithmetic, length)


def _model(stream: CascadeStream, questions: Sequence[Sequence[int]], arithmetic: str, length: int) -> Model:
    from separatrix.models.mixers.mamba import MambaConfig

    tensors: dict[str, Array] = {}
    layers = []
    for level in stream.levels:
        mixer = _register(stream, level)
        layers.append(LayerConfig(MambaConfig(len(mixer["skip"]), 1, TAPS, 1), residual=True, norm="layer"))
        tensors |= {f"layers.{level}.mixer.{name}": tensor for name, tensor in mixer.items()}
        tensors |= {f"layers.{level}.before_mixing.{name}": tensor for name, tensor in stream.norm(level + 1).items()}
    tensors |= {f"readout.norm.{name}": tensor for name, tensor in stream.norm(len(layers) + 1).items()}
    return stream.model(layers, tensors, questions, arithmetic, length, BY, "layer")


def _register(stream: CascadeStream, level: int) -> dict[str, Array]:
    """The tensors of the mixer of one layer: a channel that is always on, one that sees keeps, and one for each (e, i)."""
    channels, initial, resets = stream.pairs(level), stream.coordinate(level).initial, stream.resets(level)
    inner, width = 2 + len(channels), stream.width
    into, gates, bias, out = np.zeros((inner, width)), np.zeros((inner, width)), np.full(inner, -M), np.zeros((width, inner))
    bias[0] = M  # u = M, always
    for place, reset in resets.items():
        into[1, place] = float(reset is None)
    for channel, (e, i, above) in enumerate(channels, 2):
        bias[channel] = M if i == initial else -M
        for place, reset in resets.items():
            into[channel, place] = -float(reset != i) if i == initial else float(reset == i)
        gates[channel, e], gates[channel, stream.one] = 2 * M, -M
        out[above, channel] = 1 / M
    taps = np.zeros((inner, TAPS))
    taps[1:, PREVIOUS] = 2 * M
    select = np.zeros((3, inner))  # r = -2 u_1, B = u_0 / M^3 and C = u_0 / M: step size, drive and reading, the same for all channels
    select[0, 1], select[1, 0], select[2, 0] = -2.0, M**-3, 1 / M
    registers = np.arange(inner) >= 2
    return {
        "into": np.concatenate([into, gates]),
        "convolution.weight": taps,
        "convolution.bias": bias,
        "select": select,
        "rate": registers[:, None] * 1.0,
        "rate_bias": np.where(registers, M, -M),
        "decay": np.zeros((inner, 1)),  # A = -1
        "skip": np.zeros(inner),
        "out": out,
    }


def _sizes(task: LanguageTask, arithmetic: str) -> Sizes:
    stream, bits = stream_of(task, arithmetic, BY), BITS[arithmetic]
    inner = [2 + len(seen) for seen in stream.seen[1:]]
    return Sizes(layers=len(inner), heads=0, width=stream.width, precision_bits=bits, state_bits=TAPS * sum(inner) * bits)


REGULAR_MAMBA = Construction(
    name="regular/mamba",
    computes=Regular,
    architecture=Architecture.MAMBA,
    build=mamba,
    formula=_sizes,
    quick=(
        {"length": 40, "language": "(ab)*"},
        {"length": 40, "language": "@flip-flop", "arithmetic": "float32"},
        {"length": 12, "language": "1*", "alphabet": "01"},  # `ones`
        {"length": 4, "language": "aabb"},  # `an-bn` at N = 4
    ),
    defaults={"language": "(ab)*"},
)
_dyck = {"length": 40, "language": "@dyck-1-2", "arithmetic": "float32"}
TRACKING_MAMBA = tracking(REGULAR_MAMBA, BY, {"length": 40, "language": "(ab)*"}, _dyck)
