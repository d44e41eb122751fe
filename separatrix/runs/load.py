"""Loads a user's model: from the folder of a run, a built folder, or their own code."""

from __future__ import annotations

import json
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING

from separatrix.errors import BadInput
from separatrix.models import model_for
from separatrix.runs.run import SPEC, trained_model
from separatrix.runs.spec import sizes_for
from separatrix.tasks import Task

if TYPE_CHECKING:
    from torch import nn

    from separatrix.certificates.program import Program


def load_model(place: str, task: Task | None, code: Collection[str] = ()) -> nn.Module:
    """The model in a folder, or the one that `file.py:Name` creates for a task."""
    folder = Path(place)
    if (folder / SPEC).is_file():
        return trained_model(folder, code)[1]
    if (folder / "claim.json").is_file():
        return built_model(folder, code)
    if ":" not in place:
        raise BadInput(f"{place!r} is not a model: expected the folder of a run ({SPEC}), a built folder (claim.json), or file.py:Name")
    if task is None:
        raise BadInput(f"{place!r} needs a task, which determines its vocabulary")
    return model_for(place, sizes_for(task), {})


def built_model(folder: Path, code: Collection[str] = ()) -> nn.Module:
    """The model of a saved construction."""
    return built_program(folder, code).model


def built_program(folder: Path, code: Collection[str] = ()) -> Program:
    """The program of a saved construction."""
    from separatrix.certificates.program import read_program

    try:
        document = json.loads((folder / "claim.json").read_text(encoding="utf-8"))
        weights = (folder / "model.safetensors").read_bytes()
        about, program = (document["schema"], document["version"]), document["program"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BadInput(f"{str(folder)!r} is not a built folder: {' '.join(str(error).split())[:200]}") from error
    if about != ("separatrix/claim", 2):
        raise BadInput(f"{str(folder)!r}: expected separatrix/claim version 2, found {about[0]} version {about[1]}")
    return read_program(program, weights, code)
