"""Ray for real: two nodes of this machine, 20 trials; a worker, a node and the driver are killed; 20 of 20, only what was in flight again.

Slow (about two minutes), so it runs only where SEPARATRIX_RAY is set: `make test-ray`. The nodes' ports are open to the network whatever
address Ray is told to use, so the cluster has a token of its own.
"""

from __future__ import annotations

import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from separatrix.runs.store import read_store
from separatrix.runs.stored_trials import listed
from separatrix.runs.trial import make_trial
from tests.runs.kinds_for_tests import CELLS, DIARY, PLACE, place
from tests.runs.optional import RAY
from tests.runs.storing import done_trials, number_cells, require_done_once
from tests.runs.test_launcher import gone

pytestmark = RAY.required
MARK = "SEPARATRIX_TEST_CLUSTER"  # in the environment of every process of a test's node


@dataclass(frozen=True)
class Cluster:
    """Two nodes with two CPUs each."""

    address: str
    environment: dict[str, str]
    folder: Path
    nodes: tuple[str, str]  # what MARK says in the processes of each

    def processes(self, node: str) -> set[int]:
        """The processes of a node, and what they started: those of Ray that rename themselves lose their environment."""
        everything = [int(name) for name in os.listdir("/proc") if name.isdigit()]
        pids = {pid for pid in everything if f"{MARK}={node}" in environment_of(pid)}
        while more := {pid for pid in everything if pid not in pids and parent(pid) in pids}:
            pids |= more
        return pids

    def kill(self, node: str) -> None:
        """The end of a node, with all its processes."""
        while pids := {pid for pid in self.processes(node) if not is_zombie(pid)}:
            for pid in pids:
                kill(pid)
            time.sleep(0.1)


def environment_of(pid: int) -> list[str]:
    try:
        return Path(f"/proc/{pid}/environ").read_bytes().decode(errors="replace").split("\0")
    except OSError:
        return []


