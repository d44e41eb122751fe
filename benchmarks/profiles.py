"""Exact state profiles, given the table of answers, against a set of residual tuples per level.

The peer gets the table as a list, which is the fastest thing to slice into tuples. Both run in turn in one process, medians are shown,
and their counts are compared. Memory is what either allocates beyond the table, by tracemalloc.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from separatrix.bounds.states.profile import profile_of_oracle, profile_of_table

N = 20
LEAVES = 27  # 2^27 = 1.3 10^8 leaves
REPEATS = 5


def dictionary(table: list[int], n: int) -> tuple[int, ...]:
    """The profile as one would write it first."""
    return tuple(len({tuple(table[i : i + w]) for i in range(0, len(table), w)}) for w in (2 ** (n - t) for t in range(n + 1)))


def equality(n: int) -> NDArray[np.int8]:
    half = np.arange(2 ** (n // 2))
    return (half[:, None] == half[None, :]).astype(np.int8).ravel()


def random_function(n: int) -> NDArray[np.int8]:
    return np.random.default_rng(0).integers(0, 2, 2**n, dtype=np.int8)


def parity(n: int) -> NDArray[np.int8]:
    table = np.zeros(1, dtype=np.int8)
    for _ in range(n):
        table = np.concatenate([table, 1 - table])
    return table


def rows() -> list[dict[str, Any]]:
    found = [against_dictionary(make) for make in (equality, random_function, parity)]
    found += [memory(n) for n in (16, 18, 20)]
    large = random_function(LEAVES)
    seconds = timed(lambda: profile_of_table(large, (2,) * LEAVES))
    found.append(
        row(f"2^{LEAVES} leaves of a random function, given the table; peer: a minute", seconds, 60.0, "s", "10^8 leaves a minute")
    )
    seconds = timed(lambda: profile_of_oracle(lambda r: (r[:, :13] == r[:, 13:]).all(axis=1), "01", 26))
    found.append(row("2^26 leaves of equality, asked of a vectorised oracle; peer: a minute", seconds, 60.0, "s", "-"))
    return found


def against_dictionary(make: Callable[[int], NDArray[np.int8]]) -> dict[str, Any]:
    table = make(N)
    listed = table.tolist()
    assert profile_of_table(table, (2,) * N).classes == dictionary(listed, N)
    ours, peer = [], []
    for _ in range(REPEATS):
        ours.append(timed(lambda: profile_of_table(table, (2,) * N)))
        peer.append(timed(lambda: dictionary(listed, N)))
    what = f"state profile, {make.__name__.replace('_', ' ')}, N = {N}, given the table"
    return row(what, 1e3 * statistics.median(ours), 1e3 * statistics.median(peer), "ms", "20x")


def memory(n: int) -> dict[str, Any]:
    table = random_function(n)
    listed = table.tolist()
    ours = peak(lambda: profile_of_table(table, (2,) * n))
    peer = peak(lambda: dictionary(listed, n))
    return row(f"peak memory beyond the table, N = {n}, 2^{n} leaves", ours / 2**20, peer / 2**20, "MiB", "linear in the leaves")


def row(what: str, ours: float, peer: float, unit: str, goal: str) -> dict[str, Any]:
    return {"what": what, "ours": ours, "peer": peer, "unit": unit, "ratio": peer / ours, "goal": goal}


def timed(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def peak(call: Callable[[], object]) -> int:
    tracemalloc.start()
    call()
    _, highest = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return highest


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    as_json = parser.parse_args().json
    found = rows()
    if as_json:
        print(json.dumps(found))
        return
    for r in found:
        ours, peer = (f"{r[side]:10.3f} {r['unit']}" for side in ("ours", "peer"))
        print(f"{r['what']:75}  ours {ours}  peer {peer}  ratio {r['ratio']:6.1f}  goal {r['goal']}")


if __name__ == "__main__":
    main()
