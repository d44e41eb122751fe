"""The store: one SQLite file, in WAL mode, for trials, rows and certificates.

When a transaction returns, its data is on the disk; a process killed at any point leaves the last complete transaction.
A damaged file, or one of another version, is refused with one line and not changed.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from separatrix.errors import BadInput
from separatrix.runs.store_schema import APPLICATION, VERSION, statements

PATIENCE = 60.0  # seconds to wait while another process writes
GOES_ON = "nothing recorded so far is lost: repeat the command to continue"


@dataclass(frozen=True)
class Store:
    """An open store. Only a launcher, or a command of the user's, writes to it: workers return their rows."""

    path: Path
    database: sqlite3.Connection

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction: all or nothing."""
        with refusals(self.path):
            self.database.execute("BEGIN IMMEDIATE")
            try:
                yield self.database
                self.database.execute("COMMIT")
            except BaseException:
                if self.database.in_transaction:  # a full disk may have rolled it back already
                    self.database.execute("ROLLBACK")
                raise

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A consistent view of the store while others write."""
        with refusals(self.path):
            self.database.execute("BEGIN")
            try:
                yield self.database
            finally:
                if self.database.in_transaction:
                    self.database.execute("ROLLBACK")


@contextmanager
def open_store(path: Path) -> Iterator[Store]:
    """Open the store at `path` for writing; create it if there is none."""
    path = path.resolve()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"cannot write {str(path)!r}: {error.strerror or error}") from error
    with refusals(path), _connected(path, "rwc") as database:
        if not _is_empty(database):
            _recognise(path, database)
        _write_ahead(path, database)
        store = Store(path, database)
        if _is_empty(database):
            with store.writing():
                if _is_empty(database):  # no other process created it first
                    for statement in statements():
                        database.execute(statement)
        _recognise(path, database)
        yield store


@contextmanager
def read_store(path: Path) -> Iterator[Store]:
    """Open the store at `path` for reading; it may be on a read-only disk."""
    path = path.resolve()
    if not path.is_file():
        raise BadInput(f"no store at {str(path)!r}: `separatrix sweep` creates one; --store FILE selects another")
    with refusals(path), _connected(path, _reading_mode(path)) as database:
        database.execute("PRAGMA query_only=1")
        if _is_empty(database):
            raise BadInput(f"the store at {str(path)!r} is empty: a sweep is just starting there, or was killed at its start")
        _recognise(path, database)
        yield Store(path, database)


@contextmanager
def refusals(path: Path) -> Iterator[None]:
    """Turn SQLite errors into one readable line."""
    try:
        yield
    except sqlite3.Error as error:
        raise BadInput(_explained(path, error)) from error


def _explained(path: Path, error: sqlite3.Error) -> str:
    name, text = _name(error), " ".join(str(error).split())
    if name.startswith("SQLITE_IOERR_READ"):
        return f"cannot read {str(path)!r}: {text}"
    if name == "SQLITE_FULL" or name.startswith("SQLITE_IOERR"):
        return f"cannot write {str(path)!r}: {text}; {GOES_ON}"
    if name.startswith(("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM")):
        return f"cannot open {str(path)!r} to write: {text}; the file and its folder must be writable"
    if name == "SQLITE_NOTADB":
        return f"{str(path)!r} is not a store: {text}"
    if name.startswith("SQLITE_CORRUPT"):
        return f"{str(path)!r} is damaged: {text}; it was not changed: `separatrix runs check` says where; merge an intact copy"
    if name.startswith("SQLITE_BUSY"):
        return f"{str(path)!r} is locked: another process has been writing to it for {PATIENCE:.0f} s"
    return f"{str(path)!r}: {text}"


def _name(error: sqlite3.Error) -> str:
    """SQLITE_FULL and the like; errors of the Python module itself have none."""
    return getattr(error, "sqlite_errorname", None) or ""


@contextmanager
def _connected(path: Path, mode: str) -> Iterator[sqlite3.Connection]:
    database = sqlite3.connect(f"file:{quote(str(path))}?mode={mode}", uri=True, isolation_level=None, timeout=PATIENCE)
    try:
        yield database
    finally:
        database.close()


def _is_empty(database: sqlite3.Connection) -> bool:
    return bool(database.execute("SELECT count(*) = 0 FROM sqlite_master").fetchone()[0])


def _recognise(path: Path, database: sqlite3.Connection) -> None:
    """Refuse a file of another program or another schema."""
    ((application,), (version,)) = (database.execute(f"PRAGMA {name}").fetchone() for name in ("application_id", "user_version"))
    if application != APPLICATION:
        raise BadInput(f"{str(path)!r} is a SQLite file, but not a store of separatrix")
    if version != VERSION:
        raise BadInput(
            f"{str(path)!r} is a store of schema {version}, expected {VERSION}: use the separatrix that created it, or another file"
        )


def _write_ahead(path: Path, database: sqlite3.Connection) -> None:
    """WAL, and every commit through to the disk."""
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            (mode,) = database.execute("PRAGMA journal_mode=WAL").fetchone()
            break
        except sqlite3.OperationalError as error:  # SQLite does not wait here when two processes create a store at once
            if not _name(error).startswith("SQLITE_BUSY") or time.monotonic() > deadline:
                raise
            time.sleep(0.01)
    if mode != "wal":
        raise BadInput(f"{str(path)!r} cannot have a write-ahead log (mode {mode!r}): put the store on a local disk")
    database.execute("PRAGMA synchronous=FULL")
    database.execute("PRAGMA fullfsync=1")  # macOS; no effect elsewhere
    database.execute("PRAGMA foreign_keys=1")
    database.execute("PRAGMA temp_store=MEMORY")


def _reading_mode(path: Path) -> str:
    """The mode to open the file in: a read-only disk cannot even hold the index of an empty log; elsewhere the index is removed again."""
    try:
        with _connected(path, "rw") as database:
            database.execute("PRAGMA user_version").fetchone()
    except sqlite3.OperationalError as error:
        if not _name(error).startswith(("SQLITE_CANTOPEN", "SQLITE_READONLY")) or _has_log(path):
            raise
        return "ro&immutable=1"
    return "rw"


def _has_log(path: Path) -> bool:
    """Whether some transactions are not in the main file yet."""
    log = path.with_name(f"{path.name}-wal")
    return log.exists() and log.stat().st_size > 0
