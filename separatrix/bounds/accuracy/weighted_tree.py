"""A task with its distribution: residual classes that agree in every answer and in every weight.

Notation   K_t  classes after t tokens      S_t  suffixes      v  an answer      w  weight of a string, a whole number

Accuracy is the weight of the strings with a right answer over the weight of all.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from separatrix.bounds.states.answers import Answer, alphabets_of, tabulate
from separatrix.bounds.states.residuals import residuals
from separatrix.errors import BadInput

Weight = Callable[[tuple[Any, ...]], int | Fraction]

LARGEST_TABLE = 2 * 10**6  # entries of a table of weights by answer, class and suffix; larger cuts are skipped


@dataclass(frozen=True, eq=False)
class WeightedTree:
    """Residual classes of a weighted task, level by level.

    `children[t][c, a]` as in `Residuals`; after the last token class c has answer `answer_of[c]` and weight `weight_of[c]`.
    """

    children: tuple[NDArray[np.int64], ...]
    answer_of: NDArray[np.int64]
    weight_of: NDArray[np.int64]
    total: int
    uniform: bool

    @property
    def answers(self) -> int:
        """The number of different answers."""
        return int(self.answer_of.max()) + 1

    def counts(self, t: int) -> NDArray[np.int64]:
        """Prefixes of t tokens in each class."""
        prefixes = np.ones(1, dtype=np.int64)
        for level in range(t):
            prefixes = self.read(level, prefixes[None]).sum(axis=0)
        return prefixes

    def read(self, t: int, groups: NDArray[np.int64]) -> NDArray[np.int64]:
        """Groups of prefixes [groups, K_t] after one more token: [groups x symbols, K_(t+1)]."""
        width = len(self.children[t + 1]) if t + 1 < len(self.children) else len(self.answer_of)
        after = np.zeros((len(groups), self.children[t].shape[1], width), dtype=np.int64)
        for c, a in np.argwhere(self.children[t] >= 0):
            after[:, a, self.children[t][c, a]] += groups[:, c]
        return after.reshape(-1, width)

    def weights(self, t: int) -> NDArray[np.int64] | None:
        """w(v, c, s): the weight of suffix s after class c of level t where its answer is v, else 0; None if the table is too large."""
        table = np.zeros((self.answers, len(self.answer_of), 1), dtype=np.int64)
        table[self.answer_of, np.arange(len(self.answer_of)), 0] = self.weight_of
        for level in reversed(self.children[t:]):
            if table.shape[0] * table.shape[2] * level.size > LARGEST_TABLE:
                return None
            padded = np.concatenate([table, np.zeros_like(table[:, :1])], axis=1)  # class -1 has no weight
            table = np.concatenate([padded[:, level[:, a]] for a in range(level.shape[1])], axis=2)
        return table


def weighted_tree(answer: Answer, alphabet: str | Iterable[Any], length: int, weight: Weight | None = None) -> WeightedTree:
    """The tree of a task whose strings have these weights; by default all strings of the promise weigh the same."""
    table = tabulate(answer, alphabets_of(alphabet, length))
    codes = table.codes.astype(np.int64)
    weights = np.ones(len(codes), dtype=np.int64) if weight is None else _whole([weight(x) for x in product(*table.alphabets)])
    codes = np.where(weights > 0, codes, -1)
    if (codes < 0).all():
        raise BadInput("no string of the promise has a weight above 0")
    kinds, leaf = np.unique(np.stack([codes, weights])[:, codes >= 0], axis=1, return_inverse=True)
    leaves = np.full(len(codes), -1, dtype=np.int64)
    leaves[codes >= 0] = np.asarray(leaf).reshape(-1)
    shared = residuals(leaves, table.sizes)
    answer_of, weight_of = kinds[:, shared.answers]
    return WeightedTree(shared.children, answer_of, weight_of, int(weights[codes >= 0].sum()), len(np.unique(kinds[1])) == 1)


def _whole(weights: list[Any]) -> NDArray[np.int64]:
    """Weights as whole numbers in the same proportion."""
    for weight in weights:
        if isinstance(weight, bool) or not isinstance(weight, int | Fraction | np.integer) or weight < 0:
            raise BadInput(f"a weight must be a whole number or a fraction, at least 0, found {weight!r:.80}")
    exact = [Fraction(int(weight)) if not isinstance(weight, Fraction) else weight for weight in weights]
    scale = math.lcm(*(weight.denominator for weight in exact))
    whole = [int(weight * scale) for weight in exact]
    divisor = math.gcd(*whole) or 1
    if sum(whole) // divisor >= 2**62:
        raise BadInput("the weights must add up to less than 2^62 in their common unit, found more")
    return np.array([weight // divisor for weight in whole], dtype=np.int64)
