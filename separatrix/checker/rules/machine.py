"""Machine: a recurrent model beside the automaton of its task, over every state that the two can reach together.

Lemma. Let every mixer of the model be a recurrence whose step is the same at every token, and let no position enter the embedding.
Let K be a finite set of pairs (q, B), q a state of the automaton and B a box around states of the model, such that

    the state of the model after one token lies in a box of K beside the state of the automaton after that token, and
    from every pair (q, B) of K and every token a that may follow, all of B steps into one box B' with (q', B') in K, q' the move of q.

Then, by induction on the tokens, after every input the two are in a pair of K. The model is right on every input, of any length, if the
right answer leads on every pair of K that a last token can lead to. In exact formats the boxes are points; in floats they contain what
any program of the format computes, and saturated units keep them small.
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
from separatrix.checker.numbers.values import Array, Values, join
from separatrix.checker.oracles import TaskOracle
from separatrix.checker.oracles.forms.automaton import Automaton, State
from separatrix.checker.rules.boxes import Box, enclosed
from separatrix.checker.rules.proof import Proof, Unfit, Unproven
from separatrix.checker.rules.shapes import leads_of, margin_of
from separatrix.checker.rules.tokens import tokens_in
from separatrix.checker.seal import Refused

MOST = 1 << 14  # pairs
AT_ONCE = 1 << 12  # pairs of a state and a token in one step
VISITS = 40  # times that the box of a pair may grow
GRAIN = 2.0**-10  # in floats, boxes whose centres round to the same multiples of this are one
PAIR = 20_000  # work of one pair, besides the step of the model


def prove(model: Model, oracle: TaskOracle, budget: Budget) -> Proof:
    """A proof for every input of the claim; Unproven names the first hypothesis that fails."""
    form, d = oracle.form(), model.description
    if not isinstance(form, Automaton):
        raise Unfit("expected a task that an automaton decides")
    mixers = [layer.mixer for layer in d.layers if layer.mixer is not None]
    if not mixers or not any(isinstance(mixer, Recurrence) for mixer in mixers):
        raise Unfit("expected a recurrence")
    if not all(isinstance(mixer, Recurrence) for mixer in mixers):
        raise Unproven("the model", "a layer reads other tokens than by a recurrence")
    if d.embedding.places or d.embedding.reads != "tokens":
        raise Unproven("the embedding", "expected tokens without positions, because one step has to serve all of them")
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
            f"automaton and model reach {search.met} pairs of states together, and every move leads from one of them to another",
            f"the right answer leads on every pair that {tokens_in(range(n, n + 1))} can end in",
        ),
    )


@dataclass(eq=False)
class Pair:
    """A state of the automaton, and a box around states of the model that occur beside it: all their numbers, side by side."""

    state: State
    box: Box
    logits: Box  # at the token that led here
    visits: int = 0


@dataclass(eq=False)
class Search:
    """All pairs that can be reached after the tokens read so far."""

    model: Model
    form: Automaton
    budget: Budget
    pairs: dict[tuple[State, str], Pair] = field(default_factory=dict)
    met: int = 0  # pairs, over all alphabets

    def __post_init__(self) -> None:
        d, ops = self.model.description, self.model.ops
        self.tokens = embed(d.embedding, self.model.weights, ops, np.arange(d.embedding.vocabulary), 1)
        self.weights = [
            layer.mixer.prepared(under(w, "mixer")) if isinstance(layer.mixer, Recurrence) else {}
            for layer, w in zip(d.layers, self.model.layers, strict=True)
        ]
        begun = [part for mixer, w in self._recurrences() for part in mixer.begin(ops, w, (1,), d.width)]
        self.widths = [part.shape[-1] for part in begun]
        self.cost = PAIR + work_of(d, ops, 1, 1)
        self.spent = 0
        start = enclosed(join(begun, axis=-1))
        self.before = [Pair(self.form.start, Box(start.low, start.high), start)]  # nothing is read yet, so there are no logits

    def read(self, alphabet: range, count: int) -> None:
        """So many tokens, each any of an alphabet: from then on `before` has every pair that 1 .. count of them can lead to.

        After that many steps without a new pair, or a larger box, no further step finds one.
        """
        self.pairs, fresh = {}, self.before
        for _ in range(count):
            fresh = self._stepped(fresh, alphabet)
            if not fresh:
                break
        self.before = list(self.pairs.values())
        self.met += len(self.pairs)

    def least_lead(self) -> Fraction | float:
        """The least lead of the right answer over all pairs that the last token can lead to."""
        low, high = (np.concatenate([end(pair.logits) for pair in self.before]) for end in (lambda b: b.low, lambda b: b.high))
        answers = np.array([self.form.answer(pair.state) for pair in self.before])
        if not 0 <= int(answers.min()) <= int(answers.max()) < low.shape[1]:
            raise Unproven("the read-out", f"an answer lies outside its {low.shape[1]} targets")
        return margin_of(self.model.ops, leads_of(self.model.ops, Box(low, high), answers))

    def _stepped(self, sources: list[Pair], alphabet: range) -> list[Pair]:
        """Take every token of an alphabet from each of these pairs; those that are new or whose box has grown come back."""
        moves = [(source, token) for source in sources for token in alphabet]
        self.spent += self.cost * len(moves)
        self.budget.allow(self.spent, 8 * AT_ONCE * 20 * (sum(self.widths) + self.model.description.width))
        grown: dict[int, Pair] = {}
        for first in range(0, len(moves), AT_ONCE):
            some = moves[first : first + AT_ONCE]
            low, high = (np.concatenate([end(source.box) for source, _ in some]) for end in (lambda b: b.low, lambda b: b.high))
            after, logits = self._step(_centred(Box(low, high)), self.tokens.rows(np.array([token for _, token in some])))
            for i, (source, token) in enumerate(some):
                pair = self._arrive(self.form.step(source.state, token), after[i : i + 1], logits[i : i + 1])
                if pair is not None:
                    grown[id(pair)] = pair
        return list(grown.values())

    def _arrive(self, state: State, box: Box, logits: Box) -> Pair | None:
        """The pair that contains this box, if it is new or had to grow."""
        key = (state, self._key(box))
        known = self.pairs.get(key)
        if known is None:
            if len(self.pairs) >= MOST:
                raise Unproven("the model", f"it reaches more than {MOST} states")
            self.pairs[key] = Pair(state, box, logits)
            return self.pairs[key]
        inside = bool((known.box.low <= box.low).all() and (box.high <= known.box.high).all())
        known.logits = known.logits.around(logits)
        if inside:
            return None
        known.visits += 1
        if known.visits > VISITS:
            raise Unproven("the model", "its states do not settle: a box around them grows with every token")
        known.box = _widened(known.box.around(box))
        return known

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
        parts, at = [], 0
        for number, (layer, w) in enumerate(zip(d.layers, self.model.layers, strict=True)):
            mixed = None
            if isinstance(layer.mixer, Recurrence):
                vectors = self._vectors(number)
                held = tuple(state.columns(sum(self.widths[:i]), self.widths[i]) for i in range(at, at + vectors))
                held = layer.mixer.following(ops, self.weights[number], held, norm(layer.norm, w, "before_mixing", ops, x))
                parts += held
                at += vectors
                mixed = layer.mixer.output(ops, self.weights[number], held)
            x = after_mixing(layer, w, ops, x, mixed)
        x = norm(d.readout.norm, self.model.weights, "readout.norm", ops, x)
        logits = ops.linear(x, self.model.weights["readout.weight"], self.model.weights.get("readout.bias"))
        return enclosed(join(parts, axis=-1)), enclosed(logits)

    def _recurrences(self) -> list[tuple[Recurrence, dict[str, Array]]]:
        layers = zip(self.model.description.layers, self.weights, strict=True)
        return [(layer.mixer, dict(w)) for layer, w in layers if isinstance(layer.mixer, Recurrence)]

    def _vectors(self, number: int) -> int:
        """How many vectors the state of a layer has."""
        mixer, d = self.model.description.layers[number].mixer, self.model.description
        assert isinstance(mixer, Recurrence)
        return len(mixer.begin(self.model.ops, self.weights[number], (1,), d.width))


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
