"""Local predicates and their count: what is right hangs on few places, or on how many predicates of few places hold.

Lemma (local). After layers through which every token comes to hang on few tokens of the input (rules/local_stream.py), the logits at a
position lie in a box for each combination of those. Where that position must say the token at a place, it is right on every input if the
logit of that token leads in every box.

Lemma (count). Let the last layer weigh all tokens that its reader sees alike. Split these tokens: some hang on the places of one predicate
and have a value in one box where it holds and in another where it does not; all others have a value in one box. Then for each number k
the sum of values over all inputs on which k predicates hold lies between the k smallest and the k largest steps above the sum for
none. The answer is right on every input if the right logit leads for every k. In exact formats a weight is floor(1/n) or its nearest
number, and the sum is exact; in floats the weight and the sum are off by what any order of summation may lose.

A mask that hides later tokens changes which tokens a reader sees, in either lemma: both are applied to exactly those.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np

from separatrix.checker.budget import Budget
from separatrix.checker.models.description import Layer
from separatrix.checker.models.layer import under
from separatrix.checker.models.mixers.attention import Attention
from separatrix.checker.models.model import Model
from separatrix.checker.numbers.floats import Float
from separatrix.checker.numbers.values import Array
from separatrix.checker.oracles import TaskOracle
from separatrix.checker.oracles.forms.local import Count, Part, Parts
from separatrix.checker.oracles.forms.lookup import Lookup
from separatrix.checker.rules.box import Box, Boxes, Sum
from separatrix.checker.rules.formats import boxes_of
from separatrix.checker.rules.local_stream import ONE, READERS, LocalLayer, Places, Roles, first_stream, through
from separatrix.checker.rules.proof import Proof, Unfit, Unproven
from separatrix.checker.seal import Refused

MOST_PLACES = 12  # that a token hangs on, where predicates are looked for among them
RULE = "local_count"


def prove(model: Model, oracle: TaskOracle, budget: Budget) -> Proof:
    """A proof for every input of every length that the claim names; Unproven names the first hypothesis that fails."""
    form = oracle.form()
    if not isinstance(form, Count | Lookup):
        raise Unfit("expected a task whose answers are local, or count local predicates")
    if not all(isinstance(layer.mixer, Attention | None) for layer in model.description.layers):
        raise Unfit("expected layers of attention")
    if model.description.embedding.reads != "tokens":
        raise Unfit("expected a model that reads tokens")
    if isinstance(form, Lookup) and not _by_position(form):
        raise Unfit("expected places that positions ask for, whatever token stands there")
    boxes = boxes_of(model)
    _allow(model, form, budget)
    try:
        with np.errstate(all="ignore"):
            margin = _counted(model, boxes, form, budget) if isinstance(form, Count) else _copied(model, boxes, form, budget)
    except Refused as error:
        raise Unproven("arithmetic", str(error)) from error
    if not margin > 0:
        raise Unproven("read-out", f"the right answer may trail by {float(-margin):.3g} on inputs that were not told apart")
    return Proof(RULE, margin, _hypotheses(model, form))


def _layers(model: Model, boxes: Boxes) -> list[LocalLayer]:
    return [
        LocalLayer(boxes, layer, w, f"layer {i + 1}")
        for i, (layer, w) in enumerate(zip(model.description.layers, model.layers, strict=True))
    ]


def _logits(model: Model, boxes: Boxes, z: Box) -> Box:
    if model.description.readout.norm != "none":
        raise Unproven("read-out", f"expected no norm, found {model.description.readout.norm}")
    if model.description.readout.targets < 2:
        raise Unproven("read-out", "a single target decides nothing")
    return boxes.linear(z, model.weights["readout.weight"], model.weights.get("readout.bias"))


# -- local -------------------------------------------------------------------------------------------------------------------------


def _copied(model: Model, boxes: Boxes, form: Lookup, budget: Budget) -> Any:
    """The least lead at all positions of all lengths; roles of the last layer are shared between lengths."""
    *before, last = _layers(model, boxes)
    roles, said = Roles(boxes.one), set()
    for n in form.lengths:
        alphabets, readers = form.alphabets(n), form.readers(n)
        x = first_stream(model, boxes, alphabets)
        for layer in before:
            x = through(layer, x, budget)
        positions = readers.position.tolist()
        for position, place, reading in zip(positions, readers.place.tolist(), last.readings(x, positions), strict=True):
            alphabet = alphabets[place]
            if len(alphabet) > 1 and place not in reading.places:
                raise Unproven(last.name, f"at token {position + 1} of {n} nothing read hangs on place {place + 1}, whose token is asked")
            axis = reading.places.index(place) if len(alphabet) > 1 else -1
            said.add((roles.put(reading), axis, alphabet))
    last.allow(roles, budget)
    leads = []
    for number, role in enumerate(roles.roles):
        logits, _ = last.after(role, lambda z: _logits(model, boxes, z))
        for axis, alphabet in {(axis, alphabet) for known, axis, alphabet in said if known == number}:
            digit = np.unravel_index(np.arange(role.rows), role.sizes)[axis] if axis >= 0 else np.zeros(role.rows, dtype=np.int64)
            leads.append(boxes.lead(logits, alphabet.start + digit))
    return min(leads)


def _by_position(form: Lookup) -> bool:
    """Whether every reader asks for its place whichever token it is."""
    n = form.lengths[-1]
    alphabets, readers = form.alphabets(n), form.readers(n)
    return all(
        (alphabets[t][0], alphabets[t][-1]) == (first, last)
        for t, first, last in zip(readers.position.tolist(), readers.first.tolist(), readers.last.tolist(), strict=True)
    )


# -- count -------------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Token:
    """What one token adds: the values of its role, for each combination of the tokens at its places."""

    places: Places
    sizes: tuple[int, ...]
    role: int


@dataclass(frozen=True, eq=False)
class Steps:
    """The values of one token, where its predicate does not hold and where it does: the ends of two boxes, [values] each."""

    low: tuple[Array, Array]
    high: tuple[Array, Array]

    @property
    def apart(self) -> bool:
        """Whether some value tells them apart."""
        return bool(((self.low[1] > self.high[0]) | (self.low[0] > self.high[1])).any())

    def plus(self, other: Steps, boxes: Boxes) -> Steps:
        """Two tokens that tell the same."""
        low = (boxes.plus(self.low[0], other.low[0]), boxes.plus(self.low[1], other.low[1]))
        return Steps(low, (boxes.plus(self.high[0], other.high[0]), boxes.plus(self.high[1], other.high[1])))


def _counted(model: Model, boxes: Boxes, form: Count, budget: Budget) -> Any:
    """The least lead over all counts at all lengths; roles before the last layer are shared between lengths."""
    *before, last = _layers(model, boxes)
    mixer, w = last.layer.mixer, under(last.w, "mixer")
    if not isinstance(mixer, Attention) or mixer.scores != "uniform":
        raise Unproven(last.name, "expected attention that weighs all tokens alike, to count with")
    before = before or [LocalLayer(boxes, Layer(None, None, residual=False, norm="none"), {}, "embedding")]
    roles, inputs = Roles(boxes.one), []
    for n in form.lengths:
        asked = form.at(n)
        x = first_stream(model, boxes, asked.alphabets)
        for layer in before[:-1]:
            x = through(layer, x, budget)
        inputs.append((asked, [Token(r.places, r.sizes, roles.put(r)) for r in before[-1].readings(x, range(n))]))
    before[-1].allow(roles, budget)
    values = [before[-1].after(role, lambda z: boxes.linear(z, w["value"], w.get("value_bias"))) for role in roles.roles]
    counting = Counting(model, boxes, last, form, values, [v.reach.max(axis=0) for v, _ in values])
    return min(counting.lead(asked, tokens) for asked, tokens in inputs)


@dataclass(frozen=True, eq=False)
class Counting:
    """The last layer, over what every role adds."""

    model: Model
    boxes: Boxes
    last: LocalLayer
    form: Count
    values: list[tuple[Box, Box]]  # of each role: what the heads weigh, by combination, and a box of its stream
    sizes: list[Array]  # of each role: the largest magnitude of each of these values
    known: dict[tuple[int, int, Places], tuple[Array, Steps]] = field(default_factory=dict)  # by role and table, which is held on to
    hulls: dict[int, Box] = field(default_factory=dict)

    def lead(self, asked: Parts, tokens: list[Token]) -> Any:
        """The least lead of the right answer for every number of parts that hold, at one length."""
        mixer = self.last.layer.mixer
        assert isinstance(mixer, Attention)
        visible = mixer.mask.visible(np.array([len(tokens) - 1]), len(tokens))
        seen = [t for t in range(len(tokens)) if visible is None or visible[0, t]]
        always, parts = _settled(asked.parts)
        steps, others = self._assigned([tokens[t] for t in seen], parts)
        total = self._sums(steps, others)
        weight, size = self.boxes.uniform(len(seen)), sum(self.sizes[tokens[t].role] for t in seen)
        summed = self.boxes.weighted(weight, total)
        read = self.boxes.mixed(Sum(summed.low, summed.high, 4 * (size * weight.high)), 4 * len(seen))
        own = self.values[tokens[-1].role][1] if self.last.layer.residual else None
        rows = np.zeros(len(total), dtype=np.int64)
        logits = _logits(self.model, self.boxes, self.last.mixed(None if own is None else own[rows], read))
        many = np.arange(len(total)) + always > self.form.above(asked)
        return self.boxes.lead(logits, np.where(many, self.form.many, self.form.few))

    def _assigned(self, tokens: list[Token], parts: list[Part]) -> tuple[list[Steps], list[Box]]:
        """For each part what the tokens that tell it add, where it does not hold and where it does; and what all others add."""
        over: dict[Places, list[int]] = defaultdict(list)
        for i, part in enumerate(parts):
            over[part.places].append(i)
        told: list[Steps | None] = [None] * len(parts)
        others = []
        for token in tokens:
            fitting = [(i, self._steps(token, parts[i])) for i in _candidates(token.places, over)]
            fitting = sorted((found for found in fitting if found[1].apart), key=lambda found: told[found[0]] is not None)
            if fitting:
                i, steps = fitting[0]
                before = told[i]
                told[i] = steps if before is None else before.plus(steps, self.boxes)
            else:
                others.append(self._hull(token.role))
        for part, steps_of in zip(parts, told, strict=True):
            if steps_of is None:
                places = ", ".join(str(p + 1) for p in part.places)
                raise Unproven(self.last.name, f"no token that is counted tells whether the predicate of places {places} holds")
        return [steps for steps in told if steps is not None], others

    def _hull(self, role: int) -> Box:
        if role not in self.hulls:
            self.hulls[role] = self.values[role][0].hull(ONE)
        return self.hulls[role]

    def _steps(self, token: Token, part: Part) -> Steps:
        axes = tuple(token.places.index(p) for p in part.places)
        key = (token.role, id(part.holds), axes)
        if key not in self.known:
            shape = [size if axis in axes else 1 for axis, size in enumerate(token.sizes)]
            holds = np.broadcast_to(part.holds.reshape(shape), token.sizes).reshape(-1)
            v = self.values[token.role][0]
            off, on = v[~holds], v[holds]
            self.known[key] = part.holds, Steps((off.low.min(axis=0), on.low.min(axis=0)), (off.high.max(axis=0), on.high.max(axis=0)))
        return self.known[key][1]

    def _sums(self, steps: list[Steps], others: list[Box]) -> Box:
        """The sum of all values where k parts hold, for k = 0, 1, .."""
        width = self.values[0][0].shape[1]
        low = np.array([each.low[0] for each in others] + [each.low[0] for each in steps]).reshape(-1, width).sum(axis=0)
        high = np.array([each.high[0] for each in others] + [each.high[0] for each in steps]).reshape(-1, width).sum(axis=0)
        up = np.sort(np.array([each.low[1] - each.low[0] for each in steps]).reshape(-1, width), axis=0)
        far = np.sort(np.array([each.high[1] - each.high[0] for each in steps]).reshape(-1, width), axis=0)[::-1]
        none = np.zeros((1, width), dtype=up.dtype)
        return Box(low + np.concatenate([none, up.cumsum(axis=0)]), high + np.concatenate([none, far.cumsum(axis=0)]))


def _settled(parts: tuple[Part, ...]) -> tuple[int, list[Part]]:
    """How many parts hold whatever the input, and those that hang on it, without places that have one token only."""
    always, open_ = 0, []
    squeezed: dict[int, Array] = {}  # parts share tables, and what is known of a table is known by its identity
    for part in parts:
        if part.holds.all() or not part.holds.any():
            always += bool(part.holds.all())
            continue
        table = squeezed.setdefault(id(part.holds), part.holds.squeeze() if 1 in part.holds.shape else part.holds)
        open_.append(Part(tuple(p for p, size in zip(part.places, part.holds.shape, strict=True) if size > 1), table))
    return always, open_


def _candidates(places: Places, over: dict[Places, list[int]]) -> Iterator[int]:
    """The parts whose places are among these."""
    if len(places) > MOST_PLACES:
        return
    for size in range(len(places), 0, -1):
        for some in combinations(places, size):
            yield from over.get(some, ())


def _allow(model: Model, form: Count | Lookup, budget: Budget) -> None:
    """Work of all layers at all lengths, from the sizes alone; roles refuse what is too much for them."""
    d = model.description
    heads = [layer.mixer for layer in d.layers if isinstance(layer.mixer, Attention)]
    pairs = sum(mixer.heads * (mixer.key_width + mixer.value_width + 60) for mixer in heads)
    symbols, longest = d.embedding.rows, max(form.lengths)
    work = sum(n * n * pairs + n * symbols * d.width * 40 * len(d.layers) + n * 400_000 * len(d.layers) for n in form.lengths)
    budget.allow(work, 8 * (longest * symbols * d.width * 8 + 16 * max(READERS, longest)))


def _hypotheses(model: Model, form: Count | Lookup) -> tuple[str, ...]:
    lengths = form.lengths
    span = f"{lengths[0]} tokens" if len(lengths) == 1 else f"{lengths[0]} to {lengths[-1]} tokens, {len(lengths)} lengths"
    checked = [
        "every token hangs on few tokens of the input: the logits of every head lie in intervals whatever these are, and what it reads "
        "beside its focus lies in a box",
        f"checked at {span}",
    ]
    if isinstance(form, Count):
        checked.append("the right answer leads for every number of predicates that hold, on every input with so many")
    else:
        checked.append("the token that is asked leads for every combination of the tokens that a position hangs on")
    if isinstance(model.ops, Float):
        checked.append("exp is accurate to 4 units in the last place, and sums are added in whatever order")
    else:
        checked.append(f"all roundings are those of {model.ops.name}")
    return tuple(checked)
