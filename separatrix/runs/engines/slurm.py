"""SLURM, through submitit: one job per attempt. Extra `[slurm]`.

A job leaves its outcome as a JSON file in a folder that all nodes share; the launcher collects the files and unpickles nothing.
Jobs outlive their launcher: the next one finds the files of those that ended meanwhile, and waits for those that still run.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from separatrix.certificates.files import write_file
from separatrix.errors import BadInput
from separatrix.runs.engines.child import run_job
from separatrix.runs.engines.engine import Job, read_job
from separatrix.runs.extras import needed
from separatrix.runs.outcome import Outcome, read_outcome

GLANCE = 0.2  # seconds between two checks
LIMIT = 24 * 3600  # seconds requested from SLURM for a trial without a limit of its own
MARGIN = 10  # minutes requested beyond a trial's limit, so that the trial's own limit ends it first and gives the reason
SETTLE = 10.0  # seconds until the file of a finished job must be visible on a network file system


def run_to_file(text: str, path: str) -> None:
    """The body of a job: writes the outcome whole, by one rename."""
    write_file(Path(path), run_job(read_job(text)).to_json().encode())


class Slurm:
    """Runs trials as jobs of a SLURM queue."""

    def __init__(
        self, folder: str, workers: int = 100, partition: str = "", account: str = "", gigabytes: int = 4
    ) -> None:  # fmt: skip
        """At most `workers` jobs at once, each with `gigabytes` of memory."""
        if workers < 1 or gigabytes < 1:
            raise BadInput(f"engine slurm: workers and gigabytes must be at least 1, found {workers} and {gigabytes}")
        submitit: Any = needed("submitit", "slurm", "engine slurm")
        self.folder, self.workers = Path(folder).resolve() / "slurm", workers
        try:
            self.executor = submitit.AutoExecutor(folder=self.folder / "jobs", cluster="slurm")
        except Exception as error:
            raise BadInput(f"engine slurm: {' '.join(str(error).split())[:300]}") from error
        self.known_job = submitit.SlurmJob
        self.parameters = {"name": "separatrix", "cpus_per_task": 1, "mem_gb": gigabytes}
        self.parameters |= {f"slurm_{key}": value for key, value in (("partition", partition), ("account", account)) if value}
        self.running: dict[str, Any] = {}  # key -> job of submitit
        self.over: dict[str, float] = {}  # key -> when its job was first observed to have ended without a file

    @property
    def slots(self) -> int:
        """How many jobs may be in the queue."""
        return self.workers

    def submit(self, job: Job) -> None:
        """Queue a job, unless an earlier launcher did and the job still runs or has left its outcome."""
        before = self._ticket(job.key)
        if before is not None and (self._file(job.key).exists() or _is_queued(before)):
            self.running[job.key] = before
            return
        try:
            self.executor.update_parameters(**self.parameters, timeout_min=int((job.timeout or LIMIT) // 60) + MARGIN)
            sent = self.executor.submit(run_to_file, job.to_json(), str(self._file(job.key)))
        except Exception as error:
            raise BadInput(f"engine slurm: the job was not accepted: {' '.join(str(error).split())[:300]}") from error
        write_file(self._ticket_file(job.key), str(sent.job_id).encode())
        self.running[job.key] = sent

    def ended(self, wait: float) -> list[Outcome]:
        """The attempts whose file has arrived, and those whose job ended without one."""
        deadline = time.monotonic() + wait
        while True:
            outcomes = [outcome for key in self.running if (outcome := self._look(key)) is not None]
            for outcome in outcomes:
                self._forget(outcome.key)
            if outcomes or time.monotonic() >= deadline:
                return outcomes
            time.sleep(min(GLANCE, max(0.0, deadline - time.monotonic())))

    def stop(self, key: str) -> None:
        """Cancel the job of an attempt."""
        self.running[key].cancel(check=False)
        self._forget(key)

    def close(self) -> None:
        """Cancel every job that still runs."""
        for key in list(self.running):
            self.stop(key)

    def _look(self, key: str) -> Outcome | None:
        job = self.running[key]
        try:
            return read_outcome(self._file(key).read_bytes())
        except FileNotFoundError:
            pass
        except (OSError, ValueError, TypeError) as error:
            return Outcome(key, "failed", reason=f"cannot read the outcome of job {job.job_id}: {error}")
        if not job.done():
            return None
        if time.monotonic() - self.over.setdefault(key, time.monotonic()) < SETTLE:
            return None
        return Outcome(key, "failed", reason=f"job {job.job_id} ended without an outcome (state {job.state})", log=_last_words(job))

    def _file(self, key: str) -> Path:
        return self.folder / "outcomes" / f"{key}.json"

    def _ticket_file(self, key: str) -> Path:
        return self.folder / "outcomes" / f"{key}.job"

    def _ticket(self, key: str) -> Any:
        """The job that another launcher submitted for this trial, or None."""
        try:
            number = self._ticket_file(key).read_text(encoding="utf-8")
        except FileNotFoundError:
            return None
        return self.known_job(folder=self.folder / "jobs", job_id=number)

    def _forget(self, key: str) -> None:
        self.running.pop(key)
        self.over.pop(key, None)
        self._file(key).unlink(missing_ok=True)
        self._ticket_file(key).unlink(missing_ok=True)


def _is_queued(job: Any) -> bool:
    """Whether SLURM knows the job and it has not ended; a job that SLURM has forgotten counts as ended."""
    return not job.done(force_check=True) and job.state != "UNKNOWN"


def _last_words(job: Any) -> str | None:
    try:
        return (job.stderr() or job.stdout() or "")[-4000:] or None
    except (OSError, UnicodeDecodeError):
        return None
