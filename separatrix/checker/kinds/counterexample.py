"""Certificates of counterexamples: a program, an input of a task, and the program's wrong answer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from separatrix.checker.budget import Budget
from separatrix.checker.fields import at_least, require_equal, within
from separatrix.checker.kinds.program import hypotheses, shown_margin
from separatrix.checker.models.decoding import asked, said
from separatrix.checker.models.reading import Outline, Program, load, outline
from separatrix.checker.models.sizes import sizes
from separatrix.checker.numbers import arrays
from separatrix.checker.numbers.leads import Margin, beyond_half, lead
from separatrix.checker.seal import Refused
from separatrix.checker.sentence import Shown, model_words, number
from separatrix.checker.specs import Spec, Tokens, task_of

LONGEST = 1 << 20  # tokens of an input that a document carries
RUNS = 4  # times the work of drawing a case: its answer is asked for twice, and its chain is written
FIELDS: dict[str, Any] = {
    "claim": dict, "program": dict, "weights": dict, "tokens": list, "position": int, "said": (int, list), "expected": (int, list),
    "margin": (int, float)
}  # fmt: skip


def judge(document: dict[str, Any], beside: Path | None, budget: Budget) -> Shown:
    """Refuse the certificate unless its program's answer is wrong beyond doubt."""
    task = task_of(document["claim"])
    tokens = input_of(document["tokens"], task, "tokens", budget)
    draft = outline(document["program"])
    reads(draft, task)
    _, wanted = task.asked(tokens)
    case = asked(draft.decoder, task.as_read(tokens), wanted, task.chain(tokens.tolist()) if draft.decoder.writes else ())
    at = within(document["position"], 1, len(case.tokens), "position") - 1
    if at not in case.positions:
        raise Refused(f"position: the task is not scored at {document['position']}")
    expected = case.targets[case.positions.index(at)].tolist()
    require_equal(document["expected"], expected, "expected")
    budget.allow(draft.work(len(case.tokens), 1), draft.memory(len(case.tokens), 1))
    program = load(draft, document["weights"], beside, budget)
    chosen, margin = wrong(program, case.tokens, at, expected)
    require_equal(document["said"], chosen, "said")
    at_least(document["margin"], margin, "margin")
    shape = model_words(sizes(program.model), program.model.ops.name)
    sentence = f"{task.title}: wrong on an input of {number(len(tokens))} tokens, says {chosen} for {expected}; {shape}"
    where = {
        "kind": "input",
        "text": f"at position {at + 1} the program says {chosen}, the answer is {expected}",
        "margin": shown_margin(margin),
    }
    return Shown(sentence, "proven", (where, *hypotheses(program, "")), refutes=True)


def wrong(program: Program, tokens: Tokens, at: int, expected: Any) -> tuple[Any, Margin]:
    """The program's answer at a position, a token or a vector, and its lead over the right one; refused if the program may be right."""
    ops, logits = program.model.ops, program.model.logits(tokens, [at])
    given = said(program.decoder, ops, logits, arrays.array([expected])).chosen
    chosen = given[0].tolist()
    if chosen == expected:
        raise Refused("said: the program is right on this input")
    rounds = program.decoder.kind == "rounding"
    margin = beyond_half(ops, logits, arrays.array(expected)) if rounds else lead(ops, logits[:, [chosen, expected]], arrays.array([0]))
    if not min(margin, said(program.decoder, ops, logits, given).margin) > 0:
        raise Refused("margin: not above the error of the arithmetic, so another program may answer otherwise")
    return chosen, margin


def reads(draft: Outline, task: Spec) -> None:
    """Refuse a program that does not fit the task: it must know every token and answer, and answer where the task is scored."""
    d = draft.description
    if d.embedding.vocabulary < (task.vectors or task.vocabulary):
        raise Refused(f"model: its vocabulary has {d.embedding.vocabulary} tokens, the task {task.vectors or task.vocabulary}")
    if d.readout.targets < (task.vectors or task.targets):
        raise Refused(f"model: it has {d.readout.targets} targets, the task {task.vectors or task.targets}")
    if draft.decoder.kind != task.decoder and not {draft.decoder.kind, task.decoder} <= {"position", "positions"}:
        raise Refused(f"decoder: expected {task.decoder!r}, found {draft.decoder.kind!r}")


def input_of(tokens: Any, task: Spec, where: str, budget: Budget) -> Tokens:
    """An input of the task, read from a document, where there is budget for its answer and its chain."""
    budget.allow(RUNS * task.drawing * task.tokens, 64 * task.tokens)
    if not isinstance(tokens, list) or not 1 <= len(tokens) <= LONGEST or any(type(token) is not int for token in tokens):
        raise Refused(f"{where}: expected 1..{LONGEST} integers")
    if any(not 0 <= token < task.vocabulary for token in tokens) or task.answer(tokens) is None:
        raise Refused(f"{where}: not an input of the task, or outside its promise")
    return arrays.integers(tokens)
