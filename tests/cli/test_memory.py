"""Out of memory is bad input, with the size that would fit."""

from __future__ import annotations

import re

import numpy as np
import pytest
import torch

from separatrix.cli import main, memory
from separatrix.cli.memory import free_bytes, is_out_of_memory, memory_message
from tests.cli.calling import refusal


def test_what_torch_and_numpy_say_of_memory_is_understood(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "free_bytes", lambda: 8 * 10**9)
    for ask, gigabytes in ((lambda: torch.empty(10**15), 4e6), (lambda: np.empty(10**15), 8e6)):
        with pytest.raises((RuntimeError, MemoryError)) as raised:
            ask()
        assert is_out_of_memory(raised.value)
        said = memory_message(raised.value)
        asked, smaller = (
            float(text.replace(",", ""))
            for text in re.findall(r"([\d,.e+]+) GB in|about ([\d,.e+]+) times", said)[0:2]
            for text in text
            if text
        )
        assert asked == pytest.approx(gigabytes, rel=0.05)
        assert smaller == pytest.approx(gigabytes / 4, rel=0.05)  # half of the free memory for one array


def test_other_errors_are_not_about_memory() -> None:
    assert not is_out_of_memory(RuntimeError("mat1 and mat2 shapes cannot be multiplied"))
    assert not is_out_of_memory(KeyError("allocate memory"))
    assert memory_message(MemoryError()).startswith("this needs more memory than there is")
    assert (free_bytes() or 1) > 0


def test_a_model_that_is_too_large_is_refused_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    said = refusal(capsys, "train", "lstm-1-1000000", "parity", "--length", "8")
    assert "GB in one piece" in said
    assert "times smaller would fit" in said


def test_an_error_of_our_own_stays_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("separatrix.tasks.make_task", lambda *_, **__: 1 / 0)
    assert main(["sample", "parity", "--length", "4"]) == 70
