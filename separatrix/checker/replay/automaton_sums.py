"""Sums over tokens beside an automaton: the least and the largest of a sum of hidden units, over all inputs with the same answer."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import add

from separatrix.checker.budget import Budget
from separatrix.checker.replay.proof import Unproven
from separatrix.checker.specs.forms.automaton import Automaton, State

MOST = 1 << 17  # states of automaton and open sums together, after one token
STEP = 5_000  # work of one of them, for one token
Sums = tuple[int, ...]
Ends = tuple[Sums, Sums]  # the least and the largest of each output


@dataclass(frozen=True, eq=False)
class Unit:
    """hidden(constant + sum over places of steps[t][s_t]), which goes to the outputs with these weights."""

    steps: dict[int, list[int]]
    constant: int
    weights: list[int]
    hidden: Callable[[int], int]

    @property
    def places(self) -> range:
        """From the first place that it depends on to the last; none if it depends on nothing."""
        return range(min(self.steps, default=0), max(self.steps, default=-1) + 1)

    def added(self, total: int) -> list[int]:
        """What it adds to each output where its steps sum up to this."""
        value = self.hidden(self.constant + total)
        return [weight * value for weight in self.weights]


def walked(form: Automaton, units: list[Unit], outputs: int, budget: Budget) -> dict[int, Ends]:
    """For each answer the least and the largest of every output, in units that the format has not rounded yet."""
    begun = _plus((0,) * outputs, [unit.added(0) for unit in units if not unit.places])
    shared: dict[tuple[tuple[int, tuple[int, ...]], ...], list[Unit]] = defaultdict(list)  # units that are functions of one sum
    for unit in units:
        shared[tuple((t, tuple(steps)) for t, steps in sorted(unit.steps.items()))].append(unit)
    known: dict[tuple[State, Sums], Ends] = {(form.start, ()): (begun, begun)}
    open_: list[list[Unit]] = []  # those whose sums have begun and not ended
    spent = 0
    for t, alphabet in enumerate(form.alphabets):
        met = [some for some in shared.values() if t in some[0].places]
        spent += len(known) * len(alphabet) * STEP * (1 + len(met))
        budget.allow(spent, len(known) * 1000)
        new: dict[tuple[State, Sums], Ends] = {}
        memo: dict[tuple[Sums, int], tuple[Sums, Sums]] = {}
        before = {id(some): i for i, some in enumerate(open_)}
        plan = [(some, before.get(id(some)), some[0].steps.get(t), some[0].places[-1] == t) for some in met]
        for (state, sums), (low, high) in known.items():
            for s, token in enumerate(alphabet):
                if (sums, s) not in memo:
                    memo[sums, s] = _step(plan, sums, s, outputs)
                onward, added = memo[sums, s]
                key = (form.step(state, token), onward)
                least, most = _plus(low, [added]), _plus(high, [added])
                if key in new:
                    least, most = tuple(map(min, new[key][0], least)), tuple(map(max, new[key][1], most))
                new[key] = (least, most)
        if len(new) > MOST:
            raise Unproven(
                "layer 1", f"after token {t + 1} there are {len(new)} values of open sums beside the automaton, more than {MOST}"
            )
        known, open_ = new, [some for some in met if some[0].places[-1] > t]
    by_answer: dict[int, list[Ends]] = defaultdict(list)
    for (state, _), ends in known.items():
        by_answer[form.answer(state)].append(ends)
    return {
        answer: (
            tuple(min(column) for column in zip(*(low for low, _ in ends), strict=True)),
            tuple(max(column) for column in zip(*(high for _, high in ends), strict=True)),
        )
        for answer, ends in by_answer.items()
    }


def _step(plan: list[tuple[list[Unit], int | None, list[int] | None, bool]], sums: Sums, s: int, outputs: int) -> tuple[Sums, Sums]:
    """The open sums after token number s, and what the units whose sums end there add to each output."""
    onward, added = [], (0,) * outputs
    for units, before, steps, ends in plan:
        total = (0 if before is None else sums[before]) + (0 if steps is None else steps[s])
        if ends:
            added = _plus(added, [unit.added(total) for unit in units])
        else:
            onward.append(total)
    return tuple(onward), added


def _plus(sums: Sums, parts: Sequence[Sequence[int]]) -> Sums:
    """The sums, each with its part of every row."""
    for part in parts:
        sums = tuple(map(add, sums, part))
    return sums
