"""Verification: every case through the built model, against the oracle; the outcome is a certificate."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from separatrix.certificates.certificate import Certificate
from separatrix.certificates.claim import Built
from separatrix.checker import sealed
from separatrix.checker.construction import rounded_down, runner, tested
from separatrix.checker.evidence import proven
from separatrix.checker.numbers import numbers
from separatrix.checker.weights import EMBEDDED, parse_safetensors
from separatrix.errors import BadInput
from separatrix.models.saved import describe, weights_bytes
from separatrix.tasks import Batch, Task

AT_ONCE = 1 << 22  # tokens in one forward pass
ADVERSARIAL = 1 << 26  # tokens of one adversarial family
SMALL = 20_000  # inputs up to which enumeration is part of the default plan


def verify(built: Built, cases: int | None = None, seed: int = 0, progress: Callable[[str], None] | None = None) -> Certificate:
    """Put the claim to the test. `cases` random ones beside the task's adversarial families; a default that fits the length."""
    if cases is not None and cases < 1:
        raise BadInput(f"the number of cases must be at least 1, found {cases}")
    return certify(built, plan(built.task, cases, seed), progress)


def plan(task: Task, cases: int | None, seed: int) -> list[dict[str, Any]]:
    """Which cases to run: random ones, each adversarial family (every position where that is cheap), all inputs where they are few."""
    N = task.length
    random = cases if cases is not None else max(8, min(1000, 2_000_000 // max(N, 1)))
    families: list[dict[str, Any]] = []
    if 0 < task.input_count <= SMALL and _read_at_end(task):  # enumerated inputs are asked there
        families.append({"kind": "all", "seed": 0, "count": task.input_count})
    for kind in task.case_kinds:
        few = max(1, min(random, ADVERSARIAL // max(N, 1)))  # an adversarial family is made in one piece
        count = random if kind == "random" else N if kind in task.position_kinds and N <= 4096 else few
        families.append({"kind": kind, "seed": seed, "count": count})
    return families


def certify(built: Built, families: Sequence[dict[str, Any]], progress: Callable[[str], None] | None = None) -> Certificate:
    """Run the families of cases and write down what came out."""
    weights = weights_bytes(built.model)
    result = run_cases(built, families, progress)
    checksum = hashlib.sha256(weights).hexdigest()
    small = len(weights) <= EMBEDDED
    stored = {"base64": base64.b64encode(weights).decode()} if small else {"file": f"{checksum[:16]}.safetensors"}
    description = _plain(describe(built.model))
    statement = {"construction": built.claim.construction, "cites": built.claim.cites, "task": built.claim.task}
    forward = runner(description, parse_safetensors(weights), numbers(built.claim.arithmetic))
    document = {
        "schema": "separatrix/certificate",
        "version": 1,
        "kind": "construction",
        "statement": statement,
        "task_parameters": _plain(built.claim.task_parameters),
        "parameters": _plain(built.claim.parameters),
        "arithmetic": built.claim.arithmetic,
        "model": description,
        "weights": {**stored, "sha256": checksum},
        "sizes": built.sizes(),
        "cases": list(families),
        "result": result,
        "evidence": proven(statement, built.claim.task_parameters, built.claim.parameters, forward) + tested(list(families)),
        "holds": result["errors"] == 0,
    }
    return Certificate(sealed(document), () if small else ((str(stored["file"]), weights),))


def run_cases(built: Built, families: Sequence[dict[str, Any]], progress: Callable[[str], None] | None) -> dict[str, Any]:
    """Errors, least margin, and a hash of everything that was said."""
    total, errors, margin, said = 0, 0, np.inf, hashlib.sha256()
    counterexample: dict[str, Any] | None = None
    for family in families:
        for first, batch in batches(built.task, family):
            logits = scored_logits(built, batch)
            wanted, rows = batch.targets[batch.mask], np.nonzero(batch.mask)[0]
            chosen = logits.argmax(axis=1)
            said.update(chosen.astype("<i8").tobytes())
            margin = min(margin, _margin(logits, wanted))
            wrong = np.unique(rows[chosen != wanted])
            errors += len(wrong)
            if len(wrong) and counterexample is None:
                counterexample = _counterexample(family["kind"], first, batch, int(wrong[0]), chosen, wanted, rows)
            total += len(batch.tokens)
            if progress is not None:
                progress(f"{family['kind']}: {total} cases, {errors} wrong")
    value = (
        None
        if total == 0
        else (float(margin) if built.model.numbers.format.exact else rounded_down(float(margin), built.model.numbers.format.bits))
    )
    return {"cases": total, "errors": errors, "margin": value, "decisions": said.hexdigest(), "counterexample": counterexample}


def batches(task: Task, family: dict[str, Any]) -> Iterator[tuple[int, Batch]]:
    """The cases of a family, a forward pass's worth at a time, with the number of the first."""
    if family["kind"] == "all":
        inputs = list(task.inputs())
        yield 0, _asked(task, inputs)
        return
    seed, count = family["seed"], family["count"]
    if family["kind"] == "random":
        step = max(1, AT_ONCE // (2 * task.length + 2))
        for first in range(0, count, step):
            yield first, task.sample(seed, min(step, count - first), first)
        return
    whole = task.cases(family["kind"], seed, count)
    step = max(1, AT_ONCE // max(1, whole.tokens.shape[1]))
    for first in range(0, len(whole.tokens), step):
        part = slice(first, first + step)
        yield first, Batch(whole.tokens[part], whole.targets[part], whole.mask[part], whole.lengths[part])


def scored_logits(built: Built, batch: Batch) -> npt.NDArray[np.float64]:
    """Logits at every scored position, [scored, targets]."""
    tokens = torch.from_numpy(batch.tokens)
    with torch.no_grad():
        if (batch.mask.sum(axis=1) == 1).all():
            logits = built.model(tokens, at=torch.from_numpy(batch.mask.argmax(axis=1)))
        else:
            logits = built.model(tokens)[torch.from_numpy(batch.mask)]
    found: npt.NDArray[np.float64] = logits.to(torch.float64).numpy()
    return found


def _margin(logits: npt.NDArray[np.float64], wanted: npt.NDArray[np.int64]) -> float:
    rows = np.arange(len(wanted))
    right = logits[rows, wanted]
    if logits.shape[1] == 1:
        return float(right.min())
    others = logits.copy()
    others[rows, wanted] = -np.inf
    return float((right - others.max(axis=1)).min())


def _counterexample(kind: str, first: int, batch: Batch, row: int, chosen: Any, wanted: Any, rows: Any) -> dict[str, Any]:
    tokens = list(batch.row(row))
    here = rows == row
    return {
        "kind": kind,
        "number": first + row,
        "tokens": tokens if len(tokens) <= 4096 else None,
        "said": chosen[here].tolist(),
        "expected": wanted[here].tolist(),
    }


def _read_at_end(task: Task) -> bool:
    batch = task.sample(0, 1)
    return bool(batch.mask[0].sum() == 1 and batch.mask[0, batch.lengths[0] - 1])


def _asked(task: Task, inputs: list[tuple[int, ...]]) -> Batch:
    """Inputs of full length with the oracle's answers, as a batch scored at the last token."""
    from separatrix.tasks.task import read_at_end

    tokens = np.array(inputs, dtype=np.int64)
    return read_at_end(tokens, np.full(len(tokens), tokens.shape[1]), np.array([task.answer(row) for row in inputs]))


def _plain(document: Any) -> Any:
    """Tuples as lists, as JSON has them."""
    if isinstance(document, dict):
        return {key: _plain(value) for key, value in document.items()}
    return [_plain(value) for value in document] if isinstance(document, list | tuple) else document
