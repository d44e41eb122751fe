"""What a run is: task, model, budget and seed as plain data, with a digest that names it."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from separatrix.errors import BadInput
from separatrix.models import model_for
from separatrix.parameters import parameters, typed
from separatrix.tasks import Task, make_task, task_class
from separatrix.training.budget import Budget

if TYPE_CHECKING:
    from torch import nn

SCHEMA, VERSION = "separatrix/run", 1


@dataclass(frozen=True)
class RunSpec:
    """One training run. Where a task has a `distribution`, it is trained on `training` and judged on `evaluation`."""

    task: str
    task_parameters: dict[str, Any]
    model: str
    model_parameters: dict[str, Any]
    budget: Budget
    seed: int = 0
    test_lengths: tuple[int, ...] = ()  # the task's own length where none is given

    def __post_init__(self) -> None:
        if self.seed < 0:
            raise BadInput(f"the seed must not be negative, found {self.seed}")

    def training_task(self) -> Task:
        """What is trained on."""
        split = "distribution" in parameters(task_class(self.task)) and "distribution" not in self.task_parameters
        return make_task(self.task, **self.task_parameters, **({"distribution": "training"} if split else {}))

    def judged_task(self) -> Task:
        """What is validated on: inputs of full length."""
        return make_task(self.task, **self.task_parameters)

    def test_tasks(self) -> tuple[Task, ...]:
        """What is tested at the end."""
        judged = self.judged_task()
        return tuple(judged.at(length) for length in self.test_lengths) or (judged,)

    def fresh_model(self) -> nn.Module:
        """The model before training, for the alphabets and the longest input of all the tasks."""
        tasks = (self.judged_task(), *self.test_tasks())
        widest = max(tasks, key=lambda task: task.vocabulary)
        return model_for(
            self.model, {**sizes_for(widest), "length": max(map(token_count, tasks)), "seed": self.seed}, self.model_parameters
        )

    def document(self) -> dict[str, Any]:
        """run.json: as it will be read back, so that equal runs have equal documents."""
        written = {"schema": SCHEMA, "version": VERSION, **asdict(self), "budget": typed(Budget, asdict(self.budget), "budget")}
        document: dict[str, Any] = json.loads(json.dumps(written, allow_nan=False))
        return document

    def user_code(self) -> list[str]:
        """The places of someone else's code that this run loads: whatever could be read as one, also in a parameter of task or model."""
        mixers = self.model_parameters.get("mixers", ())
        others = {key: value for key, value in self.model_parameters.items() if key != "mixers"}
        named = [self.task, self.model, *(mixers.split(",") if isinstance(mixers, str) else mixers)]
        named += [text for value in (*self.task_parameters.values(), *others.values()) for text in _texts(value)]
        return [name for name in named if ":" in name]

    @property
    def digest(self) -> str:
        """The SHA-256 of the canonical JSON."""
        text = json.dumps(self.document(), sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
        return hashlib.sha256(text.encode()).hexdigest()


def read_spec(document: Mapping[str, Any]) -> RunSpec:
    """The inverse of `document`."""
    if (document.get("schema"), document.get("version")) != (SCHEMA, VERSION):
        raise BadInput(f"expected schema {SCHEMA} version {VERSION}, found {document.get('schema')} version {document.get('version')}")
    try:
        fields = {key: value for key, value in document.items() if key not in ("schema", "version")}
        budget = Budget(**typed(Budget, fields["budget"], "budget"))
        return RunSpec(**{**fields, "budget": budget, "test_lengths": tuple(fields["test_lengths"])})
    except (KeyError, TypeError) as error:
        raise BadInput(f"the description of the run is incomplete: {error}") from error


def _texts(value: Any) -> list[str]:
    """The texts in a parameter: itself, or those it lists."""
    if isinstance(value, str):
        return [value]
    return [text for entry in value for text in _texts(entry)] if isinstance(value, list | tuple) else []


def sizes_for(task: Task) -> dict[str, int]:
    """What a model has to know of a task."""
    return {"vocabulary": task.vocabulary, "targets": task.targets, "length": token_count(task)}


def token_count(task: Task) -> int:
    """Tokens of the longest input: by the task's formula, such as "2 N + 1", or as drawn where the formula has other letters."""
    formula = re.fullmatch(r"(?:(\d+) )?N(?: ([+-]) (\d+))?", task.tokens)
    if formula is None:
        return int(task.sample(0, 256).tokens.shape[1])
    factor, sign, constant = formula.groups()
    return int(factor or 1) * task.length + int(f"{sign or '+'}{constant or 0}")


def differences(one: Mapping[str, Any], other: Mapping[str, Any], prefix: str = "") -> list[str]:
    """The fields in which two documents differ."""
    found = []
    for key in sorted(one.keys() | other.keys()):
        a, b = one.get(key), other.get(key)
        if isinstance(a, Mapping) and isinstance(b, Mapping):
            found += differences(a, b, f"{prefix}{key}.")
        elif a != b:
            found.append(f"{prefix}{key} = {a!r} there, {b!r} here")
    return found
