"""What is stored under a key is read back only as it was written here."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from separatrix.records.keyed import key, read_keyed, write_keyed


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path_factory.mktemp("cache")
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder))
    return folder


def test_a_document_is_read_back_and_an_edited_one_is_not(tmp_path: Path) -> None:
    path = tmp_path / "one.json"
    assert write_keyed(path, {"strength": "tested", "list": [1, 2]})
    assert read_keyed(path) == {"strength": "tested", "list": [1, 2]}
    path.write_text(path.read_text().replace("tested", "proven"))
    assert read_keyed(path) is None


def test_what_another_user_or_machine_wrote_is_not_believed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    write_keyed(tmp_path / "one.json", {"strength": "proven"})
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("another")))
    assert read_keyed(tmp_path / "one.json") is None


@pytest.mark.parametrize("text", ["", "[]", "7", "{}", '{"key": 7}', '{"key": "\\ud800"}', '{"key": "00", "a": NaN}', "[" * 100_000])
def test_whatever_else_lies_there_is_not_believed(tmp_path: Path, text: str) -> None:
    (tmp_path / "one.json").write_text(text)
    assert read_keyed(tmp_path / "one.json") is None


def test_the_key_is_drawn_once_and_is_readable_by_its_owner_alone(own_cache: Path) -> None:
    first = key()
    assert first is not None
    assert key() == first
    (path,) = (own_cache / "separatrix").iterdir()
    assert path.stat().st_mode & 0o077 == 0


def test_without_a_place_for_the_key_nothing_is_stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert key() is None
    assert not write_keyed(tmp_path / "one.json", {"a": 1})
    assert not (tmp_path / "one.json").exists()


def test_a_key_that_was_cut_short_is_none(own_cache: Path, tmp_path: Path) -> None:
    write_keyed(tmp_path / "one.json", {"a": 1})
    (own_cache / "separatrix" / "key").write_bytes(b"")
    assert read_keyed(tmp_path / "one.json") is None
    assert json.loads((tmp_path / "one.json").read_text())["a"] == 1


def test_a_pipe_does_not_block(tmp_path: Path, own_cache: Path) -> None:
    os.mkfifo(tmp_path / "one.json")
    assert read_keyed(tmp_path / "one.json") is None
    assert key() is not None
    (own_cache / "separatrix" / "key").unlink()
    os.mkfifo(own_cache / "separatrix" / "key")
    assert key() is None
