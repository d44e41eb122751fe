"""The constants of the depth reduction: how long the lists of its proof must be, and on how many inputs a vector then depends.

[hahn2020 Lemma 4] [hahn2020 Claim 2] [hahn2020 Equation 8] [hahn2020 Equation 9; with k/(D + 1)] [hahn2020 Equation 10]
[hahn2020 Equation 11] [hahn2020 Stage 1] [hahn2020 Stage 2] [hahn2020 Stage 3]

Notation   c  inputs that a vector depends on        k  places on the list of a head        C'  share of inputs that stays free

The printed count of events leaves out that each of the 2^c values of a vector has a list of its own; `events` is the factor for that.
Of k places of which each shares inputs with at most D = c^2/(eta C) others, k/(D + 1) can be chosen that share none, and not k/D, as
printed: the first one chosen rules out D others and itself. `printed_set` takes the printed number.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from itertools import product
from math import ceil, inf, log, log1p, sqrt
from typing import Any

from separatrix.checker import SCHEMA, VERSION, sealed
from separatrix.checker.kinds.depth_reduction import MARK, SHORTEST, reduced
from separatrix.checker.seal import Refused
from separatrix.errors import BadInput
from separatrix.tasks import Task, make_task

GRID = 400  # values of eta
MOST = 1e10  # places on a list
DEEPEST, MOST_HEADS = 3, 8  # whose constants can be written out


@cache
def least_k(c: int, left: float, events: int, printed_set: bool = False) -> int:
    """The least k from C = 1 to C' = left with one head, over a grid of eta; `events` counted per head, 2^c or, as printed, 1."""

    def enough(k: float, eta: float) -> bool:
        free = 1 - left / (1 - 2 * eta)  # (1 + delta) q
        budget = -3 * 2**c * log1p(-1 / k**2) / (1 - 2 * eta) / free  # equation 11 for large n: delta^2 / (1 + delta) is at least this
        delta = (budget + sqrt(budget**2 + 4 * budget)) / 2
        if 2**c * c / k > eta or delta >= 1:
            return False
        q, f = free / (1 + delta), events * 2 ** (2 * c) * c**2 * k**2 / eta
        independent = k * eta / c**2 if printed_set else k / (1 + c**2 / eta)
        return bool(independent * log1p(-((q / 2) ** c)) <= f * log1p(-1 / k**2) - 2 * log(k) - log(2))  # equation 10 with A and B

    best, first, last = inf, 0.001, (1 - left) / 2
    for number in range(GRID):
        eta = first + (last - first) * number / GRID
        low, high = 2.0, MOST
        while high - low > 0.5 and enough(high, eta):
            middle = (low + high) / 2
            low, high = (low, middle) if enough(middle, eta) else (middle, high)
        best = min(best, high)
    return ceil(best)


def next_c(c: int, k: int, heads: int = 1) -> int:
    """On how many inputs a vector depends after one layer is absorbed: c (2^c k H + 1)."""
    result: int = c * (2**c * k * heads + 1)
    return result


@dataclass(frozen=True)
class Absorbed:
    """One layer absorbed: the parameters of the step, and what is known after it."""

    step: dict[str, list[int]]
    c: int
    share: Fraction
    least: int  # n from which on it can be done


@dataclass(frozen=True)
class DepthReduction:
    """Hard attention of so many layers and heads is wrong on PARITY from some length on, whatever its weights.

    [hahn2020 Theorem 1] [hahn2020 Corollary 2]
    """

    layers: int
    heads: int
    kind = "depth-reduction"

    def __post_init__(self) -> None:
        if not 1 <= self.layers <= DEEPEST:
            raise BadInput(f"expected 1 to {DEEPEST} layers, found {self.layers}: the constants of a further one cannot be written out")
        if not 1 <= self.heads <= MOST_HEADS:
            raise BadInput(f"expected 1 to {MOST_HEADS} heads, found {self.heads}")

    @property
    def task(self) -> Task:
        """PARITY, at the least length of the task: the certificate is about all lengths from some on."""
        return make_task("parity", length=1)

    @cached_property
    def absorbed(self) -> tuple[Absorbed, ...]:
        """Every layer but the last."""
        found: list[Absorbed] = []
        for _ in range(self.layers - 1):
            c, share = (found[-1].c, found[-1].share) if found else (1, MARK)
            found.append(min(_steps(c, share, self.heads), key=lambda step: max(step.least, step.c * (self.heads + 1) / step.share)))
        return tuple(found)

    @property
    def least(self) -> int:
        """The n from which on no such model is right on all inputs."""
        c, share = (self.absorbed[-1].c, self.absorbed[-1].share) if self.absorbed else (1, MARK)
        return max(SHORTEST, -((-c * (self.heads + 1) - 1) // share), *(step.least for step in self.absorbed))

    def certificate(self) -> dict[str, Any]:
        """The sealed document."""
        head = {"schema": SCHEMA, "version": VERSION, "kind": self.kind, "claim": {"task": "parity"}, "strength": "proven"}
        steps = [absorbed.step for absorbed in self.absorbed]
        return sealed({**head, "layers": self.layers, "heads": self.heads, "steps": steps, "from": hex(self.least)})


def _steps(c: int, share: Fraction, heads: int) -> Iterator[Absorbed]:
    """Ways to absorb a layer, on a grid."""
    for part, fixed, over in product(range(3, 12), range(12, 24), (16, 24, 32)) if c == 1 else [(4, 0, 0)]:
        eta = Fraction(1, part)
        q, delta = (Fraction(fixed, 32), Fraction(1, over)) if c == 1 else (Fraction(c - 1, c), Fraction(1, 2 * c))
        k = _least_list(c, share, heads, eta, q, delta)
        shift = max(0, k.bit_length() - 32)
        k = -(-k >> shift) << shift
        after, least = reduced(c, share, heads, eta, q, delta, k, "step")
        shares = {"eta": [*eta.as_integer_ratio()], "q": [*q.as_integer_ratio()], "delta": [*delta.as_integer_ratio()]}
        yield Absorbed({**shares, "k": [k >> shift, shift]}, next_c(c, k, heads), after, least)


def _least_list(c: int, share: Fraction, heads: int, eta: Fraction, q: Fraction, delta: Fraction) -> int:
    """The least k that the inequalities admit."""

    def enough(k: int) -> bool:
        try:
            reduced(c, share, heads, eta, q, delta, k, "step")
        except Refused:
            return False
        return True

    low, high = 0, 1  # exponents of two
    while not enough(1 << high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(1 << middle) else (middle, high)
    low, high = 1 << low, 1 << high
    while high - low > max(1, high >> 16):
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high
