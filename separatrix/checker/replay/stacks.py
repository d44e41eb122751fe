"""Stacks: a recurrence through ReLUs whose one number is a stack of brackets, whatever its depth.

Lemma. Let the state be one number h of an exact format, h_0 at first, and let U be an interval that contains h_0 and, for every type a
of brackets, an interval I_a such that

    an opening bracket a takes h to slope h + b_a, with one slope 2^-k for all of them, on h_0 and on every I_b, and all of U into I_a;
    a closing bracket a takes h back, to (h - b_a) / slope, on I_a.

Then h is a function of the stack, by induction on the prefix: what a bracket did, its partner undoes. It lies in I_a if a is on top, and
is h_0 if nothing is open. This holds as long as the format need not round: h has k more fractional bits for each open bracket.

Words of N brackets are recognised besides if a closing bracket that does not fit takes h to one number `dead`, from which nothing leads
away, and if h_0 = 0 and f = k D with N <= 2 D: a bracket that opens above D others rounds k bits away, those of the lowest, and the model
goes on with the D topmost. Then D closing brackets would have to follow before nothing seems open, and the word has not as many left:
it says no, and is right, because so many brackets cannot be closed.

Over an interval of h every linear form of (h, constants) is a line, slope h + offset; a ReLU of a line that has one sign there is that
line, or 0. In an exact format an operator rounds nothing if all its results are multiples of its unit, and clamps nothing if both ends
lie in its range. So a few lines of rational numbers say what the model computes, bit for bit, on every h of the interval.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from separatrix.checker.budget import Budget
from separatrix.checker.fields import require_fields
from separatrix.checker.models.description import Layer
from separatrix.checker.models.embedding import embed
from separatrix.checker.models.layer import under
from separatrix.checker.models.mixers import Weights
from separatrix.checker.models.mixers.relu_rnn import ReluRnn
from separatrix.checker.models.model import Model
from separatrix.checker.numbers import arrays
from separatrix.checker.numbers.boxes import Array, side_by_side
from separatrix.checker.numbers.exact import Fixed, Grid
from separatrix.checker.replay.proof import Proof, Unfit, Unproven
from separatrix.checker.seal import Refused
from separatrix.checker.specs.forms.brackets import Brackets
from separatrix.checker.specs.forms.form import Form

UNIT = 4_000  # work of one weight, as a rational number
UNITS = 1 << 12  # weights of the recurrence, at most
TOP = "an interval for each type on top, and a point for the empty stack"


@dataclass(frozen=True, eq=False)
class StackMachine:
    """A model with one number of state, and what the lemma is about: types 0 .. n - 1 open, n .. 2 n - 1 close."""

    model: Model
    types: int
    ops: Grid
    tokens: Lines  # of all tokens, one below the other
    empty: Fraction  # h_0
    slope: Fraction  # 2^-k
    offsets: tuple[Fraction, ...]  # b_a

    @property
    def bits(self) -> int:
        """k."""
        return (1 / self.slope).numerator.bit_length() - 1

    @property
    def depth(self) -> int:
        """How many open brackets the format holds."""
        return (self.ops.f - self._grain(0)) // self.bits

    def tops(self, grain: int) -> dict[int | None, Interval]:
        """I_a for every type, and h_0 for the empty stack."""
        ends = [self.empty, *(b / (1 - self.slope) for b in self.offsets)]
        low, high = min(ends), max(ends)
        every: dict[int | None, Interval] = {None: Interval(self.empty, self.empty, grain)}
        every |= {a: Interval(self.slope * low + b, self.slope * high + b, grain) for a, b in enumerate(self.offsets)}
        return every

    def moved(self, token: int, over: Interval, floors: bool = False) -> Lines:
        """The next h, on an interval; with `floors` exactly one unit may be on, with weight 1, and may be rounded down."""
        w, d = under(self.model.layers[0], "mixer"), self.model.description.width
        x = Lines(self.tokens.slopes[token * d : (token + 1) * d], self.tokens.offsets[token * d : (token + 1) * d])
        both = side_by_side(w["transition"], w["drive"])
        units = relu(linear(self.ops, beside(state(), x), both, w["bias"], over, rounds=True), over)
        if not floors:
            return linear(self.ops, held(self.ops, units, over), w["back"], None, over)
        if not isinstance(self.ops, Fixed):
            raise Unproven("the number format", f"{self.ops.name} does not round down, so it does not forget the lowest bracket")
        on = [i for i, line in enumerate(zip(units.slopes, units.offsets, strict=True)) if any(line)]
        if len(on) != 1 or int(w["back"][0, on[0]]) != self.ops.scale:
            raise Unproven("the recurrence", "an opening bracket is not one unit of weight 1, so rounding may do more than forget")
        return linear(self.ops, units, w["back"], None, over, rounds=True)

    def logits(self, over: Interval, h: Lines | None = None) -> Lines:
        """On an interval of h, after a step that led to the lines `h`."""
        out = under(self.model.layers[0], "mixer")["out"]
        return shown(self.model, self.ops, linear(self.ops, h or state(), out, None, over), over)

    def prove_matching(self, grain: int, rising: int | None = None) -> dict[int | None, Interval]:
        """The intervals, after every hypothesis about brackets that match was checked.

        Stacks have numbers of `grain` fractional bits, and of `rising` before a bracket opens; without that, opening rounds down.
        """
        tops, floors = self.tops(grain), rising is None
        for a, b in enumerate(self.offsets):
            for over in self.tops(grain if rising is None else rising).values():
                if not _is_line(self.moved(a, over, floors), over, self.slope, b):
                    raise Unproven("the recurrence", f"bracket {a} does not open in the same way on every stack")
            if not _is_line(self.moved(self.types + a, tops[a]), tops[a], 1 / self.slope, -b / self.slope):
                raise Unproven("the recurrence", f"closing bracket {a} does not undo what its partner did")
        inside = list(tops.values())
        apart = all(one.high < other.low or other.high < one.low for i, one in enumerate(inside) for other in inside[:i])
        if not apart:
            raise Unproven("the recurrence", "stacks with different tops may have one number")
        return tops

    def _grain(self, depth: int) -> int:
        """Fractional bits of h with so many brackets open."""
        grain = (self.empty.denominator).bit_length() - 1
        for _ in range(depth):
            grain = max(grain + self.bits, *((b.denominator).bit_length() - 1 for b in self.offsets))
        return grain

    def grain(self, depth: int) -> int:
        """Fractional bits of h with so many brackets open; refused where the format has fewer."""
        if depth > self.depth or self._grain(depth) > self.ops.f:
            raise Unproven("the number format", f"{self.ops.name} holds {self.depth} open brackets, and the claim is about {depth}")
        return self._grain(depth)


def _is_line(lines: Lines, over: Interval, slope: Fraction, offset: Fraction) -> bool:
    """Whether one number is slope h + offset on an interval: two lines that agree at both ends agree between them."""
    return all(lines.at(h) == (slope * h + offset,) for h in (over.low, over.high))


def stack_machine(model: Model, types: int, budget: Budget) -> StackMachine:
    """The machine of a model, with slope and offsets as its first steps show them; nothing is proven yet."""
    d = model.description
    mixer = d.layers[0].mixer
    if not isinstance(mixer, ReluRnn):
        raise Unfit("expected a recurrence through ReLUs")
    if mixer.state != 1 or not isinstance(model.ops, Grid):
        raise Unproven("the recurrence", "expected one number of state, in an exact format")
    if d.embedding.places or d.embedding.reads != "tokens":
        raise Unproven("the embedding", "expected tokens without positions, because one step has to serve all of them")
    weights = sum(tensor.size for tensor in model.weights.values())
    if weights > UNITS:
        raise Unproven("the model", f"it has {weights} weights: expected at most {UNITS}, as rational numbers are slow")
    budget.allow(8 * (types + 2) ** 2 * weights * UNIT, 0)
    ops, w = model.ops, under(model.layers[0], "mixer")
    table = constants(ops, embed(d.embedding, model.weights, ops, arrays.arange(d.embedding.vocabulary), 1).units().reshape(-1))
    empty = Fraction(int(w["initial"][0]), ops.scale)
    machine = StackMachine(model, types, ops, table, empty, Fraction(1, 2), (Fraction(0),) * types)
    firsts = [_stepped(machine, a, empty) for a in range(types)]
    second = _stepped(machine, 0, firsts[0])
    if firsts[0] == empty:
        raise Unproven("the recurrence", "an opening bracket changes nothing")
    slope = (second - firsts[0]) / (firsts[0] - empty)
    if slope.numerator != 1 or slope.denominator < 2 or slope.denominator & (slope.denominator - 1):
        raise Unproven("the recurrence", f"an opening bracket has slope {slope}: expected 2^-k")
    return StackMachine(model, types, ops, table, empty, slope, tuple(first - slope * empty for first in firsts))


def prove(model: Model, form: Form, document: Any, budget: Budget) -> Proof:
    """Brackets of any depth are recognised; Unproven names the first hypothesis that fails."""
    require_fields(document, "proof", rule=str)
    if not isinstance(form, Brackets):
        raise Unfit("expected words of brackets")
    try:
        machine = stack_machine(model, form.types, budget)
        return _recognised(machine, form)
    except Refused as error:
        raise Unproven("the model", str(error)) from error


def _recognised(machine: StackMachine, form: Brackets) -> Proof:
    ops, n, depth = machine.ops, form.types, machine.depth
    if machine.empty != 0 or ops.f != machine.bits * depth or any((b * (1 << machine.bits)).denominator > 1 for b in machine.offsets):
        raise Unproven("the number format", "expected h_0 = 0, digits of k bits, and room for whole digits only")
    if form.length > 2 * depth:
        raise Unproven("the number format", f"{ops.name} holds {depth} open brackets, and {form.length // 2} may have to be closed")
    tops = machine.prove_matching(ops.f)
    dead = machine.moved(n, tops[None]).at(machine.empty)[0]
    grave = Interval(dead, dead, ops.f)
    if any(grave.within(over) for over in tops.values()):
        raise Unproven("the recurrence", "a word that cannot be closed looks like one that can")
    for a in range(n):
        for top, over in tops.items():
            wrong = machine.moved(n + a, over) if top != a else None
            if wrong is not None and {wrong.at(over.low), wrong.at(over.high)} != {(dead,)}:
                raise Unproven("the recurrence", f"closing bracket {a} does not fail on a stack that it does not fit")
    for token in range(2 * n):
        if machine.moved(token, grave).at(dead) != (dead,):
            raise Unproven("the recurrence", "a word that cannot be closed comes back to life")
    leads = []
    for over in (*tops.values(), grave):
        lines = machine.logits(over, machine.moved(2 * n, over))
        right = int(over is tops[None])
        leads += [y[right] - y[1 - right] for y in (lines.at(over.low), lines.at(over.high))]
    if min(leads) <= 0:
        raise Unproven("the read-out", f"the right answer may trail by {float(-min(leads)):.3g}")
    return Proof(
        "stacks",
        min(leads),
        (
            f"the number of the state is the stack, {machine.bits} bits for each bracket: {TOP}",
            "a closing bracket undoes what its partner did, and one that does not fit leads to a number from which nothing leads away",
            f"{ops.name} holds {depth} open brackets; a word of {form.length} with more of them open is not accepted, and not a member",
        ),
    )


def _stepped(machine: StackMachine, token: int, h: Fraction) -> Fraction:
    """The next h from one h."""
    return machine.moved(token, Interval(h, h, machine.ops.f)).at(h)[0]


@dataclass(frozen=True)
class Interval:
    """The multiples of 2^-grain between two numbers."""

    low: Fraction
    high: Fraction
    grain: int

    def within(self, other: Interval) -> bool:
        """Whether it lies inside another, whatever the grains are."""
        return other.low <= self.low and self.high <= other.high


@dataclass(frozen=True)
class Lines:
    """Numbers side by side, each slope h + offset."""

    slopes: tuple[Fraction, ...]
    offsets: tuple[Fraction, ...]

    def at(self, h: Fraction) -> tuple[Fraction, ...]:
        """The numbers at one h."""
        return tuple(slope * h + offset for slope, offset in zip(self.slopes, self.offsets, strict=True))


def state() -> Lines:
    """h itself."""
    return Lines((Fraction(1),), (Fraction(0),))


def constants(ops: Grid, units: Array) -> Lines:
    """Numbers of the format, by their units."""
    return Lines((Fraction(0),) * len(units), tuple(Fraction(int(u), ops.scale) for u in units))


def beside(one: Lines, other: Lines) -> Lines:
    """All numbers of two, side by side."""
    return Lines(one.slopes + other.slopes, one.offsets + other.offsets)


def linear(ops: Grid, x: Lines, weight: Array, bias: Array | None, over: Interval, rounds: bool = False) -> Lines:
    """A linear form, which the format must hold as it is; if it `rounds`, only its range is asked for."""
    slopes, offsets = [], []
    for i, row in enumerate(weight):
        used = [(Fraction(int(w), ops.scale), s, o) for w, s, o in zip(row, x.slopes, x.offsets, strict=True) if w]
        slope = sum((w * s for w, s, _ in used), Fraction(0))
        offset = sum((w * o for w, _, o in used), Fraction(0)) + (0 if bias is None else Fraction(int(bias[i]), ops.scale))
        if not all(ops.low <= (slope * h + offset) * ops.scale <= ops.high for h in (over.low, over.high)):
            raise Unproven("the model", "a number may overflow")
        slopes.append(slope)
        offsets.append(offset)
    lines = Lines(tuple(slopes), tuple(offsets))
    return lines if rounds else held(ops, lines, over)


def held(ops: Grid, x: Lines, over: Interval) -> Lines:
    """Return x; refuse it if the format has to round one of its numbers."""
    if not all(_held(ops, slope, offset, over) for slope, offset in zip(x.slopes, x.offsets, strict=True)):
        raise Unproven("the model", f"{ops.name} rounds a number that depends on the stack")
    return x


def _held(ops: Grid, slope: Fraction, offset: Fraction, over: Interval) -> bool:
    """Whether slope h + offset is a number of the format, but for its range, at every h of an interval."""
    if over.low == over.high:
        return ((slope * over.low + offset) * ops.scale).denominator == 1
    return (offset * ops.scale).denominator == 1 and (slope * Fraction(ops.scale, 1 << over.grain)).denominator == 1


def relu(x: Lines, over: Interval) -> Lines:
    """max(x, 0), where every number has one sign."""
    slopes, offsets = [], []
    for slope, offset in zip(x.slopes, x.offsets, strict=True):
        low, high = sorted((slope * over.low + offset, slope * over.high + offset))
        if low < 0 < high:
            raise Unproven("the model", "a ReLU turns on somewhere between two stacks with the same top")
        slopes.append(slope if low >= 0 and high > 0 else Fraction(0))
        offsets.append(offset if low >= 0 and high > 0 else Fraction(0))
    return Lines(tuple(slopes), tuple(offsets))


def shown(model: Model, ops: Grid, x: Lines, over: Interval) -> Lines:
    """The logits, from the stream after the recurrence: a feed-forward part of ReLUs, layers without a mixer, the read-out."""
    for number, layer in enumerate(model.description.layers):
        if layer.residual or layer.norm != "none" or (number and layer.mixer is not None):
            raise Unproven(f"layer {number + 1}", "expected one recurrence, and neither a residual connection nor a norm")
        x = _fed_forward(ops, layer, under(model.layers[number], "feedforward"), x, over)
    if model.description.readout.norm != "none":
        raise Unproven("the read-out", "expected no norm")
    return linear(ops, x, model.weights["readout.weight"], model.weights.get("readout.bias"), over)


def _fed_forward(ops: Grid, layer: Layer, w: Weights, x: Lines, over: Interval) -> Lines:
    if layer.feedforward is None:
        return x
    if layer.feedforward.activation != "relu":
        raise Unproven("the feed-forward part", "expected ReLUs")
    units = held(ops, relu(linear(ops, x, w["inner"], w.get("inner_bias"), over, rounds=True), over), over)  # what is off may be rounded
    return linear(ops, units, w["outer"], w.get("outer_bias"), over)
