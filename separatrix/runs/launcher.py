"""The launcher: runs the trials of a list that a store lacks, on any engine, and writes the results.

It may be killed at any moment. Trials that had ended are in the store; the next launcher claims those in flight again and finds their
snapshots in the work folder. Two launchers on one store share the trials; each ends when all trials have ended.
"""

from __future__ import annotations

import contextlib
import shutil
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from separatrix.errors import BadInput
from separatrix.runs import claims
from separatrix.runs.claims import Claim
from separatrix.runs.engines import Engine, Job
from separatrix.runs.launcher_lock import alive, new_name
from separatrix.runs.outcome import Outcome
from separatrix.runs.store import Store
from separatrix.runs.trial import Trial

BEAT = 5.0  # seconds between two heartbeats
LOOK = 0.5  # seconds to wait for the engine, or for another launcher


@dataclass(frozen=True)
class Limits:
    """Limits of one attempt, and how often a failed trial is tried again."""

    timeout: float | None = None  # seconds
    memory: int | None = None  # bytes
    retries: int = 1


@dataclass(frozen=True)
class Counts:
    """The progress of a launch."""

    trials: int
    done: int = 0  # by this launch
    failed: int = 0
    skipped: int = 0  # done before, done by another launcher, or cancelled
    running: int = 0
    slots: int = 1
    attempts: int = 0  # that ended here
    seconds: float = 0.0  # of the clock that they took, together
    failures: tuple[tuple[str, str], ...] = ()  # key and reason

    @property
    def left(self) -> int:
        """Trials that have not ended."""
        return self.trials - self.done - self.failed - self.skipped

    def seconds_left(self) -> float | None:
        """An estimate from the attempts that have ended here."""
        return self.left * self.seconds / self.attempts / max(1, min(self.slots, self.left)) if self.attempts else None


@dataclass(frozen=True)
class Launch:
    """One launch: where the trials run, their limits, and the code they may run."""

    store: Store
    engine: Engine
    engine_name: str
    work: Path
    limits: Limits = field(default_factory=Limits)
    code: Collection[str] = ()
    keep: bool = False  # keep the folders of finished trials, with their last snapshot
    report: Callable[[Counts], None] = lambda _: None
    beat: float = BEAT

    def job(self, claim: Claim) -> Job:
        """The job for the engine."""
        trial, limits = claim.trial, self.limits
        return Job(claim.key, trial.text, trial.code, tuple(self.code), str(self.work / claim.key), limits.timeout, limits.memory)


def launch(plan: Launch, trials: Sequence[Trial]) -> Counts:
    """Run what is missing of these trials, and count how they ended."""
    store, keys, name = plan.store, list(dict.fromkeys(trial.key for trial in trials)), new_name()
    with alive(store.path, name):
        claims.add(store, trials)
        claims.release_gone(store)
        claims.set_targets(store, keys)
        if not plan.keep:
            _clear_folders(plan)
        try:
            return _run(plan, name, len(keys))
        finally:
            plan.engine.close()
            with contextlib.suppress(BadInput):  # on a full disk; the next launcher notices that this one is gone
                claims.release(store, name, "interrupted", f"the launcher {name} was stopped")


def _run(plan: Launch, name: str, total: int) -> Counts:
    counts, running, failed_here, began = Counts(total), dict[str, Claim](), dict[str, int](), dict[str, float]()
    last_beat = time.monotonic()
    while True:
        free = plan.engine.slots - len(running)
        for claim in claims.claim(plan.store, name, plan.engine_name, free) if free > 0 else []:
            running[claim.key], began[claim.key] = claim, time.monotonic()
            plan.engine.submit(plan.job(claim))
        counts = _counted(plan, counts, running)
        plan.report(counts)
        if counts.left <= 0:
            return counts
        if running:
            for outcome in plan.engine.ended(LOOK):
                took = time.monotonic() - began[outcome.key]
                counts = replace(counts, attempts=counts.attempts + 1, seconds=counts.seconds + took)
                counts = _settled(plan, counts, running.pop(outcome.key), outcome, failed_here)
        else:
            time.sleep(LOOK)  # another launcher has the rest, unless it is gone
            claims.release_gone(plan.store)
        if time.monotonic() - last_beat > plan.beat:
            last_beat = time.monotonic()
            for key in running.keys() - claims.send_heartbeat(plan.store, name):  # cancelled, or taken over
                plan.engine.stop(key)
                del running[key]
            claims.release_gone(plan.store)


def _settled(plan: Launch, counts: Counts, claim: Claim, outcome: Outcome, failed_here: dict[str, int]) -> Counts:
    """Record how an attempt ended."""
    if outcome.end == "done":
        if claims.finish(plan.store, claim, outcome):
            counts = replace(counts, done=counts.done + 1)
            if not plan.keep:
                shutil.rmtree(plan.work / claim.key, ignore_errors=True)
        return counts
    failed_here[claim.key] = failed_here.get(claim.key, 0) + 1
    again = outcome.end != "refused" and failed_here[claim.key] <= plan.limits.retries
    claims.fail(plan.store, claim, outcome, again)
    return counts


def _counted(plan: Launch, counts: Counts, running: dict[str, Claim]) -> Counts:
    """The current counts from the store."""
    with plan.store.reading() as database:
        states = dict(database.execute("SELECT state, count(*) FROM wanted JOIN trials USING (key) GROUP BY state").fetchall())
        gone = database.execute("SELECT count(*) FROM wanted LEFT JOIN trials USING (key) WHERE trials.key IS NULL").fetchone()[0]
        failures = database.execute(
            "SELECT trials.key, reason FROM wanted JOIN trials USING (key) JOIN attempts ON trial = trials.key AND number = trials.attempts"
            " WHERE state = 'failed' ORDER BY place"
        ).fetchall()
    skipped = states.get("done", 0) - counts.done + states.get("cancelled", 0) + gone
    return replace(
        counts, failed=states.get("failed", 0), skipped=skipped, running=len(running), slots=plan.engine.slots, failures=tuple(failures)
    )  # fmt: skip


def _clear_folders(plan: Launch) -> None:
    """Remove the folders of finished trials that a killed launcher left behind."""
    with plan.store.reading() as database:
        done = [key for (key,) in database.execute("SELECT key FROM wanted JOIN trials USING (key) WHERE state = 'done'")]
    for key in done:
        shutil.rmtree(plan.work / key, ignore_errors=True)
