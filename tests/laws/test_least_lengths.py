"""Every construction at the least length at which its task has two answers: what the producer writes there, the checker accepts."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from separatrix.certificates.construction import Settings
from separatrix.certificates.verify import verify
from separatrix.checker import check_file
from separatrix.constructions import build, constructions, quick_builds
from separatrix.errors import BadInput

LONGER = 9  # lengths that are tried
SLOW = {"eq-one", "nearest-neighbor", "nearest-neighbor/label-address"}  # seconds each
NAMES = tuple(declared.name for declared in constructions())
SEVERAL = 100  # constructions, at least


def test_there_are_many() -> None:
    assert len(NAMES) >= SEVERAL


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.slow) if name in SLOW else name for name in NAMES])
def test_the_certificate_of_the_least_length_is_accepted(name: str, tmp_path: Path) -> None:
    (declared,) = (each for each in constructions() if each.name == name)
    refused = ""
    for length in range(declared.computes.least_length, declared.computes.least_length + LONGER):
        try:
            certificate = verify(build(name, **{**_settings()[name], "length": length}))
        except BadInput as error:  # no such length, or a constant
            refused = str(error)
            continue
        assert certificate.holds, f"N = {length}: {certificate.counterexample}"
        certificate.write(tmp_path / "c.json")
        verdict = check_file(tmp_path / "c.json")
        assert verdict.holds, f"N = {length}: {verdict.reason}"
        assert verdict.strength == certificate.strength
        return
    pytest.fail(f"none of {LONGER} lengths: {refused}")


@cache
def _settings() -> dict[str, Settings]:
    """Of the last quick build of each construction, for those that have no defaults."""
    return dict(quick_builds())
