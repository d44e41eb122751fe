"""A queue of learning runs: every recipe of training/recipes.py on index lookup with 64 symbols, one after the other, on one core.

    python benchmarks/learning.py                    what is stored, beside the goal: 95 % within 20 minutes of one core
    python benchmarks/learning.py --run              run what is missing at N = 10; a run that was stopped goes on where it was
    python benchmarks/learning.py --run --length 20  the same at N = 20: how long that takes

Runs are folders under --out with their rows and snapshots; a run that ended is one line of learning.jsonl there. A second queue in the
same folder is refused, and nothing else should run beside it: the times are part of the result.
"""

from __future__ import annotations

import argparse
import fcntl
import json
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from separatrix.runs.machine import settle
from separatrix.runs.run import run
from separatrix.runs.spec import RunSpec
from separatrix.training.recipes import RECIPES

MINUTES, GOAL = 20, 0.95


def spec_of(name: str, length: int, most: int | None) -> RunSpec:
    recipe = RECIPES[name]
    steps = most or recipe.budget.steps * (1 if length <= 10 else 3)
    budget = replace(recipe.budget, steps=steps, report_every=500, snapshot_every=500)
    return RunSpec("index-lookup", {"length": length, "symbols": 64}, name, dict(recipe.parameters), budget)


def learn(name: str, length: int, out: Path, most: int | None) -> dict[str, Any]:
    """One run, or the rest of it; its line says what it reached and the processor time of all its parts."""
    folder, spec = out / f"{name}-{length}", spec_of(name, length, most)
    clock = folder / "seconds"
    before = float(clock.read_text()) if clock.exists() else 0.0
    start = time.process_time()
    try:
        _, rows = run(spec, folder, lambda event: print(f"{name}: {event}", file=sys.stderr) if "accuracy" in str(event) else None)
    finally:
        if folder.is_dir():
            clock.write_text(str(before + time.process_time() - start))
    test = [row for row in rows if row["kind"] == "test"][-1]
    curve = [(row["step"], row["accuracy"]) for row in rows if row["kind"] == "validation"]
    reached = next((step for step, accuracy in curve if accuracy >= GOAL), None)
    return {"model": name, "length": length, "accuracy": test["accuracy"], "steps": test["step"], "reached_goal_at_step": reached,
            "seconds": before + time.process_time() - start, "curve": curve, "asked": test.get("asked")}  # fmt: skip


def stored(file: Path) -> dict[tuple[str, int], dict[str, Any]]:
    lines = [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []
    return {(line["model"], line["length"]): line for line in lines}


def row(name: str, length: int, line: dict[str, Any] | None) -> dict[str, Any]:
    outcome = "not run" if line is None else f"{100 * line['accuracy']:.1f} % after {line['steps']} steps"
    seconds = None if line is None else line["seconds"]
    return {"what": f"{name} on index lookup, N = {length}, 64 symbols: {outcome}; peer: {MINUTES} minutes", "ours": seconds,
            "peer": 60.0 * MINUTES, "unit": "s", "ratio": None if seconds is None else 60 * MINUTES / seconds,
            "goal": f"{100 * GOAL:.0f} % in {MINUTES} min of one core"}  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--run", action="store_true")
    parser.add_argument("--length", type=int, default=10)
    parser.add_argument("--steps", type=int, help="Instead of a recipe's own, to try out the queue.")
    parser.add_argument("--models", nargs="+", default=list(RECIPES), choices=list(RECIPES))
    parser.add_argument("--out", type=Path, default=Path("build/learning"))
    arguments = parser.parse_args()
    file = arguments.out / "learning.jsonl"
    if arguments.run:
        settle(threads=1)
        arguments.out.mkdir(parents=True, exist_ok=True)
        with (arguments.out / "queue.lock").open("w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                sys.exit(f"another queue runs in {arguments.out}: expected one at a time")
            for name in arguments.models:
                if (name, arguments.length) not in stored(file):
                    line = learn(name, arguments.length, arguments.out, arguments.steps)
                    with file.open("a") as rows:
                        rows.write(json.dumps(line) + "\n")
    lines = stored(file)
    measured = [row(name, arguments.length, lines.get((name, arguments.length))) for name in arguments.models]
    if arguments.json:
        print(json.dumps(measured))
        return
    for r in measured:
        print(f"{r['what']:95}  {'-' if r['ours'] is None else round(r['ours']):>6} s  goal {r['goal']}")


if __name__ == "__main__":
    main()
