"""Claims: who works on which trial, and how a trial ends. Every function here is one transaction.

A claim is an attempt without an end. It belongs to a launcher, which sends a heartbeat every few seconds; when the launcher is gone, or
silent for too long, its claims are free again. Only the holder of a claim can end a trial, with all rows at once: a launcher that
returns too late changes nothing.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Sequence
from dataclasses import dataclass

from separatrix.runs.launcher_lock import forget_the_dead, is_alive
from separatrix.runs.outcome import Outcome
from separatrix.runs.sealing import attempt_checksum, row_checksum, rows_digest
from separatrix.runs.store import Store
from separatrix.runs.trial import Trial

NEW_TRIAL = "INSERT OR IGNORE INTO trials (key, configuration, code, state, attempts) VALUES (?, ?, ?, 'waiting', 0)"
LEASE = 600.0  # seconds of silence after which even a live launcher loses its claims


@dataclass(frozen=True)
class Claim:
    """One attempt at a trial, by one launcher."""

    trial: Trial
    number: int  # of the attempt, from 1
    launcher: str

    @property
    def key(self) -> str:
        """The key of the trial that is claimed."""
        return self.trial.key


def add(store: Store, trials: Sequence[Trial]) -> None:
    """Add these trials to the store unless they are there."""
    with store.writing() as database:
        database.executemany(
            NEW_TRIAL,
            [(trial.key, trial.text, trial.code) for trial in trials],
        )


def set_targets(store: Store, keys: Sequence[str]) -> None:
    """Set the trials that this launcher should finish, in this order. Those that failed before are tried again."""
    with store.writing() as database:
        database.execute("DROP TABLE IF EXISTS temp.wanted")
        database.execute("CREATE TEMP TABLE wanted (place INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE)")
        database.executemany("INSERT INTO wanted (key) VALUES (?)", [(key,) for key in keys])
        database.execute("UPDATE trials SET state = 'waiting' WHERE state = 'failed' AND key IN (SELECT key FROM wanted)")


def claim(store: Store, launcher: str, engine: str, count: int) -> list[Claim]:
    """Claim up to `count` waiting trials of this launcher's list."""
    waiting = "SELECT key, configuration, code, attempts FROM wanted JOIN trials USING (key) WHERE state = 'waiting' ORDER BY place LIMIT ?"
    with store.reading() as database:
        if not database.execute(waiting, (min(count, 1),)).fetchall():
            return []
    claims = []
    with store.writing() as database:
        for key, text, code, attempts in database.execute(waiting, (count,)).fetchall():
            now = time.time()
            database.execute("UPDATE trials SET state = 'running', attempts = ? WHERE key = ?", (attempts + 1, key))
            database.execute(
                "INSERT INTO attempts (trial, number, launcher, engine, began, heartbeat) VALUES (?, ?, ?, ?, ?, ?)",
                (key, attempts + 1, launcher, engine, now, now),
            )
            claims.append(Claim(Trial(text, code), attempts + 1, launcher))
    return claims


def send_heartbeat(store: Store, launcher: str) -> set[str]:
    """Send a heartbeat; returns the trials that this launcher still holds."""
    with store.writing() as database:
        database.execute("UPDATE attempts SET heartbeat = ? WHERE launcher = ? AND ended IS NULL", (time.time(), launcher))
        return {key for (key,) in database.execute("SELECT trial FROM attempts WHERE launcher = ? AND ended IS NULL", (launcher,))}


def finish(store: Store, claimed: Claim, outcome: Outcome) -> bool:
    """Store the rows and certificates of a finished trial in one transaction. False if the claim is no longer held."""
    rows = outcome.row_texts()
    checksums = [row_checksum(claimed.key, number, text) for number, text in enumerate(rows)]
    with store.writing() as database:
        if not _holds(database, claimed):
            return False
        database.executemany(
            "INSERT INTO rows (trial, number, document, checksum) VALUES (?, ?, ?, ?)",
            [(claimed.key, number, text, checksum) for number, (text, checksum) in enumerate(zip(rows, checksums, strict=True))],
        )
        database.executemany(
            "INSERT OR IGNORE INTO certificates (digest, trial, document) VALUES (?, ?, ?)",
            [(digest, claimed.key, text) for digest, text in outcome.certificate_texts()],
        )
        _end(database, claimed.key, claimed.number, outcome, "done")
        database.execute(
            "UPDATE trials SET state = 'done', rows = ?, digest = ? WHERE key = ?", (len(rows), rows_digest(checksums), claimed.key)
        )
    return True


def fail(store: Store, claimed: Claim, outcome: Outcome, again: bool) -> bool:
    """Record a failed attempt; the trial waits for another one, or is given up."""
    with store.writing() as database:
        if not _holds(database, claimed):
            return False
        _end(database, claimed.key, claimed.number, outcome, "failed")
        database.execute("UPDATE trials SET state = ? WHERE key = ?", ("waiting" if again else "failed", claimed.key))
    return True


def release(store: Store, launcher: str, outcome: str, reason: str) -> int:
    """Release the claims of a launcher; returns how many there were."""
    with store.writing() as database:
        keys = [key for (key,) in database.execute("SELECT trial FROM attempts WHERE launcher = ? AND ended IS NULL", (launcher,))]
        for key in keys:
            close_attempts(database, key, outcome, reason)
            database.execute("UPDATE trials SET state = 'waiting' WHERE key = ?", (key,))
    return len(keys)


def release_gone(store: Store, lease: float = LEASE) -> int:
    """Free the claims of launchers that are dead or silent."""
    with store.reading() as database:
        holders = database.execute("SELECT launcher, max(heartbeat) FROM attempts WHERE ended IS NULL GROUP BY launcher").fetchall()
    freed = 0
    for launcher, heartbeat in holders:
        if not is_alive(store.path, launcher):
            freed += release(store, launcher, "lost", f"the launcher {launcher} is gone")
        elif time.time() - heartbeat > lease:
            freed += release(store, launcher, "lost", f"the launcher {launcher} was silent for more than {lease:.0f} s")
    forget_the_dead(store.path)
    return freed


def _holds(database: sqlite3.Connection, claimed: Claim) -> bool:
    query = "SELECT count(*) FROM attempts WHERE trial = ? AND number = ? AND launcher = ? AND ended IS NULL"
    return bool(database.execute(query, (claimed.key, claimed.number, claimed.launcher)).fetchone()[0])


def close_attempts(database: sqlite3.Connection, key: str, outcome: str, reason: str) -> None:
    """End the open attempt at a trial, if there is one, without a result."""
    for (number,) in database.execute("SELECT number FROM attempts WHERE trial = ? AND ended IS NULL", (key,)).fetchall():
        _end(database, key, number, Outcome(key, "failed", reason=reason), outcome)


def _end(database: sqlite3.Connection, key: str, number: int, outcome: Outcome, how: str) -> None:
    """Close an attempt and seal its outcome."""
    ended = {
        "ended": time.time(), "outcome": how, "reason": outcome.reason, "log": outcome.log, "seconds": outcome.seconds,
        "machine": outcome.machine,
    }  # fmt: skip
    columns = ", ".join(f"{name} = :{name}" for name in ended)
    database.execute(
        f"UPDATE attempts SET {columns}, checksum = :checksum WHERE trial = :trial AND number = :number",
        {**ended, "checksum": attempt_checksum(key, number, ended), "trial": key, "number": number},
    )
