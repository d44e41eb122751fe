"""Noise on the weights of a construction, then training, as a trial: {"kind": "recover", "run": the construction, the noise, the budget}.

What cannot be trained says why: arithmetic that rounds has no gradient, registers have addresses that are one-hot, gradients overflow.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from separatrix.errors import BadInput
from separatrix.runs.code_version import LEARNING
from separatrix.runs.kinds.kind import Kind, Result, Row

if TYPE_CHECKING:
    from separatrix.certificates.built import Built
    from separatrix.training.budget import Budget

SCHEMA, VERSION = "separatrix/recovery", 1
FIELDS = {"schema", "version", "model", "model_parameters", "task", "task_parameters", "deviations", "rates", "budget", "seed"}


def recover_trial(
    name: str, settings: Mapping[str, Any], deviations: Sequence[float], rates: Sequence[float], budget: Budget, seed: int
) -> dict[str, Any]:
    """The configuration of a trial: `name` is a construction, whose task follows from its settings; rates are shares of the deviation.

    A step of Adam moves every weight by about its rate, so one that is large beside the noise loses what the noise has left.
    """
    from separatrix.constructions import construction
    from separatrix.parameters import typed
    from separatrix.training.budget import Budget as Budgets

    task = construction(name).task_at(**settings)
    run = {
        "schema": SCHEMA,
        "version": VERSION,
        "model": name,
        "model_parameters": dict(settings),
        "task": task.name,
        "task_parameters": {"length": task.length},
        "deviations": list(deviations),
        "rates": list(rates),
        "budget": {key: value for key, value in typed(Budgets, asdict(budget), "budget").items() if key != "rate"},
        "seed": seed,
    }
    return {"kind": "recover", "run": run}


def recover(configuration: Mapping[str, Any], folder: Path, code: Collection[str]) -> Result:  # noqa: ARG001
    """A row with noise and one after training for each deviation and rate; or one that says why there are none."""
    from separatrix.constructions import CONSTRUCTIONS, build
    from separatrix.parameters import typed
    from separatrix.runs.process_settings import configure_process
    from separatrix.training.budget import Budget
    from separatrix.training.recovery import objective_of

    run = configuration.get("run")
    if not isinstance(run, Mapping) or set(run) != FIELDS or (run["schema"], run["version"]) != (SCHEMA, VERSION):
        raise BadInput(f'a trial of kind recover needs a field "run" of schema {SCHEMA} version {VERSION} with {", ".join(sorted(FIELDS))}')
    if run["model"] not in CONSTRUCTIONS:
        raise BadInput(f"a trial of kind recover builds one of our own constructions, found {run['model']!r:.60}")
    configure_process()
    built, budget = build(run["model"], **run["model_parameters"]), Budget(**typed(Budget, run["budget"], "budget"))
    about = {"schema": "separatrix/row", "version": 1, "trained_on": objective_of(built)[0]}
    tried = [(deviation, share) for deviation in run["deviations"] for share in run["rates"]]
    return Result([{**about, **row} for deviation, share in tried for row in attempts(built, deviation, share, budget, run["seed"])])


def attempts(built: Built, deviation: float, share: float, budget: Budget, seed: int) -> list[Row]:
    """The rows of one deviation, at a rate that is this share of it."""
    from separatrix.training.recovery import recover as points

    about, rows = {"deviation": deviation, "rate": float(f"{deviation * share:.6g}")}, list[Row]()
    try:
        for point in points(built, deviation, replace(budget, rate=about["rate"]), seed):
            error = float(f"{point.error:.3g}") if math.isfinite(point.error) else None
            scores = {"accuracy": point.accuracy, "tested": point.tested}
            rows.append({"kind": "recovery", **about, "step": point.step, "error": error, **scores})
    except BadInput as refusal:
        rows.append({"kind": "refusal", **about, "reason": str(refusal)})
    return rows


RECOVER = Kind(recover, rooms=(*LEARNING, "certificates", "constructions"))
