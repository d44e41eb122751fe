"""Where a model stands among those of the zoo: mean accuracy over the suite, beside the bits of its state.

The rows of the zoo are shipped, `data/probe-<scale>.jsonl`: what `separatrix probe NAME --json` said of each, one model a line,
written by `python -m separatrix.refuters.standing FILE.. > data/probe-quick.jsonl`. One seed and a few hundred steps: places that differ
by a percent or two say nothing.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

Row = Mapping[str, Any]
SHIPPED = ("task", "length", "accuracy", "state_bits")


def zoo_rows(scale: str) -> list[dict[str, Any]]:
    """What is shipped about the zoo at a scale: {"model", "tasks"}; nothing where nobody has run it."""
    place = files("separatrix.refuters").joinpath("data", f"probe-{scale}.jsonl")
    return [json.loads(line) for line in place.read_text(encoding="utf-8").splitlines()] if place.is_file() else []


def standing_of(model: str, scale: str, rows: Sequence[Row]) -> dict[str, Any] | None:
    """The model's place among the zoo, over the tasks that it was scored on; None where there is nothing to compare."""
    scored = {(row["task"], row["length"]) for row in rows if row["accuracy"] is not None}
    zoo = [(each["model"], each["tasks"]) for each in zoo_rows(scale) if each["model"] != model]
    if not scored or not zoo or any(not scored <= {(row["task"], row["length"]) for row in tasks} for _, tasks in zoo):
        return None
    every = [_summary(name, [row for row in tasks if (row["task"], row["length"]) in scored]) for name, tasks in ((model, rows), *zoo)]
    ranked = sorted(every, key=lambda each: (-each["score"], each["model"]))
    place = 1 + [each["model"] for each in ranked].index(model)
    return {"scale": scale, "place": place, "tasks": len(scored), "rows": ranked}


def _summary(model: str, rows: Sequence[Row]) -> dict[str, Any]:
    """Mean accuracy, and the most state that a task of the suite meets."""
    bits = [row["state_bits"] for row in rows if row["state_bits"] is not None]
    return {"model": model, "score": sum(row["accuracy"] for row in rows) / len(rows), "state_bits": max(bits, default=None)}


def main(paths: Sequence[str]) -> None:
    """Print the rows to ship, from reports of `separatrix probe NAME --json`."""
    for path in paths:
        report = json.loads(Path(path).read_text(encoding="utf-8"))
        tasks = [{key: row[key] for key in SHIPPED} for row in report["tasks"]]
        print(json.dumps({"model": report["model"], "tasks": tasks}, sort_keys=True))


if __name__ == "__main__":
    main(sys.argv[1:])
