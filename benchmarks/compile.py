"""Building and verifying at N = 16 .. 4096: how long each takes, and how many weights it writes.

The peer of a time is the number of weights (parameters and stored bits of addresses) that the build writes, so a ratio is time for
each weight; what is asked is that it does not grow: a build costs no more than the weights it writes.
"""

from __future__ import annotations

import argparse
import json
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


def built_in(name: str, chosen: dict[str, Any], lengths: list[int]) -> dict[int, float]:
    """The least seconds of a build at each length; the lengths take turns, so that a busy machine slows all alike."""
    from separatrix.constructions import build

    best = dict.fromkeys(lengths, float("inf"))
    for _ in range(9):
        for N in lengths:
            start = time.process_time()
            build(name, length=N, **chosen)
            best[N] = min(best[N], time.process_time() - start)
    return best


def verified_in(name: str, chosen: dict[str, Any], N: int) -> tuple[float, int]:
    """Seconds of verifying a few random cases, and how many weights the model has."""
    from separatrix.certificates.verify import trial
    from separatrix.constructions import build

    built = build(name, length=N, **chosen)
    trial(built, [{"kind": "random", "seed": 1, "count": 1}])  # samplers are compiled when they first run
    start = time.process_time()
    certificate = trial(built, [{"kind": "random", "seed": 0, "count": CASES}])
    seconds = time.process_time() - start
    if not certificate.holds:
        raise SystemExit(f"{name}, N = {N}: {certificate.counterexample}")
    return seconds, sum(tensor.numel() for tensor in built.model.state_dict().values())


def rows() -> list[dict[str, Any]]:
    import torch

    torch.set_num_threads(1)
    found = []
    for name, chosen in PROGRAMS:
        what = " ".join([name, *map(str, chosen.values())])
        lengths = [N for N in LENGTHS if chosen.get("address") != "one-hot" or N <= ONE_HOT]
        building = built_in(name, chosen, lengths)
        verifying = {N: verified_in(name, chosen, N) for N in lengths}
        for N in lengths:
            seconds, weights = verifying[N]
            for part, took in (("build", building[N]), (f"verify on {CASES} inputs", seconds)):
                found.append({"what": f"{what}, N = {N}: {part}", "ours": took * 1e3, "peer": float(weights), "unit": "ms, weights",
                              "ratio": took * 1e6 / weights, "goal": "-"})  # fmt: skip
        first, last = lengths[0], lengths[-1]
        grown, more = building[last] / building[first], verifying[last][1] / verifying[first][1]
        title = f"{what}: growth of build time and of weights, N = {first} to {last}"
        found.append({"what": title, "ours": grown, "peer": more, "unit": "times", "ratio": grown / more, "goal": "at most 1, up to noise"})
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
