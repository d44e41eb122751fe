"""Strangers' files: regular ones only, up to a cap, never waiting, never a traceback."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from separatrix.checker import check_file
from separatrix.checker.budget import OverBudget
from separatrix.checker.files import DOCUMENT, read_regular
from separatrix.checker.seal import Unreadable


def test_a_regular_file_is_read_up_to_the_cap(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"12345")
    assert read_regular(tmp_path / "a", 5, "it") == b"12345"
    with pytest.raises(OverBudget, match=r"^it has 5 bytes, at most 4 are read$"):
        read_regular(tmp_path / "a", 4, "it")


def test_what_is_no_regular_file_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    start = time.perf_counter()
    for path in (tmp_path / "pipe", Path("/dev/zero"), tmp_path / "folder"):
        with pytest.raises(Unreadable, match=r"^cannot read it: (not a regular file|Is a directory)$"):
            read_regular(path, 100, "it")
        verdict = check_file(path)
        assert (verdict.holds, verdict.readable) == (False, False)
    assert time.perf_counter() - start < 5


@pytest.mark.parametrize(
    ("path", "reason"),
    [("a\0b", "null"), ("x" * 5000, "File name too long"), ("nowhere/at/all.json", "No such file or directory")],
)
def test_a_path_that_leads_nowhere_is_one_line(path: str, reason: str) -> None:
    verdict = check_file(path)
    assert (verdict.holds, verdict.readable) == (False, False)
    assert reason in verdict.reason
    assert "\n" not in verdict.reason


def test_a_huge_sparse_file_is_not_read(tmp_path: Path) -> None:
    with (tmp_path / "c.json").open("wb") as sparse:
        sparse.truncate(4 << 30)
    verdict = check_file(tmp_path / "c.json")
    assert not verdict.readable
    assert verdict.reason.endswith(f"has 4294967296 bytes, at most {DOCUMENT} are read")


def test_what_is_not_utf_8_is_unreadable(tmp_path: Path) -> None:
    (tmp_path / "c.json").write_bytes(b"\xff\xfe{}")
    verdict = check_file(tmp_path / "c.json")
    assert (verdict.readable, verdict.reason) == (False, f"cannot read {str(tmp_path / 'c.json')!r}: not UTF-8 text")
