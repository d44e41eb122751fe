"""Sums: one layer that adds up the values of all tokens, in an exact format, so that exact sums distinguish inputs.

What the head reads at coordinate c is floor(W (v_1(s_1) + .. + v_n(s_n))), or the nearest number, for a weight W and integers v.

Lemma (weights that grow). Let the predicates of a task read different places, and let the answer depend on whether some of them holds.
Let every predicate add 0 to the sum where it does not hold, and between m and M, by magnitude, where it does; in some order let each m
exceed the sum of all M before it by at least g. Then the sum is 0 where none holds, and at least g by magnitude where one does: the one
that comes last in the order outweighs all others. All coordinates must be the same sum, times a factor each. The program is right on
every input if the right logit leads at 0, on [g, sum of M] and on [-sum of M, -g].

Lemma (an automaton beside the sums). Let every coordinate of what is read depend on one token. Then each hidden unit is a sum over
tokens, and what the feed-forward part gives is a sum over hidden units. Walk through the input: what is left to know of the tokens so far
are the state of the task's automaton and the values of all sums that have begun and not ended. The least and the largest of what the
ended units give are extended along every step; at the end they bound the logits for each answer of the automaton.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

from separatrix.checker.budget import Budget
from separatrix.checker.fields import require_fields
from separatrix.checker.models.layer import under
from separatrix.checker.models.mixers import Weights
from separatrix.checker.models.mixers.attention import Attention
from separatrix.checker.models.model import Model
from separatrix.checker.numbers import arrays
from separatrix.checker.numbers.boxes import Array, Box
from separatrix.checker.numbers.exact import Grid
from separatrix.checker.numbers.heads import alike
from separatrix.checker.numbers.leads import leads_of, margin_of
from separatrix.checker.replay.automaton_sums import Unit, walked
from separatrix.checker.replay.local_stream import first_stream
from separatrix.checker.replay.proof import Proof, Unfit, Unproven
from separatrix.checker.replay.shapes import after_reading, logits_of
from separatrix.checker.seal import Refused
from separatrix.checker.specs.forms.automaton import Automaton
from separatrix.checker.specs.forms.form import Form
from separatrix.checker.specs.forms.local import Alphabets, Count, Parts

Margin = Fraction | float


def prove(model: Model, form: Form, document: Any, budget: Budget) -> Proof:
    """A proof for every input of every length of the claim; Unproven names the first hypothesis that fails."""
    require_fields(document, "proof", rule=str)
    d = model.description
    if not isinstance(form, Count | Automaton):
        raise Unfit("expected a task that counts local predicates, or that an automaton decides")
    mixer = d.layers[0].mixer
    if len(d.layers) != 1 or not isinstance(mixer, Attention) or mixer.scores != "uniform" or not isinstance(model.ops, Grid):
        raise Unfit("expected one layer of attention that weighs all tokens equally, in an exact format")
    if d.layers[0].residual or {d.layers[0].norm, d.readout.norm} != {"none"} or d.readout.targets < 2 or d.embedding.reads != "tokens":
        raise Unproven("layer 1", "expected no residual connection, no norm, tokens, and more than one target")
    budget.allow(
        4000 * d.length * d.embedding.rows * d.width, 64 * d.length * d.embedding.rows * (d.width + mixer.heads * mixer.value_width)
    )
    margin = least_lead(model, form, budget)
    if not margin > 0:
        raise Unproven("read-out", f"the right answer may trail by {float(-margin):.3g}")
    return Proof("sums", margin, _hypotheses(form, model.ops.name))


def least_lead(model: Model, form: Count | Automaton, budget: Budget) -> Margin:
    """A bound below the lead of the right answer on every input, which may be below 0."""
    try:
        return min(_grown(model, form, form.at(n)) for n in form.lengths) if isinstance(form, Count) else _automaton(model, form, budget)
    except Refused as error:
        raise Unproven("arithmetic", str(error)) from error


@dataclass(frozen=True, eq=False)
class Read:
    """What the heads add up: values[t][s] is the value of token number s at place t, [coordinates]; and the weight of each token."""

    values: list[Array]
    weight: int

    @property
    def moving(self) -> list[Array]:
        """The value of a token at a place, minus that of token 0."""
        return [each - each[0] for each in self.values]


def _read(model: Model, alphabets: Alphabets) -> Read:
    mixer, w, n = model.description.layers[0].mixer, under(model.layers[0], "mixer"), len(alphabets)
    assert isinstance(mixer, Attention)
    visible = mixer.mask.visible(arrays.array([n - 1]), n)
    seen = arrays.ones(n, dtype=bool) if visible is None else visible[0]
    x = first_stream(model, alphabets)
    v = model.ops.linear(x.rows, w["value"], w.get("value_bias")).units()
    ends = [*x.first[1:].tolist(), len(v)]
    values = [v[first:end] * int(seen[t]) for t, (first, end) in enumerate(zip(x.first.tolist(), ends, strict=True))]
    return Read(values, int(alike(model.ops, int(seen.sum())).units()[0, 0]))


# -- weights that grow -------------------------------------------------------------------------------------------------------------


def _grown(model: Model, form: Count, asked: Parts) -> Margin:
    if form.above(asked) != 0 or any(part.holds.all() or not part.holds.any() for part in asked.parts):
        raise Unproven("task", "expected an answer that depends on whether some predicate holds, each of which may")
    read = _read(model, asked.alphabets)
    base, factors = _one_sum(read)
    gap, most, negative = _outweighing(asked, [each[:, base] for each in read.moving])
    start = sum(each[0] for each in read.values) + [factor * gap.offset for factor in factors]
    rows = [(0, 0), (gap.least, most)] + ([(-most, -gap.least)] if negative else [])
    low, high = (
        [[read.weight * _whole(start[c] + f * end[side if f >= 0 else 1 - side], side) for c, f in enumerate(factors)] for end in rows]
        for side in (0, 1)
    )
    ops = model.ops
    assert isinstance(ops, Grid)
    box = _stored(ops, low, high)
    logits = logits_of(model, after_reading(model, 0, box, box))
    return margin_of(ops, leads_of(ops, logits, arrays.array([form.few] + [form.many] * (len(rows) - 1))))


@dataclass(frozen=True)
class Gap:
    """How far from `offset` the sum is where some predicate holds, at least; the offset is what is added where none does."""

    least: int
    offset: int


def _one_sum(read: Read) -> tuple[int, list[Fraction]]:
    """A coordinate that moves, and the factor by which every other moves with it."""
    moving = arrays.concatenate(read.moving)  # [tokens at places, coordinates]
    moved = arrays.flatnonzero((moving != 0).any(axis=0))
    if not len(moved):
        raise Unproven("layer 1", "nothing that the head reads depends on the input")
    base = int(moved[0])
    at = int(arrays.flatnonzero(moving[:, base])[0])
    factors = [Fraction(int(v), int(moving[at, base])) for v in moving[at]]
    for c, factor in enumerate(factors):
        if (moving[:, c] * factor.denominator != moving[:, base] * factor.numerator).any():
            raise Unproven("layer 1", f"coordinate {c + 1} of what is read is a different sum than coordinate {base + 1}")
    return base, factors


def _outweighing(asked: Parts, moving: list[Array]) -> tuple[Gap, int, bool]:
    """The least and the most by which the sum moves where some predicate holds, and whether it may move down."""
    taken: set[int] = set()
    offset, bounds, negative = 0, [], False
    for part in asked.parts:
        if taken & {*part.places}:
            raise Unproven("task", "expected predicates of different places")
        taken |= {*part.places}
        total = arrays.zeros((), dtype=object)
        for axis, place in enumerate(part.places):
            total = total + moving[place].reshape([-1 if i == axis else 1 for i in range(len(part.places))])
        off = {int(v) for v in total[~part.holds]}
        names = " and ".join(str(p + 1) for p in part.places)
        if len(off) != 1:
            raise Unproven("layer 1", f"places {names} add different sums where their predicate does not hold")
        still = off.pop()
        steps = [abs(int(v) - still) for v in total[part.holds]]
        negative = negative or any(int(v) < still for v in total[part.holds])
        offset += still
        bounds.append((min(steps), max(steps), names))
    for place, each in enumerate(moving):
        if place not in taken and each.any():
            raise Unproven("layer 1", f"place {place + 1} adds to the sum, but no predicate reads it")
    least, before = None, 0
    for m, M, names in sorted(bounds):
        if m <= before:
            raise Unproven("layer 1", f"what places {names} add, {m} units at least, may be outweighed by others, which add {before}")
        least = m - before if least is None else min(least, m - before)
        before += M
    assert least is not None
    return Gap(least, offset), before, negative


def _stored(ops: Grid, low: list[list[int]], high: list[list[int]]) -> Box:
    """Exact sums of products, in units of 2^-2f, between two rows of integers: as the format stores them."""
    ends = [arrays.array(rows, dtype=object).reshape(len(rows), -1) for rows in (low, high)]
    return ops.stored(ends[0], ops.f, ends[1])


def _whole(x: Fraction, up: int) -> int:
    """The next integer below, or above."""
    return -(-x.numerator // x.denominator) if up else x.numerator // x.denominator


# -- an automaton beside the sums --------------------------------------------------------------------------------------------------


def _automaton(model: Model, form: Automaton, budget: Budget) -> Margin:
    """The least lead over all last states of the automaton."""
    part, ops = model.description.layers[0].feedforward, model.ops
    assert isinstance(ops, Grid)
    if part is None or part.activation != "relu":
        raise Unproven("layer 1", "expected hidden units with ReLU")
    read, w = _read(model, form.alphabets), under(model.layers[0], "feedforward")
    y = _coordinates(read, ops, under(model.layers[0], "mixer"))
    outputs = arrays.flatnonzero((w["outer"] != 0).any(axis=1)).tolist()
    bounds = walked(form, _units(y, w, ops, outputs), len(outputs), budget)
    bias = [int(b) << ops.f for b in w["outer_bias"]] if "outer_bias" in w else [0] * len(w["outer"])
    leads = []
    for answer, ends in bounds.items():
        rows = [[b + (side[outputs.index(o)] if o in outputs else 0) for o, b in enumerate(bias)] for side in ends]
        logits = logits_of(model, _stored(ops, rows[:1], rows[1:]))
        leads.append(margin_of(ops, leads_of(ops, logits, arrays.array([answer]))))
    return min(leads)


@dataclass(frozen=True, eq=False)
class Coordinate:
    """One coordinate of the stream after the head: the place it depends on, and its value for each token there."""

    place: int
    value: list[int]


def _coordinates(read: Read, ops: Grid, w: Weights) -> list[Coordinate]:
    """Each coordinate of what is read depends on one token at most; so must each of what the heads write."""
    constant, moving = sum(each[0] for each in read.values), read.moving
    hangs = [[t for t, each in enumerate(moving) if each[:, c].any()] for c in range(len(constant))]
    coordinates = []
    for c, row in enumerate(w["out"]):
        used = arrays.flatnonzero(row).tolist()
        places = {t for m in used for t in hangs[m]}
        if any(len(hangs[m]) > 1 for m in used) or len(places) > 1:
            raise Unproven("layer 1", f"coordinate {c + 1} of what the heads write depends on several tokens")
        place = places.pop() if places else 0
        mine = [place in places_of for places_of in hangs]
        summed = [[read.weight * (a + b if here else a) for a, b, here in zip(constant, each, mine, strict=True)] for each in moving[place]]
        y = ops.linear(_stored(ops, summed, summed), w["out"][c : c + 1], w["out_bias"][c : c + 1] if "out_bias" in w else None)
        coordinates.append(Coordinate(place, [int(v) for v in y.units()[:, 0]]))
    return coordinates


def _units(y: list[Coordinate], w: Weights, ops: Grid, outputs: list[int]) -> list[Unit]:
    """Hidden units as sums over tokens."""
    units, hidden = [], _hidden(ops)
    for u, row in enumerate(w["inner"]):
        constant = int(w["inner_bias"][u]) << ops.f if "inner_bias" in w else 0
        steps: dict[int, list[int]] = {}
        for c in arrays.flatnonzero(row).tolist():
            first, factor = y[c].value[0], int(row[c])
            constant += factor * first
            here = steps.setdefault(y[c].place, [0] * len(y[c].value))
            steps[y[c].place] = [a + factor * (v - first) for a, v in zip(here, y[c].value, strict=True)]
        moved = {t: values for t, values in steps.items() if any(values)}
        weights = [int(w["outer"][o, u]) for o in outputs]
        units.append(Unit(moved, constant, weights, hidden))
    return units


def _hidden(ops: Grid) -> Callable[[int], int]:
    @cache
    def hidden(total: int) -> int:
        return max(ops.one(total), 0)

    return hidden


def _hypotheses(form: Count | Automaton, name: str) -> tuple[str, ...]:
    if isinstance(form, Count):
        return (
            "all coordinates that the head reads are one sum, times a factor each",
            "a predicate that holds moves the sum further than all lighter ones together, so the sum stays where it is only if none holds",
            f"all roundings are those of {name}; the right answer leads at that sum and everywhere beyond the least move",
        )
    return (
        "every coordinate that the head reads depends on one token, so hidden units are sums over tokens",
        "the least and the largest of what they give are extended along every step of the task's automaton, for every value of open sums",
        f"all roundings are those of {name}",
    )
