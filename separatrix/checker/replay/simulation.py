"""Simulation: a recurrent model beside the automaton of its task, over pairs of states that the certificate lists.

Lemma. Let every mixer of the model be a recurrence whose step is the same at every token, and let no position enter the embedding.
Let pairs 0 .. K - 1 be given, each a state q of the automaton, a phase of the input and a box B around states of the model, such that

    start   pair 0 is the first state of the automaton, before any token, and its box contains the state of the model there, and
    move    from a pair (q, phase, B), by every token a that may follow, all of B steps into the box of the pair that the certificate
            names, whose state is the move of q by a and whose phase is that of a.

Then, by induction on the tokens, automaton and model are in one of the pairs after every token, and the model is right on every input
if the right answer leads wherever a move ends the input, or after every move where every token has an answer. Inputs are one token of
each phase, or one and more of a phase that repeats: so finitely many pairs cover inputs of every length. Boxes are recomputed from the
weights; the certificate's are believed only once every move stays inside them. In exact formats they are points.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from separatrix.checker.budget import Budget
from separatrix.checker.fields import one_of, require_fields
from separatrix.checker.models.embedding import embed
from separatrix.checker.models.layer import after_mixing, norm, under
from separatrix.checker.models.mixers.recurrence import Recurrence
from separatrix.checker.models.model import Model, work_of
from separatrix.checker.numbers import arrays
from separatrix.checker.numbers.boxes import Array, Box, given, join, known
from separatrix.checker.numbers.leads import leads_of, margin_of
from separatrix.checker.replay.proof import Proof, Unfit, Unproven, tokens_in
from separatrix.checker.seal import Refused
from separatrix.checker.specs.forms.automaton import Phase, State, Tracker, Walk
from separatrix.checker.specs.forms.form import Form

PAIRS = 1 << 16
AT_ONCE = 1 << 12  # moves in one step
MOVE = 20_000  # work of one move, besides the step of the model


@dataclass(frozen=True)
class Invariant:
    """What the author hands over: whether the phases repeat, where each move leads, and the boxes, a row of numbers for each pair."""

    every: bool
    moves: list[list[int]]  # for each pair, the pair that each token leads to: tokens of its own phase if that repeats, then of the next
    boxes: Box


@dataclass(frozen=True, eq=False)
class Move:
    """A step of the automaton from one pair to another."""

    source: int
    token: int
    target: int
    state: State  # of the automaton, after it
    ends: bool  # whether the input may end with it


def prove(model: Model, form: Form, document: Any, budget: Budget) -> Proof:
    """A proof for every input of the claim, or of every length; Unproven names the first hypothesis that fails."""
    if not isinstance(form, Walk):
        raise Unfit("expected a task that an automaton decides")
    stepper = Stepper(model)
    invariant = read(document, stepper.width, model)
    moves, logits = replayed(stepper, form, invariant, budget)
    everywhere = isinstance(form, Tracker)
    last = arrays.array([i for i, move in enumerate(moves) if move.ends or everywhere])
    answers = arrays.array([form.answer(moves[i].state) for i in last])
    if model.description.readout.targets < 2 or not 0 <= int(answers.min()) <= int(answers.max()) < logits.shape[1]:
        raise Unproven("the read-out", "expected more than one target, and one for each answer")
    margin = margin_of(model.ops, leads_of(model.ops, logits[last], answers))
    if not margin > 0:
        raise Unproven("the read-out", f"the right answer may trail by {float(-margin):.3g}")
    n = len(form.alphabets)
    return Proof(
        "simulation",
        margin,
        (
            "every step depends on the state and on one token alone",
            f"automaton and model stay in {len(invariant.moves)} listed pairs of states: every move from one of them leads to another",
            "the right answer leads after every move"
            if everywhere
            else f"the right answer leads after every move that may end {'an input' if invariant.every else tokens_in(range(n, n + 1))}",
        ),
        form.every.title if invariant.every and form.every is not None else None,
        form.constant() if everywhere and not invariant.every else len({*answers.tolist()}) < 2,
    )


def read(document: Any, width: int, model: Model) -> Invariant:
    """The invariant of a document: lengths "every" or "stated", moves, and boxes by their ends; `high` is null where all are points."""
    require_fields(document, "proof", rule=str, lengths=str, moves=list, low=list, high=(list, type(None)))
    one_of(document, "rule", "proof", "simulation")
    every = one_of(document, "lengths", "proof", "every", "stated") == "every"
    moves = document["moves"]
    if not 1 <= len(moves) <= PAIRS or any(type(row) is not list or any(type(j) is not int for j in row) for row in moves):
        raise Refused(f"proof.moves: expected a list of integers for each of 1..{PAIRS} pairs")
    return Invariant(every, moves, given(document["low"], document["high"], (len(moves), width), model.ops.exact, "proof"))


def walked(form: Walk, invariant: Invariant, budget: Budget, cost: int) -> list[Move]:
    """All moves between the pairs; refused unless each pair has one state of the automaton and one phase."""
    if invariant.every and form.every is None:
        raise Unproven("the task", "it has no automaton for every length")
    phases = form.every.phases if invariant.every and form.every is not None else form.phases
    count = len(invariant.moves)
    budget.allow(cost * sum(map(len, invariant.moves)), 1000 * sum(map(len, invariant.moves)))
    known: list[tuple[State, int] | None] = [(form.start, -1), *[None] * (count - 1)]
    moves: list[Move] = []
    for i, targets in enumerate(invariant.moves):
        here = known[i]
        if here is None:
            raise Unproven(f"pair {i}", "no pair before it leads to it")
        state, phase = here
        tokens = [(a, p) for p in following(phases, phase) for a in phases[p].alphabet if form.reads(state, a)]
        if len(tokens) != len(targets):
            raise Unproven(f"pair {i}", f"{len(tokens)} tokens may follow, and {len(targets)} moves are given")
        for (token, p), target in zip(tokens, targets, strict=True):
            if not 1 <= target < count:
                raise Unproven(f"pair {i}", f"a move leads to pair {target}: expected 1..{count - 1}")
            after = (form.step(state, token), p)
            if known[target] is None:
                known[target] = after
            if known[target] != after:
                raise Unproven(f"pair {i}", f"token {token} leads to another state of the automaton than that of pair {target}")
            moves.append(Move(i, token, target, after[0], p == len(phases) - 1))
    if not any(move.ends for move in moves):
        raise Unproven("the task", "no move ends an input")
    return moves


def following(phases: tuple[Phase, ...], phase: int) -> list[int]:
    """The phases of the next token."""
    again = [phase] if phase >= 0 and phases[phase].repeats else []
    return again + ([phase + 1] if phase + 1 < len(phases) else [])


def replayed(stepper: Stepper, form: Walk, invariant: Invariant, budget: Budget) -> tuple[list[Move], Box]:
    """Every move, and the logits after it; refused unless all boxes hold."""
    start = stepper.start()
    if not bool(invariant.boxes[:1].contains(start).all()):
        raise Unproven("pair 0", "its box does not contain the state before the first token")
    moves = walked(form, invariant, budget, stepper.cost)
    logits = []
    for sources, tokens, targets in blocks(moves):
        after, said = stepper.step(invariant.boxes[sources], tokens)
        outside = ~invariant.boxes[targets].contains(after)
        if bool(outside.any()):
            i = int(arrays.flatnonzero(outside)[0])
            raise Unproven(f"pair {sources[i]}", f"token {tokens[i]} leads out of the box of pair {targets[i]}")
        logits.append(said)
    return moves, join(logits, axis=0)


def blocks(moves: list[Move]) -> Iterator[tuple[Array, Array, Array]]:
    """Sources, tokens and targets of the moves that are stepped together."""
    for first in range(0, len(moves), AT_ONCE):
        some = moves[first : first + AT_ONCE]
        yield arrays.array([m.source for m in some]), arrays.array([m.token for m in some]), arrays.array([m.target for m in some])


class Stepper:
    """One step of a recurrent model, from boxes of states; all layers' numbers stand side by side in a row."""

    def __init__(self, model: Model, placed: bool = False) -> None:
        d, ops = model.description, model.ops
        mixers = [layer.mixer for layer in d.layers if layer.mixer is not None]
        if not any(isinstance(mixer, Recurrence) for mixer in mixers):
            raise Unfit("expected a recurrence")
        if not all(isinstance(mixer, Recurrence) for mixer in mixers):
            raise Unproven("the model", "a layer reads other tokens than by a recurrence")
        if (d.embedding.places and not placed) or d.embedding.reads != "tokens":
            raise Unproven("the embedding", "expected tokens without positions, because one step has to serve all of them")
        self.model, self.cost = model, MOVE + work_of(d, ops, 1, 1)
        self.tokens = embed(d.embedding, model.weights, ops, arrays.arange(0 if placed else d.embedding.vocabulary), 1)
        self.weights = [
            layer.mixer.prepared(under(w, "mixer")) if isinstance(layer.mixer, Recurrence) else {}
            for layer, w in zip(d.layers, model.layers, strict=True)
        ]
        self.first = [
            layer.mixer.begin(ops, w, (1,), d.width) if isinstance(layer.mixer, Recurrence) else ()
            for layer, w in zip(d.layers, self.weights, strict=True)
        ]
        self.width = sum(part.shape[-1] for state in self.first for part in state)

    def start(self) -> Box:
        """The state before the first token, [1, numbers]."""
        return known(join([part for state in self.first for part in state], axis=-1))

    def step(self, states: Box, tokens: Array) -> tuple[Box, Box]:
        """The next states and the logits, for rows of states and one token each."""
        return self.move(states, self.tokens.rows(tokens))

    def move(self, states: Box, x: Box) -> tuple[Box, Box]:
        """One move where each row reads its own x, the stream of a token or a box around those of several."""
        d, ops = self.model.description, self.model.ops
        parts, at = list[Box](), 0
        for layer, w, prepared, first in zip(d.layers, self.model.layers, self.weights, self.first, strict=True):
            mixed = None
            if isinstance(layer.mixer, Recurrence):
                mine = []
                for part in first:
                    mine.append(states.columns(at, part.shape[-1]))
                    at += part.shape[-1]
                after, mixed = layer.mixer.advance(ops, prepared, tuple(mine), norm(layer.norm, w, "before_mixing", ops, x))
                parts += after
            x = after_mixing(layer, w, ops, x, mixed)
        x = norm(d.readout.norm, self.model.weights, "readout.norm", ops, x)
        logits = ops.linear(x, self.model.weights["readout.weight"], self.model.weights.get("readout.bias"))
        return known(join(parts, axis=-1)), known(logits)
