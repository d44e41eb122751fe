"""Tokens per second that a program writes, against the length of its chain: by the compiled decoder, and by the module's own steps.

One core, one chain at a time; seconds are those of the processor, so that other work on the machine does not count, and the prompt
counts as time, not as tokens. `ours` is how `generate` writes once its kernel is loaded, `peer` the loop over `Model.step`, and both
must write the same chain. Where no kernel applies (other formats than float64, other mixers), `ours` is the module, and there is no
peer. `slope` is that of the logarithm of the rate against the logarithm of the length: 0 for recurrent models, at least -1 for
attention, which reads a cache that grows. Exact numbers are Python integers.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Callable, Iterator
from typing import Any

import torch

from separatrix.constructions import build
from separatrix.models.decoders.decoder import Chain, ChainDecoder
from separatrix.models.fast.sparse_chain import WORTH, writer

GOAL = 10_000  # tokens a second, in float64
SECONDS = 0.3  # of repetition, at least
PROGRAMS: list[tuple[str, str, list[dict[str, Any]]]] = [
    ("turing-machine/linear-rnn", "float64", [{"length": n} for n in (6, 12, 24)]),
    ("turing-machine/hybrid", "float64", [{"length": n} for n in (6, 12, 24)]),
    ("circuit/transformer/recurrent", "float64", [{"length": n, "circuit": "recurrent-mod-3"} for n in (10, 30, 90)]),
    ("is-tree/transformer", "float64", [{"length": n} for n in (16, 32, 64)]),
    ("is-tree/hybrid", "float64", [{"length": n} for n in (16, 32, 64)]),
    ("lis/standard", "float64", [{"length": n} for n in (5, 10, 20)]),
    ("lis/linear", "float64", [{"length": n} for n in (5, 10, 20)]),
    ("lis/sparse", "float64", [{"length": n} for n in (5, 10, 20)]),
    ("edit-distance/standard", "float64", [{"length": n} for n in (4, 8)]),
    ("reverse-sum/standard", "float64", [{"length": n} for n in (10, 40)]),
    ("counting/retrieval", "float64", [{"length": n} for n in (16, 64, 256)]),
    ("is-tree/transformer", "nearest:59", [{"length": n} for n in (4, 8, 16)]),
]


def prompt_of(task: Any) -> tuple[int, ...]:
    """The prompt with the longest chain among a few: a path or a tree, a palindrome; a dynamic program writes as much for each."""
    prompts = [task.cases(kind, 0, 4).row(r) for kind in task.case_kinds for r in range(4)]
    return max(prompts, key=lambda prompt: len(task.chain(prompt))) if hasattr(task, "chain") else prompts[0]


def measured(name: str, arithmetic: str, chosen: dict[str, Any]) -> tuple[int, float, float | None]:
    """Tokens of a chain, how many a second are written, and how many by the module's own steps where a kernel writes them."""
    built = build(name, arithmetic=arithmetic, **chosen)
    prompt = built._prompt(prompt_of(built.task))
    decoder: Any = built.program.decoder
    kernel = writer(built.model, WORTH) is not None and type(decoder).chains is not ChainDecoder.chains
    chain, rate = timed(lambda: decoder.chains(built.model, [prompt])[0])
    if not kernel:
        return len(chain.tokens), rate, None
    own, slow = timed(lambda: ChainDecoder.chains(decoder, built.model, [prompt])[0])
    if own != chain:
        raise SystemExit(f"{name}, {chosen}: the kernel and the module write different chains")
    return len(chain.tokens), rate, slow


def timed(write: Callable[[], Chain]) -> tuple[Chain, float]:
    """A chain, and its tokens a second, after one run that does not count."""
    chain, times = write(), 0
    begun = time.process_time()
    while not times or time.process_time() - begun < SECONDS:
        write()
        times += 1
    return chain, times * len(chain.tokens) / (time.process_time() - begun)


def rows() -> Iterator[dict[str, Any]]:
    """One row for each program and length, with the slope over all its lengths."""
    for name, arithmetic, sizes in PROGRAMS:
        points = [measured(name, arithmetic, chosen) for chosen in sizes]
        (first, slow, _), (last, fast, _) = points[0], points[-1]
        slope = math.log(fast / slow) / math.log(last / first) if last != first else 0.0
        for chosen, (tokens, rate, own) in zip(sizes, points, strict=True):
            what = f"{name}, {arithmetic}, n = {chosen['length']}, {tokens} tokens (slope {slope:.2f})"
            goal = GOAL if arithmetic == "float64" else None
            peer, ratio = (None, None) if own is None else (round(own), round(rate / own, 1))
            yield {"what": what, "ours": round(rate), "peer": peer, "unit": "tokens/s", "ratio": ratio, "goal": goal}


def line(row: dict[str, Any]) -> str:
    """A row as text: ours, the module's own steps, how many times faster, and whether the goal is missed."""
    beside = "module only" if row["peer"] is None else f"{row['peer']:,} by the module, {row['ratio']:g} x"
    missed = f"   MISSES {row['goal']:,}" if row["goal"] and row["ours"] < row["goal"] else ""
    return f"{row['ours']:>8,} {row['unit']} ({beside})  {row['what']}{missed}"


def main() -> None:
    """Print the rows."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    torch.set_num_threads(1)
    found = []
    for row in rows():
        found.append(row)
        if not chosen.json:
            print(line(row), flush=True)
    if chosen.json:
        print(json.dumps(found))
        return
    aimed = [row for row in found if row["goal"]]
    print(f"goal in float64: {GOAL:,} tokens/s, met by {sum(row['ours'] >= row['goal'] for row in aimed)} of {len(aimed)} rows")


if __name__ == "__main__":
    main()
