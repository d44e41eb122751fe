"""This machine: one process per trial, one thread each, as many at once as there are cores."""

from __future__ import annotations

import os
import selectors
import time

from separatrix.errors import BadInput
from separatrix.runs.engines.child import Child
from separatrix.runs.engines.engine import Job
from separatrix.runs.outcome import Outcome

GLANCE = 0.2  # seconds between two checks of silent processes
END = 0.002  # seconds between the last output of a process and its end


class Local:
    """Children of this process."""

    def __init__(self, workers: int = 0) -> None:
        """Workers as processes on this machine; 0 means one for each core."""
        if workers < 0:
            raise BadInput(f"workers of engine local: expected at least 1, or 0 for every core, found {workers}")
        self.workers = workers or cores()
        self.children: dict[str, Child] = {}

    @property
    def slots(self) -> int:
        """How many trials run at a time: one per worker."""
        return self.workers

    def submit(self, job: Job) -> None:
        """Start a process for an attempt."""
        try:
            self.children[job.key] = Child(job)
        except OSError as error:
            raise BadInput(f"cannot start a process for a trial: {error.strerror or error}") from error

    def ended(self, wait: float) -> list[Outcome]:
        """The attempts whose process has ended."""
        deadline = time.monotonic() + wait
        while True:
            outcomes = self._look()
            left = deadline - time.monotonic()
            if outcomes or left <= 0:
                return outcomes
            self._listen(min(left, GLANCE))

    def stop(self, key: str) -> None:
        """Kill the process of an attempt."""
        self.children.pop(key).end()

    def close(self) -> None:
        """Kill every process that still runs."""
        while self.children:
            self.children.popitem()[1].end()

    def _look(self) -> list[Outcome]:
        outcomes = []
        for key, child in list(self.children.items()):
            child.read()
            outcome = child.outcome()
            if outcome is not None:
                del self.children[key]
                outcomes.append(outcome)
        return outcomes

    def _listen(self, seconds: float) -> None:
        """Wait until a child writes, ends or exceeds its time."""
        late = [child.began + child.job.timeout - time.monotonic() for child in self.children.values() if child.job.timeout is not None]
        with selectors.DefaultSelector() as selector:
            for child in self.children.values():
                for pipe in child.speaking:
                    selector.register(pipe, selectors.EVENT_READ)
            silent = any(not child.speaking for child in self.children.values())  # about to end: its pipes are closed
            selector.select(max(0.0, min([END if silent else seconds, *late])))


def cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
