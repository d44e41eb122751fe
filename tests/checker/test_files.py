"""Strangers' files: regular ones only, up to a cap, never waiting, never a traceback."""

from __future__ import annotations

import gzip
import os
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from separatrix.checker import check_file
from separatrix.checker.budget import OverBudget
from separatrix.checker.files import DOCUMENT, read_packed, read_regular
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


def packed(tmp_path: Path, content: bytes) -> Path:
    path = tmp_path / "one.json.gz"
    path.write_bytes(content)
    return path


def test_a_packed_file_is_read_as_what_it_holds(tmp_path: Path) -> None:
    assert read_packed(packed(tmp_path, gzip.compress(b'{"a": 1}')), 100, "it") == b'{"a": 1}'
    assert read_packed(packed(tmp_path, b'{"a": 1}'), 100, "it") == b'{"a": 1}'


def test_a_packed_file_that_unpacks_to_too_much_is_refused_without_unpacking_it(tmp_path: Path) -> None:
    path = packed(tmp_path, gzip.compress(bytes(1 << 26)))
    tracemalloc.start()
    with pytest.raises(OverBudget, match=r"^it unpacks to more than 1000000 bytes, at most 1000000 are read$"):
        read_packed(path, 1_000_000, "it")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1 << 23


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (lambda raw: raw[:-9], "cut short"),
        (lambda raw: raw + raw, "goes on after its end"),
        (lambda raw: raw + b"x", "goes on after its end"),
        (lambda raw: raw[:-8] + bytes(4) + raw[-4:], "damaged"),
        (lambda raw: raw[:12] + b"\xff" + raw[13:], "damaged|cut short"),
    ],
)
def test_a_damaged_packed_file_is_refused(tmp_path: Path, spoil: Callable[[bytes], bytes], reason: str) -> None:
    raw = gzip.compress(b'{"a": 1}' * 10, mtime=0)
    with pytest.raises(Unreadable, match=reason):
        read_packed(packed(tmp_path, spoil(raw)), 1000, "it")
