"""Verification: runs every case of the checker's plan through the built model and compares with the task; writes a certificate."""

from __future__ import annotations

import base64
import hashlib
import math
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from typing import Any

import numpy as np

from separatrix.certificates.built import Built
from separatrix.certificates.cases import Piece, Trial, batches, pieces, run, trial, with_thought
from separatrix.certificates.certificate import Certificate
from separatrix.certificates.evaluator import logits_of
from separatrix.certificates.lemmas import lemmas_of
from separatrix.certificates.own_tasks import INPUTS, MOST_INPUTS, author_pieces, table_of, written
from separatrix.certificates.proofs import find
from separatrix.checker import SCHEMA, VERSION, Budget, Refused, sealed
from separatrix.checker.budget import SECONDS
from separatrix.checker.models.model import Model
from separatrix.checker.models.reading import Outline, outline
from separatrix.checker.plan import plan as plan_of
from separatrix.checker.plan import seed_of
from separatrix.checker.specs import Case, Spec, names, spec_of
from separatrix.checker.statements import shape_of, why_not
from separatrix.checker.weights import EMBEDDED, parse_safetensors
from separatrix.errors import BadInput
from separatrix.models.decoders.rounding import Rounding
from separatrix.models.saved import tensors_file
from separatrix.tasks import Batch, Task
from separatrix.tasks.capabilities import prompt_of

__all__ = ["batches", "plan", "trial", "verify"]

ADVERSARIAL = 1 << 26  # tokens of one adversarial family
QUARTER = 4  # of the work is enough where a proof is sealed: the cases then compare the built model with the task, and are not sealed
SMALL = 20_000  # inputs up to which our own plan enumerates
MARGINS = 1 << 10  # margins are written in units of 1/1024, rounded down
AT_ONCE = 1 << 20  # tokens of enumerated inputs in one batch


def verify(
    built: Built,
    cases: int | None = None,
    seed: int = 0,
    progress: Callable[[str], None] | None = None,
    budget: float = SECONDS,
    tabulated: bool = True,
) -> Certificate:
    """Run the tests that the checker requires, and look for a proof that it replays within a budget of seconds.

    `cases` adds that many of each family, drawn by `seed`; they are not sealed. A task that the checker does not know is stated as a table
    where its inputs are few, unless `tabulated` is off: then the document contains cases, with the author's answers.
    """
    if cases is not None and cases < 1:
        raise BadInput(f"the number of cases must be at least 1, found {cases}")
    draft = _draft(built)
    own = built.claim.task not in names()
    if own:
        claim = None if built.program.writes or not tabulated else table_of(built.task, min(MOST_INPUTS, int(INPUTS * budget / SECONDS)))
        sampled = [family for family in plan(built.task, cases, seed) if family["kind"] != "all"]
        if claim is None or not trial(built, sampled).holds:  # shorter inputs that the task draws are in no table
            return _authored(built, draft, plan(built.task, cases, seed), progress)
        draft = {**draft, "claim": claim}
    try:
        task = spec_of(draft["claim"]["task"], draft["claim"]["parameters"])
        program = outline(draft["program"])
        readers = 1 if task.decoder == "position" else task.tokens
        proof, why = _proof(program, draft["raw"], task, Budget(budget))
        seed_in = seed_of(draft["claim"], draft["program"], draft["weights"]["sha256"])
        cases_of = plan_of(task, program.work(task.tokens, readers) * (1 if proof is None else QUARTER), seed_in)
    except Refused as error:
        raise BadInput(f"{built.claim.construction}: {error}") from error
    trials: list[tuple[str, Trial]] = []
    for family in cases_of.families:
        drawn = _answered(family.name, cases_of.cases(task, family), built.task)
        trials.append((family.name, run(built, with_thought(built, drawn), progress)))
        if not trials[-1][1].holds:
            return _refuted(built, draft, trials[-1][1])
    more = [] if cases is None else plan(built.task, cases, seed)
    beyond = tuple((family, trial(built, [family])) for family in more)
    for _, each in beyond:
        if not each.holds:
            return _refuted(built, draft, each)
    tests = [{"family": name, "count": t.cases, "distinct": t.distinct, "margin": _claimed(t.margin, built), "decisions": t.decisions}
             for name, t in trials if proof is None]  # fmt: skip
    document = {
        **_head("program"),
        "claim": draft["claim"],
        "construction": built.claim.construction,
        "cites": _citable(built, task, draft["program"]["model"]),
        "program": draft["program"],
        "weights": draft["weights"],
        "sizes": built.sizes(),
        "tests": tests,
        "lemmas": lemmas_of(built),
        "proof": proof,
        "strength": "proven" if proof is not None else "exhaustive" if cases_of.exhaustive else "tested",
    }
    ran = tuple({"family": family["kind"], "cases": each.cases, "errors": each.errors} for family, each in beyond)
    return Certificate(sealed(document), True, None, draft["beside"], ran, why)


