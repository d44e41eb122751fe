"""A run that was made by hand, into a store: the same trial as a sweep would have made of it."""

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
    """Refuse, before hours of work, a store that could not be written to afterwards."""
    with open_store(path) as store:
        require_sound_pages(store)


def record(path: Path, trial: Trial, engine: str, rows: Sequence[dict[str, Any]], seconds: float) -> bool:
    """Write the rows of a trial that was run; False where the store has them already, or where a launcher is at it."""
    name = new_name()
    with open_store(path) as store, alive(store.path, name):
        claims.add(store, [trial])
        claims.release_gone(store)
        claims.want(store, [trial.key])
        held: Collection[claims.Claim] = claims.claim(store, name, engine, 1)
        return any(claims.finish(store, claim, Outcome(trial.key, "done", rows=tuple(rows), seconds=seconds)) for claim in held)
