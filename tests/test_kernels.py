"""Compiled kernels find a place to be stored, also where neither the package nor the home can be written to."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import separatrix as sx
from separatrix.kernels import prepare_for_torch, prepare_storage


@pytest.fixture
def places(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> dict[str, bool]:
    """A package and a cache that can be written to or not, as a test says; root may write everywhere, so this is simulated."""
    can = {"package": False, "cache": False}
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for name in can:
        (tmp_path / name).mkdir()
    real = os.access
    known = {str(tmp_path / name): name for name in can}
    monkeypatch.setattr(os, "access", lambda path, mode: can[known[str(path)]] if str(path) in known else real(path, mode))
    return can


@pytest.mark.parametrize(("package", "cache"), [(True, False), (False, True)])
def test_one_place_that_can_be_written_to_is_enough(places: dict[str, bool], package: bool, cache: bool, tmp_path: Path) -> None:
    places.update(package=package, cache=cache)
    prepare_storage(str(tmp_path / "package"))
    assert "NUMBA_CACHE_DIR" not in os.environ


@pytest.mark.usefixtures("places")
def test_else_kernels_are_stored_in_a_folder_that_nobody_else_may_enter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", "")  # so that it is forgotten after the test
    monkeypatch.delenv("NUMBA_CACHE_DIR")
    prepare_storage(str(tmp_path / "package"))
    folder = Path(os.environ["NUMBA_CACHE_DIR"])
    assert folder.stat().st_mode & 0o077 == 0
    prepare_storage(str(tmp_path / "package"))  # whoever has chosen keeps the choice
    assert os.environ["NUMBA_CACHE_DIR"] == str(folder)
    folder.rmdir()


PROGRAM = """
import sys
sys.modules["numba"] = None
import numpy as np
import separatrix as sx
for name in ("dyck", "equality", "mqar", "dyck-next", "dyck-2-next", "parity-next"):
    batch = sx.task(name, length=8).sample(3, 50, start=2)
    print(name, *batch.tokens.ravel(), *batch.targets.ravel())
"""


def test_examples_are_the_same_without_numba() -> None:
    ran = [
        subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
        for text in (PROGRAM, PROGRAM.replace('sys.modules["numba"] = None', ""))
    ]
    assert ran[0].stderr == ""
    assert ran[0].stdout == ran[1].stdout
    assert len(ran[0].stdout.splitlines()) == 6


def test_importing_the_package_changes_nothing_outside_it() -> None:
    lines = (
        "import os, sys",
        "before = dict(os.environ)",
        "import separatrix",
        "print(dict(os.environ) == before, 'tempfile' in sys.modules)",
    )
    environment = {name: value for name, value in os.environ.items() if name not in ("NUMBA_CACHE_DIR", "ONEDNN_MAX_CPU_ISA")}
    ran = subprocess.run([sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True, check=True, env=environment)
    assert ran.stdout == "True False\n"


def test_a_model_and_the_command_line_do_without_amx_unless_the_user_chooses(monkeypatch: pytest.MonkeyPatch) -> None:
    for own, expected in ((None, "AVX512_CORE_FP16"), ("AVX2", "AVX2")):
        for begin in (lambda: sx.model("elman-1-8", vocabulary=2, targets=2), prepare_for_torch):
            monkeypatch.setenv("ONEDNN_MAX_CPU_ISA", own or "")
            if own is None:
                monkeypatch.delenv("ONEDNN_MAX_CPU_ISA")
            begin()
            assert os.environ["ONEDNN_MAX_CPU_ISA"] == expected