def plan(task: Task, cases: int | None, seed: int) -> list[dict[str, Any]]:
    """Our own cases: random ones, each adversarial family (at every position if that is cheap), all inputs if they are few."""
    N = task.length
    random = cases if cases is not None else max(8, min(1000, 2_000_000 // max(N, 1)))
    families: list[dict[str, Any]] = []
    if 0 < task.input_count <= SMALL and _read_at_end(task):  # enumerated inputs are scored there
        families.append({"kind": "all", "seed": 0, "count": task.input_count})
    for kind in task.case_kinds:
        few = max(1, min(random, ADVERSARIAL // max(N, 1)))  # an adversarial family is drawn in one piece
        count = random if kind == "random" else N if kind in task.position_kinds and N <= 4096 else few
        families.append({"kind": kind, "seed": seed, "count": count})
    return families


def _proof(program: Outline, raw: bytes, task: Spec, budget: Budget) -> tuple[dict[str, Any] | None, tuple[str, ...]]:
    """A proof that the checker accepts within a budget; else, for each rule about the task, what it could not show."""
    with np.errstate(all="ignore"):
        return find(Model(program.description, parse_safetensors(raw), program.ops), task, budget)


def _draft(built: Built) -> dict[str, Any]:
    """The first fields of a document about these weights, and a larger file of weights beside it."""
    raw = sealed_weights(built)
    checksum, small = hashlib.sha256(raw).hexdigest(), len(raw) <= EMBEDDED
    stored = {"base64": base64.b64encode(raw).decode()} if small else {"file": f"{checksum[:16]}.safetensors"}
    return {
        "claim": {"task": built.claim.task, "parameters": _plain(built.claim.task_parameters)},
        "program": _plain(built.program.document()),
        "weights": {**stored, "sha256": checksum},
        "raw": raw,
        "beside": () if small else ((str(stored["file"]), raw),),
    }


def sealed_weights(built: Built) -> bytes:
    """The weights as a safetensors file; in an emulated format each is rounded to it, as the model does when it runs."""
    numbers, tensors = built.model.numbers, built.model.state_dict()
    if numbers.format.kind != "native":
        tensors = {name: numbers.leave(numbers.enter(t)) if t.is_floating_point() else t for name, t in tensors.items()}
    return tensors_file(tensors)


def _head(kind: str) -> dict[str, Any]:
    return {"schema": SCHEMA, "version": VERSION, "kind": kind}


def _answered(family: str, cases: Iterable[Case], task: Task) -> Iterator[Piece]:
    """The checker's cases, as batches of one length, in the plan's order; what is expected there is the task's own answer."""
    number = 0
    for length, group in groupby(cases, key=lambda case: len(case[0])):
        rows: list[Case] = []
        for case in group:
            rows.append(case)
            if len(rows) * length >= AT_ONCE:
                yield family, number, _batch(rows, task)
                number, rows = number + len(rows), []
        if rows:
            yield family, number, _batch(rows, task)
            number += len(rows)


def _batch(rows: list[Case], task: Task) -> Batch:
    tokens = np.stack([tokens for tokens, _ in rows])
    targets, mask = np.zeros_like(tokens), np.zeros(tokens.shape, dtype=bool)
    for r, (row, scored) in enumerate(rows):
        answer = task.answer(row.tolist())
        answers = () if answer is None else answer if isinstance(answer, tuple) else (answer,)
        if len(answers) != len(scored):
            raise BadInput(f"{task.name}: the checker scores {len(scored)} positions of {row.tolist()}, the task answers {answer}")
        mask[r, list(scored)], targets[r, list(scored)] = True, answers
    return Batch(tokens, targets, mask, np.full(len(rows), tokens.shape[1]))


def _authored(built: Built, draft: dict[str, Any], families: list[dict[str, Any]], progress: Callable[[str], None] | None) -> Certificate:
    """The certificate for a task that only its author knows: it contains the cases and the author's answers."""
    cases = author_pieces(pieces(built.task, families))
    result = run(built, cases, progress)
    document = {
        **_head("cases"),
        "task": built.claim.task,
        "construction": built.claim.construction,
        "program": draft["program"],
        "weights": draft["weights"],
        "sizes": built.sizes(),
        "cases": written(cases),
        "margin": _claimed(result.margin, built),
        "decisions": result.decisions,
        "lemmas": lemmas_of(built),
        "strength": "author",
    }
    why = (f"the checker has no oracle for {built.claim.task}: the answers are the author's",)
    return Certificate(sealed(document), result.holds, result.counterexample, draft["beside"], (), why)


def _refuted(built: Built, draft: dict[str, Any], failed: Trial) -> Certificate:
    """The certificate of the first wrong case: these weights do not compute the task."""
    case = failed.counterexample
    assert case is not None
    at, predicted, expected = next(
        entry for entry in zip(case["at"], case["said"], case["expected"], strict=True) if entry[1] != entry[2]
    )  # fmt: skip
    logits = logits_of(built.model, _one(case, at - 1))[0]
    vectors = isinstance(built.program.decoder, Rounding)
    lead = np.abs(logits - np.array(expected)).max() - 0.5 if vectors else logits[predicted] - logits[expected]
    document = {
        **_head("counterexample"),
        "claim": draft["claim"],
        "program": draft["program"],
        "weights": draft["weights"],
        "tokens": prompt_of(built.task, case["tokens"][: case["at"][0]] if built.program.writes else case["tokens"]),
        "position": at,
        "said": predicted,
        "expected": expected,
        "margin": _claimed(float(lead), built),
        "strength": "proven",
    }
    return Certificate(sealed(document), False, case, draft["beside"])


def _one(case: dict[str, Any], at: int) -> Batch:
    """One input, read at one position; what is expected there does not matter."""
    tokens = np.array([case["tokens"]], dtype=np.int64)
    mask = np.zeros(tokens.shape[:2], dtype=bool)
    mask[0, at] = True
    return Batch(tokens, np.zeros_like(tokens), mask, np.array([tokens.shape[1]]))


def _citable(built: Built, task: Spec, model: dict[str, Any]) -> str:
    """The construction's statement, if a program of this shape may cite it: weights that meet a lower bound do not prove it."""
    cites = built.claim.cites
    return "" if why_not(cites, task, shape_of(model, built.model.numbers.format.bits)) else cites


def _claimed(margin: float, built: Built) -> float:
    """The margin to claim: exact in an exact format, half of the measured one in float64, a quarter in other floats.

    The rest covers the error bound of the checker, which allows every order of summation.
    """
    if not math.isfinite(margin) or margin <= 0:
        return 0.0
    if built.model.numbers.format.exact:
        return float(np.nextafter(margin, 0.0)) if built.model.numbers.format.bits > 52 else float(margin)
    part = margin / (2 if built.model.numbers.format.bits == 64 else 4)
    return math.floor(part * MARGINS) / MARGINS if part * MARGINS >= 1 else part


def _read_at_end(task: Task) -> bool:
    batch = task.sample(0, 1)
    return bool(batch.mask[0].sum() == 1 and batch.mask[0, batch.lengths[0] - 1])


def _plain(document: Any) -> Any:
    """Tuples as lists, as in JSON."""
    if isinstance(document, dict):
        return {key: _plain(value) for key, value in document.items()}
    return [_plain(value) for value in document] if isinstance(document, list | tuple) else document
