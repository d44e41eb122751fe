"""Certificates of transcript collisions: two inputs on which a one-layer model, as a protocol, sends the same bits.

The messages of the two parties are computed here from one forward pass over the whole input: the token read out, per
head the largest logit and the sum of exponentials of each party and the other party's part of the weighted values, and the answer.
Equal transcripts on x and y imply equal ones on both crossed inputs: four inputs with one answer although they need two.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from separatrix.checker.budget import Budget
from separatrix.checker.fields import require_equal, require_equal_items, string
from separatrix.checker.kinds.counterexample import reads
from separatrix.checker.kinds.partition import places, together
from separatrix.checker.models.embedding import embed
from separatrix.checker.models.layer import under
from separatrix.checker.models.mixers.attention import Attention
from separatrix.checker.models.model import Model
from separatrix.checker.models.reading import load, outline
from separatrix.checker.models.sizes import sizes
from separatrix.checker.numbers import arrays
from separatrix.checker.numbers.boxes import Array
from separatrix.checker.numbers.exact import Fixed
from separatrix.checker.numbers.integers import narrow
from separatrix.checker.numbers.leads import first_largest
from separatrix.checker.seal import Refused
from separatrix.checker.sentence import Shown, model_words
from separatrix.checker.specs import task_of
from separatrix.checker.specs.counts import bits
from separatrix.checker.statements import Witness, check_lower

FIELDS: dict[str, Any] = {
    "claim": dict, "cites": str, "program": dict, "weights": dict, "alice": list, "x": list, "y": list, "crossed": list,
    "transcript": list, "bits": int, "said": int, "expected": list
}  # fmt: skip


def judge(document: dict[str, Any], beside: Path | None, budget: Budget) -> Shown:
    """Refuse the certificate unless all four inputs have its transcript and need two answers."""
    task = task_of(document["claim"])
    if task.decoder != "position":
        raise Refused(f"claim: a protocol has one answer, {task.name} is read by {task.decoder!r}")
    alice, bob = places(document["alice"], len(task.alphabets))
    x, y = (string(document[name], task.alphabets, name) for name in ("x", "y"))
    halves = [[tuple(s[i] for i in part) for part in (alice, bob)] for s in (x, y)]
    crossed = [together(halves[i][0], halves[1 - i][1], alice, bob) for i in (0, 1)]
    require_equal_items(document["crossed"], [list(s) for s in crossed], "crossed")
    draft, inputs = outline(document["program"]), (x, y, *crossed)
    reads(draft, task)
    layer = draft.description.layers[0]
    if len(draft.description.layers) != 1 or not isinstance(layer.mixer, Attention) or not isinstance(draft.ops, Fixed):
        raise Refused("model: expected one layer of attention in fixed point")
    if layer.mixer.mask.kind not in ("all", "causal"):
        raise Refused("model: expected attention to all tokens, or to those before")
    expected = [_answer(task.answer(tokens)) for tokens in inputs]
    require_equal_items(document["expected"], expected, "expected")
    if len({value for value in expected if value is not None}) < 2:
        raise Refused("expected: one answer is right for all four inputs")
    budget.allow(8 * draft.work(len(x), 1) * (1 + layer.mixer.heads), draft.memory(len(x), len(x)))
    model = load(draft, document["weights"], beside, budget).model
    for tokens in inputs:
        answer = int(first_largest(model.logits(arrays.integers(tokens), [len(tokens) - 1]))[0])
        require_equal(document["said"], answer, "said")
        sent = list(messages(model, draft.ops, arrays.integers(tokens), alice, answer))
        require_equal_items(document["transcript"], sent, "transcript")
    total = sum(len(message) for message in document["transcript"])
    require_equal(document["bits"], total, "bits")
    check_lower(document["cites"], Witness("transcript-collision", task, total, alice))
    shape = model_words(sizes(model), model.ops.name)
    claim_text = (
        f"{task.title}: this model sends the same {total} bits on four inputs that need two answers, so it is wrong on one of them; {shape}"
    )
    inputs_shown = {"kind": "inputs", "text": f"x = {list(x)}, y = {list(y)} and the two crossed from them", "said": document["said"]}
    return Shown(claim_text, "proven", (inputs_shown,))


def messages(model: Model, ops: Fixed, tokens: Array, alice: tuple[int, ...], answer: int) -> Iterator[str]:
    """The messages of the protocol that reads the last token, in order, in bits."""
    n, d = len(tokens), model.description
    mixer, w = d.layers[0].mixer, under(model.layers[0], "mixer")
    assert isinstance(mixer, Attention)
    mine = arrays.array([(i in alice) == (n - 1 in alice) for i in range(n)])  # the places of the party with the last token
    sides = (mine, ~mine)
    yield _unsigned(int(tokens[-1]), bits(d.embedding.vocabulary))
    x, at = embed(d.embedding, model.weights, ops, tokens, 1), arrays.arange(n)
    q, k, v = mixer.queries(ops, w, x[-1:], at[-1:]), mixer.keys(ops, w, x, at), mixer.values(ops, w, x)
    for h in range(mixer.heads):
        logits = ops.logits(mixer.of_head(q, h, mixer.key_width), mixer.of_head(k, h, mixer.key_width))
        a = logits.units()[0]
        largest = [max(a[side]) for side in sides]
        if mixer.scores == "softmax":
            exps = ops.exponential.floor(narrow(max(largest) - a)).astype(object)
            yield from (_signed(M, ops.bits) for M in largest)
            yield from (_unsigned(sum(exps[side]), ops.f + bits(n + 1)) for side in sides)
        elif mixer.scores == "hard":
            for side, M in zip(sides, largest, strict=True):
                yield _signed(M, ops.bits) + _unsigned(int(arrays.flatnonzero(side & (a == M))[0]), bits(n))
        weights = ops.attention(logits, None, mixer.scores).units()[0]
        values = mixer.of_head(v, h, mixer.value_width).units()
        part = (weights[~mine, None] * values[~mine]).sum(axis=0)
        yield "".join(_signed(u, ops.bits + ops.f) for u in part)
    yield _unsigned(answer, bits(d.readout.targets))


def _answer(answer: Any) -> int | None:
    return answer if isinstance(answer, int) else None


def _unsigned(number: int, width: int) -> str:
    """In binary; empty if there is only one choice."""
    return "".join("1" if int(number) >> i & 1 else "0" for i in reversed(range(width)))


def _signed(number: int, width: int) -> str:
    """In two's complement."""
    return _unsigned(int(number) % (1 << width), width)
