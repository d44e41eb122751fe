"""Finds the pairs of a simulation: every state of the automaton beside a box around the states of the model that occur there.

Pairs are met breadth first. In floats, boxes whose centres round to the same multiples of a grain are one, and a box that has to grow
grows a little more than it must, so that it settles after a few visits.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from separatrix.checker.budget import Budget
from separatrix.checker.models.model import Model
from separatrix.checker.numbers.boxes import Array, Box
from separatrix.checker.numbers.exact import Grid
from separatrix.checker.replay.proof import Unfit, Unproven
from separatrix.checker.replay.simulation import Invariant, Stepper, blocks, following, walked
from separatrix.checker.seal import Refused
from separatrix.checker.specs import Spec
from separatrix.checker.specs.forms.automaton import Phase, State, Walk

MOST = 1 << 14  # pairs
NUMBERS = 1 << 19  # in the boxes of all pairs: a proof is text
GROWTHS = 40  # times that the box of a pair may grow
SOON = 12  # up to which it grows no more than it must: a state that is kept goes round unchanged
GRAIN = 2.0**-10
AT_ONCE = 1 << 10  # pairs that are stepped together

Key = tuple[int, State, str]


@dataclass(eq=False)
class Pair:
    """A state of the automaton, a phase, and a box around states of the model."""

    state: State
    phase: int
    box: Box
    growths: int = 0
    following: list[tuple[int, Key]] = field(default_factory=list)  # token, and the pair that it leads to


def candidates(model: Model, task: Spec) -> Iterator[dict[str, Any]]:
    """The pairs for every length, where they are finitely many; else those of the length of the claim."""
    form = task.form()
    if not isinstance(form, Walk):
        raise Unfit("expected a task that an automaton decides")
    yield from found(model, form)


def found(model: Model, form: Walk) -> Iterator[dict[str, Any]]:
    """A simulation of an automaton, as a proof that the checker replays."""
    stepper = Stepper(model)
    if form.every is not None:
        with suppress(Unproven, Refused):  # its states may be finitely many at this length only
            yield {"rule": "simulation", "lengths": "every", **_Search(stepper, form, form.every.phases).run()}
    yield {"rule": "simulation", "lengths": "stated", **_Search(stepper, form, form.phases).run()}


def _padded(box: Box, units: int) -> Box:
    """A box with ends that are multiples of a power of two, an eighth of its width or more, so that centre and radius are exact numbers;
    and so many units more on either side."""
    width = box.high - box.low
    (_, exponent), (_, largest) = np.frexp(width), np.frexp(box.reach)
    unit = np.ldexp(1.0, np.maximum(np.maximum(exponent - 3, largest - 50), -1000))
    low, high = (np.floor(box.low / unit) - units) * unit, (np.ceil(box.high / unit) + units) * unit
    return Box(np.where(width > 0, low, box.low), np.where(width > 0, high, box.high))


def _grown(box: Box, other: Box, growths: int) -> Box:
    """A box around two; where it goes on growing, a little more. Where the first contains the second it stays as it is."""
    more, kept = _padded(box.around(other), 0 if growths < SOON else 4), (box.low <= other.low) & (other.high <= box.high)
    return Box(np.where(kept, box.low, more.low), np.where(kept, box.high, more.high))


class _Search:
    def __init__(self, stepper: Stepper, form: Walk, phases: tuple[Phase, ...]) -> None:
        self.stepper, self.form, self.phases = stepper, form, phases
        self.first: Key = (-1, form.start, "start")
        self.pairs: dict[Key, Pair] = {self.first: Pair(form.start, -1, stepper.start())}
        self.exact = isinstance(stepper.model.ops, Grid)

    def run(self) -> dict[str, Any]:
        """Moves and boxes, once no box grows any more."""
        waiting = deque([self.first])
        queued = {self.first}
        while waiting:
            some = [waiting.popleft() for _ in range(min(len(waiting), AT_ONCE))]
            queued.difference_update(some)
            for key in self._expand(some):
                if key not in queued:
                    queued.add(key)
                    waiting.append(key)
        return self._written()

    def _expand(self, keys: list[Key]) -> list[Key]:
        """Step some pairs by every token that may follow; the pairs that are new, or whose box grew."""
        moves = []
        for key in keys:
            pair = self.pairs[key]
            pair.following = []
            for p in following(self.phases, pair.phase):
                moves += [(pair, token, p) for token in self.phases[p].alphabet if self.form.reads(pair.state, token)]
        changed: list[Key] = []
        if not moves:
            return changed
        boxes = Box(*(np.concatenate([getattr(pair.box, end) for pair, _, _ in moves]) for end in ("low", "high")))
        after, _ = self.stepper.step(boxes, np.array([token for _, token, _ in moves]))
        for i, (pair, token, p) in enumerate(moves):
            box = after[i : i + 1]
            key = (p, self.form.step(pair.state, token), self._place(box))
            pair.following.append((token, key))
            if self._arrive(key, box):
                changed.append(key)
        return changed

    def _arrive(self, key: Key, box: Box) -> bool:
        known = self.pairs.get(key)
        if known is None:
            if len(self.pairs) >= MOST:
                raise Unproven("the model", f"it reaches more than {MOST} states")
            if len(self.pairs) * self.stepper.width >= NUMBERS:
                raise Unproven("the model", f"its states have more than {NUMBERS} numbers together")
            self.pairs[key] = Pair(key[1], key[0], box if box.point else _padded(box, 1))  # the kernel may sum in another order
            return True
        if bool((known.box.low <= box.low).all() and (box.high <= known.box.high).all()):
            return False
        known.growths += 1
        if known.growths > GROWTHS:
            raise Unproven("the model", "its states do not settle: a box around them grows with every token")
        known.box = _grown(known.box, box, known.growths)
        return True

    def _place(self, box: Box) -> str:
        """Which boxes are taken together: equal points, and neighbours among boxes that are not points."""
        if box.point:
            return f"at {box.low.tolist()}"
        if self.exact:
            raise Unproven("the model", f"{self.stepper.model.ops.name} leaves the numbers of its state open")
        return f"near {(np.rint((box.low + box.high) / 2 / GRAIN) + 0.0).tolist()}"

    def _written(self) -> dict[str, Any]:
        order, reached = [self.first], {self.first: 0}
        for key in order:  # grows on the way
            for _, target in self.pairs[key].following:
                if target not in reached:
                    reached[target] = len(order)
                    order.append(target)
        moves = [[reached[target] for _, target in self.pairs[key].following] for key in order]
        boxes = Box(*(np.concatenate([getattr(self.pairs[key].box, end) for key in order]) for end in ("low", "high")))
        low, high = self._settled(moves, boxes)
        return {"moves": moves, "low": low.tolist(), "high": None if bool((low == high).all()) else high.tolist()}

    def _settled(self, moves: list[list[int]], boxes: Box) -> tuple[Array, Array]:
        """The boxes, once the kernel's own blocks of moves stay inside them: what else is in a block may widen an enclosure."""
        every = self.form.every is not None and self.phases == self.form.every.phases
        low, high = boxes.low.copy(), boxes.high.copy()
        for round_ in range(GROWTHS):
            grown = False
            for sources, tokens, targets in blocks(walked(self.form, Invariant(every, moves, Box(low, high)), Budget(1e9), 0)):
                after, _ = self.stepper.step(Box(low[sources], high[sources]), tokens)
                outside = ((after.low < low[targets]) | (after.high > high[targets])).any(axis=1)
                for i in np.flatnonzero(outside):
                    box = _grown(Box(low[targets[i]], high[targets[i]]), after[i], round_)
                    low[targets[i]], high[targets[i]] = box.low, box.high
                grown = grown or bool(outside.any())
            if not grown:
                return low, high
        raise Unproven("the model", "its states do not settle: a box around them grows with every token")
