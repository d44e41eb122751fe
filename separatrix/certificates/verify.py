"""Verification: every case through the built model, against the oracle; the outcome is a certificate."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Sequence
from typing import Any

from separatrix.certificates.cases import batches, pieces, run
from separatrix.certificates.certificate import Certificate
from separatrix.certificates.claim import Built
from separatrix.certificates.given_cases import GIVEN, family_of, given_pieces, written
from separatrix.certificates.version_1 import version_1
from separatrix.checker import sealed
from separatrix.checker.construction import runner, sizes, tested
from separatrix.checker.evidence import positional_heads, proven
from separatrix.checker.forward import Forward
from separatrix.checker.numbers import numbers
from separatrix.checker.oracles import ORACLES
from separatrix.checker.weights import EMBEDDED, parse_safetensors
from separatrix.errors import BadInput
from separatrix.models.saved import describe, weights_bytes
from separatrix.tasks import Task

__all__ = ["batches", "certify", "plan", "verify"]

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
    """Run the families of cases and write down what came out.

    A task that the checker has an oracle for is named, and its cases are drawn again from their seed. Any other task is its author's
    word: the certificate then carries the cases themselves, with the answers that the author expects.
    """
    if built.claim.task in ORACLES:
        return _sealed(built, "construction", list(families), run(built, pieces(built.task, families), progress), list(families))
    given = given_pieces(pieces(built.task, families))
    result = run(built, given, progress)
    return _sealed(built, GIVEN, written(given), result, [family_of(given)])


def _sealed(built: Built, kind: str, cases: list[Any], result: dict[str, Any], families: list[dict[str, Any]]) -> Certificate:
    description, weights = version_1(describe(built.model), weights_bytes(built.model))
    checksum, small = hashlib.sha256(weights).hexdigest(), len(weights) <= EMBEDDED
    stored = {"base64": base64.b64encode(weights).decode()} if small else {"file": f"{checksum[:16]}.safetensors"}
    statement = {"construction": built.claim.construction, "cites": built.claim.cites, "task": built.claim.task}
    tensors, ops = parse_safetensors(weights), numbers(built.claim.arithmetic)
    forward = runner(description, tensors, ops)
    if kind == GIVEN:
        shown = positional_heads(forward) if isinstance(forward, Forward) else []
    else:
        shown = proven(statement, built.claim.task_parameters, built.claim.parameters, forward)
    document = {
        "schema": "separatrix/certificate",
        "version": 1,
        "kind": kind,
        "statement": statement,
        "task_parameters": _plain(built.claim.task_parameters),
        "parameters": _plain(built.claim.parameters),
        "arithmetic": built.claim.arithmetic,
        "model": description,
        "weights": {**stored, "sha256": checksum},
        "sizes": sizes(forward, tensors, ops),
        "cases": cases,
        "result": result,
        "evidence": shown + tested(families),
        "holds": result["errors"] == 0,
    }
    return Certificate(sealed(document), () if small else ((str(stored["file"]), weights),))


def _read_at_end(task: Task) -> bool:
    batch = task.sample(0, 1)
    return bool(batch.mask[0].sum() == 1 and batch.mask[0, batch.lengths[0] - 1])


def _plain(document: Any) -> Any:
    """Tuples as lists, as JSON has them."""
    if isinstance(document, dict):
        return {key: _plain(value) for key, value in document.items()}
    return [_plain(value) for value in document] if isinstance(document, list | tuple) else document
