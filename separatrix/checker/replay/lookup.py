"""Lookup in one layer: a reader attends to the place that it queries, and outputs the symbol there.

Lemma. Let a model be one layer of attention without norms, and let the task ask, at each reader r, for the symbol at one place j(r). Then
the model is right on every input, with a margin m, where for each length that the claim names

    1  every key logit of a reader lies in an interval that holds for whatever symbols stand anywhere: hence a least weight of j(r),
       the reader's own token counted among the rivals                      [numbers/heads.py; many_places.py where they are many]
    2  what a head reads lies, for each symbol s at j(r), in the box  W v(s) + (T - W) r  with v(s) the value of s at any place and r in
       the box around the values of all tokens that may stand anywhere, those of readers among them              [numbers/heads.py]
    3  on the box of s, through the output of the heads, the residual stream of the reader, the feed-forward part with the units of one
       direction bounded together, and the read-out, the logit of s exceeds every other by at least m > 0        [numbers/units.py]

A head that attends elsewhere has weight 0 or more on j(r), and its box holds whatever it may read. The certificate chooses whether the
boxes of step 2 are made for all readers together or for each alone, and how places and tokens are gone through.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from separatrix.checker.budget import Budget
from separatrix.checker.fields import one_of, require_fields
from separatrix.checker.models.embedding import blind
from separatrix.checker.models.layer import under
from separatrix.checker.models.mixers.attention import Attention
from separatrix.checker.models.model import Model
from separatrix.checker.numbers import arrays
from separatrix.checker.numbers.boxes import Array, Box, join, known
from separatrix.checker.numbers.heads import Reading, mix, of_place, own_logits
from separatrix.checker.numbers.leads import margin_of, shown
from separatrix.checker.replay.proof import Proof, Unfit, Unproven, formats_of, tokens_in
from separatrix.checker.replay.shapes import after_reading, anywhere, attention_layers, leads_after, tokens_at
from separatrix.checker.seal import Refused
from separatrix.checker.sentence import at_least
from separatrix.checker.specs.forms.form import Form
from separatrix.checker.specs.forms.lookup import Lookup, Readers

AT_ONCE = 1 << 21  # pairs of readers and places that are compared together


@dataclass(frozen=True)
class Choices:
    """What the certificate chooses. Each is sound; they differ in cost and in how tight they are."""

    listed: bool  # tokens are put at every position one by one, or in one box around all positions
    compared: bool  # every reader is compared with every place, or all places are counted by their distance
    alone: bool  # each reader has boxes of its own, or all share one


def read(document: Any) -> Choices:
    """The choices of the field `proof`."""
    require_fields(document, "proof", rule=str, tokens=str, places=str, readers=str)
    choices = Choices(
        one_of(document, "tokens", "proof", "listed", "summed") == "listed",
        one_of(document, "places", "proof", "compared", "counted") == "compared",
        one_of(document, "readers", "proof", "together", "alone") == "alone",
    )
    if choices.alone and not choices.compared:
        raise Refused("proof.readers: places that are counted are those of all readers together")
    return choices


def prove(model: Model, form: Form, document: Any, budget: Budget) -> Proof:
    """The proof for a task whose form is a lookup."""
    if not isinstance(form, Lookup):
        raise Unfit("expected a task that asks for the symbol at one place")
    (mixer,) = attention_layers(model, 1)
    if form.symbols != model.description.readout.targets:
        raise Unproven("the read-out", f"expected one target for each of {form.symbols} symbols")
    choices = read(document)
    budget.allow(sum(work(model, mixer, form, n, choices) for n in form.lengths), memory(model, mixer, form, choices))
    by_length = [_length(model, mixer, form, n, choices) for n in form.lengths]
    least = min(each for each, _ in by_length)
    weight = min(weight for _, weight in by_length)
    return Proof(
        "lookup",
        least,
        (
            f"in {tokens_in(form.lengths)} a head of layer 1 gives the queried place at least {at_least(weight, 4)} of its weight",
            f"on the box of each of {form.symbols} symbols the right one leads, whatever else is read",
            formats_of(model.ops),
        ),
    )


def work(model: Model, mixer: Attention, form: Lookup, n: int, choices: Choices) -> int:
    """Work of one length, in float64 multiplications."""
    d, cost, keys, values = model.description, model.ops.cost(model.description.width), mixer.key_width, mixer.value_width
    places = sum(place.dims for place in d.embedding.places) + (d.embedding.number_address.dims if d.embedding.number_address else 0)
    hidden = d.layers[0].feedforward.hidden if d.layers[0].feedforward else 0
    boxes = 4 * form.symbols * d.width * (mixer.heads * values + 4 * hidden + form.symbols) * cost
    listed = form.symbols * n * d.width * (places + 20) * cost if choices.listed else 0
    readers = n
    if choices.alone:
        boxes *= readers
    if not choices.compared:
        return boxes + listed + n * mixer.heads * (2 * places * keys + 200) + (50 << n.bit_length())
    tokens = 1 if mixer.heads and readers == n - 1 else form.symbols  # that one reader may be
    each = d.width * (places + mixer.heads * (2 * keys + values) + 20) * cost
    return boxes + listed + (2 * n + tokens * readers) * each + readers * n * mixer.heads * (keys * cost + 250)


def memory(model: Model, mixer: Attention, form: Lookup, choices: Choices) -> int:
    """Bytes of the longest length: streams and keys of one token at every position, pairs in comparison, and a box for each row."""
    d, n = model.description, max(form.lengths)
    part = d.layers[0].feedforward
    row = d.width + mixer.heads * mixer.value_width + 4 * (part.hidden if part else 0) + form.symbols
    numbers = 12 * AT_ONCE + 20 * n + 8 * row * form.symbols * (n if choices.alone else 1)
    if choices.listed or choices.compared:
        numbers += n * (8 * d.width + 6 * mixer.heads * (mixer.key_width + 1))
    return numbers * (8 if model.ops.scale is None or model.ops.bits <= 60 else 48)


def _length(model: Model, mixer: Attention, form: Lookup, n: int, choices: Choices) -> tuple[Fraction | float, float]:
    """The least lead over every input of n tokens, and the least weight on the queried place."""
    readers, ops = form.readers(n), model.ops
    everywhere = range(max(a.stop for a in _others(form, readers, n)))
    w = under(model.layers[0], "mixer")
    values = ops.linear(anywhere(model, everywhere, n, choices.listed), w["value"], w.get("value_bias"))
    if choices.compared:
        reading = _compared(model, mixer, form, readers, n)
    else:
        from separatrix.checker.replay.many_places import many_places

        reading = many_places(model, mixer, form, readers, n)
    weight = max(each.least(ops) for each in reading.shares)
    lead = _leads(model, mixer, form, n, reading if choices.alone else reading.merged(), values)
    if not bool((lead > 0).all()):
        _say_why(model, form, readers, reading, lead, weight)
    return margin_of(ops, lead), weight


def _leads(model: Model, mixer: Attention, form: Lookup, n: int, reading: Reading, values: Box) -> Array:
    """The lead of each symbol on its box, a row for each reader and symbol."""
    R, S, u = len(reading.x), form.symbols, mixer.value_width
    rivals_of = reading.own.around(values.hull()[None])
    many = arrays.repeat(arrays.arange(R), S), arrays.tile(arrays.arange(S), R)
    read = []
    for h, weights in enumerate(reading.shares):
        part = slice(h * u, (h + 1) * u)
        read.append(mix(model.ops, weights[many[0]], values[many[1], part], rivals_of[many[0], part], n))
    x = after_reading(model, 0, reading.x[many[0]], join(read, axis=-1))
    return leads_after(model, x, many[1])


def _say_why(model: Model, form: Lookup, readers: Readers, reading: Reading, lead: Array, weight: float) -> None:
    """Which hypothesis failed."""
    h = max(range(len(reading.shares)), key=lambda h: reading.shares[h].least(model.ops))
    if not reading.shares[h].least(model.ops) > 0:
        r = reading.shares[h].worst()
        asks = f"the reader at position {int(readers.position[r]) + 1} that asks for place {int(readers.place[r]) + 1}"
        raise Unproven(f"layer 1, head {h + 1}", f"another place may have a larger logit than the queried one, at {asks}")
    symbol = int(lead.argmin()) % form.symbols
    raise Unproven(
        "the read-out",
        f"symbol {symbol} leads by no more than {shown(model.ops, lead.min())} on its box; layer 1, head {h + 1} gives the queried place "
        f"at least {weight:.4g} of its weight",
    )


def _others(form: Lookup, readers: Readers, n: int) -> tuple[range, ...]:
    """The tokens that may stand at each position that someone else may look at: a last token that alone asks is seen by itself only."""
    alphabets = form.alphabets(n)
    return alphabets[:-1] if bool((readers.position == n - 1).all()) and n > 1 else alphabets


def _reader(model: Model, mixer: Attention, readers: Readers, block: slice) -> tuple[Box, Box, Box, Box]:
    """The stream, and queries, keys and values of all heads, at some readers, around all tokens that may stand there."""
    w, ops, at = under(model.layers[0], "mixer"), model.ops, readers.position[block]
    joined: tuple[Box, ...] = ()
    for token in range(int((readers.last[block] - readers.first[block]).max()) + 1):
        x = tokens_at(model, arrays.minimum(readers.first[block] + token, readers.last[block]), at)
        parts = (x, mixer.queries(ops, w, x, at), mixer.keys(ops, w, x, at), mixer.values(ops, w, x))
        boxes = tuple(known(part) for part in parts)
        joined = tuple(a.around(b) for a, b in zip(joined, boxes, strict=True)) if joined else boxes
    x_, q, k, v = joined
    return x_, q, k, v


def _compared(model: Model, mixer: Attention, form: Lookup, readers: Readers, n: int) -> Reading:
    """Every reader with every place."""
    ops, m = model.ops, mixer.key_width
    keys, parts = _keys(model, mixer, form, readers, n), []
    step = max(1, AT_ONCE // n)
    for first in range(0, len(readers), step):
        block = slice(first, min(first + step, len(readers)))
        x, q, k, v = _reader(model, mixer, readers, block)
        at, place, rows = readers.position[block], readers.place[block], arrays.arange(block.stop - first)
        visible = mixer.mask.visible(at, n)
        seen = arrays.ones((len(rows), n), dtype=bool) if visible is None else visible.copy()
        if not bool(seen[rows, place].all()):
            raise Unproven("layer 1", "the mask hides a queried place")
        shares = []
        for h in range(mixer.heads):
            part = slice(h * m, (h + 1) * m)
            a, own = ops.logits(q[:, part], keys[:, part]), own_logits(ops, q[:, part], k[:, part])
            shares.append(of_place(ops, mixer.scores, a.widened(n).with_rows((rows, at), own[:, 0]), place, seen, n))
        parts.append(Reading(x, v, shares))
    return Reading.joined(parts)


def _keys(model: Model, mixer: Attention, form: Lookup, readers: Readers, n: int) -> Box:
    """The keys of all heads at each position, around all tokens that may stand there."""
    alphabets, w, ops = _others(form, readers, n), under(model.layers[0], "mixer"), model.ops
    keys: Box | None = None
    for tokens in dict.fromkeys(alphabets):
        at = arrays.array([t for t, each in enumerate(alphabets) if each == tokens])
        plain = tokens.stop <= model.description.embedding.plain
        for token in tokens[:1] if plain and blind(model.description.embedding, model.weights, w["key"], tokens) else tokens:
            k = known(mixer.keys(ops, w, tokens_at(model, arrays.full(len(at), token), at), at))
            if keys is None:
                keys = k[:1].hull().repeated(len(alphabets))
            keys = keys.with_rows(at, k if token == tokens.start else k.around(keys[at]))
    assert keys is not None
    return keys
