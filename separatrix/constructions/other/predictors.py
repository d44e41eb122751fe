"""Predictors that attain the optimal cross-entropy: the law of the next symbol of a random source, as weights of a recurrent model.

[hahn2020 Theorem 6] [hahn2020 Remark 9]

    any automaton   the state is one number h, as in parts/number_state.py; a logit is a function of integers h, piecewise linear
    2DYCK           the state is the stack, as in stack_number.py; a logit depends on the innermost open bracket

    logit of a symbol   its log-probability on the grid of the format, or -LOW where it cannot follow

A logit is off by half a unit, 2^-(f + 1), and what cannot follow gets e^-LOW: the divergence is of the order of 2^-2f + e^-LOW.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from separatrix.arithmetic.format import WIDEST
from separatrix.constructions.other.stack_number import stack_tensors
from separatrix.constructions.parts.machine import Machine
from separatrix.constructions.parts.number_state import NumberState
from separatrix.errors import BadInput
from separatrix.models.config import EmbeddingConfig, FeedForwardConfig, LayerConfig, ModelConfig, ReadoutConfig
from separatrix.tasks.languages.sources import ProbabilisticAutomaton

if TYPE_CHECKING:
    from separatrix.certificates.program import Program

Array = npt.NDArray[np.float64]
LOW = 24.0  # e^-24 < 4e-11
GRAIN = 16  # fractional bits of a logit
SLACK = 4e-12  # nats
WHOLE = 7  # integer bits: second differences of logits between -24 and 0


def predictor(source: ProbabilisticAutomaton, length: int) -> Program:
    """The machine of any probabilistic automaton."""
    stays = tuple(tuple(q if after is None else after for after in row) for q, row in enumerate(source.moves))
    state = NumberState(Machine(stays, (0,) * len(stays)), spare=1)
    symbols, targets = len(source.alphabet), len(source.alphabet) + 1
    numbers, logits = state.numbers, {state.numbers[q]: logits_of(source.law(q)) for q in range(source.states)}
    first = min(numbers.values())
    values = np.array([logits[h] for h in sorted(logits)])  # [states, targets]
    turns = np.diff(np.concatenate([values[:1], values]), axis=0)  # from each number to the next
    bends = np.diff(np.concatenate([turns[:1], turns]), axis=0)[1:]  # .. and how much that changes, from the first on
    width, hidden = max(symbols, targets), max(1, len(bends))
    inner, outer, bias = np.zeros((hidden, width)), np.zeros((width, hidden)), np.zeros(width)
    inner[:, 0], outer[:targets, : len(bends)], bias[:targets] = 1.0, bends.T, values[0]
    mixer = state.tensors()
    feed = {"inner": inner, "inner_bias": -np.arange(first, first + hidden, dtype=np.float64), "outer": outer, "outer_bias": bias}
    whole = max(WHOLE, state.bits + 1)
    return _program(mixer, feed, symbols, width, f"fixed:{1 + whole + GRAIN},{GRAIN}", length)


def parity_source(p: float) -> ProbabilisticAutomaton:
    """The two states of PARITY, with the probability as the fraction that the float is."""
    stop, of = p.as_integer_ratio()
    if of >= 1 << 60:
        raise BadInput(f"parity-next: p = {p} is too small a number to build a predictor for")
    return ProbabilisticAutomaton(("0", "1"), ((0, 1), (1, 0)), ((of - stop, of - stop, 2 * stop), (1, 1, 0)))


def dyck_2_predictor(p: float, depth: int, length: int) -> Program:
    """2DYCK with at most `depth` brackets open: fixed:(f + 6),f with f = 2 depth."""
    f = max(GRAIN, 2 * depth)
    if f + 6 > WIDEST:
        raise BadInput(f"dyck-2-next: {depth} open brackets need numbers of {f + 6} bits: expected at most {WIDEST}")
    symbols, width = 4, 5
    opens, closes = _grid(math.log(p / 2)), _grid(math.log1p(-p))
    # units: [nothing is open] = relu(1 - 4 h), and [ [ is innermost ] = relu(4 h - 2) - relu(4 h - 3)
    inner, outer = np.zeros((3, width)), np.zeros((width, 3))
    inner[:, 0] = (-4.0, 4.0, 4.0)
    rise = closes + LOW
    outer[2] = (-rise, -rise, rise)  # ) may follow unless nothing, or [, is innermost
    outer[3], outer[4] = (0.0, rise, -rise), (rise, 0.0, 0.0)
    feed = {
        "inner": inner,
        "inner_bias": np.array([1.0, -2.0, -3.0]),
        "outer": outer,
        "outer_bias": np.array([opens, opens, closes, -LOW, -LOW]),
    }
    return _program(stack_tensors(symbols, refusing=False), feed, symbols, width, f"fixed:{f + 6},{f}", length)


def logits_of(law: tuple[float, ...]) -> list[float]:
    """Log-probabilities on the grid, and -LOW for what cannot follow."""
    return [max(-LOW, _grid(math.log(q))) if q > 0 else -LOW for q in law]


def _grid(x: float) -> float:
    return float(round(x * 2.0**GRAIN)) / 2.0**GRAIN


def _program(mixer: dict[str, Array], feed: dict[str, Array], symbols: int, width: int, arithmetic: str, length: int) -> Program:
    from separatrix.certificates.program import Program
    from separatrix.constructions.compiler import model_of
    from separatrix.models.decoders.position import Positions
    from separatrix.models.mixers.relu_rnn import ReluRnnConfig

    tensors = {
        "embedding.table": np.eye(symbols, width),
        **{f"layers.0.mixer.{name}": tensor for name, tensor in mixer.items()},
        "layers.0.mixer.out": np.eye(width, 1),
        **{f"layers.0.feedforward.{name}": tensor for name, tensor in feed.items()},
        "readout.weight": np.eye(symbols + 1, width),
        "readout.bias": np.zeros(symbols + 1),
    }
    drive = tensors["layers.0.mixer.drive"]
    tensors["layers.0.mixer.drive"] = np.pad(drive, ((0, 0), (0, width - symbols)))  # the stream is wider than the alphabet
    config = ModelConfig(
        embedding=EmbeddingConfig(symbols),
        layers=(LayerConfig(ReluRnnConfig(1, len(mixer["bias"])), FeedForwardConfig(len(feed["inner"]))),),
        readout=ReadoutConfig(symbols + 1),
        width=width,
        arithmetic=arithmetic,
        length=length,
    )
    return Program(model_of(config, tensors, "a predictor"), Positions())


def excess_of(laws: Iterable[tuple[float, ...]]) -> float:
    """The largest divergence of a law from the softmax of its logits, and a little more than computing it may be off."""
    most = 0.0
    for law in laws:
        logits = logits_of(law)
        normaliser = math.log(sum(map(math.exp, logits)))
        most = max(most, sum(q * (math.log(q) - z + normaliser) for q, z in zip(law, logits, strict=True) if q > 0))
    return most * (1 + 1e-6) + SLACK
