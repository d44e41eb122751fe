"""The frontier: the least width that learns a task at each length, found by bisection, and how it grows.

An attempt is a seed and a rate. A width passes as soon as one of its attempts has the target accuracy on the test inputs, and fails
when none is left. Bisection assumes that every width above one that passes would pass too; the widths that were
tried are listed, so that a reader sees what was not. Every attempt is a trial of a store: what was run once is not run again.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

from separatrix.architectures import Architecture, Quantity
from separatrix.bounds.limits import bounds_for
from separatrix.bounds.number_format import NumberFormat
from separatrix.bounds.planning import need_of
from separatrix.errors import BadInput
from separatrix.models.cost_formulas import SIZED, WIDTHS, sized_model
from separatrix.models.model_names import SHORT
from separatrix.models.state_at_cut import least_width
from separatrix.tasks import make_task
from separatrix.training.budget import Budget

if TYPE_CHECKING:
    from separatrix.runs.spec import RunSpec
    from separatrix.tasks import Task

Measure = Literal["width", "state-bits"]
Trial = dict[str, Any]
Outcome = list[dict[str, Any]] | str  # the rows of a trial, or why it has none
NUMBERS = NumberFormat(32)  # what is trained
FAR = (1 << 14, 1 << 17)  # lengths between which the exponent of a theorem is read off


@dataclass(frozen=True)
class Family:
    """An architecture of so many layers, of any width: `lstm-2`."""

    model: str
    layers: int

    @property
    def name(self) -> str:
        """The model's name as it is typed: `lstm-1` is one layer of LSTM of any width."""
        return f"{self.model}-{self.layers}"


@dataclass(frozen=True)
class Question:
    """A task at several lengths, families of models, and what counts as learned."""

    task: str
    task_parameters: Mapping[str, Any]
    families: tuple[Family, ...]
    lengths: tuple[int, ...]
    target: float
    widths: tuple[int, ...]
    budget: Budget
    rates: tuple[float, ...]
    seeds: int = 1

    def __post_init__(self) -> None:
        if not 0 < self.target <= 1:
            raise BadInput(f"frontier: the target is an accuracy in (0, 1], found {self.target:g}")
        for name, values in (("models", self.families), ("lengths", self.lengths), ("widths", self.widths), ("rates", self.rates)):
            if not values or len({*values}) < len(values):
                raise BadInput(f"frontier: --{name} must list one or more different values")
        if any(width < 1 for width in self.widths) or self.seeds < 1:
            raise BadInput("frontier: widths and the number of seeds must be at least 1")

    def attempts(self) -> list[tuple[int, float]]:
        """Seeds and rates, in the order in which they are tried."""
        return [(seed, rate) for seed in range(self.seeds) for rate in self.rates]

    def spec(self, family: Family, length: int, width: int, attempt: int = 0) -> RunSpec:
        """One attempt; it stops early a little above the target, so that the test inputs confirm what the validation inputs say."""
        from separatrix.runs.spec import RunSpec

        seed, rate = self.attempts()[attempt]
        budget = replace(self.budget, rate=rate, enough=(1 + self.target) / 2)
        sizes = {"layers": family.layers, "width": width}
        return RunSpec(self.task, {**self.task_parameters, "length": length}, family.model, sizes, budget, seed)

    def require_models(self) -> None:
        """Refuse what no attempt could train, before anything is run."""
        for length in self.lengths:
            make_task(self.task, **{**self.task_parameters, "length": length})
        for family in self.families:
            for width in self.widths:
                self.spec(family, min(self.lengths), width).fresh_model()


