"""Proofs, replayed: a certificate names its rule and hands over the invariant; each file here is one lemma, and checks every hypothesis.

A rule takes the right answers from the form of the task, never from cases; it believes no number of the author's and searches for nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from separatrix.checker.budget import Budget
from separatrix.checker.models.model import Model
from separatrix.checker.numbers import arrays
from separatrix.checker.replay.proof import Proof, Unfit, Unproven
from separatrix.checker.seal import Refused
from separatrix.checker.specs import Spec
from separatrix.checker.specs.forms.form import Form

__all__ = ["RULES", "Proof", "Unproven", "prove", "refuse_constant", "replay"]

RULES = {  # rule -> the module whose `prove` checks it, loaded when a proof of it is judged
    "simulation": "simulation",
    "lookup": "lookup",
    "content match": "content_match",
    "local count": "local_count",
    "registers": "registers",
    "stacks": "stacks",
    "sums": "sums",
    "envelope": "envelope",
}


def replay(model: Model, task: Spec, document: Any, budget: Budget) -> Proof:
    """The proof in the field `proof` of a certificate, checked; refused with the first hypothesis that fails."""
    try:
        proof = prove(model, form := task.form(), document, budget)
    except (Unfit, Unproven) as error:
        raise Refused(f"proof: {document['rule']}: {error}") from error
    refuse_constant(form, proof)
    return proof


def prove(model: Model, form: Form | None, document: Any, budget: Budget) -> Proof:
    """The same, with Unfit for a rule that is not about such a task or model, and Unproven for a hypothesis that fails."""
    rule = document.get("rule") if isinstance(document, dict) else None
    if not isinstance(rule, str) or rule not in RULES:
        raise Refused(f"proof.rule: expected {', '.join(RULES)}, found {rule!r:.80}")
    with arrays.quiet():
        proof: Proof = import_module(f"{__name__}.{RULES[rule]}").prove(model, form, document, budget)
    return proof


def refuse_constant(form: Form | None, proof: Proof) -> None:
    """Refuse a proof about inputs that all have one answer, whatever its rule."""
    if proof.constant or (proof.constant is None and form is not None and form.constant()):
        raise Refused(f"proof: {proof.rule}: expected inputs with different answers, because a claim about a constant shows nothing")
