"""Proof rules: each file is one lemma, and checks every hypothesis of it on the tensors of a model.

A rule knows what is right from the form of the task, and never from cases. A model is proven where one rule succeeds.
"""

from __future__ import annotations

from importlib import import_module

from separatrix.checker.budget import Budget, OverBudget
from separatrix.checker.models.model import Model
from separatrix.checker.oracles import TaskOracle
from separatrix.checker.rules.proof import Proof, Unfit, Unproven
from separatrix.checker.seal import Refused

__all__ = ["RULES", "Proof", "Unproven", "prove"]

RULES = ("lookup", "content_match", "local_count", "registers", "sums")  # one module each, with `prove`; loaded when a model is judged


def prove(model: Model, oracle: TaskOracle, budget: Budget) -> Proof | list[tuple[str, str]]:
    """The first proof that a rule finds; else, for each rule that speaks of such a task and such a model, which hypothesis failed."""
    failed: list[tuple[str, str]] = []
    for rule in RULES:
        try:
            proof: Proof = import_module(f"{__name__}.{rule}").prove(model, oracle, budget)
            return proof
        except Unfit:
            continue
        except (Unproven, OverBudget, Refused) as error:
            failed.append((rule.replace("_", " "), str(error)))
    return failed
