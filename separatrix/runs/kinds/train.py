"""A training run as a trial: {"kind": "train", "run": the description of a run}. Its folder holds snapshots, so a killed trial resumes."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from separatrix.errors import BadInput
from separatrix.runs.code_version import LEARNING
from separatrix.runs.kinds.kind import Kind, Result, Row

if TYPE_CHECKING:
    from torch import nn

    from separatrix.runs.spec import RunSpec


def train_trial(spec: RunSpec) -> dict[str, Any]:
    """The configuration of a training run."""
    return {"kind": "train", "run": spec.document()}


def train(configuration: Mapping[str, Any], folder: Path, code: Collection[str]) -> Result:
    """Train to the end, from the last snapshot in the folder; the sizes of the model, then every row of the run."""
    from separatrix.runs.process_settings import configure_process
    from separatrix.runs.run import run

    spec = _spec(configuration, code)
    configure_process()
    model, rows = run(spec, folder)
    return Result([sizes_row(model, spec), *rows])


def sizes_row(model: nn.Module, spec: RunSpec) -> Row:
    """The sizes of the trained model, as a row."""
    from separatrix.models.model import Model

    parameters = sum(parameter.numel() for parameter in model.parameters())
    state_bits = model.state_bits(spec.judged_task().token_count) if isinstance(model, Model) and model.state_known else None
    return {"schema": "separatrix/row", "version": 1, "step": 0, "kind": "sizes", "parameters": parameters, "state_bits": state_bits}


def places(configuration: Mapping[str, Any], code: Collection[str]) -> Sequence[str]:
    """The places of the user's own tasks, models and mixers in the run, on this machine."""
    try:
        recorded = _spec(configuration, code).user_code()
        return [place for place in recorded if configuration["run"].get("code")]
    except (AttributeError, TypeError) as error:
        raise BadInput(f"not the description of a run: {error}") from error


def _spec(configuration: Mapping[str, Any], code: Collection[str]) -> RunSpec:
    from separatrix.runs.spec import read_spec

    document = configuration.get("run")
    if not isinstance(document, Mapping):
        raise BadInput('a trial of kind train needs a field "run", the description of a run')
    return read_spec(document, code)


TRAIN = Kind(train, rooms=LEARNING, places=places)