def is_zombie(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def parent(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return 0


def kill(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return


def free_port() -> int:
    """Below the range from which Ray takes the ports of its workers."""
    for port in range(6400, 6500):
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise AssertionError("no free port")


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    name, port = secrets.token_hex(8), free_port()
    nodes = (f"{name}-head", f"{name}-other")
    environment = {**os.environ, "RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(16), "RAY_USAGE_STATS_ENABLED": "0"}
    start = [
        sys.executable,
        "-m",
        "ray.scripts.scripts",
        "start",
        "--num-cpus=2",
        "--node-ip-address=127.0.0.1",
        "--object-store-memory=100000000",
    ]
    with tempfile.TemporaryDirectory(prefix="ray", ignore_cleanup_errors=True) as folder:
        cluster = Cluster(f"127.0.0.1:{port}", environment, Path(folder), nodes)
        head = ["--head", f"--port={port}", "--include-dashboard=false", f"--temp-dir={folder}"]
        try:
            for node, options in zip(nodes, (head, [f"--address={cluster.address}"]), strict=True):
                done = subprocess.run(
                    [*start, *options], env={**environment, MARK: node}, capture_output=True, text=True, timeout=300, check=False
                )
                assert done.returncode == 0, done.stdout + done.stderr
            yield cluster
        finally:
            for node in nodes:
                cluster.kill(node)


@dataclass(frozen=True)
class Sweep:
    """A launcher that can be watched and killed."""

    process: subprocess.Popen[str]
    folder: Path

    def begun(self) -> list[tuple[int, int]]:
        """Trials that were begun, and the processes that they run in."""
        path = self.folder / "diary"
        return [(int(line.split()[0]), int(line.split()[1])) for line in path.read_text().splitlines()] if path.exists() else []

    def done(self) -> dict[str, int]:
        """Trials that are done, with their attempts."""
        return done_trials(self.folder / "store")

    def wait(self, ready: Callable[[], bool]) -> None:
        deadline = time.monotonic() + 600
        while not ready():
            assert self.process.poll() is None, self.process.communicate()
            assert time.monotonic() < deadline
            time.sleep(0.1)


def sweeping(folder: Path, cells: list[dict[str, Any]], environment: dict[str, str], *options: str) -> Sweep:
    (folder / "cells.json").write_text(json.dumps(cells))
    command = [sys.executable, "-m", "separatrix", "sweep", f"{PLACE}:cells", "--code", place("NUMBERS"), "--store", str(folder / "store")]
    process = subprocess.Popen(
        [*command, "--retries", "5", "--json", *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**environment, CELLS: str(folder / "cells.json"), DIARY: str(folder / "diary")},
    )  # fmt: skip
    return Sweep(process, folder)


def finished(sweep: Sweep) -> dict[str, Any]:
    try:
        out, err = sweep.process.communicate(timeout=600)
        assert sweep.process.returncode == 0, err
        document: dict[str, Any] = json.loads(out)
        return document
    finally:
        sweep.process.kill()


def living(sweep: Sweep) -> list[int]:
    """The workers that are in the middle of a trial."""
    return [pid for _, pid in sweep.begun() if not is_zombie(pid)]


def test_a_worker_then_a_node_then_the_driver_die_and_20_of_20_are_done(cluster: Cluster, tmp_path: Path) -> None:
    # trials on a node do not have the launcher's environment: each names the diary itself
    cells = [{**cell, "diary": str(tmp_path / "diary")} for cell in number_cells(20, seconds=2.0)]
    trials = [make_trial(cell, [place("NUMBERS")]) for cell in cells]
    ray = ("--engine", "ray", "--address", cluster.address)
    first = sweeping(tmp_path, cells, cluster.environment, *ray)
    try:
        first.wait(lambda: len(first.begun()) >= 4 and bool(living(first)))
        worker = parent(living(first)[0])
        assert b"run_here" in Path(f"/proc/{worker}/cmdline").read_bytes()
        kill(worker)
        first.wait(lambda: len(first.done()) >= 4 and any(f"{MARK}={cluster.nodes[1]}" in environment_of(pid) for pid in living(first)))
        cluster.kill(cluster.nodes[1])
        first.wait(lambda: len(first.done()) >= 10 and bool(living(first)))
        kill(first.process.pid)
        first.process.wait()
    finally:
        first.process.kill()
        first.process.communicate()
    before = first.done()
    assert 10 <= len(before) < 20
    document = finished(sweeping(tmp_path, cells, cluster.environment, *ray))
    assert (document["trials"], document["failed"]) == (20, 0)
    assert document["done"] + document["skipped"] == 20
    assert document["skipped"] == len(before)
    attempts = require_done_once(tmp_path / "store", trials)
    assert all(attempts[key] == tried for key, tried in before.items())
    begun = [number for number, _ in first.begun()]
    assert 20 + 3 <= len(begun) <= 20 + 1 + 2 + 2  # again: that of the worker, those of the node, those that the driver left
    assert max(begun.count(number) for number in range(20)) <= 3
    with read_store(tmp_path / "store") as store, store.reading() as database:
        reasons = [reason for (reason,) in database.execute("SELECT reason FROM attempts WHERE outcome = 'failed'")]
        lost = database.execute("SELECT count(*) FROM attempts WHERE outcome = 'lost'").fetchone()[0]
    assert len(reasons) >= 2
    assert all(reason.startswith("Ray: ") for reason in reasons), reasons
    assert 1 <= lost <= 4  # two that ran, and two for the node that Ray still counted
    assert all(gone(pid) for _, pid in first.begun())


def test_a_sweep_begun_with_local_is_finished_with_ray(cluster: Cluster, tmp_path: Path) -> None:
    cells = [{**cell, "diary": str(tmp_path / "diary")} for cell in number_cells(8, seconds=1.0)]
    trials = [make_trial(cell, [place("NUMBERS")]) for cell in cells]
    local = sweeping(tmp_path, cells, cluster.environment, "--workers", "2")
    try:
        local.wait(lambda: len(local.done()) >= 3)
        kill(local.process.pid)
    finally:
        local.process.kill()
        local.process.communicate()
    before = local.done()
    document = finished(sweeping(tmp_path, cells, cluster.environment, "--engine", "ray", "--address", cluster.address))
    assert (document["done"], document["skipped"], document["failed"]) == (8 - len(before), len(before), 0)
    attempts = require_done_once(tmp_path / "store", trials)
    assert all(attempts[key] == tried for key, tried in before.items())
    with read_store(tmp_path / "store") as store:
        engines = {trial["key"]: trial["engine"] for trial in listed(store)}
    assert {key for key, engine in engines.items() if engine == "local"} == before.keys()
    assert all(gone(pid) for _, pid in local.begun())


def test_an_address_that_cannot_be_joined_is_one_line(cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from separatrix.errors import BadInput
    from separatrix.runs.engines import make_engine

    monkeypatch.setattr("separatrix.runs.engines.ray_tasks.ANSWER", 10.0)
    with socket.socket() as deaf:
        deaf.bind(("127.0.0.1", 0))
        deaf.listen()
        silent = f"127.0.0.1:{deaf.getsockname()[1]}"
        for address, says in [
            ("127.0.0.1:1", r"^cannot reach a Ray cluster at 127.0.0.1:1: .*Connection refused; `ray start --head` prints"),
            ("", r"^engine ray: --address expects HOST:PORT of a head node, found ''; on a single machine use the engine local$"),
            ("somewhere", r"^engine ray: --address expects HOST:PORT of a head node, found 'somewhere'"),
            ("ray://127.0.0.1:1", r"^engine ray: --address expects HOST:PORT of a head node, found 'ray://127.0.0.1:1'"),
            ("127.0.0.1:99999", r"^cannot reach a Ray cluster at 127.0.0.1:99999"),
            (silent, f"^{silent} did not answer as a Ray cluster within 10 s$"),
        ]:
            with pytest.raises(BadInput, match=says):
                make_engine("ray", {"address": address}, tmp_path)
    other = {**cluster.environment, "RAY_AUTH_TOKEN": secrets.token_hex(16)}
    refused = sweeping(tmp_path, number_cells(1), other, "--engine", "ray", "--address", cluster.address)
    out, err = refused.process.communicate(timeout=120)
    assert (refused.process.returncode, out) == (2, "")
    (line,) = err.splitlines()
    assert line.startswith(f"separatrix: cannot join the Ray cluster at {cluster.address}")
    assert not (tmp_path / "store").exists()
