"""The selective scan, forward and backward, against mambapy's parallel scan: time, memory, and error against float64.

Both take the same inputs of batch 64, 128 channels and 16 numbers of state, float32, and are timed in turn in one process, on two threads
and on one, as trials of a sweep run; rows show medians. Both have the same advantages: freed memory is never returned to the system
(otherwise the peer's 2.6 GB are faulted in anew at every pass, and returning them is charged to whoever frees next), and threads that
wait sleep, instead of spinning on a core that others need. Memory is the growth of the peak of a process of its own during one pass.
The error is the largest one of the outputs, relative to the largest output; the inputs have the time steps that models start with.
The peer is installed by the extra `bench`; without it the rows have no peer.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # read when torch is loaded

import torch
from torch import Tensor

from separatrix.models.fast.selective_scan import naive, selective_scan
from separatrix.runs.process_settings import configure_process, keep_memory

BATCH, CHANNELS, STATE, REPEATS = 64, 128, 16, 9
GOALS = {100: "15x, moonshot 25x", 400: "20x, moonshot 40x"}


def inputs(n: int, dtype: torch.dtype = torch.float32) -> list[Tensor]:
    generator = torch.Generator().manual_seed(n)
    u, B, C = (torch.randn(BATCH, n, size, generator=generator) for size in (CHANNELS, STATE, STATE))
    delta = (torch.rand(BATCH, n, CHANNELS, generator=generator) * 4.6 - 6.9).exp()  # 0.001 .. 0.1
    A = -torch.arange(1.0, STATE + 1).expand(CHANNELS, STATE).contiguous()
    return [x.to(dtype).requires_grad_() for x in (u, delta, A, B, C)]


def mambapy_scan() -> Callable[..., Tensor] | None:
    """As its own block calls it; None where it is not installed."""
    try:
        from mambapy.pscan import pscan
    except ImportError:
        return None

    def scan(u: Tensor, delta: Tensor, A: Tensor, B: Tensor, C: Tensor) -> Tensor:
        decay = torch.exp(delta.unsqueeze(-1) * A)
        states = pscan(decay, delta.unsqueeze(-1) * B.unsqueeze(2) * u.unsqueeze(-1))
        y: Tensor = (states @ C.unsqueeze(-1)).squeeze(3)
        return y

    return scan


def there_and_back(scan: Callable[..., Tensor], tensors: list[Tensor]) -> None:
    torch.autograd.grad(scan(*tensors).sum(), tensors)


def timed(scans: dict[str, Callable[..., Tensor]], n: int) -> dict[str, float]:
    """Median milliseconds of each, in turn."""
    tensors, spent = inputs(n), {name: [] for name in scans}  # type: dict[str, Any]
    for scan in scans.values():
        there_and_back(scan, tensors)
    for _ in range(REPEATS):
        for name, scan in scans.items():
            start = time.perf_counter()
            there_and_back(scan, tensors)
            spent[name].append(time.perf_counter() - start)
    return {name: 1e3 * statistics.median(times) for name, times in spent.items()}


def megabytes(which: str, n: int) -> float:
    """By a process of its own."""
    done = subprocess.run([sys.executable, __file__, "--memory-of", which, "--tokens", str(n)], capture_output=True, text=True, check=True)
    return float(done.stdout)


def print_memory(which: str, n: int) -> None:
    scan = selective_scan if which == "ours" else mambapy_scan()
    assert scan is not None
    small = inputs(2)
    there_and_back(scan, small)  # imports and compilation
    tensors = inputs(n)
    Path("/proc/self/clear_refs").write_text("5")  # Linux forgets the peak so far
    before = kilobytes("VmRSS")
    there_and_back(scan, tensors)
    print((kilobytes("VmHWM") - before) / 1024)


def kilobytes(field: str) -> int:
    return int(Path("/proc/self/status").read_text().split(f"{field}:")[1].split()[0])


def error(scan: Callable[..., Tensor], n: int) -> float:
    with torch.no_grad():
        exact = naive(*inputs(n, torch.float64))
        return float((scan(*inputs(n)) - exact).abs().max() / exact.abs().max())


def row(what: str, ours: float, peer: float | None, unit: str, goal: str) -> dict[str, Any]:
    return {"what": what, "ours": ours, "peer": peer, "unit": unit, "ratio": None if peer is None else peer / ours, "goal": goal}


def rows(lengths: list[int], threads: list[int]) -> list[dict[str, Any]]:
    peer = mambapy_scan()
    if peer is None:
        print("the peer mambapy is not installed: pip install 'separatrix[bench]'", file=sys.stderr)
    scans = {"ours": selective_scan} | ({} if peer is None else {"peer": peer})
    measured = []
    for count in threads:
        torch.set_num_threads(count)
        for n in lengths:
            spent = timed(scans, n)
            what = f"selective scan, L = {n}, {count} thread{'s' if count > 1 else ''}; peer: mambapy"
            measured.append(row(what, spent["ours"], spent.get("peer"), "ms", GOALS.get(n, "")))
    n = lengths[0]
    if sys.platform == "linux":
        memory = megabytes("ours", n), megabytes("peer", n) if peer else None
        measured.append(row(f"its peak memory, L = {n}; peer: mambapy", *memory, "MB", "20x less"))
    errors = error(selective_scan, n), error(peer, n) if peer else None
    measured.append(row(f"its error against float64, L = {n}; peer: mambapy", *errors, "", "3e-7"))
    return measured


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--lengths", type=int, nargs="+", default=[100, 400])
    parser.add_argument("--threads", type=int, nargs="+", default=[2, 1])
    parser.add_argument("--memory-of", choices=["ours", "peer"], help=argparse.SUPPRESS)
    parser.add_argument("--tokens", type=int, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.memory_of:
        torch.set_num_threads(arguments.threads[0])
        print_memory(arguments.memory_of, arguments.tokens)  # with the allocator as it is: the tuned one returns nothing
        return
    configure_process(arguments.threads[0])
    keep_memory(trim=False)
    measured = rows(arguments.lengths, arguments.threads)
    if arguments.json:
        print(json.dumps(measured))
        return
    for r in measured:
        ours, peer = (f"{r[side]:10.3g} {r['unit']}" if r[side] is not None else f"{'-':>10}" for side in ("ours", "peer"))
        ratio = "   - " if r["ratio"] is None else f"{r['ratio']:5.1f}"
        print(f"{r['what']:52}  ours {ours}  peer {peer}  ratio {ratio}  goal {r['goal']}")


if __name__ == "__main__":
    main()
