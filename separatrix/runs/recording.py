"""Records a run made by hand in a store, as the same trial that a sweep would have recorded."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from separatrix.runs import claims
from separatrix.runs.integrity import require_sound_pages
from separatrix.runs.launcher_lock import alive, new_name
from separatrix.runs.outcome import Outcome
from separatrix.runs.store import open_store
from separatrix.runs.trial import Trial


def require_store(path: Path) -> None:
    """Refuse a store that cannot be written to, before hours of work."""
    with open_store(path) as store:
        require_sound_pages(store)


def record(path: Path, trial: Trial, engine: str, rows: Sequence[dict[str, Any]], seconds: float) -> bool:
    """Write the rows of a finished trial; False if the store has them already, or if a launcher is running it."""
    name = new_name()
    with open_store(path) as store, alive(store.path, name):
        claims.add(store, [trial])
        claims.release_gone(store)
        claims.want(store, [trial.key])
        claimed: Collection[claims.Claim] = claims.claim(store, name, engine, 1)
        return any(claims.finish(store, claim, Outcome(trial.key, "done", rows=tuple(rows), seconds=seconds)) for claim in claimed)
