"""`decide --groups`: the transitive groups of at most eight points and those of word-problem benchmarks, each with its weights run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from separatrix.bounds.languages.verdict_rules import BARRIER, IMPOSSIBLE
from separatrix.refuters.decide import decide
from separatrix.tasks.languages.named_groups import GROUPS
from separatrix.tasks.languages.transitive_groups import TRANSITIVE


def decided_groups(progress: Callable[[str], None] | None = None) -> Iterator[dict[str, Any]]:
    """A line for each group: its order, derived series, and the verdict on each architecture."""
    for name in (*TRANSITIVE, *GROUPS):
        if progress is not None:
            progress(name)
        report = decide(f"group:{name}")
        verdicts = {row["architecture"]: row["verdict"] for row in report["rows"]}
        monotone = {verdicts[inside] for inside in BARRIER}
        orders = report["derived"]
        yield {
            "group": name,
            "degree": report["states"],
            "order": report["monoid"],
            "derived": orders,
            "solvable": report["solvable"],
            "counts": report["period"],
            "monotone": IMPOSSIBLE if monotone == {IMPOSSIBLE} else "open",
            "log_precision": verdicts["transformer-log-precision"],
            "complex_diagonal_layers": len(orders) - 1 if report["solvable"] else None,
            "verdicts": verdicts,
        }
