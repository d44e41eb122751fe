"""Regular languages in four architectures: built, trained from the built weights, and trained from fresh ones, and tested on longer words.

[hahn2020 Corollary 2]

As in built_and_trained.py, starts of one and the same model. Training sees words of N symbols; the test also asks for far longer ones.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from separatrix.studies.answer import NOTHING, Answer, by, decided
from separatrix.studies.learned import percent
from separatrix.studies.panel import HEIGHT, marks, side_by_side
from separatrix.studies.study import Cell, Row, concatenated
from separatrix.training.budget import Budget

if TYPE_CHECKING:
    from separatrix.certificates.built import Built
    from separatrix.models.model import Model

QUESTION = "Does a model that tracks a language at all lengths still do so after training, and is it found from fresh weights?"
PREDICTION = "From weights that are right at all lengths it stays right on longer words; from fresh weights in as many steps it is not."
CITES = ("hahn2020 Corollary 2",)

TRAINED, TESTED, SEEDS = 40, 256, 3
BY = {  # language as it is titled -> the language, and the architecture of its weights
    "flip-flop": ("@flip-flop", "mamba"),
    "(ab)*": ("(ab)*", "deltanet"),
    "parity": ("@parity", "deltanet-negative"),
    "S3": ("@s3", "deltaproduct"),
}
BUDGET = Budget(steps=100, batch=32, rate=1e-3, report_every=100, validation=200)
NOISE = 0.001  # deviation, on every weight
START_NAMES = {"built": "from built weights", "with noise": "from built weights with noise", "fresh": "from fresh weights"}
STARTS = (*START_NAMES,)
STAYED = 99.0  # percent, on the longer words

CAPTION = (
    "Four languages, each in the shape that its construction has: flip-flop in Mamba, (ab)* in DeltaNet, parity in DeltaNet with beta up "
    f"to 2, S3 in DeltaProduct; the built weights are right at every length. {BUDGET.steps} steps of Adam at rate {BUDGET.rate:g} on the "
    f"cross-entropy of the answer to {BUDGET.batch} words of {TRAINED} symbols each, in float64, from three starts: the built weights, "
    f"the built weights with normal noise of deviation {NOISE:g} on every one, zeros included, and fresh weights. Accuracy on "
    f"{BUDGET.validation} other words of {TRAINED} symbols and as many of {TESTED}, before and after. {SEEDS} seeds of noise, fresh "
    "weights and words, one rate, few steps: what fresh weights have not learned they may learn later."
)

TRAINS, QUICK_TRAINING = False, True  # seconds
CELLS: tuple[Cell, ...] = tuple({"language": language} for language in BY)
rows = concatenated


def run(cell: Cell) -> list[Row]:
    """A row for each start and seed of one language."""
    from separatrix.constructions import build
    from separatrix.models.initialisation import SMALL, initialised
    from separatrix.tasks import make_task
    from separatrix.training.loop import cross_entropy
    from separatrix.training.recovery import descend, disturbed

    text, architecture = BY[cell["language"]]
    built = build(f"regular/{architecture}", length=TESTED, language=text)
    short = replace(built, task=make_task("regular", length=TRAINED, language=text))
    found = []
    for start in STARTS:
        for seed in range(SEEDS):
            first = initialised(built.model.config, seed, SMALL) if start == "fresh" else built.model
            model = disturbed(first, NOISE if start == "with noise" else 0.0, seed)
            before = _right_on_long_words(built, model, seed)
            ends = [*descend(short, model, cross_entropy, NOISE if start == "with noise" else 0.0, BUDGET, seed)]
            found.append(
                {
                    "language": cell["language"],
                    "architecture": architecture,
                    "layers": len(built.model.layers),
                    "width": built.model.config.width,
                    "start": start,
                    "seed": seed,
                    "accuracy": percent(ends[0].tested),
                    "accuracy_after": percent(ends[-1].tested),
                    "long": percent(before),
                    "long_after": percent(_right_on_long_words(built, model, seed)),
                    "steps": BUDGET.steps,
                }
            )
    return found


def _right_on_long_words(built: Built, model: Model, seed: int) -> float:
    """The share of words of the greater length that are answered rightly."""
    from separatrix.certificates.cases import run as run_cases
    from separatrix.training.loop import split_seed

    drawn = built.task.sample(split_seed("test", seed), BUDGET.validation)
    attempt = replace(built, program=replace(built.program, model=model))
    return 1 - run_cases(attempt, [("test", 0, drawn)]).errors / BUDGET.validation


def figure(rows: list[Row]) -> dict[str, Any]:
    """Accuracy on the longer words before and after training, a panel for each start."""
    panels = []
    for start in STARTS:
        points = [
            {"language": f"{row['language']}, {row['architecture']}", "when": when, "accuracy": row[field]}
            for row in rows
            for field, when in (("long", "before"), ("long_after", f"after {BUDGET.steps} steps"))
            if row["start"] == start
        ]
        title = {"built": "Built weights", "with noise": f"With noise {NOISE:g}", "fresh": "Fresh weights"}[start]
        axis = ("accuracy", f"accuracy on {TESTED} symbols, %")
        panel = marks(points, title, axis, "language", "when", {"domain": [0, 100]}, [0.0, 25, 50, 75, 100])
        panels.append({**panel, "height": HEIGHT})
    return side_by_side(*panels)


def answer(rows: list[Row]) -> Answer:
    """Where descent stays on longer words, and what fresh weights learn of them, in how many seeds."""
    if not rows:
        return NOTHING
    told, stayed, learned = [], 0, 0
    for start in STARTS:
        shares = []
        for (language,), some in by([row for row in rows if row["start"] == start], "language").items():
            right = sum(row["long_after"] >= STAYED for row in some)
            shares.append(f"{language} {right} of {len(some)}")
            stayed += right == len(some) and start == "built"
            learned += right > 0 and start == "fresh"
        told.append(f"{START_NAMES[start]}: {', '.join(shares)}")
    text = f"Seeds with at least {STAYED:.0f} % of words of {TESTED} symbols right after {BUDGET.steps} steps {'; '.join(told)}."
    return decided(stayed == len(BY) and not learned, text)
