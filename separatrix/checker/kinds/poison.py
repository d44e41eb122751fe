"""Certificates of poison: a program writes its chain although what it holds of some tokens of its input is overwritten.

The last token of an input is the same for all inputs, and writes the first token of the chain: the cut lies before it. `hidden` lists
places before the cut, from 1, that no token behind it sees in any layer: this is read off the masks, so it holds for every input, and for
whatever stands there. Then it is done: in every layer the vectors at these places are turned around before a token behind the cut reads,
and every token of the chain must still be right. `seen` is a place where the same breaks the chain.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any

from separatrix.checker.budget import Budget
from separatrix.checker.fields import require_equal, within
from separatrix.checker.kinds.counterexample import input_of, reads
from separatrix.checker.kinds.program import hypotheses, shown_margin
from separatrix.checker.models.decoding import Asked, Said, asked, said
from separatrix.checker.models.description import Description
from separatrix.checker.models.embedding import embed
from separatrix.checker.models.layer import norm, run_layer
from separatrix.checker.models.mixers.attention import Attention
from separatrix.checker.models.reading import Program, load, outline
from separatrix.checker.models.sizes import sizes
from separatrix.checker.numbers import arrays
from separatrix.checker.numbers.boxes import join
from separatrix.checker.seal import Refused
from separatrix.checker.sentence import Shown, model_words, number
from separatrix.checker.specs import task_of
from separatrix.checker.specs.counts import bits, in_bits

FIELDS: dict[str, Any] = {"claim": dict, "program": dict, "weights": dict, "tokens": list, "hidden": list, "seen": int, "bits": int}


def judge(document: dict[str, Any], beside: Path | None, budget: Budget) -> Shown:
    """Refuse the certificate unless the chain does not depend on the hidden places, and depends on the seen one."""
    task = task_of(document["claim"])
    tokens = input_of(document["tokens"], task, "tokens", budget)
    draft = outline(document["program"])
    reads(draft, task)
    if not draft.decoder.writes:
        raise Refused("decoder: expected a program that writes a chain")
    case = asked(draft.decoder, task.as_read(tokens), {}, task.chain(tokens.tolist()))
    n, total = len(tokens) - 1, len(case.tokens)
    if total > draft.description.length:
        raise Refused(f"model.length: the model reads {draft.description.length} tokens, the input and its chain have {total}")
    if len(task.alphabets[-1]) > 1:
        raise Refused(f"claim: the last token of an input of {task.name} is not the same for all inputs")
    hidden = _places(document["hidden"], n)
    _refuse_visible(draft.description, hidden, n)
    if not 1 <= document["seen"] <= n or document["seen"] - 1 in hidden:
        raise Refused(f"seen: expected a place 1..{n} that is not hidden, found {document['seen']!r:.80}")
    require_equal(document["bits"], bits_left(draft.description, n - len(hidden), bits(task.vocabulary), draft.ops.bits), "bits")
    budget.allow(3 * draft.work(total, total), 2 * draft.memory(total, total))
    program = load(draft, document["weights"], beside, budget)
    clean = poisoned(program, case, n, hidden)
    if not clean.right or not clean.margin > 0:
        raise Refused("hidden: with these places overwritten the chain is wrong, or not right beyond doubt")
    if poisoned(program, case, n, {*hidden, document["seen"] - 1}).right:
        raise Refused("seen: the chain is right with this place overwritten, too")
    shape = model_words(sizes(program.model), program.model.ops.name)
    left = in_bits(document["bits"])
    sentence = (
        f"{task.title}: the chain that this model writes does not depend on what it holds of {number(len(hidden))} of the "
        f"{number(n)} tokens of an input; at most {left} of the others are left; {shape}"
    )
    text = f"an input whose whole chain is right with {len(hidden)} places overwritten, and wrong with place {document['seen']} as well"
    return Shown(sentence, "proven", ({"kind": "run", "text": text, "margin": shown_margin(clean.margin)}, *hypotheses(program, "")))


def bits_left(d: Description, visible: int, token_bits: int, each: int) -> int:
    """Of so many tokens: below the first mixer the token, above it no more than the stream or the keys and values hold."""
    mixers = [layer.mixer for layer in d.layers if isinstance(layer.mixer, Attention)]
    numbers = [min(d.width, mixer.heads * (mixer.key_width + mixer.value_width)) for mixer in mixers[1:]]
    return visible * (token_bits + each * sum(numbers))


def poisoned(program: Program, case: Asked, n: int, hidden: Collection[int]) -> Said:
    """What the model says with the vectors at some of the first n places turned around, in every layer, for all tokens behind them."""
    model, total = program.model, len(case.tokens)
    d, ops, places = model.description, model.ops, sorted(hidden)
    with arrays.quiet():
        x = embed(d.embedding, model.weights, ops, case.tokens, 1)
        for layer, w in zip(d.layers, model.layers, strict=True):
            before = run_layer(layer, w, ops, x, arrays.arange(n))  # no token sees a later one
            behind = run_layer(layer, w, ops, x.mirrored(places), arrays.arange(n, total))
            x = join([before, behind])
        x = norm(d.readout.norm, model.weights, "readout.norm", ops, x.rows(arrays.array(case.positions)))
        y = ops.linear(x, model.weights["readout.weight"], model.weights.get("readout.bias"))
    if not y.finite:
        raise Refused("an output is not finite, or its error is not bounded")
    return said(program.decoder, ops, y, case.targets)


def _places(places: list[Any], n: int) -> set[int]:
    """Places from 0 on, of which the document has the numbers from 1 on."""
    if not places:
        raise Refused("hidden: expected at least one place, found none")
    if any(type(place) is not int for place in places) or sorted(set(places)) != places:
        raise Refused("hidden: expected different integers in rising order")
    return {within(place, 1, n, "hidden") - 1 for place in places}


def _refuse_visible(d: Description, hidden: set[int], n: int) -> None:
    """Refuse a hidden place that some token behind the first n may see; under every mask the first of them sees what a later one sees."""
    for depth, layer in enumerate(d.layers, start=1):
        if layer.mixer is None:
            continue
        if not isinstance(layer.mixer, Attention):
            raise Refused(f"layer {depth}: expected attention under a mask, found another mixer, which may carry anything")
        visible = layer.mixer.mask.visible(arrays.arange(n, n + 1), n)
        met = hidden if visible is None else hidden & {*arrays.flatnonzero(visible.any(axis=0)).tolist()}
        if met:
            raise Refused(f"hidden: a token of the chain, or the one before it, sees place {min(met) + 1} in layer {depth}")
