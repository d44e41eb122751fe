"""Accuracy against state: the best accuracy with b bits, and the least bits for an accuracy.

[bhattamishra2024 Theorem 2]

A bound for zero error says nothing about a model that errs a little. Here the error is counted, over the task's own distribution of
inputs: for any machine with 2^b states after every token, any transition at every step, and an answer read off the last state.

    >>> accuracy_ceiling(lambda x: x[:2] == x[2:], alphabet="01", length=4, state_bits=1).accuracy
    0.8125
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import isfinite, log2, nextafter
from typing import Any

from separatrix.bounds.accuracy.cut_ceilings import cut_ceilings
from separatrix.bounds.accuracy.weighted_tree import Weight, WeightedTree, weighted_tree
from separatrix.bounds.accuracy.width_limited import best_machine
from separatrix.bounds.states.answers import Answer
from separatrix.bounds.states.profile import ceil_log2
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


def accuracy_ceiling(answer: Answer, alphabet: str | Iterable[Any], length: int, state_bits: int, weight: Weight | None = None) -> Ceiling:
    """The best accuracy with `state_bits` bits of state: exact for small tasks, else the best of the ceilings of single cuts.

    [bhattamishra2024 Theorem 2]

    `weight` gives each string a whole number or fraction in proportion to its probability; without it the strings of the promise are
    equally likely.
    """
    check_bits(state_bits)
    return ceiling_of_tree(weighted_tree(answer, alphabet, length, weight), state_bits)


def least_state_bits(answer: Answer, alphabet: str | Iterable[Any], length: int, accuracy: float, weight: Weight | None = None) -> Ceiling:
    """The least bits of state whose ceiling reaches an accuracy: fewer are refuted.

    [bhattamishra2024 Theorem 2]
    """
    check_accuracy(accuracy)
    tree = weighted_tree(answer, alphabet, length, weight)
    return least_bits(lambda bits: ceiling_of_tree(tree, bits), accuracy, _bits_for_all(tree))


def ceiling_of_tree(tree: WeightedTree, state_bits: int) -> Ceiling:
    """The best accuracy with that many states, for a tree of prefixes that is already there."""
    if state_bits >= _bits_for_all(tree):
        return Ceiling(1.0, state_bits, "exact: a state for every residual class after every token", 1.0)
    states = 2**state_bits
    best = best_machine(tree, states)
    attained = None if best is None else best.weight / tree.total
    if best is not None and best.exact:
        return Ceiling(best.weight / tree.total, state_bits, "exact: search over all machines, layer by layer", attained)
    accuracy, argument = min(cut_ceilings(tree, states))
    return bounded(accuracy, state_bits, argument, attained)


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


def check_bits(state_bits: int) -> None:
    """Refuse a negative or fractional number of bits."""
    if isinstance(state_bits, bool) or not isinstance(state_bits, int) or state_bits < 0:
        raise BadInput(f"state bits must be a whole number, at least 0, found {state_bits!r:.40}")


def check_accuracy(accuracy: float) -> None:
    """Refuse an accuracy outside 0..1."""
    if not isinstance(accuracy, int | float) or not isfinite(accuracy) or not 0 <= accuracy <= 1:
        raise BadInput(f"accuracy must lie in 0..1, found {accuracy!r:.40}")


def _bits_for_all(tree: WeightedTree) -> int:
    """Bits that suffice to forget nothing; classes that differ only in weight count separately, so this may be too many."""
    return max(ceil_log2(len(level)) for level in (*tree.children, tree.answer_of))
