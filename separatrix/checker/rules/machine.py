"""Machine: a recurrent model beside the automaton of its task, over every state that the two can reach together.

Lemma. Let every mixer of the model be a recurrence whose step is the same at every token, and let no position enter the embedding.
Let K be a finite set of pairs (q, B), q a state of the automaton and B a box around states of the model, such that

    the state of the model before the first token lies in a box of K beside the first state of the automaton, and
    from a pair (q, B) of K, by every token a that is read in it, all of B steps into one box B' with (q', B') in K, q' the move of q.

Then, by induction on the tokens, after t tokens the two are in one of the pairs that t such moves lead to, and the model is right on
every input if the right answer leads on all pairs that the last move leads to. These sets of pairs come back sooner or later, so a finite
search covers any length. In exact formats the boxes are points; in floats they contain what any program of the format computes, and
saturated units keep them small.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from itertools import groupby

import numpy as np

from separatrix.checker.budget import Budget
from separatrix.checker.models.embedding import embed
from separatrix.checker.models.layer import after_mixing, norm, under
from separatrix.checker.models.mixers.recurrence import Recurrence
from separatrix.checker.models.model import Model, work_of
from separatrix.checker.numbers.floats import Float
from separatrix.checker.numbers.values import Values, join
from separatrix.checker.oracles import TaskOracle
from separatrix.checker.oracles.forms.automaton import Automaton, State
from separatrix.checker.rules.boxes import Box, enclosed
from separatrix.checker.rules.proof import Proof, Unfit, Unproven
from separatrix.checker.rules.shapes import leads_of, margin_of
from separatrix.checker.rules.tokens import tokens_in
from separatrix.checker.seal import Refused

MOST = 1 << 14  # pairs
AT_ONCE = 1 << 12  # pairs of a state and a token in one step
GROWTHS = 40  # times that the box of a pair may grow
GRAIN = 2.0**-10  # in floats, boxes whose centres round to the same multiples of this are one
PAIR = 20_000  # work of one pair, besides the step of the model


def prove(model: Model, oracle: TaskOracle, budget: Budget) -> Proof:
    """A proof for every input of the claim; Unproven names the first hypothesis that fails."""
    form, d = oracle.form(), model.description
    if not isinstance(form, Automaton):
        raise Unfit("expected a task that an automaton decides")
    refuse_others(model)
    if d.readout.targets < 2:
        raise Unproven("the read-out", "expected more than one target")
    try:
        search = Search(model, form, budget)
        for alphabet, places in groupby(form.alphabets):
            search.read(alphabet, len(list(places)))
        margin = search.least_lead()
    except Refused as error:
        raise Unproven("the model", str(error)) from error
    if not margin > 0:
        raise Unproven("the read-out", f"the right answer may trail by {float(-margin):.3g}")
    n = len(form.alphabets)
    return Proof(
        "machine",
        margin,
        (
            "every step depends on the state and on one token alone",
            f"automaton and model reach {len(search.pairs)} pairs of states together, and every move leads from one of them to another",
            f"the right answer leads on every pair that {tokens_in(range(n, n + 1))} can end in",
        ),
    )


def refuse_others(model: Model) -> None:
    """Refuse a model that is not a recurrence with one step for all tokens."""
    d = model.description
    mixers = [layer.mixer for layer in d.layers if layer.mixer is not None]
    if not mixers or not any(isinstance(mixer, Recurrence) for mixer in mixers):
        raise Unfit("expected a recurrence")
    if not all(isinstance(mixer, Recurrence) for mixer in mixers):
        raise Unproven("the model", "a layer reads other tokens than by a recurrence")
    if d.embedding.places or d.embedding.reads != "tokens":
        raise Unproven("the embedding", "expected tokens without positions, because one step has to serve all of them")


@dataclass(eq=False)
class Pair:
    """A state of the automaton, and a box around states of the model that occur beside it: all their numbers, side by side."""

    state: State
    box: Box
    logits: Box  # at the tokens that led here
    growths: int = 0
    moves: dict[range, list[Pair]] = field(default_factory=dict)  # the pairs that the tokens of an alphabet lead to


@dataclass(eq=False)
class Search:
    """All pairs met so far, and those that the two can be in after the tokens read so far."""

    model: Model
    form: Automaton
    budget: Budget
    pairs: dict[tuple[State, str], Pair] = field(default_factory=dict)

    def __post_init__(self) -> None:
        d, ops = self.model.description, self.model.ops
        self.tokens = embed(d.embedding, self.model.weights, ops, np.arange(d.embedding.vocabulary), 1)
        self.weights = [
            layer.mixer.prepared(under(w, "mixer")) if isinstance(layer.mixer, Recurrence) else {}
            for layer, w in zip(d.layers, self.model.layers, strict=True)
        ]
        states = [
            layer.mixer.begin(ops, w, (1,), d.width) if isinstance(layer.mixer, Recurrence) else ()
            for layer, w in zip(d.layers, self.weights, strict=True)
        ]
        self.widths = [[part.shape[-1] for part in state] for state in states]
        self.cost, self.spent, self.grown = PAIR + work_of(d, ops, 1, 1), 0, 0
        start = enclosed(join([part for state in states for part in state], axis=-1))
        self.now = [Pair(self.form.start, start, start)]  # nothing is read yet, so there are no logits

    def read(self, alphabet: range, count: int) -> None:
        """So many tokens, each any of an alphabet. Where no box grows any more and the pairs are those of an earlier token, they repeat."""
        met: dict[tuple[int, frozenset[int]], int] = {}
        t = 0
        while t < count:
            self.now = self._stepped(alphabet)
            t += 1
            before = met.setdefault((self.grown, frozenset(map(id, self.now))), t)
            if before < t:
                count = t + (count - t) % (t - before)

    def least_lead(self) -> Fraction | float:
        """The least lead of the right answer over all pairs that the last token can lead to."""
        logits, answers = _stacked([pair.logits for pair in self.now]), np.array([self.form.answer(pair.state) for pair in self.now])
        if not 0 <= int(answers.min()) <= int(answers.max()) < logits.shape[1]:
            raise Unproven("the read-out", f"an answer lies outside its {logits.shape[1]} targets")
        return margin_of(self.model.ops, leads_of(self.model.ops, logits, answers))

    def _stepped(self, alphabet: range) -> list[Pair]:
        """The pairs that some token of an alphabet leads to. What a pair leads to is computed again only if its box has grown."""
        unknown = [source for source in self.now if alphabet not in source.moves]
        moves = [(source, token) for source in unknown for token in alphabet if self.form.reads(source.state, token)]
        self.spent += self.cost * len(moves) + PAIR * len(self.now)
        self.budget.allow(self.spent, 8 * AT_ONCE * 20 * (sum(map(sum, self.widths)) + self.model.description.width))
        found: dict[int, list[Pair]] = {id(source): [] for source in unknown}
        known = {id(source): source.moves[alphabet] for source in self.now if alphabet in source.moves}
        sizes = {id(source): source.growths for source in self.now}
        for first in range(0, len(moves), AT_ONCE):
            some = moves[first : first + AT_ONCE]
            boxes = _stacked([source.box for source, _ in some])
            after, logits = self._step(_centred(boxes), self.tokens.rows(np.array([token for _, token in some])))
            for i, (source, token) in enumerate(some):
                found[id(source)].append(self._arrive(self.form.step(source.state, token), after[i : i + 1], logits[i : i + 1]))
        reached: dict[int, Pair] = {}
        for source in self.now:
            following = found[id(source)] if id(source) in found else known[id(source)]
            if source.growths == sizes[id(source)]:  # else what was computed is about a smaller box than it has now
                source.moves[alphabet] = following
            reached.update({id(pair): pair for pair in following})
        return list(reached.values())

    def _arrive(self, state: State, box: Box, logits: Box) -> Pair:
        """The pair that contains this box, which is new or may have to grow."""
        key = (state, self._key(box))
        pair = self.pairs.get(key)
        if pair is None:
            if len(self.pairs) >= MOST:
                raise Unproven("the model", f"it reaches more than {MOST} states")
            pair = self.pairs[key] = Pair(state, box, logits)
            return pair
        pair.logits = pair.logits.around(logits)
        if bool((pair.box.low > box.low).any() or (box.high > pair.box.high).any()):
            pair.growths, self.grown = pair.growths + 1, self.grown + 1
            if pair.growths > GROWTHS:
                raise Unproven("the model", "its states do not settle: a box around them grows with every token")
            pair.box, pair.moves = _widened(pair.box.around(box)), {}
        return pair

    def _key(self, box: Box) -> str:
        """Which boxes are taken together: equal points, and neighbours among boxes that are not points."""
        if box.point:
            return f"at {box.low.tolist()}"
        if not isinstance(self.model.ops, Float):
            raise Unproven("the model", f"{self.model.ops.name} leaves the numbers of its state open")
        return f"near {np.rint((box.low + box.high) / 2 / GRAIN).tolist()}"

    def _step(self, state: Values, x: Values) -> tuple[Box, Box]:
        """The next state of the model and its logits, for rows of states and tokens."""
        d, ops = self.model.description, self.model.ops
        parts: list[Values] = []
        at = 0
        for number, (layer, w) in enumerate(zip(d.layers, self.model.layers, strict=True)):
            mixed = None
            if isinstance(layer.mixer, Recurrence):
                held = []
                for width in self.widths[number]:
                    held.append(state.columns(at, width))
                    at += width
                after = layer.mixer.following(ops, self.weights[number], tuple(held), norm(layer.norm, w, "before_mixing", ops, x))
                parts += after
                mixed = layer.mixer.output(ops, self.weights[number], after)
            x = after_mixing(layer, w, ops, x, mixed)
        x = norm(d.readout.norm, self.model.weights, "readout.norm", ops, x)
        logits = ops.linear(x, self.model.weights["readout.weight"], self.model.weights.get("readout.bias"))
        return enclosed(join(parts, axis=-1)), enclosed(logits)


def _stacked(boxes: list[Box]) -> Box:
    """Boxes of one row each, below one another."""
    return Box(np.concatenate([box.low for box in boxes]), np.concatenate([box.high for box in boxes]))


def _centred(box: Box) -> Values:
    """A box as numbers with an error; a point has none."""
    if box.point:
        return Values(box.low)
    centre = (box.low + box.high) / 2
    return Values(centre, np.maximum(box.high - centre, centre - box.low) * (1 + 2.0**-50) + 1e-300)


def _widened(box: Box) -> Box:
    """A little more than the box, so that it settles after a few visits."""
    more = (box.high - box.low) / 2
    return Box(box.low - more, box.high + more)
