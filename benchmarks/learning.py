"""Training steps of every architecture on index lookup, beside the time of their matrix products alone: the limit on this machine.

    python benchmarks/learning.py                       every architecture, N = 100 and 400
    python benchmarks/learning.py --models mamba-2-64   only these
    python benchmarks/learning.py --json

A step is drawing 64 examples, forward, backward, clipping and fused Adam, on one thread. While one step runs, the shape of every product
is noted; then these products alone are run on numbers of the same shapes. Both are timed in turn, in processor time; rows show medians.
Scans, convolutions and norms are not products, so they count against us; the goal is a step within 3 times its products.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode

from separatrix.runs.process_settings import configure_process
from separatrix.runs.spec import RunSpec
from separatrix.training.batches import batches
from separatrix.training.budget import Budget
from separatrix.training.loop import cross_entropy, make_optimiser, update

GOAL, REPEATS, LENGTHS = 3.0, 7, (100, 400)
MODELS = {
    "tf-1-64": {}, "tf-2-64": {}, "lstm-2-64": {}, "gru-2-64": {}, "lintf-2-64": {}, "retnet-2-64": {}, "dss-2-64": {"gated": True},
    "mamba-2-64": {}, "mamba2-2-64": {}, "deltanet-2-64": {}, "gated-deltanet-2-64": {}, "block-sparse-2-64": {},
}  # fmt: skip
PRODUCTS = {"mm": (0, 1), "bmm": (0, 1), "addmm": (1, 2), "baddbmm": (1, 2)}  # operation: its factors among the arguments


class Shapes(TorchDispatchMode):
    """Notes the shapes of all products; those inside a fused recurrent cell are noted as what it multiplies."""

    def __init__(self) -> None:
        super().__init__()
        self.noted: Counter[tuple[tuple[int, ...], tuple[int, ...]]] = Counter()

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        name = func.__name__.split(".")[0]
        if name in PRODUCTS:
            left, right = (tuple(args[place].shape) for place in PRODUCTS[name])
            self.noted[left, right] += 1
        if name.startswith("mkldnn_rnn_layer"):
            self._cell(args[0], args[1], args[2], 3 if "backward" in name else 1)
        return func(*args, **(kwargs or {}))

    def _cell(self, inputs: Tensor, into: Tensor, back: Tensor, times: int) -> None:
        tokens, batch, width = inputs.shape
        self.noted[(tokens * batch, width), tuple(into.t().shape)] += times
        self.noted[(batch, back.shape[1]), tuple(back.t().shape)] += times * tokens


def step_of(name: str, parameters: dict[str, Any], N: int) -> Callable[[], None]:
    """One step of training, ready to be timed."""
    spec = RunSpec("index-lookup", {"length": N}, name, parameters, Budget(clip=1.0))
    model, draw = spec.fresh_model(), batches(spec.training_task(), spec.budget.batch, 0, 0)
    optimiser, number = make_optimiser(model, spec.budget), iter(range(10**9))

    def step() -> None:
        at = next(number)
        update(model, optimiser, draw(at), spec.budget, at, 0, cross_entropy)

    return step


def products_of(step: Callable[[], None]) -> Callable[[], None]:
    """The products of a step alone, on fixed numbers."""
    with Shapes() as shapes:
        step()
    pairs = [(torch.randn(left), torch.randn(right), count) for (left, right), count in shapes.noted.items()]

    def products() -> None:
        for left, right, count in pairs:
            for _ in range(count):
                torch.matmul(left, right)

    return products


def measured(name: str, N: int) -> dict[str, Any]:
    """A row: a step and its products, in milliseconds, in turn."""
    step = step_of(name, MODELS[name], N)
    step()  # compiles what has to be compiled
    products = products_of(step)
    times: dict[str, list[float]] = {"step": [], "products": []}
    for _ in range(REPEATS):
        for what, go in (("step", step), ("products", products)):
            start = time.process_time()
            go()
            times[what].append(1000 * (time.process_time() - start))
    ours, limit = (statistics.median(times[what]) for what in ("step", "products"))
    return {"what": f"{name}, N = {N}: a step of 64 examples; peer: its products alone", "model": name, "length": N, "ours": ours,
            "peer": limit, "unit": "ms", "ratio": limit / ours, "steps_a_second": 1000 / ours, "goal": f"within {GOAL:g}x",
            "missed": ours > GOAL * limit}  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--models", nargs="+", default=list(MODELS), choices=list(MODELS))
    parser.add_argument("--lengths", nargs="+", type=int, default=list(LENGTHS))
    arguments = parser.parse_args()
    configure_process(threads=1)
    rows = [measured(name, N) for name in arguments.models for N in arguments.lengths]
    if arguments.json:
        print(json.dumps(rows))
        return
    for row in rows:
        times = f"{row['ours']:8.1f} ms, products {row['peer']:8.1f} ms, {row['ours'] / row['peer']:5.1f}x"
        print(f"{row['model']:22} N = {row['length']:<4} {row['steps_a_second']:7.1f} steps/s {times}{'  MISSED' * row['missed']}")
    missed = [f"{row['model']} at N = {row['length']}" for row in rows if row["missed"]]
    print(f"slower than {GOAL:g} times their products: {', '.join(missed) or 'none'}")


if __name__ == "__main__":
    main()
