"""A layer that weighs all tokens equally, over tokens that each show one predicate or none: bounds on its sums for every count.

Let the tokens that tell predicate i add between l_i and h_i where it does not hold, and between l'_i and h'_i where it does. Over all
inputs on which exactly k predicates hold, the sum lies between sum l_i plus the k smallest l'_i - l_i, and sum h_i plus the k largest
h'_i - h_i.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from separatrix.checker.models.model import Model
from separatrix.checker.numbers import arrays
from separatrix.checker.numbers.boxes import Array, Box
from separatrix.checker.numbers.counts import Steps, sums
from separatrix.checker.numbers.heads import alike, weighed
from separatrix.checker.numbers.leads import leads_of, margin_of
from separatrix.checker.replay.choices import Choices
from separatrix.checker.replay.local_stream import LocalLayer, Places
from separatrix.checker.replay.proof import Unproven
from separatrix.checker.replay.shapes import after_reading, logits_of
from separatrix.checker.specs.forms.local import Count, Part, Parts, settled


@dataclass(frozen=True, eq=False)
class Token:
    """What one token adds: the values of its role, for each combination of the tokens at its places."""

    places: Places
    sizes: tuple[int, ...]
    role: int


@dataclass(frozen=True, eq=False)
class Counting:
    """The last layer, over what every role adds."""

    model: Model
    last: LocalLayer
    form: Count
    values: list[Box]  # of each role: what the heads weigh, [combinations, values]
    streams: list[Box]  # of each role: one box around its stream, [1, width]
    known: dict[tuple[int, int, Places], tuple[Array, Steps]] = field(default_factory=dict)  # by role and table, which is held on to
    sizes: dict[int, Array] = field(default_factory=dict)
    hulls: dict[int, Box] = field(default_factory=dict)

    def lead(self, asked: Parts, tokens: list[Token], choices: Choices) -> Fraction | float:
        """The least lead of the right answer for every number of parts that hold, at one length."""
        mixer, ops, n = self.last.mixer, self.model.ops, len(tokens)
        assert mixer is not None
        visible = mixer.mask.visible(arrays.array([n - 1]), n)
        seen = [tokens[t] for t in range(n) if visible is None or visible[0, t]]
        always, parts = settled(asked.parts)
        total = sums(ops, *self._assigned(seen, parts, choices.parts(self, seen, parts)), self.values[0].shape[1])
        read = weighed(ops, alike(ops, len(seen)), total, [self._size(token.role) for token in seen])
        own = self.streams[tokens[-1].role][arrays.zeros(len(total))]
        logits = logits_of(self.model, after_reading(self.model, self.last.number, own, read))
        many = arrays.arange(len(total)) + always > self.form.above(asked)
        return margin_of(ops, leads_of(ops, logits, arrays.where(many, self.form.many, self.form.few)))

    def _size(self, role: int) -> Array:
        """The largest magnitude of each value."""
        if role not in self.sizes:
            self.sizes[role] = self.values[role].reach.max(axis=0)
        return self.sizes[role]

    def _assigned(self, tokens: list[Token], parts: list[Part], shows: Array) -> tuple[list[Steps], list[Box]]:
        """For each part what the tokens that show it add, where it does not hold and where it does; and what all others add."""
        told: list[Steps | None] = [None] * len(parts)
        others = []
        for token, i in zip(tokens, shows.tolist(), strict=True):
            if i < 0:
                if token.role not in self.hulls:
                    self.hulls[token.role] = self.values[token.role].hull()
                others.append(self.hulls[token.role])
                continue
            if i >= len(parts) or not {*parts[i].places} <= {*token.places}:
                raise Unproven(self.last.name, f"a counted token does not depend on the places of predicate {i}, which it is said to show")
            steps, before = self.steps(token, parts[i]), told[i]
            told[i] = steps if before is None else before.plus(steps)
        for part, steps_of in zip(parts, told, strict=True):
            if steps_of is None:
                places = ", ".join(str(p + 1) for p in part.places)
                raise Unproven(self.last.name, f"no counted token shows whether the predicate of places {places} holds")
        return [steps for steps in told if steps is not None], others

    def steps(self, token: Token, part: Part) -> Steps:
        """What a token adds where a predicate does not hold, and where it does."""
        axes = tuple(token.places.index(p) for p in part.places)
        key = (token.role, id(part.holds), axes)
        if key not in self.known:
            shape = [size if axis in axes else 1 for axis, size in enumerate(token.sizes)]
            holds = arrays.broadcast_to(part.holds.reshape(shape), token.sizes).reshape(-1)
            self.known[key] = part.holds, Steps.of(self.model.ops, *(self.values[token.role][rows].hull() for rows in (~holds, holds)))
        return self.known[key][1]
