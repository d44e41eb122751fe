"""Provers: they search for the proofs that the checker replays. Nothing here is trusted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from separatrix.certificates.proofs import content_match, envelope, local_count, lookup, simulation
from separatrix.checker.budget import Budget, OverBudget
from separatrix.checker.models.model import Model
from separatrix.checker.replay import RULES, prove, refuse_constant
from separatrix.checker.replay.proof import Unfit, Unproven
from separatrix.checker.seal import Refused
from separatrix.checker.specs import Spec

Candidates = Callable[[Model, Spec], Iterator[dict[str, Any]]]

PROVERS: dict[str, Candidates] = {  # rule -> its candidates, the likeliest first; Unfit where the rule is not about such a task or model
    "lookup": lookup.candidates,
    "content match": content_match.candidates,
    "local count": local_count.candidates,
    "registers": lambda model, task: iter([{"rule": "registers"}]),  # noqa: ARG005
    "simulation": simulation.candidates,
    "envelope": envelope.candidates,
    "stacks": lambda model, task: iter([{"rule": "stacks"}]),  # noqa: ARG005
    "sums": lambda model, task: iter([{"rule": "sums"}]),  # noqa: ARG005
}
assert set(PROVERS) == set(RULES)


def find(model: Model, task: Spec, budget: Budget) -> tuple[dict[str, Any] | None, tuple[str, ...]]:
    """A proof that the checker accepts within a budget; else, for each rule about such a task and model, why there is none."""
    why: list[str] = []
    for rule, candidates in PROVERS.items():
        proofs = candidates(model, task)
        while True:
            try:
                proof = next(proofs)
                form = task.form()
                refuse_constant(form, prove(model, form, proof, budget))
                return proof, ()
            except (StopIteration, Unfit):
                break
            except (Unproven, Refused, OverBudget) as error:
                why.append(f"{rule}: {error}")
    return None, tuple(dict.fromkeys(why)) or ("no rule covers this task",)
