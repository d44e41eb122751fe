"""Certificates of transcript collisions: two inputs on which a one-layer model, as a protocol, sends the same bits.

What two parties say about the tokens they hold is computed here from one forward pass over the whole input: the token read out, per
head the largest logit and the sum of exponentials of each party and the other party's part of the weighted values, and the answer.
Equal transcripts on x and y mean equal ones on both inputs crossed from them: four inputs, one answer, though they need two.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from separatrix.checker.counterexample import model_of
from separatrix.checker.exact_numbers import Fixed
from separatrix.checker.fields import exactly, same
from separatrix.checker.forward import Forward
from separatrix.checker.functions import alike, bits, function, string
from separatrix.checker.integers import narrow
from separatrix.checker.partition import places, together
from separatrix.checker.seal import Refused

CITES = "bhattamishra2024 Theorem 4"
Array = npt.NDArray[Any]


def check_transcript_collision(document: dict[str, Any], beside: Path | None) -> None:
    """Refuse the certificate unless all four inputs have its transcript and need two answers."""
    exactly(
        document, "certificate", schema=str, version=int, kind=str, statement=dict, task_parameters=dict, arithmetic=str, model=dict,
        weights=dict, alice=list, x=list, y=list, crossed=list, transcript=list, bits=int, said=int, expected=list, holds=bool, digest=str,
    )  # fmt: skip
    asked = function(document["statement"], document["task_parameters"], CITES)
    alice, bob = places(document["alice"], len(asked.alphabets))
    x, y = (string(document[name], asked.alphabets, name) for name in ("x", "y"))
    halves = [[tuple(s[i] for i in part) for part in (alice, bob)] for s in (x, y)]
    crossed = [together(halves[i][0], halves[1 - i][1], alice, bob) for i in (0, 1)]
    alike(document["crossed"], [list(s) for s in crossed], "crossed")
    forward, inputs = model_of(document, beside, asked), (x, y, *crossed)
    ops = forward.numbers
    if not isinstance(ops, Fixed) or len(forward.config["layers"]) != 1 or forward.config["layers"][0].get("state", 0):
        raise Refused("model: expected one layer of attention in fixed point")
    expected = [asked.answer(tokens) for tokens in inputs]
    alike(document["expected"], expected, "expected")
    for tokens in inputs:
        answer = int(forward.logits(np.array(tokens, dtype=np.int64), [len(tokens) - 1])[0].argmax())
        same(document["said"], answer, "said")
        alike(document["transcript"], list(messages(forward, ops, np.array(tokens, dtype=np.int64), alice, answer)), "transcript")
    same(document["bits"], sum(len(message) for message in document["transcript"]), "bits")
    if len({value for value in expected if value is not None}) < 2:
        raise Refused("expected: one answer is right for all four inputs")
    same(document["holds"], True, "holds")


def messages(forward: Forward, ops: Fixed, tokens: Array, alice: tuple[int, ...], answer: int) -> Iterator[str]:
    """The messages of the protocol that reads the last token, in order, in bits."""
    n, e, layer = len(tokens), forward.embedding, forward.config["layers"][0]
    reads = np.array([(i in alice) == (n - 1 in alice) for i in range(n)])  # the places of the party that holds the last token
    sides = (reads, ~reads)
    yield _unsigned(int(tokens[-1]), bits(e["plain"] + e["numbers"]))
    x = forward.embed(tokens, 1)
    q, k, v = (ops.linear(x, forward.weights[f"layers.0.attention.{name}"]) for name in ("query", "key", "value"))
    for h in range(layer["heads"]):
        at, of = (slice(h * layer[name], (h + 1) * layer[name]) for name in ("key_width", "value_width"))
        a = ops.logits(q[-1:, at], k[:, at])[0].astype(object)
        largest = [max(a[side]) for side in sides]
        if layer["attention"] == "softmax":
            exps = ops.exponential.floor(narrow(max(largest) - a)).astype(object)
            yield from (_signed(M, ops.bits) for M in largest)
            yield from (_unsigned(sum(exps[side]), ops.f + bits(n + 1)) for side in sides)
        elif layer["attention"] == "hard":
            for side, M in zip(sides, largest, strict=True):
                yield _signed(M, ops.bits) + _unsigned(int(np.flatnonzero(side & (a == M))[0]), bits(n))
        w = ops.attention(a[None], None, layer["attention"])[0].astype(object)
        part = (w[~reads, None] * v[~reads][:, of].astype(object)).sum(axis=0)
        yield "".join(_signed(u, ops.bits + ops.f) for u in part)
    yield _unsigned(answer, bits(forward.config["targets"]))


def _unsigned(number: int, width: int) -> str:
    """In binary, nothing where there is one choice."""
    return "".join("1" if int(number) >> i & 1 else "0" for i in reversed(range(width)))


def _signed(number: int, width: int) -> str:
    """In two's complement."""
    return _unsigned(int(number) % (1 << width), width)
