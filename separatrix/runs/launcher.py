"""The launcher: runs what a store lacks of a list of trials, on any engine, and writes what comes back.

It may be killed at any moment. Trials that had ended are in the store; those in flight are claimed again by the next launcher, which
finds their snapshots in the folder for work. Two launchers on one store share the trials; each ends when all of them have an end.
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

BEAT = 5.0  # seconds between two signs of life
LOOK = 0.5  # seconds to wait for the engine, or for another launcher


@dataclass(frozen=True)
class Limits:
    """What one attempt may take, and how often a trial that failed is tried again."""

    timeout: float | None = None  # seconds
    memory: int | None = None  # bytes
    retries: int = 1


@dataclass(frozen=True)
class Counts:
    """How far a launch is."""

    trials: int
    done: int = 0  # by this launch
    failed: int = 0
    skipped: int = 0  # done before, done by another launcher, or cancelled
    running: int = 0
    slots: int = 1
    attempts: int = 0  # that ended here
    seconds: float = 0.0  # that they took, together
    failures: tuple[tuple[str, str], ...] = ()  # key and reason

    @property
    def left(self) -> int:
        """Trials without an end."""
        return self.trials - self.done - self.failed - self.skipped

    def seconds_left(self) -> float | None:
        """A guess, from the attempts that have ended here."""
        return self.left * self.seconds / self.attempts / max(1, min(self.slots, self.left)) if self.attempts else None


@dataclass(frozen=True)
class Launch:
    """One launch: where the trials run, what they may take, whose code they may run."""

    store: Store
    engine: Engine
    engine_name: str
    work: Path
    limits: Limits = field(default_factory=Limits)
    code: Collection[str] = ()
    keep: bool = False  # the folders of trials that are done, with their last snapshot
    report: Callable[[Counts], None] = lambda _: None
    beat: float = BEAT

    def job(self, claim: Claim) -> Job:
        """What the engine is told."""
        trial, limits = claim.trial, self.limits
        return Job(claim.key, trial.text, trial.code, tuple(self.code), str(self.work / claim.key), limits.timeout, limits.memory)


def launch(asked: Launch, trials: Sequence[Trial]) -> Counts:
    """Finish these trials."""
    store, keys, name = asked.store, list(dict.fromkeys(trial.key for trial in trials)), new_name()
    with alive(store.path, name):
        claims.add(store, trials)
        claims.release_gone(store)
        claims.want(store, keys)
        if not asked.keep:
            _clear_folders(asked)
        try:
            return _run(asked, name, len(keys))
        finally:
            asked.engine.close()
            with contextlib.suppress(BadInput):  # on a full disk; the next launcher sees that this one is gone
                claims.release(store, name, "interrupted", f"the launcher {name} was stopped")


def _run(asked: Launch, name: str, total: int) -> Counts:
    counts, running, failed_here = Counts(total), dict[str, Claim](), dict[str, int]()
    last_beat = time.monotonic()
    while True:
        free = asked.engine.slots - len(running)
        for claim in claims.claim(asked.store, name, asked.engine_name, free) if free > 0 else []:
            running[claim.key] = claim
            asked.engine.submit(asked.job(claim))
        counts = _counted(asked, counts, running)
        asked.report(counts)
        if counts.left <= 0:
            return counts
        if running:
            for outcome in asked.engine.ended(LOOK):
                counts = _settled(asked, counts, running.pop(outcome.key), outcome, failed_here)
        else:
            time.sleep(LOOK)  # another launcher has the rest, unless it is gone
            claims.release_gone(asked.store)
        if time.monotonic() - last_beat > asked.beat:
            last_beat = time.monotonic()
            for key in running.keys() - claims.beat(asked.store, name):  # cancelled, or taken over
                asked.engine.stop(key)
                del running[key]
            claims.release_gone(asked.store)


def _settled(asked: Launch, counts: Counts, claim: Claim, outcome: Outcome, failed_here: dict[str, int]) -> Counts:
    """Write how an attempt ended."""
    if outcome.seconds is not None:
        counts = replace(counts, attempts=counts.attempts + 1, seconds=counts.seconds + outcome.seconds)
    if outcome.end == "done":
        if claims.finish(asked.store, claim, outcome):
            counts = replace(counts, done=counts.done + 1)
            if not asked.keep:
                shutil.rmtree(asked.work / claim.key, ignore_errors=True)
        return counts
    failed_here[claim.key] = failed_here.get(claim.key, 0) + 1
    again = outcome.end != "refused" and failed_here[claim.key] <= asked.limits.retries
    claims.fail(asked.store, claim, outcome, again)
    return counts


def _counted(asked: Launch, counts: Counts, running: dict[str, Claim]) -> Counts:
    """The counts as the store has them now."""
    with asked.store.reading() as database:
        states = dict(database.execute("SELECT state, count(*) FROM wanted JOIN trials USING (key) GROUP BY state").fetchall())
        gone = database.execute("SELECT count(*) FROM wanted LEFT JOIN trials USING (key) WHERE trials.key IS NULL").fetchone()[0]
        failures = database.execute(
            "SELECT trials.key, reason FROM wanted JOIN trials USING (key) JOIN attempts ON trial = trials.key AND number = trials.attempts"
            " WHERE state = 'failed' ORDER BY place"
        ).fetchall()
    skipped = states.get("done", 0) - counts.done + states.get("cancelled", 0) + gone
    return replace(
        counts, failed=states.get("failed", 0), skipped=skipped, running=len(running), slots=asked.engine.slots, failures=tuple(failures)
    )  # fmt: skip


def _clear_folders(asked: Launch) -> None:
    """Remove what a launcher that was killed did not come to remove: the folders of trials that are done."""
    with asked.store.reading() as database:
        done = [key for (key,) in database.execute("SELECT key FROM wanted JOIN trials USING (key) WHERE state = 'done'")]
    for key in done:
        shutil.rmtree(asked.work / key, ignore_errors=True)
