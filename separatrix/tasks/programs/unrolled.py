"""A dynamic program unrolled at one size: its states in order, where each reads, and in which interval each value lies.

[yang2024 Equation 10]

Positions count from 1: the n entries of the input, the separator at n + 1, one token for each of the N states, and the answer, so that
L = n + N + 2. A place that does not exist is read at the separator, which holds 0.
"""

from __future__ import annotations

import inspect
import signal
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from separatrix.errors import BadInput
from separatrix.tasks.batch import Integers
from separatrix.tasks.programs.evaluation import Function, Range, nodes
from separatrix.tasks.programs.expression import Expression, Interval, Value, expression
from separatrix.tasks.programs.places import Cell, Entry

if TYPE_CHECKING:
    from separatrix.tasks.programs.dynamic_program import DynamicProgram

_, SEPARATOR, STATE, ANSWER = range(4)  # the kind of a vector; 0 is an entry
FRAME = 4  # coordinates of a vector besides those of the state: entry, kind, value, answer
EXACT = 1 << 53  # integers up to here are exact in float64
MOST = 1 << 16  # states
PATIENCE = 30.0  # seconds of work in which a program lists its states
VALUE = "value"  # what a read-out is an expression of


@dataclass(frozen=True, eq=False)
class Unrolled:
    """States i_1 .. i_N, and for each where its R reads lie."""

    entries: int  # n
    coordinates: tuple[str, ...]  # names of a state's coordinates
    reads: tuple[str, ...]  # names of what a state reads
    states: Integers  # [N, coordinates]
    positions: Integers  # [N, R]
    transition: Expression  # of coordinates and reads
    read_out: Expression  # of VALUE
    read: Mapping[str, Interval]  # holds, for each name, whatever is read under it, and 0
    values: Interval  # holds the value of every state and every entry, and 0
    answers: Interval  # holds the answer

    @property
    def separator(self) -> int:
        """The position of the separator."""
        return self.entries + 1

    @property
    def length(self) -> int:
        """L: the input, the separator, a token for each state, and the answer."""
        return self.entries + len(self.states) + 2

    @property
    def least_window(self) -> int:
        """How many of the last tokens, itself included, a token must see to read all that the next state reads: m of m-locality."""
        readers = np.arange(self.separator, self.separator + len(self.states))[:, None]
        distance = np.where(self.positions == self.separator, 0, readers - self.positions)
        return int(distance.max(initial=0)) + 1

    def run(self, inputs: Integers) -> Integers:
        """The values of all states [rows, N] on inputs [rows, n], side by side."""
        values = self._run([*inputs.T, np.zeros(len(inputs), dtype=np.int64)])
        return np.stack([value + np.zeros(len(inputs), dtype=np.int64) for value in values], axis=1)

    def run_once(self, entries: Sequence[int]) -> list[int]:
        """The values of all states on one input, in plain Python."""
        return self._run([*map(int, entries), 0])

    def concluded(self, values: Any) -> Any:
        """The answer, from the values of all states; or the answers of many rows [.., N]."""
        return self._answer({VALUE: values[..., -1] if isinstance(values, np.ndarray) else values[-1]})

    @property
    def width(self) -> int:
        """Integers of a vector."""
        return FRAME + len(self.coordinates)

    def written(self, values: Integers) -> Integers:
        """A vector for each state, one with the answer, and the zero vector, [rows, N + 2, width], from values [rows, N]."""
        N = len(self.states)
        vectors = np.zeros((len(values), N + 2, self.width), dtype=np.int64)
        vectors[:, :N, 1], vectors[:, :N, 2:-2], vectors[:, :N, -2] = STATE, self.states, values
        vectors[:, N, 1], vectors[:, N, -1] = ANSWER, self.concluded(values)
        return vectors

    def _run(self, payload: list[Any]) -> list[Any]:
        for reads, coordinates in self._steps:
            payload.append(self._value({**coordinates, **{name: payload[position - 1] for name, position in reads}}))
        return payload[self.separator :]

    @cached_property
    def _steps(self) -> list[tuple[list[tuple[str, int]], dict[str, int]]]:
        """For each state, in order, where it reads and what its coordinates are."""
        return [
            (list(zip(self.reads, places, strict=True)), dict(zip(self.coordinates, state, strict=True)))
            for state, places in zip(self.states.tolist(), self.positions.tolist(), strict=True)
        ]

    @cached_property
    def _value(self) -> Function:
        return Function(self.transition)

    @cached_property
    def _answer(self) -> Function:
        return Function(self.read_out)


