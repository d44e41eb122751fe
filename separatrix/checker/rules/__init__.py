"""Proof rules: each file is one lemma, and checks every hypothesis of it on the tensors of a model.

A rule takes the right answers from the form of the task, never from cases. A model is proven if one rule succeeds.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module

from separatrix.checker.budget import Budget, OverBudget
from separatrix.checker.models.model import Model
from separatrix.checker.oracles import TaskOracle
from separatrix.checker.rules.proof import Proof, Unfit, Unproven
from separatrix.checker.seal import Refused

__all__ = ["RULES", "Proof", "Unproven", "attempts", "prove"]

# modules with `prove`, loaded when a model is judged
RULES = ("lookup", "content_match", "local_count", "registers", "machine", "stacks", "sums")


def attempts(model: Model, oracle: TaskOracle, budget: Budget) -> Iterator[tuple[str, Proof | Exception]]:
    """Each rule that covers such a task: its proof, or why it has none. Rules after a proof are not tried."""
    for rule in RULES:
        try:
            yield rule, import_module(f"{__name__}.{rule}").prove(model, oracle, budget)
            return
        except Unfit:
            continue
        except (Unproven, OverBudget, Refused) as error:
            yield rule.replace("_", " "), error


def prove(model: Model, oracle: TaskOracle, budget: Budget) -> Proof | list[tuple[str, str]]:
    """The first proof that a rule finds; else, for each rule that covers such a task, which hypothesis failed."""
    failed: list[tuple[str, str]] = []
    for rule, outcome in attempts(model, oracle, budget):
        if isinstance(outcome, Proof):
            return outcome
        failed.append((rule, str(outcome)))
    return failed
