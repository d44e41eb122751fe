"""One lookup at N = 10^4 .. 10^6: memory, time, and time against one matvec over the keys plus N exponentials.

The peer is what no softmax attention over stored keys can avoid: read the N x k keys once, take N exponentials.
Peak memory is that of the whole process, each length in a process of its own.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from typing import Any


def once(N: int, address: str) -> dict[str, float]:
    """Median times of our lookup and of the peer, interleaved, and the peak memory before the peer's keys exist."""
    import torch

    from separatrix.constructions import build

    torch.set_num_threads(1)
    built = build("index-lookup", length=N, address=address)
    tokens = torch.from_numpy(built.task.sample(0, 1).tokens)
    with torch.no_grad():
        built.model(tokens, at=-1)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        k = built.model.config.layers[0].mixer.key_width
        keys, query = torch.randn(N, k, dtype=torch.float64), torch.randn(k, dtype=torch.float64)
        ours, peer = [], []
        for _ in range(7):
            start = time.perf_counter()
            built.model(tokens, at=-1)
            ours.append(time.perf_counter() - start)
            start = time.perf_counter()
            torch.exp(keys @ query)
            peer.append(time.perf_counter() - start)
    return {"ours": sorted(ours)[3], "peer": sorted(peer)[3], "peak": peak}


def rows() -> list[dict[str, Any]]:
    found = []
    for address in ("binary", "quadratic"):
        measured = {N: _apart(N, address) for N in (10**4, 10**5, 10**6)}
        for N, m in measured.items():
            what = f"lookup, {address}, N = {N}: ours / (matvec over N x k keys + N exponentials)"
            found.append({"what": what, "ours": m["ours"] * 1e3, "peer": m["peer"] * 1e3, "unit": "ms", "ratio": m["ours"] / m["peer"],
                          "goal": "at most 3" if N == 10**6 else "-"})  # fmt: skip
        small, large = measured[10**4], measured[10**6]
        found.append({"what": f"peak memory, {address}, N = 10^6 against 10^4", "ours": large["peak"], "peer": small["peak"], "unit": "MB",
                      "ratio": large["peak"] / small["peak"], "goal": "differ by at most 100 MB"})  # fmt: skip
        found.append({"what": f"time, {address}, N = 10^6 against 10^5", "ours": large["ours"] * 1e3, "peer": measured[10**5]["ours"] * 1e3,
                      "unit": "ms", "ratio": large["ours"] / measured[10**5]["ours"], "goal": "about 10 (linear)"})  # fmt: skip
    return found


def _apart(N: int, address: str) -> dict[str, float]:
    """One measurement in a process of its own."""
    done = subprocess.run([sys.executable, __file__, "--once", str(N), address], capture_output=True, text=True, check=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--once", nargs=2, metavar=("N", "ADDRESS"))
    arguments = parser.parse_args()
    if arguments.once:
        print(json.dumps(once(int(arguments.once[0]), arguments.once[1])))
        return
    found = rows()
    if arguments.json:
        print(json.dumps(found))
        return
    for row in found:
        print(f"{row['what']:<80} {row['ours']:9.2f} {row['peer']:9.2f} {row['unit']:<3} ratio {row['ratio']:6.2f}  goal {row['goal']}")


if __name__ == "__main__":
    main()
