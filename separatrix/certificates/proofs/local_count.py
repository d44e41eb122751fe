"""Chooses for a local proof which token each head is taken to read, which tokens are bounded together, and what each token shows.

A focus is the token that moves the sum most, if the head gives it more than an eighth of its weight. Tokens share a role where their
boxes are equal or, if combinations are many, roughly equal. A token shows the first predicate among its places that its values tell.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from separatrix.checker.budget import Budget
from separatrix.checker.models.mixers.attention import Attention
from separatrix.checker.models.model import Model
from separatrix.checker.numbers.boxes import Array, Box
from separatrix.checker.numbers.counts import Steps
from separatrix.checker.replay.choices import NAMES, Choices
from separatrix.checker.replay.counting import Counting, Token
from separatrix.checker.replay.local_count import by_position, least_lead
from separatrix.checker.replay.local_stream import Finish, LocalLayer, Places, Reading, Role, Roles
from separatrix.checker.replay.proof import Unfit
from separatrix.checker.specs import Spec
from separatrix.checker.specs.forms.local import Count, Part
from separatrix.checker.specs.forms.lookup import Lookup

MANY = 1 << 8  # combinations from which on tokens that are roughly alike are bounded together
TINY = 1 << 30  # a box of width 1 / TINY is as good as a number
SEEN = 8  # a focus has more than 1/8 of the weight
MOST_PLACES = 12  # that a token depends on, where predicates are looked for among them


def candidates(model: Model, task: Spec) -> Iterator[dict[str, Any]]:
    """One proof: its choices are made while the rule runs."""
    form, d = task.form(), model.description
    if not isinstance(form, Count | Lookup) or not all(isinstance(layer.mixer, Attention) for layer in d.layers):
        raise Unfit("expected a task whose answers are local, or count local predicates, and layers of attention")
    if d.embedding.reads != "tokens" or (isinstance(form, Lookup) and not by_position(form)):
        raise Unfit("expected tokens, and places that depend on the position alone")
    choosing = Choosing(model.ops.scale or 1)
    least_lead(model, form, choosing, Budget())
    yield {"rule": "local count", **choosing.said}


class Choosing(Choices):
    """Makes the choices, and writes them down."""

    def __init__(self, one: float) -> None:
        self.one = one  # as a number of the format
        self.said: dict[str, list[int]] = {name: [] for name in NAMES}
        self.known: dict[int, tuple[Roles, dict[tuple[object, ...], int]]] = {}  # holds on to the roles, so that no other has their id

    def foci(self, weights: Box, hulls: Box) -> Array:
        spread = (hulls.high - hulls.low).max(axis=1)
        score, readers = weights.high * spread[None], np.arange(len(weights.low))
        focus = score.argmax(axis=1)
        chosen = (score[readers, focus] > 0) & (weights.high[readers, focus] * SEEN > self.one)
        said = np.where(chosen, focus, -1).astype(np.int64)
        self.said["foci"] += said.tolist()
        return said

    def role(self, reading: Reading, roles: Roles) -> int:
        _, known = self.known.setdefault(id(roles), (roles, {}))
        number = known.setdefault(_key(reading, self.one), len(known))
        self.said["roles"].append(number)
        return number

    def flat(self, layer: LocalLayer, role: Role, finish: Finish) -> bool:
        flat = False
        if role.rows >= MANY:  # perhaps nothing depends on the combination
            once = finish(layer.at_once(role))
            flat = bool(((once.high - once.low) * TINY <= self.one).all())
        self.said["flat"].append(int(flat))
        return flat

    def parts(self, counting: Counting, tokens: Sequence[Token], parts: Sequence[Part]) -> Array:
        over: dict[Places, list[int]] = defaultdict(list)
        for i, part in enumerate(parts):
            over[part.places].append(i)
        shown: set[int] = set()
        said = []
        for token in tokens:
            telling = [i for i in _candidates(token.places, over) if _apart(counting.steps(token, parts[i]))]
            said.append(min(telling, key=lambda i: i in shown, default=-1))  # one that no token shows yet
            shown.add(said[-1])
        self.said["parts"] += said
        return np.array(said, dtype=np.int64)


def _key(reading: Reading, one: float) -> tuple[object, ...]:
    """Tokens with equal keys are bounded together."""
    if math.prod(reading.sizes) < MANY:
        return reading.sizes, reading.axes, *(_exactly(end) for table in reading.tables for end in (table.low, table.high))
    return reading.sizes, reading.axes, *((np.rint(_middles(table) / one) + 0.0).tobytes() for table in reading.tables)


def _apart(steps: Steps) -> bool:
    """Whether some value of a token tells where its predicate holds."""
    return bool(((steps.low[1] > steps.high[0]) | (steps.low[0] > steps.high[1])).any())


def _candidates(places: Places, over: dict[Places, list[int]]) -> Iterator[int]:
    """The parts whose places are among these."""
    if len(places) > MOST_PLACES:
        return
    for size in range(len(places), 0, -1):
        for some in combinations(places, size):
            yield from over.get(some, ())


def _middles(table: Box) -> Array:
    return np.asarray((table.low.astype(np.float64) + table.high.astype(np.float64)) / 2)


def _exactly(numbers: Array) -> bytes:
    return repr(numbers.tolist()).encode() if numbers.dtype == object else numbers.tobytes()
