"""Writing chains token by token: time per token and time to build, against L, for standard, linear and block-sparse attention.

The program is the reversed sum, whose chain has about as many tokens as its input. All three decode incrementally, through the state of the
model: a cache that grows, a state of fixed size, a cache of about 2 sqrt(L) tokens. Widths are those that are built, so they grow like
sqrt(L) for the last two. Rows `ours` are milliseconds at the longest L; `power` is the slope of log(time) against log(L).
"""

from __future__ import annotations

import argparse
import json
import math
import time

import torch

from separatrix.constructions import build
from separatrix.runs.process_settings import configure_process

LENGTHS = (50, 100, 200, 400)
TOKENS = 60  # timed behind the prompt


def per_token(attention: str, length: int) -> tuple[float, float, int]:
    """Milliseconds to write one token behind the prompt, seconds to build, and L."""
    start = time.perf_counter()
    built = build(f"reverse-sum/{attention}", length=length)
    building = time.perf_counter() - start
    prompts, chains = built.task.as_vectors(built.task.sample(0, 1).tokens)  # type: ignore[misc]
    with torch.no_grad():
        state = built.model.initial_state(1)
        for vector in torch.from_numpy(prompts)[0]:
            state, _ = built.model.step(state, vector[None])
        written = torch.from_numpy(chains)[0][: min(TOKENS, length)]
        start = time.perf_counter()
        for vector in written:
            state, _ = built.model.step(state, vector[None])
        taken = time.perf_counter() - start
    return 1000 * taken / len(written), building, built.model.config.length


def slope(xs: list[float], ys: list[float]) -> float:
    """Of log y against log x, by least squares."""
    u, v = [math.log(x) for x in xs], [math.log(y) for y in ys]
    mean_u, mean_v = sum(u) / len(u), sum(v) / len(v)
    return sum((a - mean_u) * (b - mean_v) for a, b in zip(u, v, strict=True)) / sum((a - mean_u) ** 2 for a in u)


def main() -> None:
    """Print a row for each kind of attention and each of the two times."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    as_json = parser.parse_args().json
    configure_process()
    rows = []
    per_token("standard", LENGTHS[0])  # the first call of everything
    for attention in ("standard", "linear", "sparse"):
        timed = [per_token(attention, length) for length in LENGTHS]
        L = [float(row[2]) for row in timed]
        for what, unit, values in (("token", "ms", [row[0] for row in timed]), ("build", "s", [row[1] for row in timed])):
            power = slope(L, values)
            rows.append({"what": f"{what}, {attention}, L = {L[-1]:.0f}, power {power:.2f}", "ours": values[-1], "peer": None, "unit": unit,
                         "ratio": None, "goal": None})  # fmt: skip
    if as_json:
        print(json.dumps(rows))
        return
    for row in rows:
        print(f"{row['what']:50} {row['ours']:10.3f} {row['unit']}")


if __name__ == "__main__":
    main()
