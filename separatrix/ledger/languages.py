"""A regular language on one page: its algebra, and what the ledger holds of it: bounds, what is decided at all lengths, and machines."""

from __future__ import annotations

from typing import Any

from separatrix.bounds.languages.language import language
from separatrix.bounds.number_format import NumberFormat
from separatrix.ledger.built import built_at
from separatrix.ledger.decided import decided_facts
from separatrix.ledger.fact import Fact
from separatrix.tasks import make_task

BUILT_AT = 64  # symbols, where no length is given; the sizes of the machines do not depend on it
NUMBERS = NumberFormat(64)


def language_report(text: str, alphabet: str | None = None, length: int | None = None) -> dict[str, Any]:
    """The algebra with the papers' conclusions, what no size of an architecture does, and the machines that can be built."""
    report = language(text, alphabet, length)
    task = make_task("regular", length=length or BUILT_AT, language=text, alphabet=alphabet)
    report["impossible"] = [fact.document() for fact in decided_facts(task)]
    report["built"] = [machine(fact, report["bits"]) for fact in built_at(task, NUMBERS)]
    return report


def machine(fact: Fact, needed: int) -> dict[str, Any]:
    """One machine, and why it has more bits of state than are needed, where it has."""
    sizes = fact.more["sizes"]
    return {
        "construction": fact.more["construction"], "architecture": fact.architecture, "state_bits": sizes.get("state_bits"),
        "width": sizes["width"], "more": sizes["state_bits"] - needed if "state_bits" in sizes else None, "strength": fact.strength,
        "why": _why(fact, needed),
    }  # fmt: skip


def _why(fact: Fact, needed: int) -> str:
    sizes = fact.more["sizes"]
    if "state_bits" not in sizes:
        return f"two softmax layers for all words up to {fact.lengths.N}: only the number of one symbol matters"
    if sizes["state_bits"] == needed:
        return "as many as are needed"
    if sizes["state_bits"] == sizes["precision_bits"]:
        return "no number format has fewer than two"
    return f"{sizes['state_bits'] - needed:,} more than needed: a number for each state and token, of {sizes['precision_bits']} bits"
