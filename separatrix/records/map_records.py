"""What the map of tasks and architectures needs besides certificates: what is needed and built at one size, learned, and what it costs."""

from __future__ import annotations

from typing import Any

from separatrix.architectures import Architecture
from separatrix.bounds.planning import ROWS
from separatrix.bounds.table import number_format, table
from separatrix.constructions import constructions
from separatrix.models.configurations import configuration
from separatrix.models.zoo import ZOO, ZooModel, zoo_model
from separatrix.records.task_choices import bounded_task
from separatrix.studies import studies
from separatrix.studies.stored import shipped_results

PRECISION = "32"  # bits of a number
WIDTH, SYMBOLS = 64, 64  # of the models whose costs are shown
LENGTHS = (100, 1000, 10_000)
LAYERS = {Architecture.ONE_LAYER: 1, Architecture.TWO_LAYERS: 2, Architecture.THREE_LAYERS: 3}
BY_LAYERS = {layers: architecture for architecture, layers in LAYERS.items()}


def known_record(task: str) -> dict[str, Any]:
    """The table of `separatrix bounds` for a task at its bounded size: least needed and least built, per architecture and quantity."""
    at = bounded_task(task)
    rows = table(at, number_format(PRECISION), constructions())
    shown = ("architecture", "quantity", "value", "formula", "cites", "tight", "deterministic_only", "caveat", "built", "construction")
    return {"parameters": at.parameters, "rows": [{name: row.document()[name] for name in shown} for row in rows]}


def learned_record() -> list[dict[str, Any]]:
    """Every stored training result: what was trained, on what, and how often it is right."""
    return [
        {
            "study": study.name,
            "task": result["run"]["task"],
            "length": result["run"]["task_parameters"]["length"],
            "model": result["run"]["model"],
            "architecture": architecture_of(result["run"]["model"]),
            "accuracy": result["test"]["accuracy"],
            "examples": result["test"]["examples"],
        }
        for study in studies()
        if study.trains and not study.results_of  # each once
        for result in shipped_results(study)
        if result is not None and "test" in result  # run, and trained from fresh weights
    ]


def models_record() -> dict[str, list[dict[str, Any]]]:
    """For each architecture the models of the zoo that belong to it, with the bits of their state and the operations of a token."""
    return {architecture: [_costs(model) for model in members(architecture)] for architecture in Architecture}


def members(architecture: Architecture) -> list[ZooModel]:
    """The models of the zoo that a bound on this architecture is about, at one width."""
    layers = LAYERS.get(architecture, 2)
    every = [zoo_model(kind, layers, WIDTH, SYMBOLS, SYMBOLS) for kind in ZOO if layers > 1 or not kind.startswith("hybrid-")]
    if architecture is Architecture.RECURRENT:
        return [model for model in every if is_recurrent(model)]
    if architecture is Architecture.HYBRID:
        return [model for model in every if model.architecture.startswith("hybrid-")]
    return [model for model in every if model.architecture == ROWS.get(architecture)]


def architecture_of(name: str) -> str | None:
    """The architecture that bounds speak of, for a trained model by name; None if there is none."""
    kind, sizes = configuration(name, {})
    if kind not in ZOO or not {"layers", "width"} <= sizes.keys():
        return None
    model = zoo_model(kind, sizes["layers"], WIDTH, SYMBOLS, SYMBOLS)  # at any width, also one that the zoo does not have
    return Architecture.RECURRENT if is_recurrent(model) else BY_LAYERS.get(sizes["layers"]) if kind == "transformer" else None


def is_recurrent(model: ZooModel) -> bool:
    """Whether what crosses a cut has a fixed size, however many tokens came before."""
    return model.state_bits(LENGTHS[0], 1) == model.state_bits(LENGTHS[-1], 1)


def _costs(model: ZooModel) -> dict[str, Any]:
    bits = int(PRECISION)
    return {
        "name": model.name,
        "state_bits": {str(length): model.state_bits(length, bits) for length in LENGTHS},
        "operations": {str(length): model.operations(length) for length in LENGTHS},
        "parameters": model.parameters(LENGTHS[0]),
    }
