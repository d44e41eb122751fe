"""Certificates of cases: these weights give these answers on these inputs; the answers are the author's own.

They are for tasks without an oracle in the checker. The checker verifies that the program gives these answers beyond doubt. It cannot
know whether they are right or whether the inputs were well chosen, so the sentence says nothing about the task.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from separatrix.checker.budget import Budget
from separatrix.checker.fields import at_least, free_text, require_equal, require_fields, within
from separatrix.checker.kinds.program import check_sizes, hypotheses, lemmas_of, shown_margin
from separatrix.checker.kinds.running import judged
from separatrix.checker.models.decoding import Asked
from separatrix.checker.models.reading import load, outline
from separatrix.checker.numbers import arrays
from separatrix.checker.seal import Refused
from separatrix.checker.sentence import Shown, model_words, number
from separatrix.checker.specs import names

MOST = 10**6  # cases
CASE = 30_000  # work to read one case, and to compare its outcome
FIELDS: dict[str, Any] = {
    "task": str, "construction": str, "program": dict, "weights": dict, "sizes": dict, "cases": list, "margin": (int, float),
    "decisions": str, "lemmas": list
}  # fmt: skip


def judge(document: dict[str, Any], beside: Path | None, budget: Budget) -> Shown:
    """Refuse the certificate unless its program gives the answers of its cases and has the claimed sizes."""
    free_text(document["construction"], "construction")
    if free_text(document["task"], "task").strip().lower().replace("_", "-") in names():
        raise Refused(f"the checker has an oracle for {document['task']!r}: expected a certificate of kind 'program'")
    draft = outline(document["program"])
    if draft.decoder.writes:
        raise Refused("decoder: an author's cases have answers at positions, not chains")
    within(len(document["cases"]), 2, MOST, "number of cases")
    budget.allow(len(document["cases"]) * (draft.work(1, 1) + CASE), 0)  # a lower bound, before they are read
    targets = draft.description.readout.targets
    passes = [_case(case, targets, draft.decoder.kind == "position") for case in document["cases"]]
    longest, read = max(len(one.tokens) for one in passes), max(len(one.positions) for one in passes)
    sizes = Counter((len(one.tokens), len(one.positions)) for one in passes)
    work = sum(count * (draft.work(*size) + CASE) for size, count in sizes.items())
    memory = draft.memory(longest, read)
    budget.allow(work, memory)
    budget = budget.after(work)
    program = load(draft, document["weights"], beside, budget)
    cost = check_sizes(document["sizes"], program, None)
    lemmas = lemmas_of(document["lemmas"], program.model, budget)
    tested = judged(program, iter(passes), "the author's")
    if tested.distinct < tested.count:
        raise Refused(f"cases: {tested.count - tested.distinct} inputs are repeated")
    if len(tested.answers) < 2:
        raise Refused("cases: every case has the same answer, so they show nothing")
    require_equal(document["decisions"], tested.decisions, "decisions")
    at_least(document["margin"], tested.margin, "margin")
    text = f"{number(tested.count)} distinct inputs with the author's answers"
    cases = {"kind": "cases", "text": text, "count": tested.count, "distinct": tested.distinct, "margin": shown_margin(tested.margin)}
    shape = model_words(cost, program.model.ops.name)
    claim = f"these weights give the author's answers on {number(tested.count)} inputs of the author's; {shape}"
    return Shown(claim, "author", (cases, *lemmas, *hypotheses(program, "")))


def _case(case: Any, targets: int, last: bool) -> Asked:
    """Tokens, the scored positions, counted from 1, and the answer at each."""
    require_fields(case, "cases", tokens=list, at=list, expected=list)
    n = len(case["tokens"])
    for key, least, most in (("tokens", 0, (1 << 62) - 1), ("at", 1, n), ("expected", 0, targets - 1)):
        if any(type(v) is not int or not least <= v <= most for v in case[key]):
            raise Refused(f"cases.{key}: expected integers {least}..{most}")
    at = case["at"]
    if not at or sorted(set(at)) != at or len(at) != len(case["expected"]):
        raise Refused("cases: expected positions in rising order, and an answer for each")
    if last and at != [n]:
        raise Refused("cases: the decoder reads the last position, but the answers are at others")
    return Asked(arrays.integers(case["tokens"]), [i - 1 for i in at], arrays.integers(case["expected"]))
