"""What the ledger holds of a statement of the papers: the certificates of weights that are built for it, by strength."""

from __future__ import annotations

from collections import Counter
from functools import cache

from separatrix.ledger.built import built_facts
from separatrix.ledger.fact import STRENGTHS


@cache
def certified_by_statement() -> dict[str, dict[str, int]]:
    """Key of a statement -> how many certificates of each strength, the strongest first."""
    found: dict[str, Counter[str]] = {}
    for fact in built_facts():
        if fact.more["cites"]:
            found.setdefault(fact.more["cites"], Counter())[fact.strength] += 1
    return {key: {strength: counted[strength] for strength in STRENGTHS if counted[strength]} for key, counted in found.items()}
