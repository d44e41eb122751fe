import ctypes
import os
import platform

import pytest
import torch

from separatrix.cli import main
from separatrix.errors import BadInput
from separatrix.runs.machine import choose_device, keep_memory, settle


def test_one_thread_is_the_default() -> None:
    before = torch.get_num_threads()
    try:
        settle()
        assert torch.get_num_threads() == 1
    finally:
        torch.set_num_threads(before)


def test_a_study_starts_torch_with_one_thread_unless_the_user_says_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    for own, expected in ((None, "1"), ("2", "2")):
        if own is None:
            monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
        else:
            monkeypatch.setenv("OMP_NUM_THREADS", own)
        assert main(["study", "lookup-printed", "--cell", "all", "--json"]) == 0
        assert os.environ["OMP_NUM_THREADS"] == expected


def test_glibc_listens() -> None:
    assert keep_memory() is (platform.libc_ver()[0] == "glibc")


def test_other_libraries_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ctypes, "CDLL", lambda _: object())
    assert keep_memory() is False


def test_a_device_that_is_not_there_is_refused_in_one_line() -> None:
    for name, says in (
        ("gpu", "unknown device 'gpu': expected cpu, cuda, cuda:N or mps"),
        ("meta", "unknown device 'meta': expected cpu, cuda, cuda:N or mps"),
        ("cuda:99", "no device 'cuda:99' on this machine: it has cpu"),
    ):
        with pytest.raises(BadInput, match=says):
            choose_device(name)
    choose_device("cpu")
    assert torch.get_default_device().type == "cpu"
