"""`Ceiling`: the best accuracy with b bits of state, and the arithmetic of ceilings that closed forms share.

[bhattamishra2024 Theorem 2]

A bound for zero error says nothing about a model that errs a little. Here the error is counted, over the task's own distribution of
inputs: for any machine with 2^b states after every token, any transition at every step, and an answer read off the last state.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import isfinite, log2, nextafter

from separatrix.errors import BadInput


@dataclass(frozen=True)
class Ceiling:
    """No model with `bits` bits of state is right more often than `accuracy`; if `attained` is set, one with that accuracy exists.

    `method` names the argument. It begins with `exact` if the two numbers agree.
    """

    accuracy: float
    bits: int
    method: str
    attained: float | None

    @property
    def exact(self) -> bool:
        """Whether the ceiling is attained."""
        return self.attained == self.accuracy


def bounded(accuracy: float, state_bits: int, argument: str, attained: float | None) -> Ceiling:
    """A ceiling by an argument, which is exact if a machine reaches it."""
    kind = "exact, because attained" if attained == accuracy else "proven bound"
    return Ceiling(accuracy, state_bits, f"{kind}: {argument}", attained)


def least_bits(ceiling: Callable[[int], Ceiling], accuracy: float, enough: int) -> Ceiling:
    """The first number of bits, up to `enough`, whose ceiling reaches the accuracy; more bits never lower it."""
    low, high = -1, enough
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if ceiling(middle).accuracy >= accuracy else (middle, high)
    return ceiling(high)


def whole_strings(values: int, count: int, state_bits: int, attained: bool) -> Ceiling:
    """`count` uniform answers of `values` each, right only all together, from one state: each state is right for one string of them."""
    strings, states = values**count, 2**state_bits
    best = rounded_up(Fraction(min(states, strings), strings))
    return bounded(best, state_bits, "each of the 2^b states is right for one string of answers", best if attained else None)


def symbols_that_fit(s: int, W: int) -> int:
    """How many symbols of an alphabet of s fit into W states: the largest k with s^k <= W."""
    k = int((W.bit_length() - 1) / log2(s))  # close enough to correct by a few steps
    while s ** (k + 1) <= W:
        k += 1
    while s**k > W:
        k -= 1
    return k


def rounded_up(value: Fraction) -> float:
    """The least float that is not below a fraction."""
    near = float(value)
    return near if Fraction(near) >= value else nextafter(near, 2.0)


def least_error(open_bits: float, answers: int) -> float:
    """The least share of wrong answers among `answers` that leaves `open_bits` bits open, rounded down.

    h(e) + e log2(answers - 1) grows up to e = 1 - 1/answers, where it is log2(answers).
    """
    if open_bits <= 0 or answers < 2:
        return 0.0
    low, high = 0.0, 1 - 1 / answers
    for _ in range(80):
        middle = (low + high) / 2
        spread = -middle * log2(middle) - (1 - middle) * log2(1 - middle) + middle * log2(answers - 1) if 0 < middle < 1 else 0.0
        low, high = (middle, high) if spread < open_bits else (low, middle)
    return nextafter(low * (1 - 1e-12), 0.0)


def check_bits(state_bits: int) -> None:
    """Refuse a negative or fractional number of bits."""
    if isinstance(state_bits, bool) or not isinstance(state_bits, int) or state_bits < 0:
        raise BadInput(f"state bits must be a whole number, at least 0, found {state_bits!r:.40}")


def check_accuracy(accuracy: float) -> None:
    """Refuse an accuracy outside 0..1."""
    if not isinstance(accuracy, int | float) or not isfinite(accuracy) or not 0 <= accuracy <= 1:
        raise BadInput(f"accuracy must lie in 0..1, found {accuracy!r:.40}")
