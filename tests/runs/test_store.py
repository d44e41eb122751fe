"""Opening a store: made once, refused where it is another's, another schema's, or out of reach; never changed by a refusal."""

from __future__ import annotations

import multiprocessing
import os
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from separatrix.errors import BadInput
from separatrix.runs.store import Store, open_store, read_store
from separatrix.runs.store_schema import APPLICATION, VERSION
from separatrix.runs.stored_trials import counts
from tests.runs.storing import filled, number_trials


def test_a_store_is_made_in_one_step_and_opened_again(tmp_path: Path) -> None:
    with open_store(tmp_path / "deep" / "store.sqlite") as store:
        assert store.database.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert store.database.execute("PRAGMA synchronous").fetchone() == (2,)  # FULL: a commit is on the disk
        assert counts(store) == {"waiting": 0, "running": 0, "done": 0, "failed": 0, "cancelled": 0}
    with open_store(tmp_path / "deep" / "store.sqlite") as store:
        assert store.database.execute("PRAGMA application_id").fetchone() == (APPLICATION,)
        assert store.database.execute("PRAGMA user_version").fetchone() == (VERSION,)
    assert sorted(path.name for path in (tmp_path / "deep").iterdir()) == ["store.sqlite"]


def _open(path: str, barrier: object) -> None:
    barrier.wait()  # type: ignore[attr-defined]
    with open_store(Path(path)) as store:
        counts(store)


def test_processes_that_make_one_store_at_once_all_get_it(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    barrier = context.Barrier(4)
    processes = [context.Process(target=_open, args=(str(tmp_path / "store"), barrier)) for _ in range(4)]
    try:
        for process in processes:
            process.start()
        for process in processes:
            process.join(60)
        assert [process.exitcode for process in processes] == [0] * 4
    finally:
        for process in processes:
            process.kill()


def test_a_transaction_is_whole_or_nothing(tmp_path: Path) -> None:
    insert = "INSERT INTO certificates (digest, document) VALUES ('a', '{}')"
    with open_store(tmp_path / "store") as store:
        with pytest.raises(BadInput, match="UNIQUE constraint failed"), store.writing() as database:
            _ = [database.execute(insert) for _ in range(2)]
        assert store.database.execute("SELECT count(*) FROM certificates").fetchone() == (0,)


@pytest.fixture
def stranger(tmp_path: Path) -> Path:
    """A SQLite file of another program."""
    with sqlite3.connect(tmp_path / "other.db") as database:
        database.execute("CREATE TABLE songs (name TEXT)")
    database.close()
    return tmp_path / "other.db"


@pytest.mark.parametrize("opener", [open_store, read_store])
def test_what_is_not_a_store_is_refused_and_left_alone(tmp_path: Path, stranger: Path, opener: object) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("not a database, " * 100)
    for path, says in ((stranger, "is a SQLite file, but not a store of separatrix"), (text, "is not a store: file is not a database")):
        before = path.read_bytes()
        with pytest.raises(BadInput, match=says), opener(path):  # type: ignore[operator]
            pass
        assert path.read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["notes.txt", "other.db"]


@pytest.mark.parametrize("version", [0, 2, 7])
def test_a_store_of_another_schema_is_refused_and_left_alone(tmp_path: Path, version: int) -> None:
    path = tmp_path / "store"
    filled(path, number_trials(2))
    with sqlite3.connect(path) as database:
        database.execute(f"PRAGMA user_version={version}")
    database.close()
    before = path.read_bytes()
    for opener in (open_store, read_store):
        with pytest.raises(BadInput, match=f"store' is a store of schema {version}, expected 1"), opener(path):
            pass
    assert path.read_bytes() == before


def test_a_store_that_is_not_there_is_not_made_by_reading(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"no store at '.*nowhere': `separatrix sweep` creates one"), read_store(tmp_path / "nowhere"):
        pass
    (tmp_path / "empty").touch()
    with pytest.raises(BadInput, match=r"the store at '.*empty' is empty: a sweep is just starting there"), read_store(tmp_path / "empty"):
        pass
    (tmp_path / "empty").unlink()
    with pytest.raises(BadInput, match="unable to open database file"), open_store(tmp_path):
        pass
    (tmp_path / "file").touch()
    with pytest.raises(BadInput, match="cannot write"), open_store(tmp_path / "file" / "store"):
        pass
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@contextmanager
def read_only(folder: Path) -> Iterator[None]:
    """The folder and its files cannot be written to; root, whom that does not hold, becomes nobody for the moment."""
    user = os.geteuid()
    for path in (*folder.iterdir(), folder):
        path.chmod(path.stat().st_mode & ~0o222)
    if user == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        if user == 0:
            os.seteuid(0)
        for path in (folder, *folder.iterdir()):
            path.chmod(path.stat().st_mode | 0o200)


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that every user can reach, unlike pytest's."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


def test_on_a_read_only_disk_a_store_is_read_and_writing_is_one_line(open_folder: Path) -> None:
    filled(open_folder / "store", number_trials(3))
    (open_folder / "store").chmod(0o644)
    before = (open_folder / "store").read_bytes()
    with read_only(open_folder):
        with read_store(open_folder / "store") as store:
            assert counts(store)["done"] == 3
        with (
            pytest.raises(BadInput, match=r"cannot open '.*store' to write: .*; the file and its folder must be writable"),
            open_store(open_folder / "store"),
        ):
            pass
        with pytest.raises(BadInput, match=r"cannot open '.*new' to write"), open_store(open_folder / "new"):
            pass
    assert (open_folder / "store").read_bytes() == before
    assert [path.name for path in open_folder.iterdir()] == ["store"]


def test_transactions_in_the_log_are_not_overlooked_on_a_read_only_disk(open_folder: Path) -> None:
    """A copy made while a launcher was at work: its last transactions are in the log beside it."""
    work = open_folder / "work"
    work.mkdir()
    filled(work / "store", number_trials(1))
    with open_store(work / "store") as store:
        store.database.execute("PRAGMA wal_autocheckpoint=0")
        store.database.execute("INSERT INTO certificates (digest, document) VALUES ('a', '{}')")
        for name in ("store", "store-wal"):
            (open_folder / name).write_bytes((work / name).read_bytes())
            (open_folder / name).chmod(0o644)
    (work / "store").unlink()
    work.rmdir()
    with read_only(open_folder), pytest.raises(BadInput, match="store"), read_store(open_folder / "store"):
        pass
    with read_store(open_folder / "store") as store:
        assert store.database.execute("SELECT count(*) FROM certificates").fetchone() == (1,)


def test_a_store_that_is_locked_for_too_long_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("separatrix.runs.store.PATIENCE", 0.1)
    with open_store(tmp_path / "store") as store, store.writing(), open_store(tmp_path / "store") as other:
        assert isinstance(other, Store)
        with pytest.raises(BadInput, match=r"store' is locked: another process has been writing to it for 0 s"), other.writing():
            pass
