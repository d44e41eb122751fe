"""Any star-free language in Mamba, one layer for each coordinate of a cascade that keeps or resets.

Notation   s_k   coordinate k after the tokens before this one        e_k   (token, s_1, .., s_(k-1)), what coordinate k sees
           M     a gain beyond which exp(-M) is 0 in the format       one   a number of the stream that the norm makes 1

The stream holds a one-hot block for each of e_1, .., e_(K+1). Layer k reads e_k and writes e_(k+1) = (e_k, s_k):

    register (e, i)    1 iff the coordinate has value i; it is driven by the token *before*, by the second last tap of the convolution
    step size          softplus(M) = M where that token resets: exp(-M) = 0 forgets, and the drive is written; softplus(-M) = 0 keeps
    gate               silu(z) is M for the present e_k and 0 for others, so that (e, i) is the conjunction of both

Before the first token the convolution is its bias alone: that drives the initial value. Kept numbers are multiplied by exp(0) = 1, so that
they stay bit for bit; this is a statement about floats, in which exp(-M) underflows, and not about real numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from separatrix.architectures import Architecture
from separatrix.certificates.claim import Claim
from separatrix.certificates.construction import Construction, Sizes
from separatrix.errors import BadInput
from separatrix.models.config import EmbeddingConfig, LayerConfig, ModelConfig, ReadoutConfig
from separatrix.tasks.languages.automata import Automaton
from separatrix.tasks.languages.cascades import Cascade, Coordinate, Seen, keep_or_reset, seen_by, serial, with_end
from separatrix.tasks.languages.periods import TooLarge
from separatrix.tasks.recognition import END
from separatrix.tasks.regular import Regular

if TYPE_CHECKING:
    from separatrix.certificates.built import Built
    from separatrix.models.model import Model

Array = npt.NDArray[np.float64]
M = 1024.0  # softplus(-M) is 0 in float32, where exp underflows below -103, and in float64, below -745
TAPS = 4
PREVIOUS = TAPS - 2  # the tap that sees the token before
EPSILON = 1e-5  # of a layer norm
MOST = 4096  # numbers of the stream
BITS = {"float32": 32, "float64": 64}


def mamba(task: Regular, arithmetic: str = "float64") -> Built:
    """The weights, right at every prefix and at the end symbol."""
    from separatrix.certificates.built import Built
    from separatrix.certificates.program import Program
    from separatrix.constructions.compiler import read_as

    sizes = _sizes(task, arithmetic)
    model = recogniser(task.automaton, [task.automaton.accepting], arithmetic, task.token_count)
    facts = {"states": float(task.automaton.states), "state bits": float(sizes["state_bits"])}
    claim = Claim(REGULAR_MAMBA.name, "", task.name, task.parameters, {}, arithmetic, facts)
    return Built(Program(model, read_as(task)), claim, task)


def recogniser(automaton: Automaton, languages: Sequence[frozenset[int]], arithmetic: str = "float64", length: int = 40) -> Model:
    """One stack for all languages with these moves: two targets for each set of accepting states, not a member and a member."""
    from separatrix.constructions.compiler import model_of
    from separatrix.models.mixers.mamba import MambaConfig

    blocks, tokens = _Blocks(cascade_of(automaton)), len(automaton.alphabet) + 1
    tensors: dict[str, Array] = {"embedding.table": np.eye(tokens, blocks.width)}
    layers = []
    for number in range(len(blocks.cascade.layers)):
        mixer = _register(blocks, number)
        layers.append(LayerConfig(MambaConfig(len(mixer["skip"]), 1, TAPS, 1), residual=True, norm="layer"))
        tensors |= {f"layers.{number}.mixer.{name}": tensor for name, tensor in mixer.items()}
        tensors |= {f"layers.{number}.before_mixing.{name}": tensor for name, tensor in blocks.norm(number + 1).items()}
    tensors |= {f"readout.norm.{name}": tensor for name, tensor in blocks.norm(len(layers) + 1).items()}
    tensors["readout.weight"], tensors["readout.bias"] = blocks.answers(languages), np.zeros(2 * len(languages))
    config = ModelConfig(
        embedding=EmbeddingConfig(tokens),
        layers=tuple(layers),
        readout=ReadoutConfig(2 * len(languages), norm="layer"),
        width=blocks.width,
        arithmetic=arithmetic,
        length=length,
    )
    return model_of(config, tensors, REGULAR_MAMBA.name)


@lru_cache(maxsize=64)
def cascade_of(automaton: Automaton) -> Cascade:
    """The cascade of the language over its letters and the end symbol, one coordinate a layer."""
    try:
        found = serial(keep_or_reset(with_end(automaton, END)))
    except TooLarge as error:
        raise BadInput("regular/mamba: the language has too many words that act differently, or its cascade too many states") from error
    if found.layers:
        return found
    kept = Coordinate(1, 0, {((), a): (0,) for a in range(len(found.automaton.alphabet))})  # one state: a model has at least one layer
    return Cascade(found.automaton, ((kept,),), {(0,): 0})


class _Blocks:
    """Where the one-hot blocks of e_1, .., e_(K+1) stand in the stream; the last number is `one`."""

    def __init__(self, cascade: Cascade) -> None:
        self.cascade = cascade
        self.seen = [seen_by(cascade, number) for number in range(len(cascade.layers) + 1)]
        starts = np.cumsum([0, *map(len, self.seen)])
        self.places = [{e: int(start) + i for i, e in enumerate(seen)} for start, seen in zip(starts, self.seen, strict=False)]
        self.width = int(starts[-1]) + 1
        self.one = self.width - 1

    def norm(self, ones: int) -> dict[str, Array]:
        """A layer norm that returns what it gets, if that is so many ones and else zeros, with a 1 at `one`."""
        mean = ones / self.width
        weight, bias = np.full(self.width, np.sqrt(mean - mean**2 + EPSILON)), np.full(self.width, mean)
        weight[self.one], bias[self.one] = 0.0, 1.0
        return {"weight": weight, "bias": bias}

    def answers(self, languages: Sequence[frozenset[int]]) -> Array:
        """The read-out: for each language 1 for the answer after each (token, values before it)."""
        weight = np.zeros((2 * len(languages), self.width))
        for (values, token), place in self.places[-1].items():
            state = self.cascade.automaton.moves[self.cascade.state_of[values]][token]
            for k, accepting in enumerate(languages):
                weight[2 * k + int(state in accepting), place] = 1.0
        return weight


def _register(blocks: _Blocks, number: int) -> dict[str, Array]:
    """The tensors of the mixer of one layer: a channel that is always on, one that sees keeps, and one for each (e, i)."""
    (coordinate,), places, above = blocks.cascade.layers[number], blocks.places[number], blocks.places[number + 1]
    channels: list[tuple[Seen, int]] = [((z, a), i) for z, a in places for i in range(coordinate.values) if ((*z, i), a) in above]
    inner = 2 + len(channels)
    into, gates, bias, out = (
        np.zeros((inner, blocks.width)),
        np.zeros((inner, blocks.width)),
        np.full(inner, -M),
        np.zeros((blocks.width, inner)),
    )
    bias[0] = M  # u = M, always
    reset = {e: coordinate.resets(e) for e in places}
    for f, place in places.items():
        into[1, place] = float(reset[f] is None)
    for channel, ((z, a), i) in enumerate(channels, 2):
        if i == coordinate.initial:
            bias[channel] = M
        for f, place in places.items():
            if i == coordinate.initial:
                into[channel, place] = -float(reset[f] != i)
            else:
                into[channel, place] = float(reset[f] == i)
        gates[channel, places[z, a]], gates[channel, blocks.one] = 2 * M, -M
        out[above[(*z, i), a], channel] = 1 / M
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


def _sizes(task: Regular, arithmetic: str) -> Sizes:
    if arithmetic not in BITS:
        raise BadInput(f"regular/mamba: expected float32 or float64, in which exp(-{M:.0f}) is 0, found {arithmetic}")
    cascade = cascade_of(task.automaton)
    blocks = _Blocks(cascade)
    if blocks.width > MOST:
        raise BadInput(f"regular/mamba: the language needs a stream of {blocks.width} numbers, at most {MOST} are built")
    inner = [2 + len(seen) for seen in blocks.seen[1:]]
    bits = BITS[arithmetic]
    return Sizes(layers=len(inner), heads=0, width=blocks.width, precision_bits=bits, state_bits=TAPS * sum(inner) * bits)


REGULAR_MAMBA = Construction(
    name="regular/mamba",
    cites="",
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
