"""Checks a store: its pages, its constraints and every checksum. Reports problems and repairs nothing."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

from separatrix.checker.seal import Refused, Unreadable, digest, read
from separatrix.errors import BadInput
from separatrix.runs.sealing import SEALED, attempt_checksum, row_checksum, rows_digest
from separatrix.runs.store import Store
from separatrix.runs.store_schema import STATES
from separatrix.runs.trial import trial_key


def problems(store: Store) -> list[str]:
    """Every problem, one line each."""
    with store.reading() as database:
        try:
            wrong = [text for (text,) in database.execute("PRAGMA integrity_check") if text != "ok"]
            wrong += [f"table {row[0]}: row {row[1]} refers to a missing trial" for row in database.execute("PRAGMA foreign_key_check")]
            return [*wrong, *_trials(database), *_attempts(database), *_certificates(database)]
        except (sqlite3.DatabaseError, TypeError, ValueError) as error:  # a number where text should be, or text that is not UTF-8
            return [f"the file cannot be read to its end: {' '.join(str(error).split())}"]


def require_whole(store: Store) -> None:
    """Refuse a damaged store."""
    wrong = problems(store)
    if wrong:
        more = f" (and {len(wrong) - 1} more: `separatrix runs check` lists them)" if len(wrong) > 1 else ""
        raise BadInput(f"{str(store.path)!r} is damaged: {wrong[0]}{more}; it was not changed; merge an intact copy")


def require_sound_pages(store: Store) -> None:
    """The quick check before every launch: the structure of the file, not its content."""
    with store.reading() as database:
        report = [text for (text,) in database.execute("PRAGMA quick_check(1)")]
    if report != ["ok"]:
        raise BadInput(f"{str(store.path)!r} is damaged: {' '.join(report[0].split())}; it was not changed; merge an intact copy")


def _trials(database: sqlite3.Connection) -> Iterator[str]:
    ended_well = {key for (key,) in database.execute("SELECT trial FROM attempts WHERE outcome = 'done'")}
    open_now = {key for (key,) in database.execute("SELECT trial FROM attempts WHERE ended IS NULL")}
    query = "SELECT key, configuration, code, state, rows, digest FROM trials"
    for key, text, code, state, count, whole in database.execute(query):
        name = f"trial {str(key)[:12]}"
        its = database.execute("SELECT number, document, checksum FROM rows WHERE trial = ? ORDER BY number", (key,)).fetchall()
        if state not in STATES:  # SQLite checks constraints only on writing
            yield f"{name}: its state is {state!r}"
        if trial_key(text, code) != key:
            yield f"{name}: its key is not the hash of its configuration and code"
        for number, document, checksum in its:
            if row_checksum(key, number, document) != checksum:
                yield f"{name}: row {number} does not match its checksum"
        if state != "done" and its:
            yield f"{name}: has {len(its)} rows, but is {state}"
        if state == "done" and ([number for number, _, _ in its] != list(range(count)) or rows_digest([c for _, _, c in its]) != whole):
            yield f"{name}: expected its {count} rows as they were written, found {len(its)}"
        if (state == "done") != (key in ended_well):
            yield f"{name}: is {state}, but {'an' if key in ended_well else 'no'} attempt ended well"
        if (state == "running") != (key in open_now):
            yield f"{name}: is {state}, but {'an' if key in open_now else 'no'} attempt is open"


def _attempts(database: sqlite3.Connection) -> Iterator[str]:
    query = f"SELECT trial, number, checksum, {', '.join(SEALED)} FROM attempts WHERE ended IS NOT NULL"
    for trial, number, checksum, *ended in database.execute(query):
        if attempt_checksum(trial, number, dict(zip(SEALED, ended, strict=True))) != checksum:
            yield f"trial {str(trial)[:12]}: attempt {number} does not match its checksum"


def _certificates(database: sqlite3.Connection) -> Iterator[str]:
    for name, text in database.execute("SELECT digest, document FROM certificates"):
        try:
            document = read(text)
        except (Refused, Unreadable) as error:
            yield f"certificate {str(name)[:12]}: {error}"
            continue
        if digest(document) != name or document.get("digest") != name:
            yield f"certificate {str(name)[:12]}: its digest is not the hash of its content"
