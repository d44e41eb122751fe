"""Damage is seen: a changed byte anywhere is either reported, or the trials and rows read are still the same."""

from __future__ import annotations

import random
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from separatrix.checker.seal import sealed
from separatrix.errors import BadInput
from separatrix.runs.integrity import problems, require_sound_pages, require_whole
from separatrix.runs.store import open_store, read_store
from separatrix.runs.stored_certificates import add_certificates, certificates
from separatrix.runs.stored_trials import rows_of, shown
from tests.runs.storing import filled, number_trials


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A store with six finished trials, and a certificate."""
    filled(tmp_path / "store", number_trials(6, rows=30))
    with open_store(tmp_path / "store") as opened:
        add_certificates(opened, [sealed({"kind": "construction", "N": 3})])
        assert problems(opened) == []
    return tmp_path / "store"


def everything(path: Path) -> list[Any]:
    """What a reader of the store sees."""
    with read_store(path) as opened:
        keys = [key for (key,) in opened.database.execute("SELECT key FROM trials ORDER BY key")]
        return [[shown(opened, key) for key in keys], certificates(opened)]


CHANGES = {
    "a row is edited": ("UPDATE rows SET document = replace(document, '1', '2') WHERE number = 1", "row 1 does not match its checksum"),
    "a row is lost": ("DELETE FROM rows WHERE number = 31", "expected its 32 rows as they were written, found 31"),
    "the last row is lost": ("DELETE FROM rows WHERE number = 29 AND trial IN (SELECT key FROM trials WHERE rows = 30)", "found 29"),
    "rows change places": ("UPDATE rows SET number = 100 - number WHERE number IN (0, 1)", "does not match its checksum"),
    "a row comes from elsewhere": ("INSERT INTO rows SELECT trial, 99, document, checksum FROM rows WHERE number = 0", "does not match"),
    "a row has no trial": ("INSERT INTO rows VALUES ('00', 0, '{}', '')", "refers to a missing trial"),
    "a configuration is edited": ("UPDATE trials SET configuration = '{}'", "its key is not the hash of its configuration and code"),
    "the code is another": ("UPDATE trials SET code = 'ff'", "its key is not the hash of its configuration and code"),
    "a trial is undone": ("UPDATE trials SET state = 'waiting', rows = NULL, digest = NULL", "rows, but is waiting"),
    "an end is forgotten": ("DELETE FROM attempts", "is done, but no attempt ended well"),
    "an end is edited": ("UPDATE attempts SET reason = 'it was fine'", "attempt 1 does not match its checksum"),
    "an attempt is open": (
        "INSERT INTO attempts (trial, number, launcher, engine, began, heartbeat) SELECT key, 2, 'x', 'x', 0, 0 FROM trials",
        "is done, but an attempt is open",
    ),
    "a certificate is edited": (
        "UPDATE certificates SET document = replace(document, '3', '4')",
        "its digest is not the hash of its content",
    ),
    "a certificate is cut short": ("UPDATE certificates SET document = substr(document, 1, 9)", "not a JSON document"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_whatever_is_changed_is_reported_and_not_repaired(store: Path, change: str) -> None:
    statement, says = CHANGES[change]
    with sqlite3.connect(store) as database:
        assert database.execute(statement).rowcount > 0
    database.close()
    before = store.read_bytes()
    with read_store(store) as opened:
        wrong = problems(opened)
        assert any(says in line for line in wrong), wrong
        with pytest.raises(BadInput, match=r"store' is damaged: .*; it was not changed; merge an intact copy"):
            require_whole(opened)
    assert store.read_bytes() == before


def test_a_reader_refuses_an_edited_row(store: Path) -> None:
    key = number_trials(6, rows=30)[2].key
    with sqlite3.connect(store) as database:
        database.execute("UPDATE rows SET document = '{}' WHERE trial = ? AND number = 7", (key,))
    database.close()
    with read_store(store) as opened, pytest.raises(BadInput, match=f"damaged: row 7 of trial {key[:12]} does not match its checksum"):
        list(rows_of(opened, key))


def test_constraints_that_a_row_breaks_are_reported(store: Path) -> None:
    with sqlite3.connect(store) as database:
        database.execute("PRAGMA ignore_check_constraints=1")
        database.execute("UPDATE trials SET state = 'dope'")
    database.close()
    with read_store(store) as opened:
        assert any("CHECK constraint failed" in line for line in problems(opened))
        assert any("its state is 'dope'" in line for line in problems(opened))
        with pytest.raises(BadInput, match="is damaged: CHECK constraint failed"):
            require_sound_pages(opened)


def test_a_file_that_was_cut_short_is_reported(store: Path) -> None:
    whole = store.read_bytes()
    for size in (len(whole) // 2, len(whole) - 4096, 8192):
        store.write_bytes(whole[:size])
        with pytest.raises(BadInput, match=r"store' is damaged|store' is not a store"), read_store(store) as opened:
            require_whole(opened)
        assert store.read_bytes() == whole[:size]


@pytest.mark.parametrize("seed", range(3))
def test_a_changed_byte_is_reported_or_harmless(store: Path, seed: int) -> None:
    whole, before, chance = store.read_bytes(), everything(store), random.Random(seed)
    reported = 0
    for _ in range(60):
        place = chance.randrange(len(whole))
        store.write_bytes(whole[:place] + bytes([whole[place] ^ (1 << chance.randrange(8))]) + whole[place + 1 :])
        try:
            with read_store(store) as opened:
                require_whole(opened)
        except BadInput:
            reported += 1
            continue
        assert strip(everything(store)) == strip(before)
    assert reported > 10


def strip(problems_seen: list[Any]) -> list[Any]:
    """Without what no checksum covers: when an attempt began, where, and by whom."""
    trials, documents = problems_seen
    names = {"launcher", "engine", "began"}
    attempts = [[{k: v for k, v in attempt.items() if k not in names} for attempt in trial["attempts"]] for trial in trials]
    return [[{**trial, "attempts": its} for trial, its in zip(trials, attempts, strict=True)], documents]
