"""One Transformer layer through the operators of each number format, against the same operators in native float64.

Width 64, 4 heads, hidden 256, n = 128, batch 16, causal softmax attention, residual connections.
The two are timed in turn on one thread; rows show medians of processor time, and the ratio is emulated / native.
Weights and inputs use every fractional bit of the format; in rows that say `eighths` they are multiples of 1/8, as in constructions,
and the zero bits they end in are set aside. Formats beyond 53 bits hold Python integers and are timed at batch 1: they are there
to be exact, and have no goal.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from separatrix.arithmetic import arithmetic
from separatrix.arithmetic.operators import Arithmetic, Values

WIDTH, HEADS, HIDDEN, LENGTH, BATCH, REPEATS = 64, 4, 256, 128, 16, 9
CARRIED = "at most 20"  # what is asked of fixed point where float64 carries it
FORMATS = (  # name, batch, whether numbers are multiples of 1/8, goal
    ("fixed:12,6", BATCH, False, CARRIED),
    ("fixed:24,12", BATCH, False, CARRIED),
    ("fixed:32,20", BATCH, False, CARRIED),
    ("fixed:50,30", BATCH, True, CARRIED),
    ("fixed:50,30", 1, False, "-"),  # Python integers take part
    ("nearest:25", BATCH, False, "-"),
    ("nearest:41", BATCH, False, "-"),
    ("float:5,10", BATCH, False, "-"),
    ("float:4,3", BATCH, False, "-"),
    ("fixed:64,32", 1, True, "-"),
    ("nearest:71", 1, True, "-"),
    ("nearest:71", 1, False, "-"),
)


@dataclass(frozen=True)
class Layer:
    """The weights of one layer."""

    query: Tensor
    key: Tensor
    value: Tensor
    out: Tensor
    inner: Tensor
    inner_bias: Tensor
    outer: Tensor


def drawn(numbers: Arithmetic, coarse: bool, generator: torch.Generator, *shape: int) -> Tensor:
    """Numbers of the format between -1/8 and 1/8."""
    if coarse:
        return torch.randint(-1, 2, shape, generator=generator).to(torch.float64) / 8
    uniform = torch.rand(shape, generator=generator, dtype=torch.float64) / 4 - 1 / 8
    return numbers.leave(numbers.enter(uniform))


def forward(numbers: Arithmetic, layer: Layer, x: Values, visible: Tensor) -> Values:
    """Attention and feed-forward part, each with its residual connection."""
    b, n, _ = x.shape

    def heads(y: Values) -> Values:
        return y.reshape(b, n, HEADS, WIDTH // HEADS).swapaxes(1, 2)

    q, k, v = (heads(numbers.linear(x, weight)) for weight in (layer.query, layer.key, layer.value))
    u = numbers.attend(q, k, v, visible, "softmax").swapaxes(1, 2).reshape(b, n, WIDTH)
    y = numbers.add(x, numbers.linear(u, layer.out))
    h = numbers.relu(numbers.linear(y, layer.inner, layer.inner_bias))
    return numbers.add(y, numbers.linear(h, layer.outer))


def against_float64(name: str, batch: int, coarse: bool, goal: str) -> dict[str, Any]:
    emulated, native = arithmetic(name), arithmetic("float64")
    generator, visible = torch.Generator().manual_seed(0), torch.ones(LENGTH, LENGTH, dtype=torch.bool).tril()
    shapes = ((WIDTH, WIDTH), (WIDTH, WIDTH), (WIDTH, WIDTH), (WIDTH, WIDTH), (HIDDEN, WIDTH), (HIDDEN,), (WIDTH, HIDDEN))
    layer = Layer(*(drawn(emulated, coarse, generator, *shape) for shape in shapes))
    x = 8 * drawn(emulated, coarse, generator, batch, LENGTH, WIDTH)
    entered = emulated.enter(x)
    ours, peer = [], []
    for turn in range(REPEATS + 1):
        mine = timed(lambda: forward(emulated, layer, entered, visible))
        theirs = timed(lambda: forward(native, layer, x, visible))
        if turn:  # the first turn warms up
            ours.append(mine)
            peer.append(theirs)
    middle = statistics.median(ours), statistics.median(peer)
    what = f"one layer, {name}{', eighths' * coarse}, batch {batch}, against float64"
    return {"what": what, "ours": middle[0] * 1e3, "peer": middle[1] * 1e3, "unit": "ms", "ratio": middle[0] / middle[1], "goal": goal}


def timed(call: Callable[[], object]) -> float:
    start = time.process_time()
    call()
    return time.process_time() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    as_json = parser.parse_args().json
    torch.set_num_threads(1)
    with torch.no_grad():
        rows = [against_float64(*format) for format in FORMATS]
    if as_json:
        print(json.dumps(rows))
        return
    for r in rows:
        print(f"{r['what']:58}  ours {r['ours']:9.2f} ms  peer {r['peer']:7.2f} ms  ratio {r['ratio']:7.1f}  goal {r['goal']}")


if __name__ == "__main__":
    main()
