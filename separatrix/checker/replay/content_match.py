"""Content match in two layers: labels copy the key before them, and a querying key finds the copy nearest to it.

Lemma. Let a model be two layers of attention without norms, and let keys and labels take turns, x_1 y_1 x_2 y_2 ... What is asked at key q
is the label behind the one key of the pairs before it that is nearest to q. The model is right on every input, with a margin m, where
for each length that the claim names

    1  in layer 1 each token reads, with each head, one place that its position alone decides, with at least some weight; or nothing is
       known of the head but that it reads a mean of values. So the stream behind layer 1 at position t lies in a box for each choice of
       the token at t and of the token at one other place, which for every label is the key before it
    2  in layer 2, for every key q that asks and every key k before a label, the logit lies in an interval I(q, k), whatever the label, the
       positions and the other tokens are. For every q, every k* that may be nearest, and every k that may then stand before another
       label, I(q, k*) lies above I(q, k); and it lies above the logits of all keys, the asking one among them. Hence a least weight W
    3  what is read lies, for each label y, in the box  W v(y) + (T - W) r  with v(y) the value of y behind any key, and r in the box
       around the values of all tokens; and on that box, through the rest of the layer and the read-out, y leads by at least m > 0

Tokens behind the asking one, where the mask shows them, are rivals with any key before them.

Layer 1 is bounded at all keys and at all labels together: the certificate names for each head what every key and every label reads, itself,
the token before it or nothing in particular, and the least weight over all positions counts.
"""

from __future__ import annotations

import math
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
from separatrix.checker.numbers.boxes import Array, Box, around, interleaved, join, known
from separatrix.checker.numbers.formats import Numbers
from separatrix.checker.numbers.heads import Least, Share, mix, of_place, share
from separatrix.checker.numbers.leads import margin_of, shown
from separatrix.checker.numbers.smooth import native, scaled
from separatrix.checker.replay.proof import Proof, Unfit, Unproven, formats_of, tokens_in
from separatrix.checker.replay.shapes import after_reading, anywhere, attention_layers, leads_after, tokens_at
from separatrix.checker.seal import Refused
from separatrix.checker.sentence import at_least
from separatrix.checker.specs.forms.form import Form
from separatrix.checker.specs.forms.match import Match

PAIRS = 1 << 22  # of queries and keys that are compared together
LOGITS = 1 << 20  # of layer 1 that are computed together
NUMBER = {False: 8, True: 48}  # bytes of a number in floats, and in integers of any size


def prove(model: Model, form: Form, document: Any, budget: Budget) -> Proof:
    """The proof for a task whose form is a match."""
    if not isinstance(form, Match):
        raise Unfit("expected a task that asks for the label of the nearest key")
    first, second = attention_layers(model, 2)
    if form.labels != model.description.readout.targets:
        raise Unproven("the read-out", f"expected one target for each of {form.labels} labels")
    if second.rotary or second.mask.kind not in ("all", "causal"):
        raise Unproven("layer 2", "expected attention to all tokens, or all before, without rotary positions")
    classes, longest = read(document, first), max(form.lengths)
    work = sum(_work(model, first, second, form, n, classes) for n in form.lengths)
    budget.allow(work, _memory(model, first, second, form, longest))
    by_length = [_length(model, first, second, form, n, classes) for n in form.lengths]
    copied, compared = min(w for _, w, _ in by_length), min(w for _, _, w in by_length)
    return Proof(
        "content match",
        min(margin for margin, _, _ in by_length),
        (
            f"in {tokens_in(form.lengths)} layer 1 gives every label the key before it with at least {at_least(copied, 4)} of the weight",
            f"in layer 2 every querying key gives the label of the nearest key at least {at_least(compared, 4)} of the weight, "
            f"checked on every pair of {form.keys} keys",
            f"on the box of each of {form.labels} labels the right one leads, whatever else is read",
            formats_of(model.ops),
        ),
    )


@dataclass(frozen=True)
class Classes:
    """Keys and labels bounded together: how their tokens are gone through, and what every head of layer 1 reads at either."""

    listed: bool
    foci: tuple[tuple[str | None, ...], tuple[str | None, ...]]  # of keys and of labels, for each head: "itself", "before" or nothing


