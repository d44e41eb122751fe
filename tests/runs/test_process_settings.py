import ctypes
import os
import platform

import pytest
import torch

from separatrix.cli import main
from separatrix.errors import BadInput
from separatrix.runs.process_settings import choose_device, configure_process, keep_memory


def test_one_thread_is_the_default() -> None:
    before = torch.get_num_threads()
    try:
        configure_process()
        assert torch.get_num_threads() == 1
    finally:
        torch.set_num_threads(before)


@pytest.mark.parametrize(("own", "expected"), [({}, "2000"), ({"GOMP_SPINCOUNT": "7"}, "7"), ({"OMP_WAIT_POLICY": "active"}, None)])
def test_threads_prepare_for_torch_unless_the_user_says_otherwise(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], own: dict[str, str], expected: str | None
) -> None:
    for name in ("GOMP_SPINCOUNT", "OMP_WAIT_POLICY"):
        monkeypatch.setenv(name, "")  # so that it is put back at the end
        monkeypatch.delenv(name)
    for name, value in own.items():
        monkeypatch.setenv(name, value)
    assert main(["studies"]) == 0
    assert os.environ.get("GOMP_SPINCOUNT") == expected
    assert capsys.readouterr().out


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
