"""The monotone barrier, attacked: random small stacks of each mixer that is called inside, in saturating formats of 3 to 6 bits.

    python benchmarks/barrier.py [MODELS]

A stack has one or two layers of two numbers. A gate and a write, both from tables that the last two inputs of the layer choose, move each
number: h <- fl(fl(a h) + b). The second layer's input is the letter and any function of the first layer's numbers. Every mixer has its own
gates: mamba one in [0, 1] for each number, mamba2 one for a head, linear-attention 1, selective-rnn any that is not negative. Under a
word u, again and again, a stack must stand still after N(u) blocks. What breaks a hypothesis (integers that wrap around, gates of any sign)
is run beside it, and must be found periodic.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from separatrix.tasks.languages.periods import blocks_until_still

Integers = npt.NDArray[np.int64]
NUMBERS, WINDOW, SYMBOLS = 2, 2, 6  # of a layer; inputs that choose; two letters times three values of what is below
Gates = Callable[[np.random.Generator, tuple[int, ...], int, int], Integers]

INSIDE: dict[str, Gates] = {  # a generator, the shape [models, choices, numbers], units of 1 and the largest number -> gates in units
    "mamba": lambda draw, shape, one, top: draw.integers(0, min(one, top) + 1, shape),
    "mamba2": lambda draw, shape, one, top: np.repeat(draw.integers(0, min(one, top) + 1, (*shape[:2], 1)), shape[2], axis=2),
    "linear-attention": lambda draw, shape, one, top: np.full(shape, one),  # noqa: ARG005
    "selective-rnn-positive": lambda draw, shape, one, top: draw.integers(0, top + 1, shape),  # noqa: ARG005
}


def of_any_sign(draw: np.random.Generator, shape: tuple[int, ...], one: int, top: int) -> Integers:
    """A control: gates in [-1, 1]."""
    return draw.integers(-min(one, top), min(one, top) + 1, shape)


def periodic(gates: Gates, models: int, bits: int, seed: int, *, wraps: bool = False) -> int:
    """How many of so many stacks still change after N(u) blocks of a random word u."""
    draw = np.random.default_rng([seed, bits])
    layers, block, fraction = int(draw.integers(1, 3)), int(draw.integers(1, 4)), int(draw.integers(0, bits - 1))
    one, top = 1 << fraction, (1 << bits - 1) - 1
    shape = (models, SYMBOLS**WINDOW, NUMBERS)
    a = [gates(draw, shape, one, top) for _ in range(layers)]
    b = [draw.integers(-top - 1, top + 1, shape) for _ in range(layers)]
    seen = draw.integers(0, 3, (models, 1 << 2 * bits))  # what the second layer sees of the numbers of the first: any function
    word, rows = draw.integers(0, 2, (models, block)), np.arange(models)

    def fitted(x: Integers) -> Integers:
        return (x + top + 1) % (2 * top + 2) - top - 1 if wraps else np.clip(x, -top - 1, top)

    state, before = np.zeros((layers, models, NUMBERS), dtype=np.int64), np.zeros((layers, models), dtype=np.int64)
    still = blocks_until_still(layers, 2 * top + 2, block) + layers * -(-(WINDOW - 1) // block)
    for _ in range(still + 1):
        last = state.copy()
        for t in range(block):
            symbol = word[:, t] * 3
            for k in range(layers):
                choice = before[k] * SYMBOLS + symbol
                before[k] = symbol
                scaled = np.floor_divide(2 * a[k][rows, choice] * state[k] + one, 2 * one)  # rounds halves up: monotone
                state[k] = fitted(fitted(scaled) + b[k][rows, choice])
                code = (state[k] + top + 1) @ np.array([1, 1 << bits])
                symbol = word[:, t] * 3 + seen[rows, code]
    return int((state != last).any(axis=(0, 2)).sum())


def counted(gates: Gates, models: int, *, wraps: bool = False, each: int = 500) -> int:
    """Over so many stacks in all, in formats of 3 to 6 bits; depth, word and fraction change every `each` of them."""
    runs = range(-(-models // each))
    return sum(periodic(gates, min(each, models - run * each), 3 + run % 4, run, wraps=wraps) for run in runs)


def main() -> None:
    """One line for each mixer, then the controls."""
    models = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    for name, gates in INSIDE.items():
        began = time.process_time()
        found = counted(gates, models)
        print(f"{name}: {found} of {models:,} random stacks are periodic ({time.process_time() - began:.0f} s)", flush=True)
    few = max(1, models // 50)
    print(f"control, wraps around: {counted(INSIDE['mamba'], few, wraps=True):,} of {few:,}")
    print(f"control, gates of any sign: {counted(of_any_sign, few):,} of {few:,}")


if __name__ == "__main__":
    main()
