import multiprocessing
from pathlib import Path

import pytest

from separatrix.errors import BadInput
from separatrix.runs.row_file import RowFile, open_rows, read_rows


def test_rows_are_appended_and_read_back(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    with open_rows(path) as rows:
        rows.append({"step": 1, "what": "ä"})
        size = rows.size
        rows.append({"step": 2})
        assert size == len('{"step": 1, "what": "ä"}\n'.encode())
    with open_rows(path) as rows:
        rows.append({"step": 3})
    assert [row["step"] for row in read_rows(path)] == [1, 2, 3]
    with open_rows(path) as rows:
        rows.cut(size)
    assert read_rows(path) == [{"step": 1, "what": "ä"}]


def test_a_line_that_was_cut_short_is_not_a_row(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text('{"step": 1}\n{"step": 2}\n{"st')
    assert [row["step"] for row in read_rows(path)] == [1, 2]


def test_a_line_that_is_not_json_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text('{"step": 1}\n{"step": \n{"step": 3}\n')
    with pytest.raises(BadInput, match=r"rows.jsonl': line 2 is not JSON"):
        read_rows(path)


def test_cutting_never_makes_a_file_longer(tmp_path: Path) -> None:
    with (
        open_rows(tmp_path / "rows.jsonl") as rows,
        pytest.raises(BadInput, match=r"has 0 bytes, but its snapshot was taken after 7: rows are missing"),
    ):
        rows.cut(7)


def test_a_row_that_does_not_fit_leaves_the_file_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk that takes half of the line and then is full."""
    path, calls = tmp_path / "rows.jsonl", []

    def almost_full(handle: int, line: bytes) -> int:
        calls.append(line)
        if len(calls) == 1:
            return write(handle, line[:5])
        raise OSError(28, "No space left on device")

    with open_rows(path) as rows:
        rows.append({"step": 1})
        import os

        write = os.write
        monkeypatch.setattr("separatrix.runs.row_file.os.write", almost_full)
        with pytest.raises(BadInput, match=r"cannot write '.*rows.jsonl': No space left on device"):
            rows.append({"step": 2})
    assert len(calls) == 2
    assert path.read_text() == '{"step": 1}\n'


def _hold(path: Path, ready: "multiprocessing.synchronize.Event", done: "multiprocessing.synchronize.Event") -> None:
    with open_rows(path):
        ready.set()
        done.wait(30)


def test_two_processes_do_not_write_to_one_file(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    ready, done = context.Event(), context.Event()
    other = context.Process(target=_hold, args=(tmp_path / "rows.jsonl", ready, done))
    other.start()
    try:
        assert ready.wait(30)
        with pytest.raises(BadInput, match=r"another process is writing to '.*rows.jsonl'"), open_rows(tmp_path / "rows.jsonl"):
            pass
    finally:
        done.set()
        other.join(30)
    with open_rows(tmp_path / "rows.jsonl") as rows:
        assert isinstance(rows, RowFile)


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with (
        pytest.raises(BadInput, match=r"cannot write '.*rows.jsonl': No such file or directory"),
        open_rows(tmp_path / "none" / "rows.jsonl"),
    ):
        pass
