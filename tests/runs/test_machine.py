import ctypes
import platform

import pytest
import torch

from separatrix.runs.machine import keep_memory, settle


def test_one_thread_is_the_default() -> None:
    before = torch.get_num_threads()
    try:
        settle()
        assert torch.get_num_threads() == 1
    finally:
        torch.set_num_threads(before)


def test_glibc_listens() -> None:
    assert keep_memory() is (platform.libc_ver()[0] == "glibc")


def test_other_libraries_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ctypes, "CDLL", lambda _: object())
    assert keep_memory() is False
