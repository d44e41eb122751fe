"""A Ray cluster: one Ray Core task of one CPU per attempt. Extra `[ray]`.

A task starts the same child process as the local engine, so that time and memory limits, output and failures are the same everywhere.
Ray retries nothing: the launcher does, and the store knows what is missing. Jobs and outcomes travel as JSON text.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from typing import Any

from separatrix.errors import BadInput
from separatrix.runs.engines.child import run_job
from separatrix.runs.engines.engine import Job, read_job
from separatrix.runs.extras import needed
from separatrix.runs.outcome import Outcome, read_outcome

REACH = 5.0  # seconds to reach the address
ANSWER = 45.0  # seconds for a cluster to answer; a busy one takes five
JOIN = "import sys, ray; ray.init(address=sys.argv[1], log_to_driver=False, logging_level='ERROR')"


def run_here(text: str) -> str:
    """The body of a task: a job in, an outcome out."""
    return run_job(read_job(text)).to_json()


class RayTasks:
    """Tasks on an existing cluster: one that we started would be open to the network, and `local` does the same job."""

    def __init__(self, address: str = "", workers: int = 0) -> None:
        """`address` is HOST:PORT of the head node, by default RAY_ADDRESS; 0 workers: one per CPU of the cluster."""
        if workers < 0:
            raise BadInput(f"workers of engine ray: expected at least 1, or 0 for every CPU, found {workers}")
        self.ray: Any = needed("ray", "ray", "engine ray")
        address = address or os.environ.get("RAY_ADDRESS", "")
        _reach(address)
        try:
            self.ray.init(address=address, log_to_driver=False, logging_level="ERROR")
        except Exception as error:
            raise BadInput(f"cannot join the Ray cluster at {address}: {' '.join(str(error).split())[:300]}") from error
        self.task = self.ray.remote(num_cpus=1, max_retries=0)(run_here)
        self.workers = workers
        self.running: dict[str, Any] = {}  # key -> reference of the result

    @property
    def slots(self) -> int:
        """The CPUs of the nodes that are connected now."""
        return self.workers or max(1, int(self.ray.cluster_resources().get("CPU", 1)))

    def submit(self, job: Job) -> None:
        """Hand the job to the cluster."""
        self.running[job.key] = self.task.remote(job.to_json())

    def ended(self, wait: float) -> list[Outcome]:
        """The attempts with a result, and those whose worker or node is gone."""
        if not self.running:
            return []
        keys = {reference: key for key, reference in self.running.items()}
        ready, _ = self.ray.wait(list(keys), num_returns=len(keys), timeout=0)
        if not ready:
            ready, _ = self.ray.wait(list(keys), num_returns=1, timeout=wait)
        outcomes = []
        for reference in ready:
            del self.running[keys[reference]]
            outcomes.append(self._outcome(keys[reference], reference))
        return outcomes

    def stop(self, key: str) -> None:
        """Kill the task's worker."""
        self.ray.cancel(self.running.pop(key), force=True)

    def close(self) -> None:
        """Kill running tasks and leave the cluster."""
        for key in list(self.running):
            self.stop(key)
        self.ray.shutdown()

    def _outcome(self, key: str, reference: Any) -> Outcome:
        try:
            return read_outcome(self.ray.get(reference))
        except (self.ray.exceptions.RayError, ValueError, TypeError) as error:
            lines = [line.strip() for line in str(error).splitlines() if line.strip()]
            return Outcome(
                key, "failed", reason=f"Ray: {type(error).__name__}: {lines[0][:300] if lines else ''}", log="\n".join(lines)[-4000:]
            )


def _reach(address: str) -> None:
    """Check the address in a separate process first: Ray itself would retry for minutes, and print, before it gave up."""
    host, colon, port = address.rpartition(":")
    if not colon or not host or not port.isdigit() or "/" in host:
        raise BadInput(
            f"engine ray: --address expects HOST:PORT of a head node, found {address!r}; on a single machine use the engine local"
        )
    try:
        with socket.create_connection((host, int(port)), timeout=REACH):
            pass
        tried = subprocess.run(
            [sys.executable, "-c", JOIN, address], capture_output=True, text=True, errors="replace", timeout=ANSWER, check=False
        )
    except (OSError, OverflowError) as error:
        raise BadInput(f"cannot reach a Ray cluster at {address}: {error}; `ray start --head` prints the address of one") from error
    except subprocess.TimeoutExpired as error:
        raise BadInput(f"{address} did not answer as a Ray cluster within {ANSWER:.0f} s") from error
    if tried.returncode != 0:
        lines = [line.strip() for line in tried.stderr.splitlines() if line.strip()]
        raise BadInput(f"cannot join the Ray cluster at {address}: {lines[-1][:300] if lines else f'exit code {tried.returncode}'}")
