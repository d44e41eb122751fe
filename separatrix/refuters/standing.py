"""Where a model stands among its peers: models of two layers and width 64, trained by the same budget with the same three seeds.

Like is compared with like: a model of another depth or width is shown beside the peers and has no place among them. A task on which
every peer stays at chance tells models apart by luck alone and is left out. A place is a range: a peer stands above the model only where
its whole interval does. The rows of the peers are shipped, `data/probe-<scale>.jsonl`, one model a line, and are written from
reports by `python -m separatrix.refuters.standing FILE.. > data/probe-quick.jsonl`, a report being `separatrix probe NAME --json`.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from statistics import mean, stdev
from typing import Any

from separatrix.refuters.suite import LAYERS, WIDTH

Row = Mapping[str, Any]
SHIPPED = ("task", "length", "accuracies", "chance", "parameters", "state_bits")
STUDENT = {2: 12.706, 3: 4.303, 4: 3.182, 5: 2.776}  # 97.5 % points of Student's t with one degree of freedom less than seeds
NORMAL = 1.96
POWER = 4.0  # standard errors above chance at which a task is known to teach somebody something


def peer_rows(scale: str) -> list[dict[str, Any]]:
    """What is shipped about the peers at a scale; nothing where nobody has run it."""
    place = files("separatrix.refuters").joinpath("data", f"probe-{scale}.jsonl")
    return [json.loads(line) for line in place.read_text(encoding="utf-8").splitlines()] if place.is_file() else []


def interval(values: Sequence[float]) -> tuple[float, float] | None:
    """The 95 % interval of the mean of accuracies, by Student's t over the seeds, within [0, 1]; None for a single seed."""
    if len(values) < 2:
        return None
    half = STUDENT.get(len(values), NORMAL) * stdev(values) / math.sqrt(len(values))
    return max(0.0, mean(values) - half), min(1.0, mean(values) + half)


def standing_of(model: str, scale: str, tests: int, report: Mapping[str, Any]) -> dict[str, Any] | None:
    """The model among its peers, over the tasks that it was scored on; None where there is nothing to compare."""
    scored = {(row["task"], row["length"]) for row in report["tasks"] if row["accuracies"]}
    peers = [peer for peer in peer_rows(scale) if peer["model"] != model]
    if not scored or not peers or any(not scored <= {_key(row) for row in peer["tasks"]} for peer in peers):
        return None
    powerless = {key for key in scored if _all_at_chance(key, peers, tests)}
    left = sorted(task for task, _ in powerless)
    if scored == powerless:
        return None
    every = [_summary(each, scored - powerless) for each in (report, *peers)]
    ranked = sorted(every, key=lambda each: (-each["score"], each["model"]))
    why = _unlike(report)
    place = None if why else 1 + [each["model"] for each in ranked].index(model)
    return {
        "scale": scale,
        "place": place,
        "places": None if why else _places(model, ranked),
        "why_no_place": why,
        "tasks": len(scored) - len(powerless),
        "left_out": left,
        "rows": ranked,
    }


def _key(row: Row) -> tuple[str, int]:
    return row["task"], row["length"]


def _unlike(report: Mapping[str, Any]) -> str | None:
    """Why a model has no place among models of two layers and width 64."""
    if report["layers"] is None:
        return f"its depth is its own, the peers have {LAYERS} layers of width {WIDTH}"
    if (report["layers"], report["width"]) != (LAYERS, WIDTH):
        return f"it has layers x width = {report['layers']} x {report['width']}, the peers {LAYERS} x {WIDTH}"
    return None


def _all_at_chance(key: tuple[str, int], peers: Sequence[Mapping[str, Any]], tests: int) -> bool:
    """Whether no peer's mean over its seeds is above chance by more than the drawing of the test inputs explains."""
    for peer in peers:
        row = next(row for row in peer["tasks"] if _key(row) == key)
        error = math.sqrt(row["chance"] * (1 - row["chance"]) / tests)
        if mean(row["accuracies"]) > row["chance"] + POWER * error:
            return False
    return True


def _summary(report: Mapping[str, Any], counted: set[tuple[str, int]]) -> dict[str, Any]:
    """Mean accuracy with its interval over seeds, the most parameters and the most state that a task of the suite meets."""
    rows = [row for row in report["tasks"] if _key(row) in counted]
    by_seed = [mean(shares) for shares in zip(*(row["accuracies"] for row in rows), strict=True)]
    bits = [row["state_bits"] for row in rows]
    return {
        "model": report["model"],
        "layers": report["layers"],
        "width": report["width"],
        "parameters": max(row["parameters"] for row in rows),
        "score": mean(by_seed),
        "interval": interval(by_seed),
        "seeds": len(by_seed),
        "state_bits": None if None in bits else max(bits),
    }


def _places(model: str, ranked: Sequence[Row]) -> tuple[int, int]:
    """The first and the last place that the intervals leave open; a single seed leaves every place open."""
    mine = next(each for each in ranked if each["model"] == model)
    others = [each for each in ranked if each["model"] != model]
    if mine["interval"] is None:
        return 1, len(ranked)
    low, high = mine["interval"]
    above = sum(each["interval"] is not None and each["interval"][0] > high for each in others)
    below = sum(each["interval"] is not None and each["interval"][1] < low for each in others)
    return 1 + above, len(ranked) - below


def main(paths: Sequence[str]) -> None:
    """Print the rows to ship, from reports of `separatrix probe NAME --json`."""
    for path in paths:
        report = json.loads(Path(path).read_text(encoding="utf-8"))
        about = {key: report[key] for key in ("model", "layers", "width", "budget")}
        print(json.dumps({**about, "tasks": [{key: row[key] for key in SHIPPED} for row in report["tasks"]]}, sort_keys=True))


if __name__ == "__main__":
    main(sys.argv[1:])
