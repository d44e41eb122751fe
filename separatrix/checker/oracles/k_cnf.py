"""An AND of clauses, each an OR of at most k literals."""

from __future__ import annotations

from separatrix.checker.oracles.forms.formula import Formula


class Oracle(Formula):
    """Every clause holds."""

    name, parts = "k-cnf", "clauses"
    inner, outer = "|", "&"

    def bound(self) -> int:
        return len(self.features) - 1
