"""Compiled kernels find a place to be stored, also where neither the package nor the home can be written to."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import separatrix


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
    separatrix._store_kernels(str(tmp_path / "package"))
    assert "NUMBA_CACHE_DIR" not in os.environ


@pytest.mark.usefixtures("places")
def test_else_kernels_are_stored_in_a_folder_that_nobody_else_may_enter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", "")  # so that it is forgotten after the test
    monkeypatch.delenv("NUMBA_CACHE_DIR")
    separatrix._store_kernels(str(tmp_path / "package"))
    folder = Path(os.environ["NUMBA_CACHE_DIR"])
    assert folder.stat().st_mode & 0o077 == 0
    separatrix._store_kernels(str(tmp_path / "package"))  # whoever has chosen keeps the choice
    assert os.environ["NUMBA_CACHE_DIR"] == str(folder)
    folder.rmdir()
