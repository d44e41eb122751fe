"""What trained models of each architecture retained, per bit of state, in the stored rows: an observation, never a bound. No torch here.

[bhattamishra2024 Theorem 3]
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

from separatrix.bounds.accuracy.retained import retained_on_average
from separatrix.models.model_names import configuration
from separatrix.studies.study import Row
from separatrix.tasks import Task, make_task
from separatrix.tasks.capabilities import Interviewed

SCHEMA = "separatrix/learned"


def retained_by_architecture() -> dict[str, dict[str, Any]]:
    """For each architecture with stored rows the most bits that answers proved per bit of state, and where."""
    best: dict[str, dict[str, Any]] = {}
    counts: dict[str, int] = {}
    for row in retained_rows():
        kind = row["architecture"]
        counts[kind] = counts.get(kind, 0) + 1
        if kind not in best or row["per_state_bit"] > best[kind]["per_state_bit"]:
            best[kind] = row
    return {kind: {**row, "rows": counts[kind]} for kind, row in best.items()}


def retained_rows() -> Iterator[Row]:
    """Every stored row of a task whose inputs hold independent answers."""
    for stored in _stored():
        run, test = stored["run"], stored["test"]
        task: Task = make_task(run["task"], **run["task_parameters"])
        if not isinstance(task, Interviewed) or not stored.get("state_bits"):
            continue
        bits = retained_on_average(task, test.get("positions", test["accuracy"]), test["examples"])
        yield {
            "architecture": configuration(run["model"], {})[0],
            "model": run["model"],
            "task": task.name,
            "length": task.length,
            "accuracy": test["accuracy"],
            "bits": bits.bits,
            "holds": task.independent_answers[0] * math.log2(task.independent_answers[1]),  # all that there is to retain
            "interval": bits.interval,
            "state_bits": stored["state_bits"],
            "per_state_bit": bits.bits / stored["state_bits"],
        }


def _stored() -> Iterator[dict[str, Any]]:
    for file in sorted(files("separatrix.studies").joinpath("data").iterdir(), key=lambda file: file.name):
        if file.name.endswith(".jsonl"):
            for line in file.read_text(encoding="utf-8").splitlines():
                row = json.loads(line)
                if row.get("schema") == SCHEMA and "test" in row:
                    yield row
