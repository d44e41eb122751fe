"""Merges stores of several machines. The other store is read, checked to its last row, and not changed.

A trial that is done there and not here is copied with its attempts and rows. One that is done in both stays as it is here; rows that
differ are reported, since two machines may round differently and only the user knows which to trust.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from pathlib import Path

from separatrix.errors import BadInput
from separatrix.runs.claims import NEW_TRIAL, release_gone
from separatrix.runs.integrity import require_whole
from separatrix.runs.store import Store, read_store

TRIAL = "SELECT key, configuration, code, state, rows, digest FROM trials ORDER BY rowid"
ATTEMPT = "number, launcher, engine, began, heartbeat, ended, outcome, reason, log, seconds, machine, checksum"


@dataclass(frozen=True)
class Merged:
    """What a merge took over, and what it left."""

    added: int  # trials that were not done here
    same: int  # done in both, with the same rows
    differ: tuple[str, ...]  # keys that are done in both, with different rows
    waiting: int  # not done there: added here as waiting
    certificates: int


def merge(store: Store, path: Path) -> Merged:
    """Copy what is missing here from the store at `path`, in one transaction."""
    if path.resolve() == store.path:
        raise BadInput(f"{str(path)!r} cannot be merged into itself")
    require_whole(store)
    release_gone(store)
    with read_store(path) as other:
        require_whole(other)
        with other.reading() as there, store.writing() as here:
            return _merged(here, there)


def _merged(here: sqlite3.Connection, there: sqlite3.Connection) -> Merged:
    added, same, waiting, differ = 0, 0, 0, list[str]()
    known = {key: (state, digest) for key, state, digest in here.execute("SELECT key, state, digest FROM trials")}
    for key, text, code, state, rows, digest in there.execute(TRIAL).fetchall():
        mine, my_digest = known.get(key, (None, None))
        if state != "done":
            if mine is None:
                here.execute(NEW_TRIAL, (key, text, code))
                waiting += 1
        elif mine == "done":
            if my_digest == digest:
                same += 1
            else:
                differ.append(key)
        else:
            _take(here, there, (key, text, code, rows, digest))
            added += 1
    before = here.total_changes
    here.executemany(
        "INSERT OR IGNORE INTO certificates (digest, trial, document) VALUES (?, ?, ?)",
        there.execute("SELECT digest, trial, document FROM certificates").fetchall(),
    )
    return Merged(added, same, tuple(differ), waiting, here.total_changes - before)


def _take(here: sqlite3.Connection, there: sqlite3.Connection, trial: tuple[str, str, str, int, str]) -> None:
    """Copy a trial that is done there; it replaces our own unsuccessful attempts."""
    key, text, code, rows, digest = trial
    (open_here,) = here.execute("SELECT count(*) FROM attempts WHERE trial = ? AND ended IS NULL", (key,)).fetchone()
    if open_here:
        raise BadInput(f"trial {key[:12]} is running here and done there: wait for its launcher, or cancel the trial")
    here.execute("DELETE FROM attempts WHERE trial = ?", (key,))
    here.execute(NEW_TRIAL, (key, text, code))
    attempts = there.execute(f"SELECT trial, {ATTEMPT} FROM attempts WHERE trial = ?", (key,)).fetchall()
    here.executemany(f"INSERT INTO attempts (trial, {ATTEMPT}) VALUES ({', '.join('?' * 13)})", attempts)
    here.executemany(
        "INSERT INTO rows (trial, number, document, checksum) VALUES (?, ?, ?, ?)",
        there.execute("SELECT trial, number, document, checksum FROM rows WHERE trial = ?", (key,)).fetchall(),
    )
    here.execute("UPDATE trials SET state = 'done', attempts = ?, rows = ?, digest = ? WHERE key = ?", (len(attempts), rows, digest, key))
