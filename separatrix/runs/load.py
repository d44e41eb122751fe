"""Loads a user's model: from the folder of a run, a built folder, a Hugging Face folder, or their own code."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from separatrix.constructions import CONSTRUCTIONS
from separatrix.errors import BadInput
from separatrix.models import MODELS, model_for
from separatrix.models.mixers import MIXERS
from separatrix.models.model_names import configuration
from separatrix.parameters import parameters
from separatrix.runs.run import SPEC, run_description, trained_model
from separatrix.runs.spec import sizes_for
from separatrix.tasks import Task

if TYPE_CHECKING:
    from torch import nn

    from separatrix.certificates.built import Built
    from separatrix.certificates.program import Program


DTYPES = ("float64", "float32", "bfloat16", "float16")


def load_model(place: str, task: Task | None, code: Collection[str] = (), dtype: str | None = None) -> nn.Module:
    """The model in a folder, or a fresh one by name or by `file.py:Name` for a task; in its own number type, or in another float."""
    if dtype is not None and dtype not in DTYPES:
        raise BadInput(f"--dtype must be one of {' '.join(DTYPES)}, found {dtype!r}")
    model = _loaded(place, task, code)
    if dtype is None:
        return model
    numbers = getattr(model, "numbers", None)
    if numbers is not None and numbers.format.kind != "native":
        raise BadInput(f"{place!r} computes in {numbers.format.name}: --dtype is for models in native floats")
    import torch

    kind: torch.dtype = getattr(torch, dtype)
    return model.to(kind)


def _loaded(place: str, task: Task | None, code: Collection[str]) -> nn.Module:
    folder = Path(place)
    if (folder / SPEC).is_file():
        return trained_model(folder, code)[1]
    if (folder / "claim.json").is_file():
        return built_model(folder, code)
    if (folder / "config.json").is_file():
        from separatrix.runs.hugging_face import load_hugging_face

        return load_hugging_face(folder, _needed(task, place))
    if place in CONSTRUCTIONS:
        return constructed(place, _needed(task, place)).model
    if ":" not in place and not is_name(place):
        raise BadInput(
            f"{place!r} is not a model: expected the folder of a run ({SPEC}), a built folder (claim.json), a Hugging Face folder "
            "(config.json), file.py:Name, a construction such as parity/recurrent, or a name such as mamba-2-64, whose weights are fresh"
        )
    return model_for(place, sizes_for(_needed(task, place)), {})


def constructed(name: str, task: Task) -> Built:
    """A construction at the length of a task, and at its other parameters where the construction computes it."""
    from separatrix.constructions import build, parameters_of, task_of

    own = parameters_of(name)
    same = {key: getattr(task, key) for key in parameters(type(task)) if key in own}
    return build(name, **(same if type(task_of(name, length=task.length)) is type(task) else {"length": task.length}))


def is_name(place: str) -> bool:
    """Whether a place is the name of an architecture, as in mamba-2-64, and no folder: a model with fresh weights of seed 0."""
    if ":" in place or Path(place).exists():
        return False
    architecture = configuration(place, {})[0]
    return architecture in MODELS or architecture in MIXERS


def fresh_note(place: str) -> str | None:
    """What to tell about a model by name: nobody has trained it."""
    if not is_name(place):
        return None
    return f"{place} is untrained: its weights are fresh, from seed 0; `separatrix train {place} TASK --out FOLDER` trains one"


def _needed(task: Task | None, place: str) -> Task:
    if task is None:
        raise BadInput(f"{place!r} needs a task, which determines its vocabulary")
    return task


def load_program(place: str, task: Task | None, code: Collection[str] = (), dtype: str | None = None) -> nn.Module | Program:
    """The model with its decoder, where a saved construction has one; else as `load_model`."""
    folder = Path(place)
    return built_program(folder, code) if dtype is None and (folder / "claim.json").is_file() else load_model(place, task, code, dtype)


@dataclass(frozen=True)
class Origin:
    """The task that a stored model was trained or built for; how many tokens and targets it knows, where that is on record."""

    task: str
    vocabulary: int | None = None
    targets: int | None = None

    def need(self, task: Task) -> None:
        """Refuse a task with tokens that the model does not know."""
        if self.vocabulary is not None and task.vocabulary > self.vocabulary:
            raise BadInput(
                f"the model knows the {self.vocabulary} tokens of {self.task}; {task.name} at N = {task.length} has {task.vocabulary}"
            )

    def warning(self, task: Task) -> str | None:
        """What to tell about a task that is another one, whose ids mean something else."""
        if task.name == self.task:
            return None
        known = "" if self.vocabulary is None else f" ({self.vocabulary} tokens, {self.targets} targets)"
        asked = f"{task.name} ({task.vocabulary} tokens, {task.targets} targets)"
        return f"the model is for {self.task}{known}: ids of {asked} are read as its own"


def origin(place: str, code: Collection[str] = ()) -> Origin | None:
    """What the model in a folder was made for; None for code, which is made for whatever is asked."""
    folder = Path(place)
    if (folder / SPEC).is_file():
        spec = run_description(folder, code)
        sizes = spec.sizes()
        return Origin(spec.judged_task().name, sizes["vocabulary"], sizes["targets"])
    if (folder / "claim.json").is_file():
        return Origin(str(_claim(folder)["claim"]["task"]))
    return None


def built_model(folder: Path, code: Collection[str] = ()) -> nn.Module:
    """The model of a saved construction."""
    return built_program(folder, code).model


def built_program(folder: Path, code: Collection[str] = ()) -> Program:
    """The program of a saved construction."""
    from separatrix.certificates.program import read_program

    document = _claim(folder)
    try:
        weights, program = (folder / "model.safetensors").read_bytes(), document["program"]
    except (OSError, KeyError) as error:
        raise _no_built_folder(folder, error) from error
    return read_program(program, weights, code)


def _claim(folder: Path) -> dict[str, Any]:
    """claim.json, of the version that this package writes."""
    try:
        document: dict[str, Any] = json.loads((folder / "claim.json").read_text(encoding="utf-8"))
        about = (document["schema"], document["version"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise _no_built_folder(folder, error) from error
    if about != ("separatrix/claim", 2):
        raise BadInput(f"{str(folder)!r}: expected separatrix/claim version 2, found {about[0]} version {about[1]}")
    return document


def _no_built_folder(folder: Path, error: Exception) -> BadInput:
    return BadInput(f"{str(folder)!r} is not a built folder: {' '.join(str(error).split())[:200]}")
