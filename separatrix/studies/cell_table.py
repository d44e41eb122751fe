"""The cells of a study as a table: what tells them apart, column by column.

A training run is known by its model, task, length, seed, rate and steps; of its other parameters a column is shown where cells differ, and
of the rest of its budget only if the cells cannot be told apart without.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import fields
from importlib import import_module
from typing import Any

from separatrix.studies.study import Result, Row, cell_digest
from separatrix.training.budget import Budget

FIRST, LAST = ("model", "task", "length"), ("seed", "rate", "steps")  # always shown
BUDGET = frozenset(field.name for field in fields(Budget))


def cell_rows(cells: Sequence[Mapping[str, Any]]) -> list[Row]:
    """One row for each cell, all with the same columns; None where a cell does not have a parameter that others have."""
    facts = [_facts(cell) for cell in cells]
    names = list(dict.fromkeys(name for fact in facts for name in fact))
    first, last = ([name for name in some if name in names] for some in (FIRST, LAST))
    differ = [name for name in names if name not in (*first, *last) and len({_text(fact.get(name)) for fact in facts}) > 1]
    shown = [name for name in differ if name not in BUDGET]
    apart = len({_text([fact.get(name) for name in (*first, *shown, *last)]) for fact in facts}) == len(facts)
    columns = [*first, *(shown if apart else differ), *last]
    return [{name: fact.get(name) for name in columns or names} for fact in facts]


def known_hours(study: str) -> dict[str, float]:
    """Core-hours of one run by the digest of its description: as declared for all its steps, or measured where it was run."""
    from separatrix.studies import STUDIES

    declared: dict[str, float] = {} if ":" in study else dict(getattr(import_module(STUDIES[study]), "HOURS", {}))
    return declared | {digest: round(result["seconds"] / 3600, 3) for digest, result in _shipped(study).items()}


def shipped_runs(study: str) -> dict[str, str]:
    """The runs whose rows come with the package, by their digest."""
    return dict.fromkeys(_shipped(study), "shipped")


def _shipped(study: str) -> dict[str, Result]:
    from separatrix.studies import study as find_study
    from separatrix.studies.stored import shipped_results

    if ":" in study or not find_study(study).trains:
        return {}
    return {result["digest"]: result for result in shipped_results(find_study(study)) if result is not None}


def run_digest(cell: Mapping[str, Any]) -> str:
    """The digest of the run that a cell describes; empty if it describes something else."""
    return cell_digest(cell["run"]) if isinstance(cell.get("run"), dict) else ""


def _facts(cell: Mapping[str, Any]) -> Row:
    run = cell.get("run")
    if not isinstance(run, dict) or "budget" not in run:
        return dict(cell)
    budget = {name: value for name, value in run["budget"].items() if name not in LAST}
    beside = {name: value for name, value in run.items() if not isinstance(value, dict) and name not in ("schema", "version")}
    return {
        "model": run["model"],
        "task": run["task"],
        **run["task_parameters"],
        **run["model_parameters"],
        **{name: run["budget"][name] for name in LAST if name in run["budget"]},
        **beside,
        **budget,
    }


def _text(value: Any) -> str:
    return json.dumps(value, sort_keys=True)
