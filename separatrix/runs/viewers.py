"""The rows of a store in a viewer for runs: trackio, a local dashboard with an interface like wandb's. Extra `[trackio]`.

The store stays the source of truth: the viewer gets a copy, one run per finished trial, with its configuration and its numbers by step.
"""

from __future__ import annotations

from typing import Any

from separatrix.runs.exports import flat
from separatrix.runs.extras import needed
from separatrix.runs.integrity import require_whole
from separatrix.runs.store import Store
from separatrix.runs.stored_trials import listed, rows_of


def publish(store: Store, project: str) -> int:
    """Send every finished trial to a project of trackio; returns how many there were."""
    viewer = needed("trackio", "trackio", "publishing to a viewer")
    require_whole(store)
    trials = listed(store, "done")
    for trial in trials:
        viewer.init(project=project, name=trial["key"][:12], config=flat(trial["configuration"]))
        for number, row in enumerate(rows_of(store, trial["key"])):
            viewer.log(series(row), step=row.get("step", number))
        viewer.finish()
    return len(trials)


def series(row: dict[str, Any]) -> dict[str, Any]:
    """The numbers of a row, with names prefixed by its kind: `validation.accuracy` is not `test.accuracy`."""
    kind = f"{row['kind']}." if isinstance(row.get("kind"), str) else ""
    plain = {name: value for name, value in flat(row).items() if isinstance(value, int | float) and not isinstance(value, bool)}
    return {f"{kind}{name}": value for name, value in plain.items() if name not in ("step", "version")}
