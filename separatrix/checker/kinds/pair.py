"""Certificates of pairs: two inputs to which a program gives one answer although they need two."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from separatrix.checker.budget import Budget
from separatrix.checker.fields import require_equal, string
from separatrix.checker.kinds.counterexample import reads
from separatrix.checker.kinds.program import hypotheses, shown_margin
from separatrix.checker.kinds.restriction import differing, two, two_answers
from separatrix.checker.models.reading import load, outline
from separatrix.checker.models.sizes import sizes
from separatrix.checker.numbers import arrays
from separatrix.checker.numbers.leads import first_largest, lead
from separatrix.checker.seal import Refused
from separatrix.checker.sentence import Shown, model_words
from separatrix.checker.specs import function

FIELDS: dict[str, Any] = {"claim": dict, "program": dict, "weights": dict, "inputs": list, "said": int, "expected": list}


def judge(document: dict[str, Any], beside: Path | None, budget: Budget) -> Shown:
    """Refuse the certificate unless the program says one thing on both inputs, beyond doubt, and they need two."""
    task = function(document["claim"])
    inputs = [string(x, task.alphabets, "inputs") for x in two(document["inputs"], "inputs")]
    expected = two_answers(document["expected"], task, inputs)
    draft = outline(document["program"])
    reads(draft, task)
    budget.allow(2 * draft.work(task.tokens, 1), 2 * draft.memory(task.tokens, 1))
    program = load(draft, document["weights"], beside, budget)
    logits = program.model.logits(arrays.integers(inputs), [task.tokens - 1])[:, 0]
    said = first_largest(logits)
    for answer in said.tolist():
        require_equal(document["said"], answer, "said")
    margin = lead(program.model.ops, logits, said)
    if not margin > 0:
        raise Refused("said: not above the error of the arithmetic, so another program may answer otherwise")
    shape = model_words(sizes(program.model), program.model.ops.name)
    sentence = (
        f"{task.title}: this model says {document['said']} on two inputs that need two answers, so it is wrong on one of them; {shape}"
    )
    text = f"the inputs are {differing(*inputs)} apart and need the answers {expected[0]} and {expected[1]}"
    return Shown(sentence, "proven", ({"kind": "pair", "text": text, "margin": shown_margin(margin)}, *hypotheses(program, "")))
