"""A file or a folder appears whole or not at all, and what cannot be written is one line."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from separatrix.certificates.files import write_file, write_folder
from separatrix.errors import BadInput


def test_a_file_is_written_into_folders_that_do_not_exist_yet(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "file"
    write_file(path, b"one")
    write_file(path, b"two")
    assert path.read_bytes() == b"two"
    assert path.stat().st_mode & 0o777 == 0o644
    assert [*path.parent.iterdir()] == [path]  # no draft is left


def test_a_folder_is_written_into_folders_that_do_not_exist_yet_or_do(tmp_path: Path) -> None:
    for place in ("a/b/folder", "a/b/other"):  # the second finds a/b
        folder = tmp_path / place
        write_folder(folder, {"x": b"1", "y": b"2"})
        assert {path.name: path.read_bytes() for path in folder.iterdir()} == {"x": b"1", "y": b"2"}
        assert folder.stat().st_mode & 0o777 == 0o755
    assert sorted(path.name for path in (tmp_path / "a" / "b").iterdir()) == ["folder", "other"]


def test_files_of_a_folder_that_exists_are_replaced_one_by_one(tmp_path: Path) -> None:
    write_folder(tmp_path / "folder", {"x": b"1", "y": b"2"})
    write_folder(tmp_path / "folder", {"x": b"3"})
    assert {path.name: path.read_bytes() for path in (tmp_path / "folder").iterdir()} == {"x": b"3", "y": b"2"}


@pytest.mark.parametrize("below", ["file", "file/further"])
def test_a_file_in_the_way_is_one_line(tmp_path: Path, below: str) -> None:
    (tmp_path / "file").write_bytes(b"in the way")
    with pytest.raises(BadInput, match=rf"^cannot write '{tmp_path}/{below}/x': (Not a directory|File exists)$"):
        write_file(tmp_path / below / "x", b"")
    with pytest.raises(BadInput, match=rf"^cannot write '{tmp_path}/{below}/x': (Not a directory|File exists)$"):
        write_folder(tmp_path / below / "x", {"y": b""})
    assert (tmp_path / "file").read_bytes() == b"in the way"


def test_a_folder_in_the_place_of_a_file_is_one_line_and_leaves_no_draft(tmp_path: Path) -> None:
    (tmp_path / "x" / "y").mkdir(parents=True)
    with pytest.raises(BadInput, match=rf"^cannot write '{tmp_path}/x': Is a directory$"):
        write_file(tmp_path / "x", b"")
    assert [path.name for path in tmp_path.iterdir()] == ["x"]


def test_what_breaks_half_way_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(
        BadInput, match=r"^cannot write '.*/folder/x': No space left on device$|^cannot write '.*/x': No space left on device$"
    ):
        write_folder(tmp_path / "folder", {"x": b"1"})
    with pytest.raises(BadInput, match="No space left on device"):
        write_file(tmp_path / "file", b"1")
    assert [*tmp_path.iterdir()] == []
