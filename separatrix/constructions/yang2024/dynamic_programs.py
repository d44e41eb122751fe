"""Dynamic programs on standard, linear and block-sparse attention: any program of tasks/programs, as exact weights.

[yang2024 Theorem 4.1] [yang2024 Theorem 4.2; proof B.3, B.4] [yang2024 Proposition 5.4] [yang2024 Equation 10]

Notation   n   entries of the input       R        reads of a state, K + J of the paper
           N   states                     t_r(i)   the position of read r of the state that follows position i
           L   = n + N + 2 tokens         payload  the entry or the value of a token; one of them is 0

The vector that was written last names a state. Feed-forward parts of constant size compute the next state from it, and from that the
positions t_1 .. t_R (plans.py). The heads read the payloads there (payloads.py), further parts compute the transition (expressions.py),
and the read-out writes the next vector, which the decoder rounds. Positions are (i, i^2), which is generated and not stored.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from separatrix.arithmetic.format import parse_format
from separatrix.certificates.construction import Sizes
from separatrix.constructions.address_weights import AddressWeights
from separatrix.constructions.assembler import Assembler, Layer
from separatrix.constructions.forms import Array, Form, constant_form, stack
from separatrix.constructions.number_limits import exact_integers
from separatrix.constructions.parts.integer_gadgets import gate
from separatrix.constructions.yang2024.expressions import Expressions
from separatrix.constructions.yang2024.payloads import (
    Stream,
    read_linear,
    read_sparse,
    read_standard,
    read_two_digit,
    read_window,
    saturating,
    square_blocks,
)
from separatrix.constructions.yang2024.plans import MapsKept, Plan, planned
from separatrix.errors import BadInput
from separatrix.tasks.programs.dynamic_program import DynamicProgram
from separatrix.tasks.programs.unrolled import ANSWER, VALUE, Unrolled

if TYPE_CHECKING:
    from separatrix.certificates.built import Built

Positions = Literal["square", "two-digit"]
Attention = Literal["standard", "linear", "sparse", "window"]
ENTRY_ROW, KIND_ROW = 0, 1  # coordinates of a vector; then the state, the value and the answer


Reading = Callable[[Stream, Plan], tuple[Layer | None, dict[str, Form]]]


def standard(task: DynamicProgram, positions: Positions = "square", maps: MapsKept = "networks", arithmetic: str = "float64") -> Built:
    """One layer of softmax attention; no size depends on n. Positions as (i, i^2); as two digits for short floats, with sqrt L units."""
    program = _program(task, arithmetic, maps, _standard(task, positions))
    if positions == "two-digit":  # one-hot digits take sqrt L units
        program = replace(program, as_proved=False)
    return _compiled(task, "standard", {"positions": positions, "maps": maps}, program)


def linear(task: DynamicProgram, block: int = 0, mu: float = 0.0, maps: MapsKept = "networks", arithmetic: str = "float64") -> Built:
    """One layer of linear attention; blocks of ceil(sqrt L) positions by default, features that vanish outside the block."""
    program = _program(task, arithmetic, maps, _linear(task, block, mu, arithmetic))
    return _compiled(task, "linear", {"block": block, "mu": mu, "maps": maps}, program)


def sparse(
    task: DynamicProgram, block: int = 0, local: int = 1, far: int = 1, maps: MapsKept = "networks", arithmetic: str = "float64"
) -> Built:
    """Two layers of block-sparse attention; blocks of ceil(sqrt L) positions by default."""
    settings = {"block": block, "local": local, "far": far, "maps": maps}
    return _compiled(task, "sparse", settings, _program(task, arithmetic, maps, _sparse(task, block, local, far)))


def window(task: DynamicProgram, window: int = 0, maps: MapsKept = "networks", arithmetic: str = "float64") -> Built:
    """One layer of attention to the last `window` tokens, by default as many as the program needs; its width does not depend on n."""
    program = _program(task, arithmetic, maps, _window(task, window), defined=True)
    return _compiled(task, "window", {"window": window, "maps": maps}, program)


def window_sizes(task: DynamicProgram, window: int, maps: MapsKept, arithmetic: str) -> Sizes:
    """The sizes of `window`."""
    return assembled_sizes(_program(task, arithmetic, maps, _window(task, window), defined=True).net)


def standard_sizes(task: DynamicProgram, positions: Positions, maps: MapsKept, arithmetic: str) -> Sizes:
    """The sizes of `standard`."""
    return assembled_sizes(_program(task, arithmetic, maps, _standard(task, positions)).net)


def linear_sizes(task: DynamicProgram, block: int, mu: float, maps: MapsKept, arithmetic: str) -> Sizes:
    """The sizes of `linear`."""
    return assembled_sizes(_program(task, arithmetic, maps, _linear(task, block, mu, arithmetic)).net)


def sparse_sizes(task: DynamicProgram, block: int, local: int, far: int, maps: MapsKept, arithmetic: str) -> Sizes:
    """The sizes of `sparse`."""
    return assembled_sizes(_program(task, arithmetic, maps, _sparse(task, block, local, far)).net)


def _standard(task: DynamicProgram, positions: Positions) -> Reading:
    if positions == "square":
        return lambda stream, _: read_standard(stream)
    blocks = square_blocks(task.unrolled.length)
    return lambda stream, _: read_two_digit(stream, blocks)


def _linear(task: DynamicProgram, block: int, mu: float, arithmetic: str) -> Reading:
    blocks = square_blocks(task.unrolled.length, _block(block))
    if mu < 0:
        raise BadInput(f"linear attention: mu must be positive, or 0 for the least at which features vanish, found {mu}")
    sharp = mu or saturating(parse_format(arithmetic))
    return lambda stream, _: read_linear(stream, blocks, sharp)


def _sparse(task: DynamicProgram, block: int, local: int, far: int) -> Reading:
    blocks = square_blocks(task.unrolled.length, _block(block))
    return lambda stream, _: read_sparse(stream, blocks, local, far)


def _window(task: DynamicProgram, window: int) -> Reading:
    least = task.unrolled.least_window
    if window < 0 or 0 < window < least:
        raise BadInput(
            f"{task.label}: some state reads a token that lies {least - 1} before it, so a window needs {least} tokens, found {window}"
        )
    return lambda stream, plan: read_window(stream, window or least, plan.defined)


def _block(block: int) -> int:
    if block < 0 or block == 1:
        raise BadInput(f"block must be at least 2 positions, or 0 for ceil(sqrt L), found {block}")
    return block


@dataclass(frozen=True)
class _Program:
    """A program before it is filled into a model, and whether its parts are of the size that the theorems allow."""

    net: Assembler
    as_proved: bool  # the maps are networks whose units do not grow in number with n


def _program(task: DynamicProgram, arithmetic: str, maps: MapsKept, reading: Reading, defined: bool = False) -> _Program:
    """The program of a task, whatever attention reads for it."""
    u, width = task.unrolled, task.vector_width
    _refuse_values(u, arithmetic, task.name)
    low, high = u.values
    coordinates = [(float(min(0, *column)), float(max(0, *column))) for column in u.states.T]
    ends = [(0.0, task.symbols - 1.0), (0.0, float(ANSWER)), *coordinates, (float(low), float(high)), tuple(map(float, u.answers))]
    net = Assembler(width, width, u.length, arithmetic=arithmetic, residual=True, causal=True, integers=True, vectors=ends)  # type: ignore[arg-type]

    payload = net.token("payload", _rows(width, {ENTRY_ROW: [1.0], width - 2: [1.0]}))
    if maps == "networks":
        net.token("kind", np.eye(width)[:, [KIND_ROW]])
        net.token("state", np.eye(width)[:, KIND_ROW + 1 : width - 2])
    place = net.place("place", AddressWeights("quadratic", 2))
    plan = planned(net, u, place, maps, task.label, defined)
    stream = Stream(net, payload, plan.one, place, plan.targets, float(max(abs(low), abs(high))), plan.off)
    free, reads = reading(stream, plan)

    values = {**reads, **plan.coordinates, VALUE: payload}
    hull = {key: (int(a), int(b)) for key, (a, b) in zip(u.coordinates, coordinates, strict=True)}
    bounds = {**u.read, **hull, VALUE: u.values}
    compiled = Expressions(values, bounds, parse_format(arithmetic))
    free, (value, answer) = compiled.write(net, free, (u.transition, u.read_out))

    last = free or net.pointwise()
    ends_of = [compiled.interval(root) for root in (u.transition, u.read_out)]
    outputs = [
        last.write(name, gate(flag, form, max(1, *map(abs, bound)), *bound))
        for name, flag, form, bound in zip(("value", "answer"), plan.flags, (value, answer), ends_of, strict=True)
    ]
    written = stack(constant_form(0), plan.kind, *plan.coordinates.values(), *outputs)
    net.read_out(np.eye(width), written, np.zeros(width), margin=1.0)  # nearest integers: off by less than one half
    return _Program(net, plan.constant_size and not compiled.grows)


def _compiled(task: DynamicProgram, attention: str, settings: dict[str, Any], program: _Program) -> Built:
    """The model. It cites its theorem only where its parts are those of the proof: a table of positions, or of squares, grows with n."""
    from separatrix.models.decoders.rounding import Rounding

    u = task.unrolled
    facts = {
        "L": float(u.length),
        "states": float(len(u.states)),
        "reads": float(len(u.reads)),
        "largest value": float(max(map(abs, u.values))),
    }
    limit = len(u.states) + 2
    cites = {"standard": "yang2024 Theorem 4.1", "window": "yang2024 Proposition 5.4"}.get(attention, "yang2024 Theorem 4.2")
    cited = cites if program.as_proved else ""
    return program.net.compile(task, f"{task.label}/{attention}", cited, settings, facts, decoder=Rounding(limit))


def assembled_sizes(net: Assembler) -> Sizes:
    """The sizes of a program that is not filled into a model yet."""
    heads = [layer.heads for layer in net.layers if layer.heads]
    return Sizes(
        layers=len(net.layers),
        heads=max(len(of_layer) for of_layer in heads),
        width=sum(net.layers[-1].after.values()),
        value_width=max(head.value.rows for of_layer in heads for head in of_layer),
        precision_bits=parse_format(net.arithmetic).bits,
    )


def _refuse_values(u: Unrolled, arithmetic: str, name: str) -> None:
    """Values and positions are integers that the format must hold, with room for a step, 3 x + 2."""
    largest, most = max(*map(abs, u.values), *map(abs, u.answers), u.length), exact_integers(parse_format(arithmetic))
    if 4 * largest > most:
        raise BadInput(f"{name}: values and positions up to {largest} do not fit into {arithmetic}, which holds integers up to {most:.4g}")


def _rows(width: int, rows: dict[int, list[float]]) -> Array:
    table = np.zeros((width, 1))
    for row, numbers in rows.items():
        table[row] = numbers
    return table
