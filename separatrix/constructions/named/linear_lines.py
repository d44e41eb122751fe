"""Linear recurrences that remember everything: a delay line in a linear RNN, and running sums in a selective RNN. All numbers are integers.

Notation   b  bits of a symbol, -1 or 1      stage j  the bits of the symbol read j tokens ago, 0 while there is none

    copy           the stream shows stage N:  width 2 b, (N + 1) b registers
    equality       the stream shows stage N/2; ReLU(x - y - 1) and ReLU(y - x - 1) flag a bit that differs, and neither speaks while y = 0;
                   a second layer adds the flags up
    intersects     the same with bits 0 and 1, and ReLU(x + y - 1)
    index lookup   the stream shows all stages, and the feed-forward part keeps the asked one, ReLU(+-stage + R [asked] - R): width of order
                   N. R = 1 is enough, and 4 leaves room for the boxes of a proof

The transition is the same at every token, so what is remembered cannot be chosen by it: a linear RNN shows the last token a linear form of
the past, and where a token asks for one of N places the stream has to be of order N, however large the state.

A selective RNN looks up with a stream of N + 2 b numbers. Register i starts anew at place i and adds up all that follows, so that place p
is the difference of registers p and p + 1; the index sets the gate of one to 1, of the other to -1, and all others to 0.

In `fixed:p,f` sums are clamped. A flag or a count that only has to be above 0 may be; the sums of a selective RNN,
up to N, may not. The logit of the right symbol is b and of the others b - 2 at most, so that it leads if b - 1 is a number. So the least
formats are fixed:p,0 with 2^(p - 1) >= b, or > N, and no less than the two bits that 1 needs.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from separatrix.architectures import Architecture
from separatrix.arithmetic.format import parse_format
from separatrix.certificates.construction import Construction, Settings, Sizes
from separatrix.constructions.named.streams import Array, Stream, Tensors, assembled, binary, code_bits, stream
from separatrix.constructions.number_limits import representable
from separatrix.errors import BadInput
from separatrix.models.config import EmbeddingConfig, FeedForwardConfig, LayerConfig, PlaceConfig
from separatrix.tasks import Task
from separatrix.tasks.copying import Copy
from separatrix.tasks.equality import Equality
from separatrix.tasks.index_lookup import IndexLookup
from separatrix.tasks.intersects import Intersects

if TYPE_CHECKING:
    from separatrix.certificates.built import Built

MOST = 4096  # registers


def format_bits(what: str, arithmetic: str, largest: int) -> int:
    """Bits of a number; refuses a format that does not hold the integers up to the largest, with the least that does."""
    format = parse_format(arithmetic)
    if not representable(np.array([float(largest), -float(largest), 1.0]), format):
        p = largest.bit_length() + 1
        raise BadInput(f"{what} needs the integers from -{largest} to {largest}: expected fixed:{p},0 or more, found {format.name}")
    return format.bits


def refuse_long(task: Task, registers: int) -> None:
    """A delay line has a transition of registers^2 weights."""
    if registers > MOST:
        raise BadInput(f"{task.name}, N = {task.length}: {registers} registers are above {MOST}: expected a shorter input or fewer symbols")


def signs(symbols: int) -> Array:
    """The code of each symbol, -1 or 1."""
    return 2 * binary(symbols) - 1


def line(s: Stream, parts: Mapping[str, str | tuple[str, int, int]], stages: int) -> Tensors:
    """A delay line of the slots that are its keys; each is shown, from its last stage or from all of first .. last, in another slot.

    A value is the slot that shows the last stage, or (slot, first stage, last stage).
    """
    sizes = {name: s.slots[name] for name in parts}
    each = sum(sizes.values())
    transition, drive, out = np.eye(stages * each, k=-each), np.zeros((stages * each, s.width)), np.zeros((s.width, stages * each))
    first = 0
    for name, shown in parts.items():
        drive[first : first + sizes[name], s[name]] = np.eye(sizes[name])
        slot, low, high = shown if isinstance(shown, tuple) else (shown, stages - 1, stages - 1)
        for j in range(low, high + 1):
            at = s[slot].start + (j - low) * sizes[name]
            out[at : at + sizes[name], j * each + first : j * each + first + sizes[name]] = np.eye(sizes[name])
        first += sizes[name]
    return {"transition": transition, "drive": drive, "out": out}


def feedforward(inner: Array, bias: Array, outer: Array) -> Tensors:
    """Weights of a ReLU feed-forward network whose outer layer has no bias."""
    return {"inner": inner, "inner_bias": bias, "outer": outer, "outer_bias": np.zeros(len(outer))}


def named(layer: int, part: str, weights: Tensors) -> Tensors:
    """The weights of a part under their names in the model."""
    return {f"layers.{layer}.{part}.{name}": tensor for name, tensor in weights.items()}


# -- copying and looking up ------------------------------------------------------------------------------------------------------------


def line_stream(task: Copy | IndexLookup) -> Stream:
    """Copying shows one stage, an index chooses among all."""
    b = code_bits(task.symbols)
    if isinstance(task, Copy):
        return stream(task.name, 0, code=b, answer=b)
    return stream(task.name, 0, code=b, asked=task.length, line=task.length * b, answer=b)


def looked_up(task: Copy | IndexLookup, arithmetic: str = "float64") -> Built:
    """One layer; an index also needs its feed-forward part."""
    from separatrix.models.mixers.linear_rnn import LinearRnnConfig

    sizes, s, N, b = lookup_sizes(task, arithmetic), line_stream(task), task.length, code_bits(task.symbols)
    rest, hidden = task.vocabulary - task.symbols, None
    asked = {} if isinstance(task, Copy) else {"asked": np.eye(N)[::-1]}  # place p is read at stage N + 1 - p
    tensors = {"embedding.table": np.concatenate([s.rows(task.symbols, code=signs(task.symbols)), s.rows(rest, **asked)])}
    tensors |= named(0, "mixer", line(s, {"code": "answer" if isinstance(task, Copy) else ("line", 1, N)}, N + 1))
    if isinstance(task, IndexLookup):
        every, which = np.eye(N * b), np.repeat(np.eye(N), b, axis=0)
        room = 1.0 if parse_format(arithmetic).exact else 4.0
        inner = np.concatenate([s.rows(N * b, line=sign * every, asked=room * which) for sign in (1, -1)])
        bit = np.tile(np.eye(b), (N, 1))
        hidden = feedforward(inner, np.full(2 * N * b, -room), s.rows(2 * N * b, answer=np.concatenate([bit, -bit])).T)
        tensors |= named(0, "feedforward", hidden)
    config = LayerConfig(LinearRnnConfig((N + 1) * b), None if hidden is None else FeedForwardConfig(2 * N * b), residual=True)
    tensors |= {"readout.weight": s.rows(task.symbols, answer=signs(task.symbols)), "readout.bias": np.zeros(task.symbols)}
    return line_model(task, "linear-rnn", arithmetic, sizes, (config,), tensors, 2 * (N + 1) * b)


def lookup_sizes(task: Copy | IndexLookup, arithmetic: str) -> Sizes:
    """Sizes for copy and index lookup: a register for each bit of the last N + 1 symbols."""
    b = code_bits(task.symbols)
    return line_sizes(task, arithmetic, max(1, b - 1), 1, line_stream(task).width, (task.length + 1) * b)


# -- comparing -------------------------------------------------------------------------------------------------------------------------


def compared_stream(task: Equality | Intersects) -> Stream:
    """The symbol, the one N/2 tokens ago, what is flagged here and what was flagged so far."""
    b = code_bits(task.vocabulary)
    return stream(task.name, 0, code=b, before=b, found=1, verdict=1)


def compared(task: Equality | Intersects, arithmetic: str = "float64") -> Built:
    """Two layers: a delay line, and a sum of flags."""
    from separatrix.models.mixers.linear_rnn import LinearRnnConfig

    sizes, s, b = compared_sizes(task, arithmetic), compared_stream(task), code_bits(task.vocabulary)
    differ, one, every = isinstance(task, Equality), np.ones((1, 1)), np.eye(b)
    if differ:
        inner = np.concatenate([s.rows(b, code=sign * every, before=-sign * every) for sign in (1, -1)])
    else:
        inner = s.rows(b, code=every, before=every)
    hidden = len(inner)
    found, verdict = s.rows(hidden, found=np.ones((hidden, 1))).T, s.rows(1, verdict=one)
    adding = {"transition": one, "drive": s.rows(1, found=one), "out": verdict.T}
    tensors = {
        "embedding.table": s.rows(task.vocabulary, code=(signs if differ else binary)(task.vocabulary)),
        **named(0, "mixer", line(s, {"code": "before"}, task.length // 2 + 1)),
        **named(0, "feedforward", feedforward(inner, np.full(hidden, -1.0), found)),
        **named(1, "mixer", adding),
        "readout.weight": np.concatenate([verdict, -verdict] if differ else [-verdict, verdict]),
        "readout.bias": np.array([0.0, 1.0] if differ else [1.0, 0.0]),
    }
    registers = (task.length // 2 + 1) * b
    layers = (
        LayerConfig(LinearRnnConfig(registers), FeedForwardConfig(hidden), residual=True),
        LayerConfig(LinearRnnConfig(1), residual=True),
    )
    return line_model(task, "linear-rnn", arithmetic, sizes, layers, tensors, 2 * registers + 1)


def compared_sizes(task: Equality | Intersects, arithmetic: str) -> Sizes:
    """Stages 0 .. N/2, and a sum."""
    registers = (task.length // 2 + 1) * code_bits(task.vocabulary)
    return line_sizes(task, arithmetic, 1, 2, compared_stream(task).width, registers, 1)


# -- a selective RNN -------------------------------------------------------------------------------------------------------------------


def summed_stream(task: IndexLookup) -> Stream:
    """The symbol, what each gate loses, and the answer."""
    b = code_bits(task.symbols)
    return stream(task.name, 0, code=b, lost=task.length, answer=b)


def summed(task: IndexLookup, arithmetic: str = "float64") -> Built:
    """One layer without a feed-forward part, with signed gates; the position is one-hot."""
    from separatrix.models.mixers.selective_rnn import SelectiveRnnConfig

    sizes, s, N, b = summed_sizes(task, arithmetic), summed_stream(task), task.length, code_bits(task.symbols)
    kept = np.eye(N) - np.eye(N, k=1)  # by index p: registers p and, turned round, p + 1
    bit, of_place = np.tile(np.eye(b), (N, 1)), np.repeat(np.eye(N), b, axis=0)
    tensors = {
        "embedding.table": np.concatenate([s.rows(task.symbols, code=signs(task.symbols)), s.rows(N, lost=1 - kept)]),
        "embedding.places.0.address.table": np.concatenate([s.rows(N, lost=np.eye(N)), s.rows(1)]),
        "embedding.gate": np.concatenate([np.ones(task.symbols), np.zeros(N)]),
        "layers.0.mixer.gate": -s.rows(N * b, lost=of_place),
        "layers.0.mixer.gate_bias": np.ones(N * b),
        "layers.0.mixer.drive": s.rows(N * b, code=bit),
        "layers.0.mixer.drive_bias": np.zeros(N * b),
        "layers.0.mixer.initial": np.zeros(N * b),
        "layers.0.mixer.out": s.rows(N * b, answer=bit).T,
        "readout.weight": s.rows(task.symbols, answer=signs(task.symbols)),
        "readout.bias": np.zeros(task.symbols),
    }
    place = PlaceConfig("table", s.width, extent=N + 1, projected=False)
    embedding = EmbeddingConfig(task.vocabulary, places=(place,), gated=True)
    layers, facts = (LayerConfig(SelectiveRnnConfig(N * b), residual=True),), {"bits held": float(N * b * math.ceil(math.log2(2 * N + 1)))}
    return assembled(task, "index-lookup/selective-rnn", arithmetic, {}, sizes, embedding, layers, tensors, facts)


def summed_sizes(task: IndexLookup, arithmetic: str) -> Sizes:
    """A register for each place and bit, which counts up to N."""
    b = code_bits(task.symbols)
    return line_sizes(task, arithmetic, max(2, b, task.length), 1, summed_stream(task).width, task.length * b)


# -- declarations ----------------------------------------------------------------------------------------------------------------------


def line_sizes(task: Task, arithmetic: str, largest: int, layers: int, width: int, *registers: int) -> Sizes:
    """Sizes for integers up to the largest; refuses formats without them, and lines that are too long."""
    refuse_long(task, max(registers))
    p = format_bits(f"{task.name}, N = {task.length}", arithmetic, largest)
    return Sizes(layers=layers, heads=0, width=width, precision_bits=p, state_bits=p * sum(registers))


def line_model(task: Task, by: str, arithmetic: str, sizes: Sizes, layers: tuple[LayerConfig, ...], tensors: Tensors, held: int) -> Built:
    """The model of these layers, with the bits that it really holds."""
    facts = {"bits held": float(held)}
    return assembled(task, f"{task.name}/{by}", arithmetic, {}, sizes, EmbeddingConfig(task.vocabulary), layers, tensors, facts)


def declared(
    computes: type[Any], build: Callable[..., Built], formula: Callable[..., Sizes], *quick: Settings, by: str = "linear-rnn",
    architecture: Architecture = Architecture.LINEAR_RNN,
) -> Construction:  # fmt: skip
    """The declaration of `TASK/linear-rnn`, or of another architecture."""
    return Construction(
        name=f"{computes.name}/{by}",
        computes=computes,
        architecture=architecture,
        build=build,
        formula=formula,
        quick=quick,
        default_length=16,
        fixed=("distribution",) if computes is IndexLookup else (),
    )


short = {"arithmetic": "fixed:2,0"}
COPY_LINEAR = declared(Copy, looked_up, lookup_sizes, {"length": 4, "symbols": 3}, {"length": 6, "symbols": 2, **short})
LOOKUP_LINEAR = declared(IndexLookup, looked_up, lookup_sizes, {"length": 16, "symbols": 2}, {"length": 4, "symbols": 2, **short})
EQUALITY_LINEAR = declared(Equality, compared, compared_sizes, {"length": 8}, {"length": 4, "symbols": 3, **short})
INTERSECTS_LINEAR = declared(Intersects, compared, compared_sizes, {"length": 8}, {"length": 6, **short})
LOOKUP_SELECTIVE = declared(
    IndexLookup, summed, summed_sizes, {"length": 6, "symbols": 2}, {"length": 4, "symbols": 2, "arithmetic": "fixed:4,0"},
    by="selective-rnn", architecture=Architecture.RECURRENT,
)  # fmt: skip
