"""How does the least width that learns a task with its chain grow with the size, for standard, linear and sparse attention?

[yang2024 Theorem 4.1; yang2024 Theorem 4.2; yang2024 Experiment 5]

Copying is the plainest program of the kind: every state is an entry of the input, so two inputs never share a chain.
The lower bound of that paper is about programs of this kind; LIS is not one, because different inputs share a chain.
All models have two layers, learned positions and one recipe for each task; sparse blocks have about sqrt(L) of L tokens.
Shipped rows are made by `separatrix sweep chain-widths --overnight --store FILE`,
then `separatrix study chain-widths --store FILE --out FILE`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from separatrix.studies.answer import NOTHING, Answer, by, decided, done, listed, seeds_among
from separatrix.studies.learned import TrainingRun, cells_of, few_steps, learner, trial
from separatrix.studies.least_widths import LEARNED, exponents, growth_panel, learned_row, said
from separatrix.studies.panel import inks, nothing_run, side_by_side
from separatrix.studies.study import Cell, Result, Row
from separatrix.training.budget import Budget

QUESTION = "How does the least width that learns a task with its chain grow with the size, for standard, linear and sparse attention?"
PREDICTION = (
    "The width of standard attention need not grow, and that of linear and sparse attention grows as the square root of the length."
)
CITES = ("yang2024 Theorem 4.1", "yang2024 Theorem 4.2", "yang2024 Experiment 5")
TARGET = 0.9
MODELS = {"standard": "tf", "linear": "lintf", "sparse": "block-sparse"}
POWERS = {"standard": 0.0, "linear": 0.5, "sparse": 0.5}  # of the length, by the theorems
RECIPE = Budget(batch=64, schedule="cosine", warmup=100, clip=1.0, enough=0.95)


@dataclass(frozen=True)
class Program:
    """A task with its chain: how it is trained at each size, and the widths tried there."""

    title: str
    task: str
    symbols: int
    heads: int
    budget: Budget
    steps: Mapping[int, int]
    beside: int  # tokens besides 2 N
    widths: Mapping[str, Mapping[int, tuple[int, ...]]]  # by kind of attention and size
    seeds: int
    milliseconds: float  # of a step at N = 16 and width 16

    def run(self, kind: str, N: int, width: int, seed: int) -> TrainingRun:
        """The training run of one kind, size, width and seed."""
        block = (("positions", "learned"), ("block", round((2 * N + self.beside) ** 0.5))) if kind == "sparse" else ()
        sizes = (("layers", 2), ("width", width), ("heads", self.heads), ("deviation", round(width**-0.5, 3)), *block)
        budget = replace(self.budget, steps=self.steps[N])
        return TrainingRun(self.task, N, MODELS[kind], budget, seed, sizes, (("symbols", self.symbols),))

    def hours(self, N: int, width: int) -> float:
        """Core-hours of all steps."""
        return round(self.milliseconds * self.steps[N] * (N / 16 + 1) * (width / 16 + 1) / 4 / 3.6e6, 4)


PROGRAMS = (
    Program(
        "Copying", "copy", 2, 1,
        replace(RECIPE, rate=5e-3, validate_every=100, validation=500, test=1000),
        {4: 2500, 8: 2500, 16: 2500, 32: 4000}, 0,
        {
            "standard": {4: (2, 3, 4), 8: (3, 4, 6), 16: (3, 4, 6, 8), 32: (4, 6, 8, 12, 16)},
            "linear": {4: (2, 3, 4, 6), 8: (3, 4, 6, 8), 16: (4, 6, 8, 12), 32: (8, 12, 16)},
            "sparse": {4: (2, 3, 4, 6), 8: (4, 6, 8), 16: (8, 12, 16, 24), 32: (24, 32, 48, 64, 96)},
        },
        3, 6,
    ),
    Program(
        "LIS", "lis-chain", 20, 2,
        replace(RECIPE, rate=3e-3, validate_every=250, validation=200, test=500),
        {4: 3000, 8: 3000, 16: 4000}, 3,
        {
            "standard": {4: (4, 6, 8), 8: (8, 12, 16), 16: (16, 24, 32)},
            "linear": {4: (4, 6, 8), 8: (12, 16, 24), 16: (24, 32, 48)},
            "sparse": {4: (4, 6, 8), 8: (12, 16, 24), 16: (24, 32, 48)},
        },
        1, 9,
    ),
)  # fmt: skip
PLAN = tuple(
    (program, kind, N, width, seed)
    for program in PROGRAMS
    for kind, sizes in program.widths.items()
    for N, widths in sizes.items()
    for width in widths
    for seed in range(program.seeds)
)
SWEEP = tuple(program.run(kind, N, width, seed) for program, kind, N, width, seed in PLAN)
CAPTION = (
    f"A width has learned a task if {TARGET:.0%} of the test inputs are right: every symbol of a copy, or the answer at the end of a "
    "chain that the model writes alone. Two layers, learned positions, for each task one recipe for the three kinds of attention; "
    f"copying: N bits, {PROGRAMS[0].steps[4]:,} to {PROGRAMS[0].steps[32]:,} steps of {RECIPE.batch} examples; LIS: N of "
    f"{PROGRAMS[1].symbols} numbers, {PROGRAMS[1].steps[4]:,} to {PROGRAMS[1].steps[16]:,} steps. Points are seeds, lines go "
    "through their medians. As in `separatrix frontier` the powers are those of the best seed at each size: some runs stay at a half or "
    "a quarter, with one or two places that are guessed. The least of the widths tried is an upper end; intervals hold every slope down "
    "to the next smaller one. A size at which no width tried was learned has no point. Dotted: the square root of N. The paper trains "
    "three layers of widths in powers of two at sizes for which we have no budget."
)

TRAINS = PARTIAL = True
CELLS: tuple[Cell, ...] = cells_of(SWEEP)
HOURS = {run.spec.digest: program.hours(N, width) for run, (program, _, N, width, _) in zip(SWEEP, PLAN, strict=True)}
run = learner(SWEEP)


def cells(scale: str) -> list[dict[str, Any]]:
    """The sweep as trials; the paper has no grid for it."""
    if scale == "smoke":
        narrowest = {(program.task, kind): run for run, (program, kind, *_) in reversed([*zip(SWEEP, PLAN, strict=True)])}
        return [trial(few_steps(run, run.length)) for run in narrowest.values()]
    return [trial(run) for run in SWEEP] if scale == "laptop" else []


def rows(results: Sequence[Result | None]) -> list[Row]:
    """What was learned, for each task, kind of attention, size and seed."""
    tried: dict[tuple[str, str, int, int], dict[int, Result | None]] = {}
    hours: dict[tuple[str, str, int, int], float] = {}
    for (program, kind, N, width, seed), result in zip(PLAN, results, strict=True):
        cell = (program.title, kind, N, seed)
        tried.setdefault(cell, {})[width] = result
        hours[cell] = hours.get(cell, 0.0) + program.hours(N, width)
    return [{"task": cell[0]} | learned_row(*cell[1:], by_width, TARGET, hours[cell]) for cell, by_width in tried.items()]


def best_of_seeds(rows: Sequence[Row]) -> list[Row]:
    """At each size the seed that learned at the least width, and of those the one with the widest failure below."""
    learned = by((row for row in rows if row["width"] is not None), "series", "length")
    return [min(some, key=lambda row: (row["width"], -(row["failed_width"] or 0))) for some in learned.values()]


def powers_of(rows: Sequence[Row]) -> dict[str, tuple[float, list[float]]]:
    """The power of N of each kind, by the best seed at each size."""
    return exponents(best_of_seeds(rows))


def answer(rows: list[Row]) -> Answer:
    """Powers beside those of the theorems, by task; held only if every kind's interval has its own and excludes the other's."""
    sentences, holds = [], []
    for (task,), some in by(done(rows), "task").items():
        powers = powers_of(some)
        if not powers:
            sentences.append(f"{task}: too few sizes were learned for a power of N ({seeds_among(some, 'series', 'length')})")
            continue
        unlearned = [
            f"{kind} at N = {N}" for (kind, N), group in by(some, "series", "length").items() if all(r["width"] is None for r in group)
        ]
        beyond = f", and nothing tried was wide enough for {listed(unlearned)}, which the powers leave out" if unlearned else ""
        grown = f"{task}: least widths grow as a power of N, {said(powers)}"
        sentences.append(f"{grown} (the best of {seeds_among(some, 'series', 'length')}{beyond})")
        others = {kind: next(power for power in (0.0, 0.5) if power != POWERS[kind]) for kind in powers}
        apart = all(low <= POWERS[kind] <= high and not low <= others[kind] <= high for kind, (_, (low, high)) in powers.items())
        holds.append(apart and set(powers) == set(POWERS))
    if not holds:
        return Answer("untested", f"{'; '.join(sentences)}.") if sentences else NOTHING
    of_theorem = ", ".join(f"{kind} {power:g}" for kind, power in POWERS.items())
    return decided(all(holds), f"{'; '.join(sentences)}; the theorems have {of_theorem}.", tested=False)


def figure(rows: list[Row]) -> dict[str, Any]:
    """Least width against the size, a panel for each task."""
    panels = []
    for (task,), some in by(rows, "task").items():
        powers = powers_of(some)
        names = {kind: f"{kind}, as N^{powers[kind][0]:.1f}" if kind in powers else kind for kind in MODELS}
        drawn = [{**row, "value": row["width"], "name": names[row["series"]]} for row in some if row["width"] is not None]
        if drawn:
            lengths = sorted({row["length"] for row in some if row["kind"] == LEARNED})
            ink = {
                names[kind]: colour for kind, colour in zip(MODELS, inks([*MODELS]), strict=True) if any(r["series"] == kind for r in drawn)
            }
            least = min(row["value"] for row in drawn)
            guide = {"as √N": [(N, least * (N / lengths[0]) ** 0.5) for N in lengths]}
            panels.append(growth_panel(drawn, ink, lengths, f"{task}: least width that learns it", "width", guide))
    return side_by_side(*panels) if panels else nothing_run("Least width with a chain")
