"""Tokens per second that a program writes, against the length of its chain: recurrent state, attention with a cache, and searches.

One core, one chain at a time, through the model's state; seconds are those of the processor, so that other work on the machine does not
count. A linear recurrent network pays the same for every token, so its rate does not depend on the length; attention reads a cache that
grows, and may lose up to a factor of the length. `slope` is that of the logarithm of the rate against the logarithm of the length: 0 for
recurrent models, at least -1 for attention. Exact numbers are Python integers.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from typing import Any

import torch

from separatrix.constructions import build

GOAL = {
    "turing-machine/linear-rnn": "10,000 tokens/s in float64, slope 0",
    "is-tree/transformer": "n = 64 in under 1 s in float64, slope >= -1",
}
PROGRAMS: list[tuple[str, str, list[dict[str, Any]]]] = [
    ("turing-machine/linear-rnn", "float64", [{"length": n} for n in (6, 12, 24)]),
    ("turing-machine/hybrid", "float64", [{"length": n} for n in (6, 12, 24)]),
    ("circuit/transformer/recurrent", "float64", [{"length": n, "circuit": "recurrent-mod-3"} for n in (10, 30, 90)]),
    ("is-tree/transformer", "float64", [{"length": n} for n in (16, 32, 64)]),
    ("is-tree/hybrid", "float64", [{"length": n} for n in (16, 32, 64)]),
    ("is-tree/transformer", "nearest:59", [{"length": n} for n in (4, 8, 16)]),
    ("counting/retrieval", "float64", [{"length": n} for n in (16, 64, 256)]),
]


def prompt_of(task: Any) -> tuple[int, ...]:
    """The prompt with the longest chain among a few: a path or a tree, a palindrome."""
    prompts = [task.cases(kind, 0, 4).row(r) for kind in task.case_kinds for r in range(4)]
    return max(prompts, key=lambda prompt: len(task.chain(prompt)))


def measured(name: str, arithmetic: str, chosen: dict[str, Any]) -> tuple[int, float]:
    """Tokens of a chain, and how many of them are written in a second; the prompt counts as time, not as tokens."""
    built = build(name, arithmetic=arithmetic, **chosen)
    prompt = prompt_of(built.task)
    built.generate(prompt)
    begun = time.process_time()
    chain = built.generate(prompt)
    return len(chain), len(chain) / (time.process_time() - begun)


def rows() -> list[dict[str, Any]]:
    """One row for each program and length, with the slope over all its lengths in the last."""
    found = []
    for name, arithmetic, sizes in PROGRAMS:
        points = [measured(name, arithmetic, chosen) for chosen in sizes]
        (first, slow), (last, fast) = points[0], points[-1]
        slope = math.log(fast / slow) / math.log(last / first) if last != first else 0.0
        for chosen, (tokens, rate) in zip(sizes, points, strict=True):
            what = f"{name}, {arithmetic}, n = {chosen['length']}, {tokens} tokens (slope {slope:.2f})"
            found.append({"what": what, "ours": round(rate), "peer": None, "unit": "tokens/s", "ratio": None, "goal": GOAL.get(name, "")})
    return found


def main() -> None:
    """Print the rows."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    torch.set_num_threads(1)
    found = rows()
    if chosen.json:
        print(json.dumps(found))
        return
    for row in found:
        print(f"{row['ours']:>8,} {row['unit']}  {row['what']}" + (f"   goal: {row['goal']}" if row["goal"] else ""))


if __name__ == "__main__":
    main()