def read(document: Any, mixer: Attention) -> Classes:
    """The field `proof`: how tokens are gone through, and the foci of each head."""
    require_fields(document, "proof", rule=str, tokens=str, keys=list, labels=list)
    listed = one_of(document, "tokens", "proof", "listed", "summed") == "listed"
    for name, allowed in (("keys", ("itself", None)), ("labels", ("itself", "before", None))):
        if len(document[name]) != mixer.heads or any(f not in allowed for f in document[name]):
            raise Refused(f"proof.{name}: expected for each of {mixer.heads} heads {' or '.join(str(a or 'null') for a in allowed)}")
    return Classes(listed, (tuple(document["keys"]), tuple(document["labels"])))


def _work(model: Model, first: Attention, second: Attention, form: Match, n: int, classes: Classes) -> int:
    """Work of one length, in float64 multiplications."""
    d, cost = model.description, model.ops.cost(model.description.width)
    hidden = sum(layer.feedforward.hidden for layer in d.layers if layer.feedforward)
    heads = sum(mixer.heads * (2 * mixer.key_width + 2 * mixer.value_width) for mixer in (first, second))
    rows = form.keys * form.labels + (n * (form.keys + form.labels) if classes.listed else n)
    compared = form.keys**2 * second.heads * (second.key_width + 60) + n * n * first.heads * (first.key_width + 60)
    return rows * d.width * (heads + 3 * hidden + 40) * cost + compared * (1 if cost == 4 else cost)


def _memory(model: Model, first: Attention, second: Attention, form: Match, n: int) -> int:
    """Bytes of one length: two ends of streams, keys and values of layer 2 for keys and labels, and what is on the way."""
    d, rows = model.description, form.keys * form.labels
    kept = 4 * (d.width + second.heads * (second.key_width + second.value_width))
    hidden = max((layer.feedforward.hidden for layer in d.layers if layer.feedforward), default=0)
    passing = 16 * first.heads * first.value_width + 8 * (hidden + d.width)
    numbers = rows * (kept + passing) + 12 * min(PAIRS, form.keys**2) + 12 * LOGITS + 8 * n * (d.width + first.heads * first.key_width)
    return NUMBER[model.ops.scale is not None] * numbers


@dataclass(frozen=True, eq=False)
class Position:
    """The stream after layer 1 at one position: a box for each token there and each token at one other place, [own, other, width]."""

    box: Box
    other: int | None  # the other place; None if there is none
    weight: float  # the least that a head gives to it