@dataclass
class Cell:
    """One family at one length: the widest width that failed, the narrowest that passed, and every attempt."""

    family: Family
    length: int
    widths: tuple[int, ...]
    attempts: int
    failed: int = -1  # an index of widths; below the first one: none failed
    passed: int = field(init=False)  # above the last one: none passed
    tried: list[dict[str, Any]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.passed = len(self.widths)

    def next(self) -> tuple[int, int] | None:
        """The width and the number of the attempt to make next; None where the answer is known."""
        if self.passed - self.failed <= 1:
            return None
        width = self.widths[(self.failed + self.passed) // 2]
        return width, sum(entry["width"] == width for entry in self.tried)

    def note(self, width: int, target: float, entry: dict[str, Any]) -> None:
        """What an attempt at a width reached."""
        self.tried.append({"width": width, **entry})
        index = self.widths.index(width)
        if entry["accuracy"] is not None and entry["accuracy"] >= target:
            self.passed = index
        elif sum(one["width"] == width for one in self.tried) >= self.attempts:
            self.failed = index

    def row(self) -> dict[str, Any]:
        """The answer: the least width that passed and the widest below it that failed; None where there is none."""
        width = self.widths[self.passed] if self.passed < len(self.widths) else None
        below = self.widths[self.failed] if self.failed >= 0 else None
        best = {w: max((e for e in self.tried if e["width"] == w), key=lambda e: e["accuracy"] or 0.0) for w in {width, below} - {None}}
        sizes = {key: None if width is None else best[width][key] for key in ("state_bits", "parameters", "accuracy", "steps", "rate")}
        failed = {"failed_width": below, "failed_state_bits": None if below is None else best[below]["state_bits"]}
        return {"model": self.family.name, "length": self.length, "width": width, **sizes, **failed, "tried": self.tried}


def families(names: Sequence[str]) -> tuple[Family, ...]:
    """`lstm-2` is two layers of LSTM, `file.py:Mixer-2` two of one's own mixer; `file.py:Mixer` is one layer."""
    found = []
    for name in names:
        model, _, layers = name.rpartition("-")
        if ":" in name and not layers.isdigit():
            model, layers = name, "1"
        if not model or not layers.isdigit() or int(layers) < 1:
            raise BadInput(
                f"frontier: a model is a name and a number of layers, such as lstm-1, mamba-2 or file.py:Mixer-1, found {name!r}"
            )
        found.append(Family(model, int(layers)))
    return tuple(found)


def search(question: Question, run: Callable[[list[Trial]], list[Outcome]]) -> list[dict[str, Any]]:
    """A row for each family and length. In each round every cell that is still open makes one attempt, and `run` runs them together."""
    from separatrix.runs.kinds.train import train_trial

    cells = [
        Cell(family, length, tuple(sorted(question.widths)), len(question.attempts()))
        for family in question.families
        for length in question.lengths
    ]
    while True:
        wanted = [(cell, *chosen) for cell in cells if (chosen := cell.next()) is not None]
        if not wanted:
            return [cell.row() | _needed(question, cell) for cell in cells]
        outcomes = run([train_trial(question.spec(cell.family, cell.length, width, attempt)) for cell, width, attempt in wanted])
        for (cell, width, attempt), outcome in zip(wanted, outcomes, strict=True):
            seed, rate = question.attempts()[attempt]
            cell.note(width, question.target, {"seed": seed, "rate": rate, **_reached(outcome)})


def _reached(outcome: Outcome) -> dict[str, Any]:
    """Accuracy on the test inputs, steps and sizes of a trial; a trial that failed has reached nothing, for a reason."""
    nothing = {"accuracy": None, "steps": None, "state_bits": None, "parameters": None, "reason": None}
    if isinstance(outcome, str):
        return {**nothing, "reason": outcome}
    by_kind = {row["kind"]: row for row in outcome}
    sizes, test = by_kind["sizes"], by_kind["test"]
    reached = {"accuracy": test["accuracy"], "steps": test["step"]}
    return {**nothing, **reached, "state_bits": sizes["state_bits"], "parameters": sizes["parameters"]}


def _needed(question: Question, cell: Cell) -> dict[str, Any]:
    """The state bits that the target accuracy needs, where they are known."""
    try:
        task = make_task(question.task, **{**question.task_parameters, "length": cell.length})
        return {"needed_bits": need_of(task, NUMBERS, question.target).bits}
    except BadInput:
        return {"needed_bits": None}


def fits(question: Question, rows: Sequence[Mapping[str, Any]], measure: Measure = "width") -> list[dict[str, Any]]:
    """For each family the exponent b of measure ~ length^b, and its interval: what the widths between failed and passed leave open."""
    found = []
    for family in question.families:
        mine = [row for row in rows if row["model"] == family.name]
        exponent, interval = fitted([bracket for row in mine if (bracket := _bracket(row, measure)) is not None])
        entry = {"model": family.name, "measure": measure, "exponent": exponent, "interval": interval}
        unlearned = [row["length"] for row in mine if row["width"] is None]
        found.append({**entry, "theorem": theorem_exponent(question, family, measure), "unlearned": unlearned})
    return found


def _bracket(row: Mapping[str, Any], measure: Measure) -> tuple[int, float, float] | None:
    """Length, and the least and the largest value that the row leaves open; None where no width passed."""
    passed, failed = (row["width"], row["failed_width"]) if measure == "width" else (row["state_bits"], row["failed_state_bits"])
    return None if passed is None else (row["length"], float(failed or 1), float(passed))


def fitted(brackets: Sequence[tuple[int, float, float]]) -> tuple[float | None, list[float] | None]:
    """The slope of log y against log length by least squares, y the upper end; and its extremes as every y moves in its bracket."""
    if len({length for length, _, _ in brackets}) < 2:
        return None, None
    x = [math.log(length) for length, _, _ in brackets]
    mean = sum(x) / len(x)
    spread = sum((a - mean) ** 2 for a in x)
    pull = [(a - mean) / spread for a in x]  # the slope is a linear form of the log y
    ends = [(math.log(low), math.log(high)) for _, low, high in brackets]
    slope = sum(c * high for c, (_, high) in zip(pull, ends, strict=True))
    least = sum(min(c * low, c * high) for c, (low, high) in zip(pull, ends, strict=True))
    most = sum(max(c * low, c * high) for c, (low, high) in zip(pull, ends, strict=True))
    return slope, [least, most]


def theorem_exponent(question: Question, family: Family, measure: Measure) -> float | None:
    """How fast the least that zero error needs grows, between two large lengths; None where no theorem is known.

    For state bits of a recurrence this is the state profile; for its width the width whose state has that many bits. Attention stores
    more with every token, so that the profile asks nothing of its width; for one layer the bounds by communication do.
    """
    kind = SHORT.get(family.model, family.model)
    values = []
    for length in FAR:
        try:
            task = make_task(question.task, **{**question.task_parameters, "length": length})
            value = _least(task, kind, family.layers, measure)
        except BadInput:
            return None
        if value is None:
            return None
        values.append(value)
    return math.log(values[1] / values[0]) / math.log(FAR[1] / FAR[0])


def _least(task: Task, kind: str, layers: int, measure: Measure) -> float | None:
    """The least width or state bits of a family by theorem, at least 1."""
    bounds = bounds_for(task, NUMBERS.bits, NUMBERS.fraction)
    if kind == "transformer" and layers == 1 and measure == "width":
        widths = [row.value for row in bounds if (row.architecture, row.quantity) == (Architecture.ONE_LAYER, Quantity.WIDTH_TIMES_HEADS)]
        if widths:
            return max(1, *widths)
    needed = need_of(task, NUMBERS).bits
    if needed is None or measure == "state-bits":
        return needed
    if kind not in SIZED:
        return None
    vocabulary_bits = (task.vocabulary - 1).bit_length()

    def cuts(width: int) -> Any:
        return sized_model(kind, layers, width, task.vocabulary, task.targets).cuts(task.token_count)

    return least_width(cuts, needed, NUMBERS.bits, vocabulary_bits, WIDTHS)


def lines(rows: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, ...]]:
    """The rows for people: what failed and what passed, and what a bound asks for."""
    for row in rows:
        tried = len(row["tried"])
        if row["width"] is None:
            yield (row["model"], str(row["length"]), f"> {row['failed_width']}", "-", "-", _shown(row["needed_bits"]), str(tried))
            continue
        at_most = "<= " if row["failed_width"] is None else ""
        reached = f"{100 * row['accuracy']:.1f} %"
        width, state = f"{at_most}{row['width']}", _shown(row["state_bits"])
        yield (row["model"], str(row["length"]), width, state, reached, _shown(row["needed_bits"]), str(tried))


def _shown(value: int | None) -> str:
    return "-" if value is None else f"{value:,}"
