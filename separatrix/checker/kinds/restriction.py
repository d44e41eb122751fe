"""Certificates of restrictions: with some tokens fixed, a model of hard attention says the same whatever the others are.

Two of these completions need two answers, so the model is wrong on one of them. The document has the restriction and the two completions
alone: what the model depends on is derived again here, layer by layer (supports.py), for all completions at once.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from separatrix.checker.budget import Budget
from separatrix.checker.fields import require_equal, require_equal_items, string
from separatrix.checker.kinds.counterexample import reads
from separatrix.checker.kinds.program import hypotheses, shown_margin
from separatrix.checker.kinds.supports import Completions, last_table
from separatrix.checker.models.layer import norm
from separatrix.checker.models.reading import load, outline
from separatrix.checker.models.sizes import sizes
from separatrix.checker.numbers import arrays
from separatrix.checker.numbers.leads import first_largest, lead
from separatrix.checker.seal import Refused
from separatrix.checker.sentence import Shown, counted, model_words, number
from separatrix.checker.specs import Spec, function

FIELDS: dict[str, Any] = {
    "claim": dict, "program": dict, "weights": dict, "restriction": list, "completions": list, "free": int, "said": int, "expected": list
}  # fmt: skip


def judge(document: dict[str, Any], beside: Path | None, budget: Budget) -> Shown:
    """Refuse the certificate unless the model says one thing on all completions of its restriction, two of which need two answers."""
    task = function(document["claim"])
    inputs = restricted(document["restriction"], task)
    free = sum(token is None and len(alphabet) > 1 for token, alphabet in zip(inputs.fixed, inputs.alphabets, strict=True))
    require_equal(document["free"], free, "free")
    completions = [completion(x, task, inputs) for x in two(document["completions"], "completions")]
    expected = two_answers(document["expected"], task, completions)
    draft = outline(document["program"])
    reads(draft, task)
    budget.allow(2 * draft.work(task.tokens, task.tokens), draft.memory(task.tokens, task.tokens))
    program = load(draft, document["weights"], beside, budget)
    model, ops = program.model, program.model.ops
    table = last_table(model, inputs, budget)
    x = norm(model.description.readout.norm, model.weights, "readout.norm", ops, table.vectors)
    logits = ops.linear(x, model.weights["readout.weight"], model.weights.get("readout.bias"))
    said = first_largest(logits)
    if len(arrays.unique(said)) > 1:
        raise Refused(f"restriction: what the model says depends on the places {[p + 1 for p in table.support]}")
    margin = lead(ops, logits, said)
    if not margin > 0:
        raise Refused("restriction: on some completion two logits are equal, or closer than the error of the arithmetic")
    require_equal(document["said"], int(said[0]), "said")
    shape = model_words(sizes(model), ops.name)
    fixed = f"with {number(task.tokens - free)} of {number(task.tokens)} tokens fixed"
    sentence = f"{task.title}: {fixed}, this model says {int(said[0])} whatever the other {number(free)} are, and is wrong on some; {shape}"
    evidence = {
        "kind": "restriction",
        "text": f"two completions, {differing(*completions)} apart, need the answers {expected[0]} and {expected[1]}",
        "free": free,
        "margin": shown_margin(margin),
    }
    return Shown(sentence, "proven", (evidence, *hypotheses(program, "")))


def restricted(restriction: list[Any], task: Spec) -> Completions:
    """A token for each place, or null where it is free."""
    if len(restriction) != task.tokens:
        raise Refused(f"restriction: expected {task.tokens} entries, found {len(restriction)}")
    for place, (token, alphabet) in enumerate(zip(restriction, task.alphabets, strict=True)):
        if token is not None and (type(token) is not int or token not in alphabet):
            raise Refused(f"restriction[{place}]: expected null or a token of {alphabet.start}..{alphabet.stop - 1}")
    return Completions(task.alphabets, tuple(restriction))


def completion(tokens: Any, task: Spec, inputs: Completions) -> tuple[int, ...]:
    """An input that agrees with the restriction."""
    x = string(tokens, task.alphabets, "completions")
    for place, token in enumerate(x):
        if token not in inputs.tokens(place):
            raise Refused(f"completions: token {token} at place {place + 1} is not that of the restriction")
    return x


def two(items: list[Any], where: str) -> list[Any]:
    """Exactly two."""
    if len(items) != 2:
        raise Refused(f"{where}: expected two of them, found {len(items)}")
    return items


def two_answers(claimed: list[Any], task: Spec, inputs: list[tuple[int, ...]]) -> list[int]:
    """The answers to two inputs, which must differ."""
    expected = [task.truth(x) for x in inputs]
    if any(not isinstance(answer, int) for answer in expected):
        raise Refused("expected: an input lies outside the promise")
    require_equal_items(claimed, expected, "expected")
    if expected[0] == expected[1]:
        raise Refused("expected: one answer is right for both inputs")
    return [int(answer) for answer in expected if isinstance(answer, int)]


def differing(x: tuple[int, ...], y: tuple[int, ...]) -> str:
    """At how many places two inputs differ, in words."""
    return counted(sum(a != b for a, b in zip(x, y, strict=True)), "token")
