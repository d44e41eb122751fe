"""The description of a run: task, model, budget and seed as plain data, identified by a digest."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Collection, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from separatrix.errors import BadInput
from separatrix.models import model_for
from separatrix.naming import content_hash, is_place, named_place, only, short_place
from separatrix.parameters import parameters, typed
from separatrix.tasks import Task, make_task, task_class
from separatrix.tasks.capabilities import tokens_read
from separatrix.training.budget import Budget

if TYPE_CHECKING:
    from torch import nn

SCHEMA, VERSION = "separatrix/run", 1
LARGEST = 1 << 63  # whole numbers of a description stay below


@dataclass(frozen=True)
class RunSpec:
    """One training run. A task with a `distribution` is trained on `training` and scored on `evaluation`.

    A description from a file loads only code that the user has allowed, wherever in it the code appears.
    """

    task: str
    task_parameters: dict[str, Any]
    model: str
    model_parameters: dict[str, Any]
    budget: Budget
    seed: int = 0
    test_lengths: tuple[int, ...] = ()  # default: the task's own length
    allowed: tuple[str, ...] | None = None  # code allowed to a description from a file; None: the user wrote the description

    def __post_init__(self) -> None:
        if self.seed < 0:
            raise BadInput(f"the seed must not be negative, found {self.seed}")

    def training_task(self) -> Task:
        """The task to train on."""
        with self._only_named_code():
            split = "distribution" in parameters(task_class(self.task)) and "distribution" not in self.task_parameters
            return make_task(self.task, **self.task_parameters, **({"distribution": "training"} if split else {}))

    def judged_task(self) -> Task:
        """The task to validate on: inputs of full length."""
        with self._only_named_code():
            return make_task(self.task, **self.task_parameters)

    def test_tasks(self) -> tuple[Task, ...]:
        """The tasks to test on at the end."""
        judged = self.judged_task()
        with self._only_named_code():
            return tuple(judged.at(length) for length in self.test_lengths) or (judged,)

    def fresh_model(self) -> nn.Module:
        """The model before training, sized for the alphabets and the longest input of all the tasks."""
        with self._only_named_code():
            return model_for(self.model, {**self.sizes(), "seed": self.seed}, self.model_parameters)

    def sizes(self) -> dict[str, int]:
        """The alphabets and the longest input of all the tasks."""
        tasks = (self.judged_task(), *self.test_tasks())
        widest = max(tasks, key=lambda task: task.vocabulary)
        return {**sizes_for(widest), "length": max(tokens_read(task) for task in tasks)}

    def document(self) -> dict[str, Any]:
        """run.json, in the form in which it is read back, so that equal runs have equal documents. Code appears by file name and hash."""
        fields = {key: value for key, value in asdict(self).items() if key != "allowed"}
        code = {place: short_place(place) for place in self.user_code()}
        written = {"schema": SCHEMA, "version": VERSION, **_renamed(fields, lambda name: code.get(name, name))}
        written["budget"] = typed(Budget, asdict(self.budget), "budget")
        if code:
            written["code"] = {short: content_hash(place) for place, short in code.items()}
        document: dict[str, Any] = json.loads(json.dumps(written, allow_nan=False))
        return document

    def user_code(self) -> list[str]:
        """The places of a user's own code that this run loads."""
        if self.allowed is not None:
            return list(self.allowed)
        places: dict[str, None] = {}
        _renamed([self.task, self.model, self.task_parameters, self.model_parameters], lambda name: _noted(name, places))
        return list(places)

    def _only_named_code(self) -> AbstractContextManager[None]:
        return nullcontext() if self.allowed is None else only(self.allowed)

    @property
    def digest(self) -> str:
        """The SHA-256 of the canonical JSON."""
        text = json.dumps(self.document(), sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
        return hashlib.sha256(text.encode()).hexdigest()


def read_spec(document: Mapping[str, Any], code: Collection[str] = ()) -> RunSpec:
    """The inverse of `document`, with its code resolved among the places that the user allows."""
    if not isinstance(document, dict):
        raise BadInput(f"expected an object, found {type(document).__name__}")
    if (document.get("schema"), document.get("version")) != (SCHEMA, VERSION):
        raise BadInput(f"expected schema {SCHEMA} version {VERSION}, found {document.get('schema')} version {document.get('version')}")
    try:
        recorded: Mapping[str, str] = document.get("code", {})
        here = {short: named_place(short, sha256, code) for short, sha256 in recorded.items()}
        plain = {key: value for key, value in document.items() if key not in ("schema", "version", "code")}
        fields = _renamed(plain, lambda name: here.get(name, name))
        _need_types(fields)
        budget = Budget(**typed(Budget, fields["budget"], "budget"))
        allowed = tuple(here.values()) if recorded else tuple(code)
        return RunSpec(**{**fields, "budget": budget, "test_lengths": tuple(fields["test_lengths"])}, allowed=allowed)
    except (AttributeError, KeyError, TypeError) as error:
        raise BadInput(f"the description of the run is incomplete: {error}") from error


FIELD_TYPES: Mapping[str, type] = {
    "task": str, "task_parameters": dict, "model": str, "model_parameters": dict, "budget": dict, "seed": int, "test_lengths": list,
}  # fmt: skip


def _need_types(fields: Mapping[str, Any]) -> None:
    """Refuse a field that is something else than a run writes, and a whole number that no run has."""
    for name, kind in FIELD_TYPES.items():
        if type(fields[name]) is not kind:
            raise BadInput(f"{name}: expected {kind.__name__}, found {type(fields[name]).__name__}")
    for number in (fields["seed"], *fields["test_lengths"], *fields["task_parameters"].values(), *fields["model_parameters"].values()):
        if isinstance(number, int) and abs(number) >= LARGEST:
            raise BadInput(f"expected whole numbers below 2^63 in magnitude, found one of {number.bit_length()} bits")


def _renamed(value: Any, name: Callable[[str], str]) -> Any:
    """The same plain data with every name replaced, also inside comma-separated lists."""
    if isinstance(value, str):
        return ",".join(name(part) for part in value.split(","))
    if isinstance(value, Mapping):
        return {key: _renamed(part, name) for key, part in value.items()}
    return [_renamed(part, name) for part in value] if isinstance(value, list | tuple) else value


def _noted(name: str, places: dict[str, None]) -> str:
    if is_place(name):
        places[name] = None
    return name


def sizes_for(task: Task) -> dict[str, int]:
    """The sizes of a task that a model needs."""
    return {"vocabulary": task.vocabulary, "targets": task.targets, "length": tokens_read(task)}


def differences(one: Mapping[str, Any], other: Mapping[str, Any], prefix: str = "") -> list[str]:
    """The fields in which two documents differ."""
    lines = []
    for key in sorted(one.keys() | other.keys()):
        a, b = one.get(key), other.get(key)
        if isinstance(a, Mapping) and isinstance(b, Mapping):
            lines += differences(a, b, f"{prefix}{key}.")
        elif a != b:
            lines.append(f"{prefix}{key} = {a!r} there, {b!r} here")
    return lines