def _length(
    model: Model, first: Attention, second: Attention, form: Match, n: int, classes: Classes
) -> tuple[Fraction | float, float, float]:
    """The least lead over every input of n tokens, and the least weights of both layers."""
    ops, asked, everyone = model.ops, form.asked(n), second.mask.kind == "all"
    stream = _in_classes(model, first, form, n, classes)
    copies = range(1, asked[-1], 2)
    for t in copies:
        if stream[t].other != t - 1:
            raise Unproven("layer 1", f"no head is said to read the key before it, at the label at position {t + 1}")
    w, last = under(model.layers[1], "mixer"), n if everyone else asked[-1] + 1
    alike = {id(each.box): each.box for each in stream}  # positions in classes share a box
    by_box = {name: {i: ops.linear(box, w[name], w.get(f"{name}_bias")) for i, box in alike.items()} for name in ("key", "value")}
    keys, values = ([by_box[name][id(each.box)] for each in stream[:last]] for name in ("key", "value"))
    queries = around([_queries(model, second, box).hull(1) for box in {id(stream[t].box): stream[t].box for t in asked}.values()])
    before, beside_keys = _hulls([keys[t] for t in copies], 0), _hulls(keys[::2], 1)
    if everyone:  # labels behind the asking key
        before = around([before, *(keys[t].hull(0) for t in range(asked[-1] + 1, n, 2) if stream[t].other == t - 1)])
        unknown = [keys[t].hull((0, 1)) for t in range(1, n, 2) if stream[t].other != t - 1]
        beside_keys = around([beside_keys, *(each.repeated(form.keys) for each in unknown)])
    labels = _hulls([values[t] for t in copies], 1)
    rivals = _hulls(values, (0, 1))[None]
    reader = _hulls([stream[t].box for t in asked], (0, 1))[None]
    counts = arrays.array([[asked[-1] // 2 - 1, last, (n - asked[0]) // 2 if everyone else 0]])
    m, v, read, weights = second.key_width, second.value_width, [], []
    for h in range(second.heads):
        part = slice(h * m, (h + 1) * m)
        gaps = _gaps(ops, form, asked[0] // 2, queries[:, part], before[:, part], beside_keys[:, part])
        weight = share(ops, second.scores, gaps[None, :], counts, n)
        weights.append(weight.least(ops))
        read.append(mix(ops, weight, labels[:, h * v : (h + 1) * v], rivals[:, h * v : (h + 1) * v], n))
    x = after_reading(model, 1, reader[arrays.zeros(form.labels)], join(read, axis=-1))
    lead = leads_after(model, x, arrays.arange(form.labels))
    copied = min((stream[t].weight for t in copies), default=1.0)
    if not bool((lead > 0).all()):
        _say_why(model, weights, copied, lead)
    return margin_of(ops, lead), copied, max(weights)


def _say_why(model: Model, weights: list[float], copied: float, lead: Array) -> None:
    """Which hypothesis failed."""
    h = weights.index(max(weights))
    if not weights[h] > 0:
        raise Unproven(
            f"layer 2, head {h + 1}",
            "another token may have a larger logit than the label of the nearest key; "
            f"layer 1 copies keys with at least {copied:.6g} of its weight",
        )
    raise Unproven(
        "the read-out",
        f"label {int(lead.argmin())} leads by no more than {shown(model.ops, lead.min())} on its box; "
        f"layer 2, head {h + 1} gives the label of the nearest key at least {weights[h]:.4g} of its weight",
    )


def _gaps(ops: Numbers, form: Match, fewest: int, queries: Box, before: Box, keys: Box) -> Array:
    """The least lead of the label of the nearest key over labels of other pairs, over keys, and over labels after any key.

    Labels have the keys `before`, keys the keys `keys`. A key that leaves no other in the promise is nearest only where there may be a
    single pair.
    """
    least, together = [Least(), Least(), Least()], max(1, PAIRS // form.keys)
    for first in range(0, form.keys, together):
        block = queries[first : first + together]
        near, itself = ops.logits(block, before), ops.logits(block, keys)
        if form.costs is None:  # the nearest key is the key itself
            here = arrays.arange(len(block))
            own = near[here, first + here]
            if form.keys > 1:
                least[0].lead(own, near.beside_one(first + here))
            least[1].lead(own, itself.top(1))
            least[2].lead(own, near.top(1))
            continue
        for row in range(len(block)):
            cost = form.cost(first + row)
            order = arrays.argsort(cost, kind="stable")
            farther = near[row][order].top_from_here()  # the largest logit from each rank on
            rank = arrays.searchsorted(cost[order], cost + form.lead)
            nearest = arrays.flatnonzero((cost <= form.farthest) & ((rank < form.keys) | (fewest <= 1)))
            if not len(nearest):
                continue
            own, others = near[row][nearest], rank[nearest] < form.keys
            if others.any():
                least[0].lead(own[others], farther[rank[nearest][others]])
            least[1].lead(own, itself[row].top(0))
            least[2].lead(own, near[row].top(0))
    if least[1].value is None:
        raise Unproven("the task", "no input is inside the promise")
    return Least.together(least)


def _queries(model: Model, mixer: Attention, x: Box) -> Box:
    """Of all heads of layer 2."""
    w, ops = under(model.layers[1], "mixer"), model.ops
    q = ops.linear(x, w["query"], w.get("query_bias"))
    if not mixer.scaled:
        return q
    return scaled(native(ops, "scaled logits"), q, 1 / math.sqrt(mixer.key_width))


def _in_classes(model: Model, mixer: Attention, form: Match, n: int, classes: Classes) -> list[Position]:
    """Every position after layer 1, with one box for all keys and one for all labels."""
    ops, w = model.ops, under(model.layers[0], "mixer")
    alphabets = form.alphabets(2)
    streams = [anywhere(model, tokens, n, classes.listed) for tokens in alphabets]
    values = [ops.linear(x, w["value"], w.get("value_bias")) for x in streams]
    rivals = around([v.hull() for v in values])[None]
    shares = _class_shares(model, mixer, alphabets, n, classes)
    positions = []
    for kind, (tokens, foci) in enumerate(zip(alphabets, classes.foci, strict=True)):
        own, others = len(tokens), form.keys if "before" in foci else 1
        a, b = arrays.repeat(arrays.arange(own), others), arrays.tile(arrays.arange(others), own)
        read = []
        for h, focus in enumerate(foci):
            part = slice(h * mixer.value_width, (h + 1) * mixer.value_width)
            known = {"itself": (values[kind], a), "before": (values[0], b), None: (rivals, arrays.zeros_like(a))}[focus]
            read.append(mix(ops, shares[kind][h], known[0][known[1], part], rivals[:, part], n))
        y = after_reading(model, 0, streams[kind][a], join(read, axis=-1))
        box = y.reshape(own, others, -1)
        weights = [s.least(ops) for s, focus in zip(shares[kind], foci, strict=True) if focus == "before"]
        positions.append((box, "before" in foci, max(weights, default=0.0)))
    return [Position(box, t - 1 if before else None, weight) for t in range(n) for box, before, weight in [positions[t % 2]]]


def _class_shares(model: Model, mixer: Attention, alphabets: tuple[range, ...], n: int, classes: Classes) -> list[list[Share]]:
    """For keys and for labels the share of every head's focus, the least over all positions and whatever the tokens are."""
    ops, m = model.ops, mixer.key_width
    q, k = (_forms(model, mixer, name, alphabets, n) for name in ("query", "key"))
    shares: list[list[Share]] = []
    for kind, foci in enumerate(classes.foci):
        of_kind = []
        for h, focus in enumerate(foci):
            part, parts = slice(h * m, (h + 1) * m), []
            readers, step = arrays.arange(kind, n, 2), max(1, LOGITS // n)
            for first in range(0, len(readers), step):
                at = readers[first : first + step]
                rows, place = arrays.arange(len(at)), at - (focus == "before")
                visible = mixer.mask.visible(at, n)
                seen = arrays.ones((len(at), n), dtype=bool) if visible is None else visible
                if focus is not None and not bool(seen[rows, place].all()):
                    raise Unproven("layer 1", f"the mask hides what head {h + 1} is said to read")
                known = of_place(ops, mixer.scores, ops.logits(q[at][:, part], k[:, part]), place, seen, n)
                parts.append((known if focus is not None else known.nothing()).lowest())
            of_kind.append(Share.joined(parts).lowest())
        shares.append(of_kind)
    return shares


def _forms(model: Model, mixer: Attention, name: str, alphabets: tuple[range, ...], n: int) -> Box:
    """The queries or keys of all heads of layer 1 at each position, around all tokens that may stand there."""
    ops, w, e = model.ops, under(model.layers[0], "mixer"), model.description.embedding
    form = mixer.queries if name == "query" else mixer.keys
    ends: list[Box] = []
    for kind, tokens in enumerate(alphabets):
        at = arrays.arange(kind, n, 2)
        one = tokens.stop <= e.plain and blind(model.description.embedding, model.weights, w[name], tokens)
        ends.append(
            around([known(form(ops, w, tokens_at(model, arrays.full(len(at), s), at), at)) for s in (tokens[:1] if one else tokens)])
        )
    return interleaved(ends, n)


def _hulls(boxes: list[Box], axis: int | tuple[int, ...]) -> Box:
    """One box around the hulls of some boxes along an axis; boxes that are one object are gone through once."""
    return around([box.hull(axis) for box in {id(box): box for box in boxes}.values()])
