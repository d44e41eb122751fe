"""The trials of a store: list, show one in full, cancel, remove."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from separatrix.errors import BadInput
from separatrix.runs.claims import close_attempts
from separatrix.runs.launcher_lock import is_alive
from separatrix.runs.sealing import row_checksum
from separatrix.runs.store import Store
from separatrix.runs.store_schema import STATES


def find_key(store: Store, start: str) -> str:
    """The only key that begins with `start`."""
    if not start or set(start) - set("0123456789abcdef"):
        raise BadInput(f"expected the first digits of a trial's key, such as 3fa9c1, found {start!r}")
    with store.reading() as database:
        keys = [key for (key,) in database.execute("SELECT key FROM trials WHERE key >= ? AND key < ? LIMIT 2", (start, start + "g"))]
    if len(keys) != 1:
        raise BadInput(f"{'no trial' if not keys else 'more than one trial'} of {store.path.name} has a key that begins with {start!r}")
    return str(keys[0])


def listed(store: Store, state: str | None = None) -> list[dict[str, Any]]:
    """One line for each trial, in the order of arrival."""
    if state is not None and state not in STATES:
        raise BadInput(f"unknown state {state!r}: expected one of {', '.join(STATES)}")
    query = (
        "SELECT key, configuration, code, state, trials.attempts, rows, reason, seconds, engine, machine, launcher FROM trials"
        " LEFT JOIN attempts ON trial = key AND number = trials.attempts WHERE ? IS NULL OR state = ? ORDER BY trials.rowid"
    )
    names = ("key", "configuration", "code", "state", "attempts", "rows", "reason", "seconds", "engine", "machine", "launcher")
    with store.reading() as database:
        lines = [dict(zip(names, values, strict=True)) for values in database.execute(query, (state, state))]
    alive = {name: is_alive(store.path, name) for name in {trial["launcher"] for trial in lines if trial["state"] == "running"}}
    for trial in lines:
        trial["configuration"] = json.loads(trial["configuration"])
        if not alive.get(trial["launcher"], True):
            trial["reason"] = f"the launcher {trial['launcher']} is gone: the next launch takes over"
    return lines


def counts(store: Store) -> dict[str, int]:
    """How many trials are in each state."""
    with store.reading() as database:
        by_state = dict(database.execute("SELECT state, count(*) FROM trials GROUP BY state").fetchall())
    return {state: by_state.get(state, 0) for state in STATES}


def shown(store: Store, key: str) -> dict[str, Any]:
    """Everything about one trial: its configuration, its attempts, its rows."""
    names = ("number", "launcher", "engine", "began", "ended", "outcome", "reason", "log", "seconds", "machine")
    with store.reading() as database:
        text, code, state = database.execute("SELECT configuration, code, state FROM trials WHERE key = ?", (key,)).fetchone()
        attempts = database.execute(f"SELECT {', '.join(names)} FROM attempts WHERE trial = ? ORDER BY number", (key,)).fetchall()
    return {
        "key": key, "state": state, "code": code, "configuration": json.loads(text),
        "attempts": [dict(zip(names, attempt, strict=True)) for attempt in attempts],
        "rows": list(rows_of(store, key)),
    }  # fmt: skip


def rows_of(store: Store, key: str) -> Iterator[dict[str, Any]]:
    """The rows of a trial, each checked against its checksum."""
    with store.reading() as database:
        rows = database.execute("SELECT number, document, checksum FROM rows WHERE trial = ? ORDER BY number", (key,)).fetchall()
    for number, text, checksum in rows:
        if row_checksum(key, number, text) != checksum:
            raise BadInput(f"{str(store.path)!r} is damaged: row {number} of trial {key[:12]} does not match its checksum")
        yield json.loads(text)


def seconds_of(store: Store, key: str) -> float:
    """What a trial took of the processor, over all its attempts; of one that was killed, of the clock until its last heartbeat."""
    with store.reading() as database:
        (total,) = database.execute("SELECT total(coalesce(seconds, heartbeat - began)) FROM attempts WHERE trial = ?", (key,)).fetchone()
    return float(total)


def cancel(store: Store, keys: Sequence[str]) -> None:
    """Cancel these trials; a launcher that runs one stops it at its next heartbeat."""
    with store.writing() as database:
        for key in keys:
            (state,) = database.execute("SELECT state FROM trials WHERE key = ?", (key,)).fetchone()
            if state == "done":
                raise BadInput(f"trial {key[:12]} is done; `separatrix runs remove` deletes it")
            close_attempts(database, key, "cancelled", "cancelled by the user")
            database.execute("UPDATE trials SET state = 'cancelled' WHERE key = ?", (key,))


def remove(store: Store, keys: Sequence[str]) -> None:
    """Delete these trials with their attempts and rows."""
    with store.writing() as database:
        for key in keys:
            (state,) = database.execute("SELECT state FROM trials WHERE key = ?", (key,)).fetchone()
            if state == "running":
                raise BadInput(f"trial {key[:12]} is running; cancel it first")
            for table, column in (("rows", "trial"), ("attempts", "trial"), ("trials", "key")):
                database.execute(f"DELETE FROM {table} WHERE {column} = ?", (key,))
