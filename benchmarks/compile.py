"""Building and verifying at N = 16 .. 4096: how long each takes, and how many weights it writes.

The peer of a time is the number of weights (parameters and stored bits of addresses) that the build writes, so a ratio is time for
each weight; what is asked is that it does not grow: a build costs no more than the weights it writes.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from typing import Any

LENGTHS = (16, 64, 256, 1024, 4096)
PROGRAMS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("index-lookup", {"address": "binary"}),
    ("index-lookup", {"address": "code"}),
    ("equality", {"address": "binary"}),
    ("equality", {"address": "quadratic"}),
    ("equality", {"address": "one-hot"}),
    ("intersects", {"address": "binary"}),
    ("eq-ncp", {"symbols": 64}),
)
ONE_HOT = 256  # beyond that the weights of a one-hot address fill gigabytes
CASES = 4


def measured(name: str, chosen: dict[str, Any], N: int) -> dict[str, float]:
    """Median seconds of a build, seconds of verifying a few random cases, and weights."""
    from separatrix.certificates.verify import certify
    from separatrix.constructions import build

    times = []
    built = build(name, length=N, **chosen)
    for _ in range(5):
        start = time.perf_counter()
        built = build(name, length=N, **chosen)
        times.append(time.perf_counter() - start)
    weights = sum(tensor.numel() for tensor in built.model.state_dict().values())
    certify(built, [{"kind": "random", "seed": 1, "count": 1}])  # samplers are compiled when they first run
    start = time.perf_counter()
    certificate = certify(built, [{"kind": "random", "seed": 0, "count": CASES}])
    verifying = time.perf_counter() - start
    if not certificate.holds:
        raise SystemExit(f"{name}, N = {N}: {certificate.counterexample}")
    return {"build": statistics.median(times), "verify": verifying, "weights": float(weights)}


def rows() -> list[dict[str, Any]]:
    import torch

    torch.set_num_threads(1)
    found = []
    for name, chosen in PROGRAMS:
        what = " ".join([name, *map(str, chosen.values())])
        lengths = [N for N in LENGTHS if chosen.get("address") != "one-hot" or N <= ONE_HOT]
        by_length = {N: measured(name, chosen, N) for N in lengths}
        for N, m in by_length.items():
            for part in ("build", "verify"):
                title = f"{what}, N = {N}: {part}" + (f" on {CASES} inputs" if part == "verify" else "")
                found.append({"what": title, "ours": m[part] * 1e3, "peer": m["weights"], "unit": "ms, weights",
                              "ratio": m[part] * 1e6 / m["weights"], "goal": "-"})  # fmt: skip
        first, last = by_length[lengths[0]], by_length[lengths[-1]]
        grown, more = last["build"] / first["build"], last["weights"] / first["weights"]
        title = f"{what}: growth of build time and of weights, N = {lengths[0]} to {lengths[-1]}"
        found.append({"what": title, "ours": grown, "peer": more, "unit": "times", "ratio": grown / more, "goal": "at most 1"})
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    as_json = parser.parse_args().json
    found = rows()
    if as_json:
        print(json.dumps(found))
        return
    for row in found:
        print(f"{row['what']:<80} {row['ours']:10.2f} {row['peer']:12.1f} {row['unit']:<12} ratio {row['ratio']:8.3f}  goal {row['goal']}")


if __name__ == "__main__":
    main()
