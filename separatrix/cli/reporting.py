"""Shared by the commands that train and evaluate: progress, and tables of scores."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from separatrix.cli.printing import done, progress, table

if TYPE_CHECKING:
    from separatrix.training.loop import Event


def progress_printer(steps: int) -> Callable[[Event], None]:
    """Prints progress with the time left, estimated from the speed of this process."""
    from separatrix.training.loop import LossRow, ScoreRow

    began: list[tuple[float, int]] = []

    def watch(event: Event) -> None:
        now = time.monotonic()
        step = event.step if isinstance(event, LossRow | ScoreRow) else event.progress.step
        if not began:
            began.append((now, step))
        start, first = began[0]
        over = step == first or (isinstance(event, ScoreRow) and event.split == "test")
        left = "" if over else f"  about {(now - start) / (step - first) * (steps - step):.0f} s left"
        if isinstance(event, LossRow):
            progress(f"step {step}/{steps}  loss {event.loss:.4f}{left}")
        elif isinstance(event, ScoreRow):
            done(f"step {step}/{steps}  {event.split} at N = {event.scores.length}: {100 * event.scores.accuracy:.2f} %{left}")

    return watch


def score_lines(rows: list[dict[str, Any]]) -> list[str]:
    shown = []
    for row in rows:
        weak = sorted((right / count, position) for position, count, right in row["asked"] if right < count)[:3]
        weak_text = ", ".join(f"{position} ({100 * share:.0f} %)" for share, position in weak) or "none"
        shares = ["-" if row[key] is None else f"{100 * row[key]:.2f} %" for key in ("accuracy", "positions", "greedy")]
        shown.append((row["length"], row["examples"], *shares, weak_text))
    return table(("N", "examples", "all right", "each answer right", "own output fed back", "hardest positions"), shown)
