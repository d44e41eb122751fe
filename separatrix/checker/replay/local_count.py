"""Local predicates and their count: the right answer depends on few places, or on how many predicates of few places hold.

Lemma (local). After layers through which every token comes to depend on few tokens of the input (replay/local_stream.py), the logits at a
position lie in a box for each combination of those. Where that position must say the token at a place, it is right on every input if the
logit of that token leads in every box.

Lemma (count). Let the last layer weigh all tokens that its reader sees equally. Split these tokens: some depend on the places of one
predicate and have a value in one box where it holds and in another where it does not; all others have a value in one box. Then for each k
the sums over all inputs on which k predicates hold lie in a box (replay/counting.py). The answer is right on every input if the right logit
leads for every k. In exact formats a weight is floor(1/n) or its nearest number, and the sum is exact; in floats the weight and the sum
are off by what any order of summation may lose.

A mask that hides later tokens changes which tokens a reader sees: both lemmas apply to exactly those.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from separatrix.checker.budget import Budget
from separatrix.checker.models.layer import under
from separatrix.checker.models.mixers.attention import Attention
from separatrix.checker.models.model import Model
from separatrix.checker.numbers import arrays
from separatrix.checker.numbers.leads import leads_of, margin_of
from separatrix.checker.replay.choices import Choices
from separatrix.checker.replay.counting import Counting, Token
from separatrix.checker.replay.local_stream import READERS, LocalLayer, Roles, first_stream, through
from separatrix.checker.replay.proof import Proof, Unfit, Unproven, formats_of, tokens_in
from separatrix.checker.replay.shapes import logits_of
from separatrix.checker.seal import Refused
from separatrix.checker.specs.forms.form import Form
from separatrix.checker.specs.forms.local import Count
from separatrix.checker.specs.forms.lookup import Lookup

Margin = Fraction | float


def prove(model: Model, form: Form, document: Any, budget: Budget) -> Proof:
    """A proof for every input of every length of the claim; Unproven names the first hypothesis that fails."""
    d = model.description
    if not isinstance(form, Count | Lookup):
        raise Unfit("expected a task whose answers are local, or count local predicates")
    if not all(isinstance(layer.mixer, Attention) for layer in d.layers) or d.embedding.reads != "tokens":
        raise Unfit("expected layers of attention over tokens")
    if isinstance(form, Lookup) and not by_position(form):
        raise Unfit("expected places that depend on the position alone, not on the token there")
    if d.readout.norm != "none":
        raise Unproven("read-out", f"expected no norm, found {d.readout.norm}")
    _allow(model, form, budget)
    said = Choices(document)
    margin = least_lead(model, form, said, budget)
    said.done()
    if not margin > 0:
        raise Unproven("read-out", f"the right answer may trail by {float(-margin):.3g} on inputs that the model does not distinguish")
    last = (
        "the right answer leads for every number of predicates that hold, on every input with that number"
        if isinstance(form, Count)
        else "the queried token leads for every combination of the tokens that a position depends on"
    )
    local = "every token depends on few tokens of the input, whatever the others are"
    return Proof("local count", margin, (f"{local}: checked on {tokens_in(form.lengths)}", last, formats_of(model.ops)))


def least_lead(model: Model, form: Count | Lookup, choices: Choices, budget: Budget) -> Margin:
    """A bound below the lead of the right answer on every input, which may be below 0."""
    try:
        return _counted(model, form, choices, budget) if isinstance(form, Count) else _copied(model, form, choices, budget)
    except Refused as error:
        raise Unproven("arithmetic", str(error)) from error


def _layers(model: Model) -> list[LocalLayer]:
    return [LocalLayer(model, i) for i in range(len(model.description.layers))]


def _copied(model: Model, form: Lookup, choices: Choices, budget: Budget) -> Margin:
    """The least lead at all positions of all lengths; roles of the last layer are shared between lengths."""
    *before, last = _layers(model)
    roles, said = Roles(choices), set()
    for n in form.lengths:
        alphabets, readers = form.alphabets(n), form.readers(n)
        x = first_stream(model, alphabets)
        for layer in before:
            x = through(layer, x, choices, budget)
        positions = readers.position.tolist()
        for position, place, reading in zip(positions, readers.place.tolist(), last.readings(x, positions, choices), strict=True):
            alphabet = alphabets[place]
            if len(alphabet) > 1 and place not in reading.places:
                raise Unproven(last.name, f"at token {position + 1} of {n} nothing read depends on the queried place {place + 1}")
            axis = reading.places.index(place) if len(alphabet) > 1 else -1
            said.add((roles.put(reading), axis, alphabet))
    last.allow(roles, budget, model.description.readout.targets)
    leads = []
    for number, role in enumerate(roles.roles):
        logits, _ = last.after(role, choices, lambda z: logits_of(model, z))
        for axis, alphabet in {(axis, alphabet) for known, axis, alphabet in said if known == number}:
            digit = arrays.unravel_index(arrays.arange(role.rows), role.sizes)[axis] if axis >= 0 else arrays.zeros(role.rows)
            leads.append(margin_of(model.ops, leads_of(model.ops, logits, alphabet.start + digit)))
    return min(leads)


def _counted(model: Model, form: Count, choices: Choices, budget: Budget) -> Margin:
    """The least lead over all counts at all lengths; roles before the last layer are shared between lengths."""
    *before, last = _layers(model)
    if last.mixer is None or last.mixer.scores != "uniform":
        raise Unproven(last.name, "expected attention that weighs all tokens equally, to count with")
    before, w = before or [LocalLayer(model, -1)], under(model.layers[-1], "mixer")
    roles, inputs = Roles(choices), []
    for n in form.lengths:
        asked = form.at(n)
        x = first_stream(model, asked.alphabets)
        for layer in before[:-1]:
            x = through(layer, x, choices, budget)
        inputs.append((asked, [Token(r.places, r.sizes, roles.put(r)) for r in before[-1].readings(x, range(n), choices)]))
    before[-1].allow(roles, budget, len(w["value"]))
    bounded = [before[-1].after(role, choices, lambda z: model.ops.linear(z, w["value"], w.get("value_bias"))) for role in roles.roles]
    counting = Counting(model, last, form, [values for values, _ in bounded], [stream for _, stream in bounded])
    return min(counting.lead(asked, tokens, choices) for asked, tokens in inputs)


def by_position(form: Lookup) -> bool:
    """Whether the place that a reader queries does not depend on its token."""
    n = form.lengths[-1]
    alphabets, readers = form.alphabets(n), form.readers(n)
    return all(
        (alphabets[t][0], alphabets[t][-1]) == (first, last)
        for t, first, last in zip(readers.position.tolist(), readers.first.tolist(), readers.last.tolist(), strict=True)
    )


def _allow(model: Model, form: Count | Lookup, budget: Budget) -> None:
    """Work of all layers at all lengths, from the sizes alone; roles refuse what is too much for them."""
    d = model.description
    heads = [layer.mixer for layer in d.layers if isinstance(layer.mixer, Attention)]
    pairs = sum(mixer.heads * (mixer.key_width + mixer.value_width + 60) for mixer in heads) * model.ops.cost(d.length) // 4
    symbols, longest = d.embedding.rows, max(form.lengths)
    work = sum(n * n * pairs + n * symbols * d.width * 40 * len(d.layers) + n * 400_000 * len(d.layers) for n in form.lengths)
    budget.allow(work, 8 * (longest * symbols * d.width * 8 + 16 * max(READERS, longest)))
