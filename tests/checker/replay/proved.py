"""The first proof of one rule that its prover offers and the kernel accepts."""

from __future__ import annotations

from typing import Any

from separatrix.certificates.proofs import PROVERS
from separatrix.checker.budget import Budget
from separatrix.checker.models.model import Model
from separatrix.checker.replay import Proof, prove
from separatrix.checker.replay.proof import Unproven


def proved(rule: str, model: Model, task: Any, budget: Budget) -> Proof:
    """Raises as the rule does for the last candidate."""
    failed: Unproven | None = None
    for proof in PROVERS[rule](model, task):
        try:
            return prove(model, task.form(), proof, budget)
        except Unproven as error:
            failed = error
    assert failed is not None
    raise failed
