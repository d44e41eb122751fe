"""Certificates of programs: these weights compute this task at these sizes.

The author chooses the task, the program, the weights and the proof; everything else is derived again. A program that is proven needs no
cases; of any other, and where a document has tests beside its proof, the cases are the checker's own (testing.py).
"""

from __future__ import annotations

from decimal import ROUND_DOWN, Context
from pathlib import Path
from typing import TYPE_CHECKING, Any

from separatrix.checker.budget import Budget
from separatrix.checker.fields import free_text, require_equal, require_fields
from separatrix.checker.models.model import BLOCK, Model, can_stream
from separatrix.checker.models.reading import Outline, Program, load, outline
from separatrix.checker.models.sizes import SIZES, sizes
from separatrix.checker.numbers.leads import Margin
from separatrix.checker.seal import Refused
from separatrix.checker.sentence import Shown, model_words
from separatrix.checker.specs import Spec, task_of

if TYPE_CHECKING:
    from separatrix.checker.replay import Proof

EXP = "exp, tanh, sin and cos of the machine are accurate to 4 units in the last place; exp(0) is 1, exp below the range is 0"
STEPPED = "recurrences run token by token, as they are defined; a chunked or parallel form is another program"
STREAMED = (
    "keys and values of a long input are computed token by token, and then weighed; a form that multiplies otherwise is another program"
)
RETRIEVED = (
    "retrieved tokens are those of the task's own searches, run with Python's re; the program writes the queries and is given the results"
)
FIELDS: dict[str, Any] = {
    "claim": dict, "construction": str, "cites": str, "program": dict, "weights": dict, "sizes": dict, "tests": list, "lemmas": list,
    "proof": (dict, type(None))
}  # fmt: skip


def judge(document: dict[str, Any], beside: Path | None, budget: Budget) -> Shown:
    """Refuse the certificate unless its proof holds, or its program is right on every case of the plan, and every derived field is true."""
    free_text(document["construction"], "construction")
    task = task_of(document["claim"])
    draft = outline(document["program"])
    fit(draft, task)
    proven, tests, longest = document["strength"] == "proven", None, max(task.tokens, draft.description.embedding.vocabulary)
    budget.allow(0, draft.memory(longest, 1))
    if document["tests"] or not proven:
        from separatrix.checker.kinds.testing import Tests

        tests = Tests.planned(task, draft, document, budget)
        budget = budget.after(tests.plan.work)
    program = load(draft, document["weights"], beside, budget)
    cost = check_sizes(document["sizes"], program, task)
    if document["cites"]:
        from separatrix.checker.statements import check_statement

        check_statement(document["cites"], task, document["program"]["model"], program.model.ops.bits)
    lemmas = lemmas_of(document["lemmas"], program.model, budget)
    proof = None
    if proven:
        from separatrix.checker.replay import replay

        proof = replay(program.model, task, document["proof"], budget)
    evidence = [*([] if proof is None else _proof_evidence(proof)), *([] if tests is None else tests.run(program, proven)), *lemmas]
    strength = "proven" if tests is None else tests.strength(proven)
    require_equal(document["strength"], strength, "strength")
    if proof is None and document["proof"] is not None:
        raise Refused("proof: expected null where the strength is not proven")
    evidence += hypotheses(program, document["cites"])
    title, coverage = task.title, tests.coverage() if tests is not None else ""
    if proof is not None:
        title, inputs = (task.title, "every input") if proof.every_length is None else (proof.every_length, "every input of every length")
        coverage = f"right on {inputs}, by at least {digits(proof.margin)}"
    return Shown(f"{title}: {coverage}; {model_words(cost, program.model.ops.name)}", strength, tuple(evidence))


def lemmas_of(claimed: list[Any], model: Model, budget: Budget) -> list[dict[str, Any]]:
    """The lemmas of a document as evidence; what checks them is loaded where there are any."""
    if not claimed:
        return []
    from separatrix.checker.kinds.lemmas import check_lemmas

    return check_lemmas(claimed, model, budget)


def fit(draft: Outline, task: Spec) -> None:
    """Refuse a program that cannot read the inputs of the task, or whose answers do not fit it."""
    d = draft.description
    require_equal(d.embedding.vocabulary, task.vectors or task.vocabulary, "the model's vocabulary")
    require_equal(d.readout.targets, task.vectors or task.targets, "the model's targets")
    require_equal(d.length, task.tokens, "model.length")
    require_equal(draft.decoder.kind, task.decoder, "decoder.kind")
    if task.search is not None:
        require_equal((draft.decoder.start, draft.decoder.end, draft.decoder.words), task.search, "decoder.start, end and words")


def check_sizes(claimed: dict[str, Any], program: Program, task: Spec | None) -> dict[str, int | None]:
    """The sizes of the model; refused if they differ from the claimed ones, or lie below what any recurrent model needs for the task."""
    require_fields(claimed, "sizes", **dict.fromkeys(SIZES, (int, type(None))))
    cost = sizes(program.model)
    for key, value in cost.items():
        require_equal(claimed[key], value, f"sizes.{key}")
    state = cost["state_bits"]
    if task is not None and state is not None and state < task.state_bits:
        raise Refused(f"sizes.state_bits: {state} bits of state cannot solve the task, which needs {task.state_bits}")
    return cost


def hypotheses(program: Program, cites: str) -> list[dict[str, Any]]:
    """The assumptions besides the checker itself, and the statement of a paper that the claim is an instance of."""
    assumptions: list[dict[str, Any]] = []
    if program.model.ops.scale is None:
        assumptions.append({"kind": "hypothesis", "text": EXP})
        if any(layer.mixer is not None and layer.mixer.stepped for layer in program.model.description.layers):
            assumptions.append({"kind": "hypothesis", "text": STEPPED})
        if program.model.description.length > BLOCK and can_stream(program.model.description):
            assumptions.append({"kind": "hypothesis", "text": STREAMED})
    if program.decoder.kind == "retrieval":
        assumptions.append({"kind": "hypothesis", "text": RETRIEVED})
    return assumptions + ([{"kind": "statement", "text": f"has the shape of {cites}", "cites": cites}] if cites else [])


def shown_margin(margin: Margin) -> float:
    """A margin as a float64, rounded down."""
    value = float(min(margin, 2.0**1023))  # a lead of the widest format may be larger
    while value > margin:
        value -= abs(value) * 2.0**-52
    return value


def _proof_evidence(proof: Proof) -> list[dict[str, Any]]:
    margin = shown_margin(proof.margin)
    text = f"by the rule {proof.rule} the right answer leads by at least {digits(proof.margin)} on every input"
    entries: list[dict[str, Any]] = [{"kind": "proof", "text": text, "rule": proof.rule, "margin": margin}]
    return entries + [{"kind": "shown", "text": hypothesis, "rule": proof.rule} for hypothesis in proof.hypotheses]


def digits(margin: Margin) -> str:
    """A margin in at most six digits, rounded down."""
    down = Context(prec=6, rounding=ROUND_DOWN).create_decimal_from_float(shown_margin(margin))
    return f"{float(down):g}"
