"""How the size of built models grows, beside what their theorems say, and beside a compilation in which every position is one-hot.

    bits     of all stored weights, in the narrowest number format that holds the construction, at five growing N, beside the power of
             log2 N that the theorem allows: (log N)^3 for the two-layer models of Bhattamishra et al. 2024 (Theorems 1, 6 and 7), log n
             for the programs of Wen et al. 2024 (Theorems 4.6, 5.6 and 5.7, at a constant number of weights). The rows of the keys of
             nearest-neighbor are left out: in the theorem vectors are inputs, and here a token stands for each vector of a grid
    state    bits of state of a Turing machine on log2 n symbols behind padding to n tokens, its tape one number, in the narrowest fixed
             point that holds it (Theorem 4.1 of Wen et al. 2024: Theta(log n))
    power    the slope of log(bits) against log(log2 N), by least squares over the five
    width    of the stream with addresses of log2 N bits (ours), and of the same construction with one-hot positions (peer): what a
             compiler that encodes every categorical variable one-hot, as Tracr does (Lindner et al. 2023, section 3), spends on
             positions alone. Its other variables come on top, so the peer is a lower bound for it.
    address  dimensions of N vectors with coherence 1/4: of the explicit code whose coherence is a theorem (ours), and of the paper's random
             draw, (8/gamma^2) ln 2N (peer). At most 21 for each bit of N up to 2^64; beyond, both codes grow as (log N / log log N)^2

Nothing is timed.
"""

from __future__ import annotations

import argparse
import json
import math
from typing import Any

from separatrix.constructions import build, construction
from separatrix.constructions.least_precision import least_fixed
from separatrix.constructions.parts.codes.near_orthogonal import QUARTER, almost_orthogonal
from separatrix.constructions.parts.codes.random_signs import paper_dimensions
from separatrix.constructions.wen2024.turing_machine_turning import turning_program
from separatrix.errors import BadInput
from separatrix.tasks.turing_machine import TuringMachine

POSITIONS = tuple(1 << m for m in (16, 24, 32, 48, 64))
LENGTHS, FEW, CELLS = (16, 64, 256, 1024, 4096), (8, 16, 32, 64, 128), (4, 6, 8, 10, 12)
CUBED = {"index-lookup": "Theorem 1", "equality": "Theorem 6", "nearest-neighbor": "Theorem 7"}
LOGARITHMIC = {
    "index/transformer": "Theorem 4.6", "recall-next/transformer": "Theorem 4.6", "counting/transformer": "Theorem 4.6",
    "index/hybrid": "Theorem 5.6", "recall-next/hybrid": "Theorem 5.6", "counting/hybrid": "Theorem 5.6",
    "is-tree/transformer": "Theorem 4.7", "is-tree/hybrid": "Theorem 5.7",
}  # fmt: skip


def least_nearest(name: str, n: int) -> tuple[int, int]:
    """The least p such that nearest:p holds a program, and the bits of its weights there."""
    for p in range(9, 201, 2):
        try:
            return p, int(build(name, length=n, arithmetic=f"nearest:{p}").sizes()["parameter_bits"])
        except BadInput:
            continue
    raise BadInput(f"{name}: nearest:201 does not hold it at n = {n}")


def least_state(cells: int) -> tuple[int, int]:
    """The least p such that fixed:p,1 holds a machine on so many symbols of 2^cells tokens, and its bits of state."""
    task = TuringMachine(length=cells, padding=2**cells - cells, steps=100, thought="turning")
    for p in range(4, 201):
        try:
            return p, int(turning_program(task, f"fixed:{p},1").sizes().state_bits or 0)
        except BadInput:
            continue
    raise BadInput(f"turing-machine: fixed:200,1 does not hold {cells} cells")


def power(sizes: dict[int, int]) -> float:
    """Of log2 N in the size."""
    xs, ys = [math.log(math.log2(N)) for N in sizes], [math.log(bits) for bits in sizes.values()]
    u, v = sum(xs) / len(xs), sum(ys) / len(ys)
    return sum((x - u) * (y - v) for x, y in zip(xs, ys, strict=True)) / sum((x - u) ** 2 for x in xs)


def rows() -> list[dict[str, Any]]:
    """The table."""
    table = []
    for name, theorem in CUBED.items():
        sizes = {}
        for N in LENGTHS:
            found = least_fixed(name, length=N)
            sizes[N] = found.built.generated_bits
            table.append(_row(f"{name}, N = {N}, fixed:{found.p},{found.f}: bits of all weights", sizes[N], None, "bits"))
        table.append(_row(f"{name}: power of log2 N, {theorem}", round(power(sizes), 2), 3, "", goal=3))
        declared = construction(name)
        for N in LENGTHS:
            ours, peer = (declared.sizes({"length": N}, {"address": address}) for address in ("binary", "one-hot"))
            if ours is not None and peer is not None:
                table.append(_row(f"{name}, N = {N}: width, one-hot positions beside it", ours.width, peer.width, "numbers"))
    dimensions = {N: almost_orthogonal(N).dims for N in POSITIONS}
    for N, ours in dimensions.items():
        table.append(_row(f"addresses, N = 2^{N.bit_length() - 1}: dimensions", ours, paper_dimensions(N, QUARTER), "dimensions"))
    per_bit = max(almost_orthogonal(1 << m).dims / m for m in range(1, 65))
    table.append(_row("addresses: most dimensions for each bit of N, all N = 2^1 .. 2^64", round(per_bit, 2), 21, "", goal=21))
    table.append(_row("addresses: power of log2 N", round(power(dimensions), 2), 1, "", goal=1))
    states = {}
    for cells in CELLS:
        p, states[1 << cells] = least_state(cells)
        table.append(
            _row(f"turing-machine/linear-rnn/turning, n = 2^{cells}, fixed:{p},1: bits of state", states[1 << cells], None, "bits")
        )
    table.append(_row("turing-machine/linear-rnn/turning: power of log2 n, Theorem 4.1", round(power(states), 2), 1, "", goal=1))
    for name, theorem in LOGARITHMIC.items():
        sizes = {}
        for n in FEW:
            p, sizes[n] = least_nearest(name, n)
            table.append(_row(f"{name}, n = {n}, nearest:{p}: bits of all weights", sizes[n], None, "bits"))
        table.append(_row(f"{name}: power of log2 n, {theorem}", round(power(sizes), 2), 1, "", goal=1))
    return table


def _row(what: str, ours: float, peer: float | None, unit: str, goal: float | str = "-") -> dict[str, Any]:
    return {"what": what, "ours": ours, "peer": peer, "unit": unit, "ratio": None if peer is None else round(ours / peer, 3), "goal": goal}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    if parser.parse_args().json:
        print(json.dumps(rows()))
    else:
        for row in rows():
            print(f"{row['what']:85} {row['ours']!s:>9} {'' if row['peer'] is None else row['peer']!s:>9} {row['ratio'] or '':>8}")