def unroll(program: DynamicProgram) -> Unrolled:
    """The program at its size; refused if it is not a dynamic program of bounded dependence."""
    name, n = program.name, program.entries
    with _patience():
        listed = _called(name, "states", lambda: list(islice(program.states(), MOST + 1)))
    states = [_state(state, name) for state in listed]
    if not 1 <= len(states) <= MOST:
        raise BadInput(f"{name}: expected 1..{MOST} states, found {'more' if states else 'none'}")
    number = {state: t for t, state in enumerate(states)}
    if len(number) < len(states):
        repeated = next(state for t, state in enumerate(states) if number[state] != t)
        raise BadInput(f"{name}: the state {repeated} appears twice; every state is computed once")
    coordinates = _coordinates(program, states)
    places = [_needs(program, state, number, t) for t, state in enumerate(states)]
    reads = tuple(dict.fromkeys(key for needed in places for key in needed))
    _refuse_clash(name, coordinates, reads)
    positions = np.full((len(states), len(reads)), n + 1, dtype=np.int64)
    for t, needed in enumerate(places):
        for r, key in enumerate(reads):
            positions[t, r] = _position(needed.get(key), number, n)
    transition = _expression(program.transition, (*coordinates, *reads), f"{name}: transition")
    read_out = _expression(program.read_out, (VALUE,), f"{name}: read_out")
    bounds = _bounds(program, states, positions, coordinates, reads, transition)
    read = {key: _hull(bounds[position - 1] for position in positions[:, r].tolist()) for r, key in enumerate(reads)}
    answers = Range(read_out)({VALUE: bounds[-1]})
    _refuse_large(answers, f"{name}: the answer")
    return Unrolled(n, coordinates, reads, np.array(states), positions, transition, read_out, read, _hull(bounds), answers)


@contextmanager
def _patience() -> Iterator[None]:
    """Refuse a program whose states do not come to an end; by time of the processor, and where signals reach, in the main thread."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def late(*_: object) -> None:
        raise BadInput(f"states has not come to an end after {PATIENCE:g} s of work: a program lists its states once, at most {MOST}")

    before = signal.signal(signal.SIGVTALRM, late)
    signal.setitimer(signal.ITIMER_VIRTUAL, PATIENCE)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _called(name: str, what: str, method: Callable[[], Any]) -> Any:
    """What a method of the user's gives; an error in it is bad input, not an error of ours."""
    try:
        return method()
    except BadInput as error:
        raise BadInput(f"{name}: {error}") from error
    except Exception as error:
        about = " ".join(f"{type(error).__name__}: {error}".split())[:200]
        raise BadInput(f"{name}: {what} fails with {about} (SEPARATRIX_TRACEBACK=1 shows where)") from error


def _state(state: Any, name: str) -> tuple[int, ...]:
    whole = tuple(state) if isinstance(state, tuple | list) else (state,)
    if not whole or any(isinstance(c, bool) or not isinstance(c, int) for c in whole):
        raise BadInput(f"{name}: a state is a tuple of integers, found {state!r:.80}")
    return whole


def _coordinates(program: DynamicProgram, states: Sequence[tuple[int, ...]]) -> tuple[str, ...]:
    """The names of a state's coordinates: the parameters of `needs`, which has no others."""
    names = tuple(inspect.signature(program.needs).parameters)
    widths = {len(state) for state in states}
    if widths != {len(names)}:
        found = f"states of {' and '.join(map(str, sorted(widths)))} coordinates"
        raise BadInput(
            f"{program.name}: needs({', '.join(names)}) takes the coordinates of a state and nothing else, found {found}: "
            "a dependence must follow from the state alone, not from values of the input"
        )
    return names


