"""Accuracy against state, counted: the best accuracy with b bits, and the least bits for an accuracy, of any function of short strings.

[bhattamishra2024 Theorem 2]

    >>> accuracy_ceiling(lambda x: x[:2] == x[2:], alphabet="01", length=4, state_bits=1).accuracy
    0.8125
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from separatrix.bits import ceil_log2
from separatrix.bounds.accuracy.ceiling import Ceiling, bounded, check_accuracy, check_bits, least_bits
from separatrix.bounds.accuracy.cut_ceilings import cut_ceilings
from separatrix.bounds.accuracy.weighted_tree import Weight, WeightedTree, weighted_tree
from separatrix.bounds.accuracy.width_limited import best_machine
from separatrix.bounds.states.answers import Answer


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


def _bits_for_all(tree: WeightedTree) -> int:
    """Bits that suffice to forget nothing; classes that differ only in weight count separately, so this may be too many."""
    return max(ceil_log2(len(level)) for level in (*tree.children, tree.answer_of))
