"""An OR of terms, each an AND of at most k literals."""

from __future__ import annotations

from separatrix.checker.oracles.forms.formula import Formula


class Oracle(Formula):
    """Some term holds."""

    name, parts = "k-dnf", "terms"
    inner, outer = "&", "|"

    def bound(self) -> int:
        return 0
