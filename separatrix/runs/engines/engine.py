"""`Engine`: a place where trials run. It takes jobs, returns outcomes, and knows nothing of the store."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Protocol

from separatrix.runs.outcome import Outcome


@dataclass(frozen=True)
class Job:
    """One attempt at a trial, as it travels to a worker: plain JSON."""

    key: str
    text: str  # canonical JSON of the configuration
    code: str  # version of the code that the key contains
    places: tuple[str, ...]  # a user's own code that the job may run
    folder: str  # the trial's own, for snapshots
    timeout: float | None = None  # seconds
    memory: int | None = None  # bytes of address space

    def to_json(self) -> str:
        """The job as one line of JSON."""
        return json.dumps(asdict(self))


def read_job(text: str | bytes) -> Job:
    """The inverse of `to_json`."""
    document: Mapping[str, Any] = json.loads(text)
    return Job(**{**document, "places": tuple(document["places"])})


class Engine(Protocol):
    """A place where trials run."""

    @property
    def slots(self) -> int:
        """How many trials it runs at once."""

    def submit(self, job: Job) -> None:
        """Start an attempt at a trial."""

    def ended(self, wait: float) -> list[Outcome]:
        """The attempts that have ended, after `wait` seconds at most; exactly one outcome per job, whatever happens."""

    def stop(self, key: str) -> None:
        """End an attempt; no outcome follows."""

    def close(self) -> None:
        """End every attempt and close the engine."""
