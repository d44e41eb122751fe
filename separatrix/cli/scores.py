"""Shared by the commands that train and evaluate: progress, and tables of scores."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from separatrix.cli.printing import done, first_line, progress
from separatrix.cli.report import Table

if TYPE_CHECKING:
    from separatrix.tasks import Task
    from separatrix.training.loop import Event

LABELS = 64  # examples that are looked at for a second answer
DIVERGED = 10.0  # times the loss of guessing


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


def label_lines(task: Task) -> list[str]:
    """What the labels of a language mean, since 1 may be either of two things to a reader: `1: in the language (PARITY: ..)`."""
    from separatrix.tasks.recognition import Recognition

    if not isinstance(task, Recognition):
        return []
    says = first_line(sys.modules[type(task).__module__].__doc__)
    return [f"label 1: the word is in the language, 0: it is not ({says.rstrip('.')})"]


def training_warnings(task: Task, rows: Sequence[Mapping[str, Any]], seed: int) -> list[str]:
    """What a reader of good or strange numbers should know: there is one label only, or the training diverged."""
    warnings = []
    batch = task.sample(seed, LABELS)
    answers = {batch.answer(r) for r in range(LABELS)}
    if len(answers) == 1:
        (only,) = answers
        shown = task.target_text(only) if isinstance(only, int) else " ".join(map(task.target_text, only))
        warnings.append(
            f"every one of {LABELS} examples has the answer {shown}: a model that ignores its input is right; "
            f"`separatrix audit {task.name}` shows the balance"
        )
    losses = [(row["step"], row["loss"]) for row in rows if row["kind"] == "training"]
    guessing = math.log(max(2, task.targets))
    if losses and losses[-1][1] > DIVERGED * guessing:
        step, loss = losses[-1]
        warnings.append(
            f"the training diverged: the loss is {loss:.3g} at step {step}, where guessing costs {guessing:.3g}; lower the rate"
        )
    return warnings


def scores_table(rows: list[dict[str, Any]]) -> Table:
    """Accuracy of each length, whole and by answer, and the positions that are wrong most often."""
    shown = []
    for row in rows:
        weak = sorted((right / count, position) for position, count, right in row["asked"] if right < count)[:3]
        weak_text = ", ".join(f"{position} ({100 * share:.0f} %)" for share, position in weak) or "none"
        shares = ["-" if row[key] is None else f"{100 * row[key]:.2f} %" for key in ("accuracy", "positions", "greedy")]
        shown.append((row["length"], row["examples"], *shares, weak_text))
    return Table(("N", "examples", "exact match", "per answer", "free running", "hardest positions"), shown)
