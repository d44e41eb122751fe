"""A model through the suite: small tasks, one for each thing that sequence models are said to do or not to do.

A model that is given as code, a name or a config is trained from scratch on each task; one that is stored is asked as it is, about the
tasks whose tokens it knows. Every row sets the accuracy beside chance, beside what the bits of its state allow and what the task needs,
and beside an input on which the model fails, if a short search finds one.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np
import torch
from torch import nn

from separatrix.bounds.limits import task_ceiling
from separatrix.bounds.planning import need_of
from separatrix.bounds.table import NumberFormat
from separatrix.errors import BadInput
from separatrix.models import model_for
from separatrix.models.model import Model
from separatrix.refuters.attack import attack
from separatrix.refuters.capacity import capacity
from separatrix.refuters.standing import standing_of
from separatrix.refuters.text_prompts import next_of, text_report
from separatrix.runs.hugging_face import TOKENIZER, load_text_model
from separatrix.runs.load import load_model, origin
from separatrix.runs.spec import sizes_for
from separatrix.runs.state_of import state_bytes
from separatrix.tasks import Batch, Task, make_task
from separatrix.training.budget import Budget
from separatrix.training.evaluation import evaluate
from separatrix.training.examples import examples, thinks
from separatrix.training.loop import Diverged, train

NUMBERS = NumberFormat(32)
SEED = 0
FIELDS = (
    "accuracy", "lengths", "chance", "state_bits", "needed_bits", "ceiling", "retained_bits", "failure", "steps", "seconds", "causal",
    "skipped",
)  # fmt: skip
Progress = Callable[[str], None]
Scale = Literal["quick", "laptop"]


@dataclass(frozen=True)
class Item:
    """A task of the suite, at a length for each scale."""

    skill: str
    task: str
    length: int  # at the quick scale
    longer: int  # at the other
    parameters: dict[str, Any] = field(default_factory=dict)

    def at(self, scale: Scale) -> Task:
        """The task at the length of a scale."""
        return make_task(self.task, **self.parameters, length=self.length if scale == "quick" else self.longer)


SUITE = (
    Item("retrieval", "index-lookup", 10, 20, {"symbols": 8}),
    Item("recall", "associative-recall", 4, 8),
    Item("counting", "counting", 6, 12),
    Item("equality", "eq-random", 10, 20),
    Item("brackets", "dyck", 10, 30),
    Item("parity", "parity", 8, 16),
    Item("copying", "copy", 6, 16, {"symbols": 4}),
    Item("state tracking", "regular", 8, 16, {"language": "@s3"}),
    Item("trees", "is-tree", 6, 10),
    Item("a program, by its chain", "arithmetic", 2, 4, {"prime": 5}),
)
BUDGETS = {
    "quick": Budget(
        steps=400, batch=64, rate=3e-3, schedule="cosine", warmup=40, clip=1.0, validate_every=100, validation=200, enough=0.999, test=1000
    ),
    "laptop": Budget(
        steps=6000,
        batch=128,
        rate=2e-3,
        schedule="cosine",
        warmup=300,
        clip=1.0,
        validate_every=500,
        validation=500,
        enough=0.999,
        test=2000,
    ),
}
PROMPTS = {"quick": 50, "laptop": 400}  # of each skill and length, for models of text
EVALUATIONS = {"quick": 2000, "laptop": 20_000}  # of an attack


def probe(place: str, scale: Scale = "quick", code: Collection[str] = (), progress: Progress = lambda _: None) -> dict[str, Any]:
    """The report as JSON: a row for every task of the suite."""
    stored = _is_stored(place)
    if stored and (Path(place) / TOKENIZER).is_file():
        return _asked_in_words(place, scale, progress)
    home = origin(place, code) if stored else None
    rows = []
    for number, item in enumerate(SUITE, 1):
        task = item.at(scale)
        progress(f"[{number}/{len(SUITE)}] {item.skill}: {task.name}, N = {task.length}")
        rows.append({"skill": item.skill, "task": task.name, "length": task.length, **_row(place, stored, home, task, scale, code)})
    causal = None if all(row["causal"] is None for row in rows) else not any(row["causal"] is False for row in rows)
    standing = None if stored or causal is False else standing_of(place, scale, rows)  # a reader of later tokens is no match
    return {"model": place, "scale": scale, "trained": not stored, "causal": causal, "tasks": rows, "text": None, "standing": standing}


def _asked_in_words(place: str, scale: Scale, progress: Progress) -> dict[str, Any]:
    """A pretrained model of text: its ids are pieces of text, so it is asked in words and not in ids of tasks."""
    model, tokenizer = load_text_model(Path(place))
    progress("lookup, recall and copying in words")
    text = text_report(next_of(model), tokenizer, PROMPTS[scale], SEED, model.state_bits)
    why = "its ids are pieces of text: it is asked in words"
    rows = [
        {"skill": item.skill, "task": item.task, "length": item.at(scale).length, **dict.fromkeys(FIELDS), "skipped": why} for item in SUITE
    ]
    return {"model": place, "scale": scale, "trained": False, "causal": None, "tasks": rows, "text": text, "standing": None}


def _is_stored(place: str) -> bool:
    """Whether a place holds weights; a Hugging Face folder without any is a config, to be trained."""
    folder = Path(place)
    config_alone = (folder / "config.json").is_file() and not any(folder.glob("*.safetensors*"))
    return folder.is_dir() and not config_alone


def _row(place: str, stored: bool, home: Any, task: Task, scale: Scale, code: Collection[str]) -> dict[str, Any]:
    """One task: trained or as it is, scored, bounded, attacked."""
    blank: dict[str, Any] = dict.fromkeys(FIELDS)
    if home is not None and home.task != task.name:
        return {**blank, "skipped": f"the model is for {home.task}, whose ids mean something else"}
    start = time.process_time()
    double = _longer(task)
    try:
        model = load_model(place, task, code) if stored else _fresh(place, double or task, code)
    except BadInput as error:
        if not stored:
            raise
        return {**blank, "skipped": str(error)}
    ahead = looks_ahead(model, task)
    if ahead is not None and (thinks(task) or not task.scored_at_end):
        return {**blank, "causal": False, "skipped": f"not causal: {ahead}, so answers later in the row would be read, not found"}
    causal = ahead is None
    steps = None if stored else _trained(model, task, BUDGETS[scale])
    count = BUDGETS[scale].test
    scores = evaluate(model, task, count, SEED + 1)
    reached = scores.accuracy if scores.greedy is None or not thinks(task) else max(scores.greedy, scores.accuracy)
    lengths = [{"length": task.length, "accuracy": reached}]
    if double is not None:
        lengths += _at_another(model, double, count)
    state = _state_bits(model, task) if causal else None
    needed = need_of(task, NUMBERS).bits
    return {
        **blank,
        "accuracy": reached,
        "lengths": lengths,
        "chance": chance(task, count),
        "state_bits": state,
        "needed_bits": needed,
        "ceiling": _ceiling(task, state),
        "retained_bits": _retained(model, task, causal),
        "failure": _failure(model, place, task, EVALUATIONS[scale]),
        "steps": steps,
        "seconds": round(time.process_time() - start, 1),
        "causal": causal,
    }


def _fresh(place: str, longest: Task, code: Collection[str]) -> nn.Module:
    """A model before training, sized for the longest inputs it is asked about."""
    folder = Path(place)
    if folder.is_dir():
        from separatrix.models.user_model import of_configuration
        from separatrix.runs.hugging_face import configuration_in

        return of_configuration(configuration_in(folder), place, {**sizes_for(longest), "seed": SEED})
    del code  # a name on the command line is the user's own word
    return model_for(place, {**sizes_for(longest), "seed": SEED}, {})


def _trained(model: nn.Module, task: Task, budget: Budget) -> int:
    """Train in place; the number of steps that it took. What diverges stops where it is."""
    last = 0
    try:
        for event in train(model, task, budget, SEED, validation=task):
            last = getattr(event, "step", last)
    except Diverged as error:
        last = error.step
    return last


def looks_ahead(model: nn.Module, task: Task) -> str | None:
    """Where an output changes with a later token; None for a model that reads from left to right."""
    tokens = torch.as_tensor(examples(task, SEED, 8).tokens)
    other = tokens.clone()
    other[:, -1] = (other[:, -1] + 1) % task.vocabulary
    model.eval()
    with torch.no_grad():
        one, two = (_logits(model, rows)[:, :-1] for rows in (tokens, other))
    differ = ((one - two).abs() > 1e-4 + 1e-3 * one.abs()).any(dim=-1).any(dim=0)
    return None if not bool(differ.any()) else f"token {tokens.shape[1]} changes the output at token {int(differ.int().argmax()) + 1}"


def _logits(model: nn.Module, tokens: torch.Tensor) -> torch.Tensor:
    said = model(tokens)
    logits: torch.Tensor = getattr(said, "logits", said)
    return logits


def chance(task: Task, count: int) -> float:
    """The accuracy of the one answer that is most often right."""
    batch: Batch = task.sample(SEED + 1, count)
    answers = [batch.answer(r) for r in range(count)]
    if isinstance(answers[0], tuple):
        return float(task.targets ** -len(answers[0]))
    return float(np.bincount(np.array(answers)).max() / count)


def _longer(task: Task) -> Task | None:
    """The task at twice its length, if its alphabet stays the same."""
    try:
        double = task.at(2 * task.length)
    except BadInput:
        return None
    return double if (double.vocabulary, double.targets) == (task.vocabulary, task.targets) else None


def _at_another(model: nn.Module, task: Task, count: int) -> list[dict[str, Any]]:
    try:
        scores = evaluate(model, task, count, SEED + 1)
    except (BadInput, RuntimeError, IndexError) as error:  # a model of others may refuse a length in its own way
        return [{"length": task.length, "accuracy": None, "why": " ".join(str(error).split())[:120]}]
    reached = scores.accuracy if scores.greedy is None or not thinks(task) else max(scores.greedy, scores.accuracy)
    return [{"length": task.length, "accuracy": reached}]


def _state_bits(model: nn.Module, task: Task) -> int | None:
    """By the model itself, or by the formula of its Hugging Face configuration; None for a model that says nothing about it."""
    bits, config = getattr(model, "state_bits", None), getattr(model, "config", None)
    if callable(bits):
        return int(bits(task.token_count))
    if config is None or not hasattr(config, "to_dict"):
        return None
    try:
        return 8 * state_bytes(config.to_dict(), task.token_count, "float32").needed
    except BadInput:
        return None


def _ceiling(task: Task, state: int | None) -> float | None:
    if state is None:
        return None
    try:
        return float(task_ceiling(task, state_bits=state).accuracy)
    except BadInput:
        return None


def _retained(model: nn.Module, task: Task, causal: bool) -> float | None:
    """Bits about the input that the model can still use, where the task can be asked about everything."""
    if not causal or task.interview(SEED, 2) is None:
        return None
    try:
        return float(capacity(model, task, inputs=64, seed=SEED).retained.bits)
    except BadInput:
        return None


def _failure(model: nn.Module, place: str, task: Task, evaluations: int) -> dict[str, Any] | None:
    """The simplest failing input that was found: tokens, what the model says, what is right."""
    if thinks(task) or (isinstance(model, Model) and not model.causal):
        return None
    try:
        found = attack(model, place, task, evaluations, SEED)
    except BadInput:
        return None
    if found.failure is None or found.found is None:
        return {"found": False, "evaluations": found.tried.get("evaluations"), "least_margin": found.least_margin}
    document = found.found.document
    text = found.task.text(document["tokens"]) if "tokens" in document else ""
    return {"found": True, "input": text, **{key: document.get(key) for key in ("tokens", "position", "said", "expected")}}
