"""Sweeps: two workers of one thread against one process of two, what a launch costs per trial, and 10,000 trials listed and resumed.

Throughput: the same training trials, once by the local engine with two workers, once one after the other in a process of two threads;
both with the tuned allocator, both timed from the start of their process to the last row. Each trial of a sweep imports torch anew, so
trials last some seconds, as the shortest real ones do.
Overhead: no-op trials on one worker; the peer starts Python itself as often, so the ratio says how much of the cost is not ours.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from separatrix.runs import claims
from separatrix.runs.engines.local import Local
from separatrix.runs.kinds.train import train_trial
from separatrix.runs.launcher import Counts, Launch, Limits, launch
from separatrix.runs.launcher_lock import alive, new_name
from separatrix.runs.outcome import Outcome
from separatrix.runs.spec import RunSpec
from separatrix.runs.store import open_store, read_store
from separatrix.runs.stored_trials import listed
from separatrix.runs.trial import Trial, make_trial
from separatrix.training.budget import Budget

TRIALS, STEPS, REPEATS = 4, 200, 3
MANY = 10_000
NO_OPS = 40

ONE_PROCESS = """
import json, sys, time
from separatrix.runs.process_settings import configure_process
from separatrix.runs.run import run
from separatrix.runs.spec import read_spec
configure_process(threads=2)
for document in json.load(sys.stdin):
    run(read_spec(document), None)
"""


def launched(folder: Path, trials: list[Trial], workers: int) -> tuple[Counts, float]:
    """A launch on a fresh or known store, and its seconds."""
    start = time.perf_counter()
    with open_store(folder / "store") as store:
        counts = launch(Launch(store, Local(workers), "local", folder / "work", Limits()), trials)
    return counts, time.perf_counter() - start


def training_trials(model: str, length: int) -> list[Trial]:
    budget = Budget(steps=STEPS, batch=64, validate_every=STEPS, validation=100, test=100)
    return [make_trial(train_trial(RunSpec("index-lookup", {"length": length}, model, {}, budget, seed))) for seed in range(TRIALS)]


def throughput_row(model: str, length: int) -> dict[str, Any]:
    """Interleaved, so that a neighbour on the machine disturbs both."""
    trials = training_trials(model, length)
    documents = json.dumps([trial.configuration["run"] for trial in trials])
    ours, theirs = list[float](), list[float]()
    for _ in range(REPEATS):
        with tempfile.TemporaryDirectory() as folder:
            counts, seconds = launched(Path(folder), trials, 2)
            assert counts.done == TRIALS
            ours.append(seconds)
        start = time.perf_counter()
        subprocess.run([sys.executable, "-c", ONE_PROCESS], input=documents, text=True, check=True)
        theirs.append(time.perf_counter() - start)
    a, b = statistics.median(ours), statistics.median(theirs)
    what = f"{TRIALS} trials, {model} on index lookup N = {length}, {STEPS} steps: 2 workers; peer: one process with 2 threads"
    return {"what": what, "ours": a, "peer": b, "unit": "s", "ratio": b / a, "goal": "1.3x"}


def overhead_row() -> dict[str, Any]:
    """Seconds per no-op trial, one at a time, beside a Python that does nothing."""
    trials = [make_trial({"kind": "no-op", "number": number}) for number in range(NO_OPS)]
    with tempfile.TemporaryDirectory() as folder:
        counts, seconds = launched(Path(folder), trials, 1)
    assert counts.done == NO_OPS
    start = time.perf_counter()
    for _ in range(NO_OPS):
        subprocess.run([sys.executable, "-c", "pass"], check=True)
    bare = time.perf_counter() - start
    a, b = 1e3 * seconds / NO_OPS, 1e3 * bare / NO_OPS
    what = "launcher overhead per trial, one worker; peer: a Python process that does nothing"
    return {"what": what, "ours": a, "peer": b, "unit": "ms", "ratio": b / a, "goal": "200 ms"}


def many_rows() -> list[dict[str, Any]]:
    """A store of 10,000 no-op trials that are done: listed, and launched again."""
    trials = [make_trial({"kind": "no-op", "number": number}) for number in range(MANY)]
    with tempfile.TemporaryDirectory() as name:
        folder, launcher = Path(name), new_name()
        with open_store(folder / "store") as store, alive(store.path, launcher):
            claims.add(store, trials)
            claims.set_targets(store, [trial.key for trial in trials])
            store.database.execute("PRAGMA synchronous=OFF")  # filling it is not what is measured
            for claim in claims.claim(store, launcher, "local", MANY):
                claims.finish(store, claim, Outcome(claim.key, "done", rows=({"number": 0},), seconds=0.0))
        start = time.perf_counter()
        with read_store(folder / "store") as store:
            assert len(listed(store)) == MANY
        listing = time.perf_counter() - start
        counts, resuming = launched(folder, trials, 2)
        assert (counts.done, counts.skipped) == (0, MANY)
    goal = {"peer": 10.0, "unit": "s", "goal": "10 s"}
    return [
        {"what": f"{MANY} trials listed; peer: ten seconds", "ours": listing, "ratio": 10.0 / listing, **goal},
        {"what": f"{MANY} trials that are done, launched again; peer: ten seconds", "ours": resuming, "ratio": 10.0 / resuming, **goal},
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--only", choices=["throughput", "overhead", "many"])
    arguments = parser.parse_args()
    rows = []
    if arguments.only in (None, "throughput"):
        rows += [throughput_row("tf-2-64", 50), throughput_row("lstm-1-64", 50)]
    if arguments.only in (None, "overhead"):
        rows.append(overhead_row())
    if arguments.only in (None, "many"):
        rows += many_rows()
    if arguments.json:
        print(json.dumps([{name: row[name] for name in ("what", "ours", "peer", "unit", "ratio", "goal")} for row in rows]))
        return
    for r in rows:
        ours, peer = (f"{r[side]:8.2f} {r['unit']}" for side in ("ours", "peer"))
        print(f"{r['what']:110}  ours {ours}  peer {peer}  ratio {r['ratio']:5.1f}  goal {r['goal']}")


if __name__ == "__main__":
    main()
