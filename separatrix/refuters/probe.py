"""A model through the suite: ten small tasks, one per skill.

A model that is given as code, a name or a config is trained from scratch on each task, with several seeds; one that is stored is asked as
it is, about the tasks whose tokens it knows. Every row sets the accuracy beside chance, beside what the bits of its state allow and what
the task needs, and beside an input on which the model of the first seed fails, if a short search finds one.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import mean
from typing import Any

from torch import nn

from separatrix.bounds.number_format import NumberFormat
from separatrix.bounds.planning import need_of
from separatrix.errors import BadInput
from separatrix.models import model_for
from separatrix.models.model import Model
from separatrix.refuters.beside_accuracy import ceiling, chance, declared_bits, failing_input, looks_ahead, retained_bits
from separatrix.refuters.standing import interval, standing_of
from separatrix.refuters.suite import BUDGETS, SEEDS, SUITE, TEST_SEED, Scale, usual_sizes
from separatrix.refuters.text_prompts import next_of, text_report
from separatrix.runs.hugging_face import TOKENIZER, load_text_model
from separatrix.runs.load import load_model, origin
from separatrix.runs.spec import sizes_for
from separatrix.tasks import Task
from separatrix.training.budget import Budget
from separatrix.training.evaluation import evaluate
from separatrix.training.examples import thinks
from separatrix.training.loop import Diverged, train

NUMBERS = NumberFormat(32)
SEED = 0
FIELDS = (
    "accuracy", "accuracies", "interval", "lengths", "chance", "parameters", "state_bits", "needed_bits", "ceiling", "retained_bits",
    "failure", "steps", "diverged", "seconds", "causal", "skipped",
)  # fmt: skip
Progress = Callable[[str], None]
PROMPTS = {"quick": 50, "laptop": 400}  # of each skill and length, for models of text
EVALUATIONS = {"quick": 2000, "laptop": 20_000}  # of an attack


def probe(
    place: str,
    scale: Scale = "quick",
    code: Collection[str] = (),
    progress: Progress = lambda _: None,
    chosen: Mapping[str, Any] | None = None,
    seeds: int = SEEDS,
) -> dict[str, Any]:
    """The report as JSON: a row for every task of the suite. `chosen` are parameters of a model that is trained."""
    if seeds < 1:
        raise BadInput(f"the number of seeds must be at least 1, found {seeds}")
    stored = _is_stored(place)
    if stored and chosen:
        raise BadInput(f"{place!r} has weights: --set is for models that are trained, found {', '.join(chosen)}")
    if stored and (Path(place) / TOKENIZER).is_file():
        return _asked_in_words(place, scale, progress)
    home = origin(place, code) if stored else None
    settings = {} if stored or Path(place).is_dir() else usual_sizes(place, chosen or {})
    rows, shapes = [], []
    for number, item in enumerate(SUITE, 1):
        task = item.at(scale)
        about = f"[{number}/{len(SUITE)}] {item.skill}: {task.name}, N = {task.length}"
        subject = _Subject(place, stored, home, settings, tuple(code), seeds, _after(about, progress))
        shape, row = _row(subject, task, scale)
        shapes.append(shape)
        rows.append({"skill": item.skill, "task": task.name, "length": task.length, **row})
    causal = None if all(row["causal"] is None for row in rows) else not any(row["causal"] is False for row in rows)
    layers, width = shapes[0]
    report = {
        "model": place, "scale": scale, "trained": not stored, "layers": layers, "width": width,
        "parameters": max((row["parameters"] for row in rows if row["parameters"] is not None), default=None),
        "budget": None if stored else asdict(BUDGETS[scale]), "seeds": None if stored else seeds,
        "causal": causal, "tasks": rows, "text": None, "standing": None,
    }  # fmt: skip
    if stored or causal is False:  # a reader of later tokens is no match
        return report
    return {**report, "standing": standing_of(place, scale, BUDGETS[scale].test, report)}


def _after(about: str, progress: Progress) -> Progress:
    return lambda more: progress(f"{about}, {more}")


@dataclass(frozen=True)
class _Subject:
    """What is put through the suite."""

    place: str
    stored: bool
    home: Any
    settings: Mapping[str, Any]
    code: tuple[str, ...]
    seeds: int
    progress: Progress


def _asked_in_words(place: str, scale: Scale, progress: Progress) -> dict[str, Any]:
    """A pretrained model of text: its ids are pieces of text, so it is asked in words and not in ids of tasks."""
    model, tokenizer = load_text_model(Path(place))
    progress("lookup, recall and copying in words")
    text = text_report(next_of(model), tokenizer, PROMPTS[scale], SEED, model.state_bits)
    why = "its ids are pieces of text: it is asked in words"
    rows = [
        {"skill": item.skill, "task": item.task, "length": item.at(scale).length, **dict.fromkeys(FIELDS), "skipped": why} for item in SUITE
    ]
    about = dict.fromkeys(("layers", "width", "budget", "seeds", "causal", "standing"))
    parameters = sum(parameter.numel() for parameter in model.parameters())
    return {"model": place, "scale": scale, "trained": False, "parameters": parameters, **about, "tasks": rows, "text": text}


def _is_stored(place: str) -> bool:
    """Whether a place holds weights; a Hugging Face folder without any is a config, to be trained."""
    folder = Path(place)
    config_alone = (folder / "config.json").is_file() and not any(folder.glob("*.safetensors*"))
    return folder.is_dir() and not config_alone


def _row(subject: _Subject, task: Task, scale: Scale) -> tuple[tuple[int | None, int | None], dict[str, Any]]:
    """One task: trained or as it is, scored, bounded, attacked. The layers and the width of the model, and the row."""
    blank: dict[str, Any] = dict.fromkeys(FIELDS)
    if subject.home is not None and subject.home.task != task.name:
        return (None, None), {**blank, "skipped": f"the model is for {subject.home.task}, whose ids mean something else"}
    start = time.process_time()
    double = _longer(task)
    try:
        model = load_model(subject.place, task, subject.code) if subject.stored else _fresh(subject, double or task, SEED)
    except BadInput as error:
        if not subject.stored:
            raise
        return (None, None), {**blank, "skipped": str(error)}
    shape = (len(model.layers), model.config.width) if isinstance(model, Model) else (None, None)
    ahead = looks_ahead(model, task)
    if ahead is not None and (thinks(task) or not task.scored_at_end):
        return shape, {**blank, "causal": False, "skipped": f"not causal: {ahead}, so answers later in the row would be read, not found"}
    causal = ahead is None
    count = BUDGETS[scale].test
    learned = _Learned(0, None, _reached(model, task, count)) if subject.stored else _learned(subject, model, task, BUDGETS[scale], SEED)
    runs = [learned]
    for seed in range(SEED + 1, SEED + (1 if subject.stored else subject.seeds)):
        runs.append(_learned(subject, _fresh(subject, double or task, seed), task, BUDGETS[scale], seed))
    shares = [run.accuracy for run in runs]
    lengths = [{"length": task.length, "accuracy": learned.accuracy}]
    if double is not None:
        lengths += _at_another(model, double, count)
    state = declared_bits(model, task) if causal else None
    subject.progress("searching for an input on which it fails")
    return shape, {
        **blank,
        "accuracy": mean(shares),
        "accuracies": shares,
        "interval": interval(shares),
        "lengths": lengths,
        "chance": chance(task, count),
        "parameters": sum(parameter.numel() for parameter in model.parameters()),
        "state_bits": state,
        "needed_bits": need_of(task, NUMBERS).bits,
        "ceiling": ceiling(task, state),
        "retained_bits": retained_bits(model, task, causal),
        "failure": failing_input(model, subject.place, task, EVALUATIONS[scale]),
        "steps": None if subject.stored else learned.steps,
        "diverged": [seed for seed, run in enumerate(runs, SEED) if run.diverged is not None],
        "seconds": round(time.process_time() - start, 1),
        "causal": causal,
    }


@dataclass(frozen=True)
class _Learned:
    """One run: its steps, where it diverged if it did, and the accuracy that it reached."""

    steps: int
    diverged: int | None
    accuracy: float


def _fresh(subject: _Subject, longest: Task, seed: int) -> nn.Module:
    """A model before training, sized for the longest inputs it is asked about."""
    folder, sizes = Path(subject.place), {**sizes_for(longest), "seed": seed}
    if folder.is_dir():
        from separatrix.models.user_model import of_configuration
        from separatrix.runs.hugging_face import configuration_in

        return of_configuration(configuration_in(folder), subject.place, sizes)
    return model_for(subject.place, sizes, subject.settings)


def _learned(subject: _Subject, model: nn.Module, task: Task, budget: Budget, seed: int) -> _Learned:
    """Train in place and score. What diverges stops where it is, and says so."""
    subject.progress(f"seed {seed + 1 - SEED} of {subject.seeds}")
    last, diverged = 0, None
    try:
        for event in train(model, task, budget, seed, validation=task):
            last = getattr(event, "step", last)
    except Diverged as error:
        last = diverged = error.step
    return _Learned(last, diverged, _reached(model, task, budget.test))


def _reached(model: nn.Module, task: Task, count: int) -> float:
    """The accuracy on test inputs that all models share; with a chain of thought, of the better of two readings."""
    scores = evaluate(model, task, count, TEST_SEED)
    return scores.accuracy if scores.greedy is None or not thinks(task) else max(scores.greedy, scores.accuracy)


def _longer(task: Task) -> Task | None:
    """The task at twice its length, if its alphabet stays the same."""
    try:
        double = task.at(2 * task.length)
    except BadInput:
        return None
    return double if (double.vocabulary, double.targets) == (task.vocabulary, task.targets) else None


def _at_another(model: nn.Module, task: Task, count: int) -> list[dict[str, Any]]:
    try:
        return [{"length": task.length, "accuracy": _reached(model, task, count)}]
    except (BadInput, RuntimeError, IndexError) as error:  # a model of others may refuse a length in its own way
        return [{"length": task.length, "accuracy": None, "why": " ".join(str(error).split())[:120]}]
