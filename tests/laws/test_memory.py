"""Verifying stays below 2 GB: work is cut by the bytes that a forward pass needs, and not by the number of tokens."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

import pytest

from separatrix.constructions import quick_builds

ALLOWED = 2 << 30
VERIFY = """
import json, resource, sys
from separatrix.certificates.verify import verify
from separatrix.constructions import build

for name, settings in json.loads(sys.argv[1]):
    assert verify(build(name, **settings)).holds, (name, settings)
if sys.platform == "darwin":
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
else:  # there ru_maxrss also counts what the parent held when it forked
    print(next(int(line.split()[1]) * 1024 for line in open("/proc/self/status") if line.startswith("VmHWM")))
"""


def peak_bytes(builds: Sequence[tuple[str, dict[str, Any]]]) -> int:
    """The most memory that a process of its own had while it verified these."""
    done = subprocess.run([sys.executable, "-c", VERIFY, json.dumps(builds)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return int(done.stdout)


@pytest.mark.slow
def test_wide_addresses_of_a_thousand_places_are_verified_in_little_memory() -> None:
    """Both once took more than 24 GB."""
    assert peak_bytes([("index-lookup", {"length": 1000, "address": address}) for address in ("random", "one-hot")]) < ALLOWED


@pytest.mark.slow
def test_a_proof_that_fails_takes_little_memory() -> None:
    """Keys that read keys once took 20 GB, and pairs of 4,096 keys 1.5 GB; the default budget of the checker is 1 GB beside torch."""
    assert peak_bytes([("nearest-neighbor/label-address", {"length": 2}), ("nearest-neighbor", {"length": 2})]) < 5 << 28


@pytest.mark.slow
def test_every_quick_build_is_verified_in_little_memory() -> None:
    assert peak_bytes([(name, dict(settings)) for name, settings in quick_builds()]) < ALLOWED
