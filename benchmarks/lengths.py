"""Cost against length: seconds per token of training and of stepping, for each mixer, and the slopes of their logarithms.

Training is one layer of width 64, batch 1, forward and backward over L tokens. Stepping is one token after L others, in batches of 16.
A slope of 0 is a cost per token that does not depend on the length: recurrent mixers when they step. Attention with a cache has a slope
that rises to 1, when it trains and when it steps. In a row `ours` is the cost per token at the longest length, `peer` at the shortest,
so that `ratio` is by how much a token grew cheaper; processor time of one thread.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from typing import Any

import torch

from separatrix.models import make_model
from separatrix.models.mixers import MIXERS
from separatrix.models.model import Model, State
from separatrix.runs.process_settings import configure_process

WIDTH, VOCABULARY, ROWS, TOKENS = 64, 64, 16, 32
TRAINED = [name for name in MIXERS if name not in ("register-file", "user")]
LENGTHS = [128, 256, 512, 1024, 2048, 4096]


def made(name: str, longest: int) -> Model:
    model = make_model(name, vocabulary=VOCABULARY, targets=VOCABULARY, width=WIDTH, length=longest + TOKENS)
    assert isinstance(model, Model)
    return model


def training(model: Model, n: int) -> float:
    """Microseconds per token of one forward and backward pass."""
    tokens = torch.randint(0, VOCABULARY, (1, n), generator=torch.Generator().manual_seed(0))
    spent = []
    for _ in range(3):
        start = time.process_time()
        model(tokens).square().mean().backward()
        spent.append(time.process_time() - start)
    return 1e6 * min(spent) / n


@torch.no_grad()
def stepping(model: Model, n: int) -> float:
    """Microseconds of one step after n tokens, for each of ROWS rows; caches are filled with zeros: their size is the cost."""
    state = State(n, tuple(filled(layer.mixer, n) for layer in model.each_layer()))
    token = torch.zeros(ROWS, dtype=torch.int64)
    start = time.process_time()
    for _ in range(TOKENS):
        state, _ = model.step(state, token)
    return 1e6 * (time.process_time() - start) / TOKENS / ROWS


def filled(mixer: Any, n: int) -> tuple[torch.Tensor, ...]:
    """A state as it is after n tokens."""
    state: tuple[torch.Tensor, ...] = mixer.initial_state(ROWS)
    tokens = mixer.cut(n).tokens
    return tuple(torch.zeros(*x.shape[:2], tokens, x.shape[3]) for x in state) if tokens else state


def slope(lengths: list[int], costs: list[float]) -> float:
    """Of the least-squares line through the logarithms, over the longer half of the lengths."""
    half = len(lengths) // 2
    x, y = [math.log(n) for n in lengths[half:]], [math.log(c) for c in costs[half:]]
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    return sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y, strict=True)) / sum((a - mean_x) ** 2 for a in x)


def row(name: str, what: str, lengths: list[int], costs: list[float]) -> dict[str, Any]:
    grows = name in ("attention", "block-sparse")
    goal = "slope up to 1" if grows else "slope 0"
    text = f"{name}, {what}: slope {slope(lengths, costs):+.2f} of the cost per token, L = {lengths[0]} to {lengths[-1]}"
    return {"what": text, "ours": costs[-1], "peer": costs[0], "unit": "us/token", "ratio": costs[0] / costs[-1], "goal": goal,
            "slope": slope(lengths, costs), "lengths": lengths, "costs": costs}  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--mixers", nargs="+", default=TRAINED)
    parser.add_argument("--lengths", type=int, nargs="+", default=LENGTHS)
    arguments = parser.parse_args()
    configure_process(threads=1)
    measured = []
    for name in arguments.mixers:
        model = made(name, max(arguments.lengths))
        for what, cost in (("training", training), ("stepping", stepping)):
            cost(model, arguments.lengths[0])  # warm
            r = row(name, what, arguments.lengths, [cost(model, n) for n in arguments.lengths])
            measured.append(r)
            if not arguments.json:
                print(f"{r['what']:95} {r['ours']:8.1f} us at the longest  goal {r['goal']}", flush=True)
    if arguments.json:
        print(json.dumps(measured))


if __name__ == "__main__":
    main()
