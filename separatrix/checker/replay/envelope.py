"""Envelopes: a recurrent model on all inputs at once, token by token, in boxes around its state that hold whatever the other tokens are.

Lemma. Let every mixer of the model be a recurrence, and let one token decide each answer: the symbol at the place that a reader asks for,
or the label behind the one key that is the reader's own. For each choice of it let B_0 be the state before the first token, and B_(t+1)
a box around all that B_t becomes by a token that may stand at t: by the deciding one where it stands, else by any that this choice
allows there. Then, by induction on the tokens, the state lies in B_t after t tokens of every input with this choice, and the model is
right if the right answer leads on the box of every choice, at every reader that asks.

Boxes are recomputed from the weights. The certificate chooses whether the tokens that may stand at t are stepped one by one or in one
box around their streams, and for keys a number each: keys with another number than the asked one's, and those with the same, are two
boxes. It may let the pairs that decide an answer share a box wherever they stand.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from separatrix.checker.budget import Budget
from separatrix.checker.fields import one_of, require_fields
from separatrix.checker.models.model import Model
from separatrix.checker.numbers import arrays
from separatrix.checker.numbers.boxes import Array, Box, around, join, known
from separatrix.checker.numbers.floats import Float
from separatrix.checker.numbers.leads import leads_of, margin_of
from separatrix.checker.replay.proof import Proof, Unfit, Unproven, tokens_in
from separatrix.checker.replay.shapes import tokens_at
from separatrix.checker.replay.simulation import Stepper
from separatrix.checker.seal import Refused
from separatrix.checker.specs.forms.form import Form
from separatrix.checker.specs.forms.lookup import ByIndex, Lookup
from separatrix.checker.specs.forms.match import Match

CALLS = 1_000_000  # of one step, however many its rows
AT_ONCE = 1 << 20  # numbers of states that are stepped together


@dataclass(frozen=True)
class Choices:
    """What the certificate chooses. Each is sound; they differ in cost and in how tight they are."""

    listed: bool  # symbols and labels one by one, or in one box
    merged: bool  # the pairs that decide an answer share a box wherever they stand, or each place has its own
    numbers: Array  # of the keys


def read(document: Any, keys: int) -> Choices:
    """The choices of the field `proof`."""
    require_fields(document, "proof", rule=str, tokens=str, places=str, keys=list)
    numbers = document["keys"]
    if len(numbers) != keys or any(type(number) is not int or not 0 <= number < max(keys, 1) for number in numbers):
        raise Refused(f"proof.keys: expected a number below {keys} for each of {keys} keys")
    listed = one_of(document, "tokens", "proof", "listed", "boxed") == "listed"
    return Choices(listed, one_of(document, "places", "proof", "merged", "apart") == "merged", arrays.array(numbers, dtype=arrays.int64))


def prove(model: Model, form: Form, document: Any, budget: Budget) -> Proof:
    """The proof for a task that asks for the symbol at a place, or for the label of a key."""
    if not isinstance(form, Lookup | Match):
        raise Unfit("expected a task that asks for the symbol at one place, or for the label of a key")
    if not isinstance(model.ops, Float):
        raise Unfit(f"expected float64 or float32, found {model.ops.name}")
    asked = form.labels if isinstance(form, Match) else form.symbols
    run = Run(model, read(document, form.keys if isinstance(form, Match) else 0))
    if asked != model.description.readout.targets:
        raise Unproven("the read-out", f"expected one target for each of {asked} answers")
    if isinstance(form, Match) and (form.costs is not None or form.farthest != 0 or form.lead < 1):
        raise Unproven("the task", "expected keys that are asked for by themselves, not by the nearest one")
    calls, steps, rows = work(form, run.choices)
    budget.allow(steps * run.cost + calls * CALLS, 40 * 8 * (rows * run.stepper.width + AT_ONCE))
    margins = [run.recall(form, n) if isinstance(form, Match) else run.lookup(form, n) for n in form.lengths]
    return Proof(
        "envelope",
        min(margins),
        (
            "every step depends on the state and on one token alone",
            f"in {tokens_in(form.lengths)} the state lies in the box of what decides the answer, whatever the other tokens are",
            f"on each such box, at every reader, the right one of {asked} answers leads",
        ),
    )


def work(form: Lookup | Match, choices: Choices) -> tuple[int, int, int]:
    """Steps of many rows, steps of one, and the most rows at a time."""
    calls = steps = rows = 0
    for n in form.lengths:
        if isinstance(form, Lookup):
            each, many = form.symbols if choices.listed else 1, n * form.symbols
            tokens = 1 if isinstance(form, ByIndex) else form.symbols  # that one reader may be
            calls, steps = calls + n * (2 * each + 1 + tokens), steps + n * many * each // 2 + (2 + tokens) * many
        else:
            places = 1 if choices.merged else n // 2
            each, many = 2 * ((form.labels if choices.listed else 1) + 1) + 2, form.keys * (1 + form.labels * places)
            calls, steps = calls + n * (places + 2) * each + n * form.keys // 20, steps + n // 2 * many * each + n * form.keys**2 // 100
        rows = max(rows, many)
    return calls, steps, rows


class Run:
    """A model on boxes: rows of states, one for each choice of what decides an answer."""

    def __init__(self, model: Model, choices: Choices) -> None:
        self.model, self.choices = model, choices
        self.stepper = Stepper(self.model, placed=True)
        weights = sum(math.prod(shape) for name, shape in model.description.shapes().items() if name.startswith("layers."))
        self.cost = 3 * weights + 70 * self.stepper.width + 200 * model.description.width

    def lookup(self, form: Lookup, n: int) -> Fraction | float:
        """The least lead over every input of n tokens; rows are the symbols at each place that is still to be asked for."""
        S, alphabets, readers, margins = form.symbols, form.alphabets(n), form.readers(n), list[Fraction | float]()
        free, held, places = self.stepper.start(), list[Box](), list[int]()
        for t, alphabet in enumerate(alphabets):
            asking = arrays.flatnonzero(readers.position == t)
            if len(asking):
                if not {*readers.place[asking].tolist()} <= {*places}:
                    raise Unproven("the task", f"position {t + 1} asks for a place that is not a symbol before it")
                rows = join([held[places.index(int(readers.place[r]))] for r in asking], 0)
                for token in range(int((readers.last - readers.first)[asking].max()) + 1):
                    tokens = arrays.repeat(arrays.minimum(readers.first + token, readers.last)[asking], S)
                    margins.append(self._asked(rows, tokens, t, arrays.tile(arrays.arange(S), len(asking))))
            if t == n - 1:
                break
            options = self._options(alphabet, t)
            later = [i for i, place in enumerate(places) if bool(((readers.place == place) & (readers.position > t)).any())]
            places = [places[i] for i in later]
            if later:
                after = self._any(join([held[i] for i in later], 0), options)
                held = [after[S * i : S * (i + 1)] for i in range(len(later))]
            if alphabet == range(S):
                held, places = [*held, self._after(free.repeated(S)[:, 0], self._streams(arrays.arange(S), t))], [*places, t]
            free = self._any(free, options)
        return min(margins)

    def recall(self, form: Match, n: int) -> Fraction | float:
        """The least lead over every input of n tokens; rows are keys that did not come yet, and keys with their labels."""
        K, L, margins = form.keys, form.labels, list[Fraction | float]()
        if K < 2:
            raise Unproven("the task", "expected more than one key")
        keys, labels = arrays.repeat(arrays.arange(K), L), arrays.tile(arrays.arange(L), K)
        unmet, met = self.stepper.start().repeated(K)[:, 0], list[Box]()
        for t in range(0, n, 2):
            if t in form.asked(n):
                margins += [self._asked(rows, keys, t, labels) for rows in met]
            if t == n - 1:
                break
            groups, marks = self._others(K, t), self._options(range(K, K + L), t + 1)
            met = [self._pair(rows, [group[keys] for group in groups], marks) for rows in met]
            if t < min(form.asked(n)):  # a key that asks was met before the first that does
                decided = self._after(self._after(unmet[keys], self._streams(keys, t)), self._streams(K + labels, t + 1))
                met = [around([*met, decided])] if self.choices.merged else [*met, decided]
                unmet = self._pair(unmet, groups, marks)
        if not margins:
            raise Unproven("the task", "no key asks behind another")
        return min(margins)

    def _others(self, keys: int, t: int) -> list[Box]:
        """For each key two boxes that together hold every other: those with another number, and those with the same."""
        streams, every, numbers = self._streams(arrays.arange(keys), t), arrays.arange(keys), self.choices.numbers
        groups: list[list[Box]] = [[], []]
        for key in range(keys):
            apart = numbers != numbers[key]
            like = ~apart & (every != key)
            for group, members in zip(groups, (apart if apart.any() else like, like if like.any() else apart), strict=True):
                group.append(streams[members].hull()[None])
        return [join(group) for group in groups]

    def _pair(self, rows: Box, keys: list[Box], marks: list[Box]) -> Box:
        """Around what any other pair makes of each row."""
        return around([self._any(self._after(rows, key), marks) for key in keys])

    def _options(self, tokens: range, t: int) -> list[Box]:
        """The tokens that may stand at t, one by one or in one box."""
        streams = self._streams(arrays.array(tokens), t)
        return [streams[i : i + 1] for i in range(len(streams))] if self.choices.listed else [streams.hull()[None]]

    def _streams(self, tokens: Array, t: int) -> Box:
        return known(tokens_at(self.model, tokens, arrays.full(len(tokens), t)))

    def _any(self, rows: Box, options: list[Box]) -> Box:
        return around([self._after(rows, x[arrays.zeros(len(rows))]) for x in options])

    def _after(self, rows: Box, x: Box) -> Box:
        """The next state of each row."""
        size = max(1, AT_ONCE // self.stepper.width)
        return join([self.stepper.move(rows[i : i + size], x[i : i + size])[0] for i in range(0, len(rows), size)])

    def _asked(self, rows: Box, tokens: Array, t: int, answers: Array) -> Fraction | float:
        """The least lead of these answers where these tokens ask at t."""
        ops, size, leads = self.model.ops, max(1, AT_ONCE // self.stepper.width), list[Fraction | float]()
        for i in range(0, len(rows), size):
            part = slice(i, i + size)
            logits = self.stepper.move(rows[part], self._streams(tokens[part], t))[1]
            lead = leads_of(ops, logits, answers[part])
            if not bool((lead > 0).all()):
                token = int(tokens[part][int(lead.argmin())])
                raise Unproven(
                    "the read-out",
                    f"token {token} at position {t + 1} may get a wrong answer: the right one may trail by {-float(lead.min()):.3g}",
                )
            leads.append(margin_of(ops, lead))
        return min(leads)
