"""Sums over tokens beside an automaton: the least and the largest of a sum of hidden units, over all inputs with the same answer."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass

from separatrix.checker.budget import Budget
from separatrix.checker.replay.proof import Unproven
from separatrix.checker.specs.forms.automaton import Automaton, State

MOST = 1 << 17  # states of automaton and open sums together, after one token
STEP = 5_000  # work of one of them, for one token
Ends = tuple[tuple[int, ...], tuple[int, ...]]  # the least and the largest of each output


@dataclass(frozen=True, eq=False)
class Unit:
    """hidden(constant + sum over places of steps[t][s_t]), which goes to the outputs with these weights."""

    steps: dict[int, list[int]]
    constant: int
    weights: list[int]
    hidden: Callable[[int], int]

    @property
    def last(self) -> int:
        """The place after which it is known; -1 if it depends on nothing."""
        return max(self.steps, default=-1)


@dataclass(frozen=True)
class Track:
    """A sum that several units share up to some place, each with its own factor: steps by place, without a common divisor."""

    steps: tuple[tuple[int, tuple[int, ...]], ...]


def walked(form: Automaton, units: list[Unit], outputs: int, budget: Budget) -> dict[int, Ends]:
    """For each answer the least and the largest of every output, in units that the format has not rounded yet."""
    n = len(form.alphabets)
    begun = tuple(sum(unit.weights[o] * unit.hidden(unit.constant) for unit in units if unit.last < 0) for o in range(outputs))
    known: dict[tuple[State, tuple[int, ...]], Ends] = {(form.start, ()): (begun, begun)}
    tracks: list[Track] = []
    spent = 0
    for t in range(n):
        onward, after = _tracks(units, t)
        plan = [(unit, _place_of(unit, t - 1, tracks)) for unit in units if unit.last == t]
        carried = [(unit, _place_of(unit, t - 1, tracks), divisor) for unit, divisor in onward]
        new: dict[tuple[State, tuple[int, ...]], Ends] = {}
        spent += len(known) * len(form.alphabets[t]) * STEP * (1 + len(plan) + len(carried))
        budget.allow(spent, len(known) * 1000)
        memo: dict[tuple[tuple[int, ...], int], tuple[tuple[int, ...], tuple[int, ...]]] = {}
        for (state, open_), (low, high) in known.items():
            for s, token in enumerate(form.alphabets[t]):
                if (open_, s) not in memo:
                    memo[open_, s] = _step(open_, s, t, plan, carried, outputs)
                values, added = memo[open_, s]
                key = (form.step(state, token), values)
                least, most = (tuple(a + b for a, b in zip(end, added, strict=True)) for end in (low, high))
                if key in new:
                    before = new[key]
                    least, most = tuple(map(min, before[0], least)), tuple(map(max, before[1], most))
                new[key] = (least, most)
        if len(new) > MOST:
            raise Unproven(
                "layer 1", f"after token {t + 1} there are {len(new)} values of open sums beside the automaton, more than {MOST}"
            )
        known, tracks = new, after
    by_answer: dict[int, list[Ends]] = defaultdict(list)
    for (state, _), ends in known.items():
        by_answer[form.answer(state)].append(ends)
    return {
        answer: (
            tuple(map(min, *(e[0] for e in ends), [math.inf] * outputs)),
            tuple(map(max, *(e[1] for e in ends), [-math.inf] * outputs)),
        )
        for answer, ends in by_answer.items()
    }


def _step(
    open_: tuple[int, ...],
    s: int,
    t: int,
    plan: list[tuple[Unit, tuple[int, int]]],
    carried: list[tuple[Unit, tuple[int, int], int]],
    outputs: int,
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The open sums after token number s at place t, and what the units that end there add to each output."""

    def partial(unit: Unit, at: tuple[int, int]) -> int:
        before = at[1] * open_[at[0]] if at[0] >= 0 else 0
        return before + (unit.steps[t][s] if t in unit.steps else 0)

    values = tuple(partial(unit, at) // divisor for unit, at, divisor in carried)
    added = [0] * outputs
    for unit, at in plan:
        h = unit.hidden(unit.constant + partial(unit, at))
        if h:
            added = [a + weight * h for a, weight in zip(added, unit.weights, strict=True)]
    return values, tuple(added)


def _tracks(units: list[Unit], t: int) -> tuple[list[tuple[Unit, int]], list[Track]]:
    """The different sums that are open after place t, each with a unit that has it and by how much that one's is larger."""
    by_track: dict[Track, tuple[Unit, int]] = {}
    for unit in units:
        if unit.last > t:
            track, divisor = _normal(unit, t)
            if track is not None:
                by_track.setdefault(track, (unit, divisor))
    return list(by_track.values()), list(by_track)


def _place_of(unit: Unit, t: int, tracks: list[Track]) -> tuple[int, int]:
    """Which open sum a unit shares after place t, and its factor; (-1, 0) if it has not begun."""
    track, factor = _normal(unit, t)
    return (-1, 0) if track is None else (tracks.index(track), factor)


def _normal(unit: Unit, t: int) -> tuple[Track | None, int]:
    steps = sorted((place, values) for place, values in unit.steps.items() if place <= t)
    if not steps:
        return None, 0
    divisor = math.gcd(*(v for _, values in steps for v in values))
    if next(v for _, values in steps for v in values if v) < 0:
        divisor = -divisor
    return Track(tuple((place, tuple(v // divisor for v in values)) for place, values in steps)), divisor