def _needs(program: DynamicProgram, state: tuple[int, ...], number: Mapping[tuple[int, ...], int], t: int) -> dict[str, Any]:
    needed = _called(program.name, f"needs{state}", lambda: program.needs(*state))
    if not isinstance(needed, Mapping):
        raise BadInput(f"{program.name}: needs{state} must be a mapping from names to cells and entries, found {needed!r:.80}")
    for key, place in needed.items():
        if not isinstance(key, str) or not isinstance(place, Cell | Entry):
            raise BadInput(f"{program.name}: needs{state}: expected cell(..) or entry(..) for {key!r}, found {place!r:.80}")
        if isinstance(place, Cell) and len(place.state) != len(state):
            raise BadInput(f"{program.name}: the state {state} needs {place}, but states have {len(state)} coordinates")
        if isinstance(place, Cell) and number.get(place.state, -1) >= t:
            raise BadInput(f"{program.name}: the state {state} needs {place}, which does not come before it")
    return dict(needed)


def _position(place: Cell | Entry | None, number: Mapping[tuple[int, ...], int], n: int) -> int:
    """Where a place lies; the separator if there is no such place."""
    if isinstance(place, Entry) and 1 <= place.number <= n:
        return place.number
    return n + 2 + number[place.state] if isinstance(place, Cell) and place.state in number else n + 1


def _refuse_clash(name: str, coordinates: Sequence[str], reads: Sequence[str]) -> None:
    clash = [key for key in reads if key in coordinates]
    if clash:
        raise BadInput(f"{name}: {clash[0]!r} names both a coordinate of a state and something that it needs")
    if not reads:
        raise BadInput(f"{name}: no state needs anything, so the program does not depend on its input")


def _expression(function: Callable[..., Any], known: Sequence[str], what: str) -> Expression:
    """What a method says of symbols that stand for its parameters."""
    names = list(inspect.signature(function).parameters)
    foreign = [key for key in names if key not in known]
    if foreign:
        raise BadInput(f"{what} has a parameter {foreign[0]!r}: expected some of {', '.join(known)}")
    said = _called(what, "it", lambda: function(*(Value(key) for key in names)))
    if said is None:
        raise BadInput(f"{what} returns nothing: expected an expression")
    return cast("Expression", _called(what, "it", lambda: expression(said)))


def _bounds(
    program: DynamicProgram,
    states: Sequence[tuple[int, ...]],
    positions: Integers,
    coordinates: Sequence[str],
    reads: Sequence[str],
    transition: Expression,
) -> list[Interval]:
    """An interval for every entry, the separator, and the value of every state, from those of the places it reads."""
    n = program.entries
    bounds: list[Interval] = [(0, program.symbols - 1)] * n + [(0, 0)]
    used = {node.name for node in nodes(transition) if isinstance(node, Value)}
    range_of = Range(transition)
    for state, where in zip(states, positions.tolist(), strict=True):
        known = {key: (c, c) for key, c in zip(coordinates, state, strict=True) if key in used}
        known |= {key: bounds[position - 1] for key, position in zip(reads, where, strict=True)}
        bounds.append(range_of(known))
        _refuse_large(bounds[-1], f"{program.name}: the value of the state {state}")
    return bounds


def _hull(bounds: Iterable[Interval]) -> Interval:
    """The least interval that holds these and 0."""
    lows, highs = zip((0, 0), *bounds, strict=True)
    return min(lows), max(highs)


def _refuse_large(bound: Interval, what: str) -> None:
    if max(map(abs, bound)) > EXACT:
        raise BadInput(f"{what} is not bounded: it may reach {max(map(abs, bound)):.3g}, beyond the integers up to 2^53 of float64")
