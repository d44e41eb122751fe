"""Boolean functions of the input in a form that a rule can compare: an OR of predicates of few places, or its negation.

constant                     no predicate at all
literal, or local            one predicate
AND of predicates so far     the negation of an OR of their negations
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from separatrix.checker.numbers import arrays
from separatrix.checker.numbers.boxes import Array
from separatrix.checker.specs.forms.local import Alphabets, Part

MOST = 1 << 12  # combinations of tokens that one predicate depends on
Places = tuple[int, ...]
SAME, OPPOSITE, NEVER, ALWAYS = range(4)  # operations on a function as a whole


class TooMany(Exception):
    """A predicate of too many combinations."""


@dataclass(frozen=True, eq=False)
class Predicate:
    """negated != (some part holds). Parts have different places."""

    negated: bool
    parts: tuple[Part, ...] = ()

    @property
    def constant(self) -> bool:
        """Whether it depends on nothing."""
        return not self.parts

    @property
    def local(self) -> bool:
        """Whether it is at most one predicate."""
        return len(self.parts) <= 1

    @property
    def places(self) -> Places:
        """The places that a local predicate reads."""
        return self.parts[0].places if self.parts else ()

    def table(self, places: Places, alphabets: Alphabets) -> Array:
        """The values of a local one over some more places, an axis for each."""
        assert self.local
        value = spread(self.parts[0], places, alphabets) if self.parts else arrays.zeros(shape_of(places, alphabets), dtype=bool)
        return arrays.asarray(value != self.negated)

    def turned(self, negated: bool) -> Predicate | None:
        """This function with the given sign in front; None if it has the other form."""
        if self.negated == negated:
            return self
        if not self.local:
            return None
        if not self.parts:
            return Predicate(negated, (Part((), arrays.array(True)),))
        return Predicate(negated, (Part(self.places, ~self.parts[0].holds),))

    def opposite(self) -> Predicate:
        """Its negation."""
        return Predicate(not self.negated, self.parts)

    def joined(self, part: Part) -> Predicate:
        """With one more part."""
        if not part.holds.any():
            return self
        part = reduced(part)
        others = [each for each in self.parts if each.places != part.places]
        for each in self.parts:
            if each.places == part.places:
                part = Part(part.places, each.holds | part.holds)
        return Predicate(self.negated, (*others, part))


def local(places: Places, values: Array) -> Predicate:
    """The predicate with these values."""
    if values.all() or not values.any():
        return Predicate(bool(values.all()))
    return Predicate(False, (reduced(Part(places, values)),))


def reduced(part: Part) -> Part:
    """The predicate without irrelevant places."""
    places, holds = part.places, part.holds
    for axis in reversed(range(len(places))):
        first = arrays.take(holds, [0], axis=axis)
        if bool((holds == first).all()):
            places, holds = places[:axis] + places[axis + 1 :], first.squeeze(axis)
    return Part(places, holds)


def chosen(accumulated: Predicate, places: Places, what: Array) -> Predicate | None:
    """A function of which the input decides, by what[...] over some places, whether it stays, turns, or becomes 0 or 1.

    None if the result is neither an OR nor the negation of one.
    """
    if (what == OPPOSITE).all():
        return accumulated.opposite()
    if (what == OPPOSITE).any() or ((what == NEVER).any() and (what == ALWAYS).any()):
        return None
    if (what == ALWAYS).any():
        whole = accumulated.turned(negated=False)
        return None if whole is None else whole.joined(Part(places, what == ALWAYS))
    whole = accumulated.turned(negated=True)
    return None if whole is None else whole.joined(Part(places, what == NEVER))


def spread(part: Part, places: Places, alphabets: Alphabets) -> Array:
    """The values of a part over some more places, in rising order like its own."""
    shape = shape_of(places, alphabets)
    own = [size if p in part.places else 1 for p, size in zip(places, shape, strict=True)]
    return arrays.broadcast_to(part.holds.reshape(own), shape)


def shape_of(places: Places, alphabets: Alphabets) -> tuple[int, ...]:
    """An axis for each place; refused where the combinations are too many."""
    shape = tuple(len(alphabets[p]) for p in places)
    if math.prod(shape) > MOST:
        raise TooMany(f"a predicate depends on {math.prod(shape)} combinations of tokens, more than {MOST}")
    return shape


def same_some(parts: Sequence[Part], others: Sequence[Part], alphabets: Alphabets) -> bool:
    """Whether some part of one holds exactly where some part of the other does, shown part by part."""
    goal: dict[Places, Array] = {}
    for part in others:
        goal[part.places] = goal.get(part.places, arrays.zeros(part.holds.shape, dtype=bool)) | part.holds
    held = {places: arrays.zeros(table.shape, dtype=bool) for places, table in goal.items()}
    for part in parts:
        over = next((places for places in goal if {*part.places} <= {*places}), None)
        if over is None:
            return False
        held[over] |= spread(part, over, alphabets)
    return all(arrays.array_equal(held[places], table) for places, table in goal.items())
