"""The best accuracy of a machine with few states: exact if a search over its layers ends, attained in any case.

[bhattamishra2024 Theorem 2]

A machine with W states after every token splits the prefixes of each length into W groups. Only the number of prefixes of each residual
class in a group matters, so a layer is a set of W such counts. Reading a token turns W groups into W x symbols, which are then
merged to W again: every way of doing so is tried, unless even perfect memory from there on would not beat what is attained.
Groups in the same proportion merge at no cost, and merging more than needed never helps.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import gcd

import numpy as np
from numpy.typing import NDArray

from separatrix.bounds.accuracy.weighted_tree import WeightedTree

FOLLOWED = 30_000  # merged layers that a search visits; two thousand products count as one more
MERGED = 10**8  # products formed when groups are merged one by one

Group = tuple[int, ...]
Layer = tuple[Group, ...]


@dataclass(frozen=True)
class BestMachine:
    """The weight that the best machine found answers correctly, and whether it is optimal."""

    weight: int
    exact: bool


@dataclass(frozen=True, eq=False)
class Worth:
    """The value of groups of one level: the weight answered correctly with perfect memory from there on."""

    table: NDArray[np.int64]  # w(v, c, s) of the level
    known: dict[Group, int]  # a cache of groups

    def of(self, group: Group) -> int:
        """The worth of one group, computed once."""
        worth = self.known.get(group)
        if worth is None:
            worth = self.known[group] = int((np.array(group) @ self.table).max(axis=0).sum())
        return worth


def best_machine(tree: WeightedTree, states: int) -> BestMachine | None:
    """The best machine with this many states after every token; None if the task is too large to try."""
    tables = [tree.weights(t) for t in range(len(tree.children) + 1)]
    worth = [Worth(table, {}) for table in tables if table is not None]
    if len(worth) < len(tables):
        return None
    attained = _greedy(tree, worth, states)
    return None if attained is None else _searched(tree, worth, states, attained)


def _read(tree: WeightedTree, t: int, layer: Layer) -> Layer:
    """The groups after one more token, those in the same proportion merged."""
    together: dict[Group, Group] = {}
    for row in tree.read(t, np.array(layer, dtype=np.int64)).tolist():
        if any(row):
            unit = gcd(*row)
            shape = tuple(count // unit for count in row)
            together[shape] = _sum([row, together.get(shape, (0,) * len(row))])
    return tuple(sorted(together.values()))


def _sum(groups: Sequence[Sequence[int]]) -> Group:
    return tuple(map(sum, zip(*groups, strict=True)))


def _greedy(tree: WeightedTree, worth: list[Worth], states: int) -> int | None:
    """Merge the two groups that lose least, until there are few enough."""
    layer: Layer = ((1,),)
    for t in range(len(tree.children)):
        layer = _read(tree, t, layer)
        if len(layer) > states and len(layer) ** 2 * worth[t + 1].table.size > MERGED:
            return None
        layer = _merged_to(layer, states, worth[t + 1])
    return sum(worth[-1].of(group) for group in layer)


def _merged_to(layer: Layer, states: int, worth: Worth) -> Layer:
    groups = dict(enumerate(layer))
    loss = {(i, j): _loss(groups[i], groups[j], worth) for i in groups for j in range(i)} if len(layer) > states else {}
    for new in range(len(layer), 2 * len(layer) - states):
        i, j = min(loss, key=lambda pair: (loss[pair], -sum(groups[pair[0]]) - sum(groups[pair[1]]), pair))  # of equal losses the largest
        merged = _sum([groups.pop(i), groups.pop(j)])
        loss = {pair: lost for pair, lost in loss.items() if not {i, j} & {*pair}}
        loss |= {(new, k): _loss(merged, group, worth) for k, group in groups.items()}
        groups[new] = merged
    return tuple(sorted(groups.values()))


def _loss(a: Group, b: Group, worth: Worth) -> int:
    return worth.of(a) + worth.of(b) - worth.of(_sum([a, b]))


def _searched(tree: WeightedTree, worth: list[Worth], states: int, attained: int) -> BestMachine:
    frontier: set[Layer] = {((1,),)}
    looked_at = 0
    for t in range(len(tree.children)):
        hopeful: set[Layer] = set()
        for layer in sorted(frontier):
            for merged in _mergings(_read(tree, t, layer), states):
                looked_at += 1
                if looked_at + len(worth[t + 1].known) * worth[t + 1].table.size // 2000 > FOLLOWED:
                    return BestMachine(attained, False)
                if sum(map(worth[t + 1].of, merged)) > attained:
                    hopeful.add(tuple(sorted(merged)))
        frontier = hopeful
    return BestMachine(max((sum(map(worth[-1].of, layer)) for layer in frontier), default=attained), True)


def _mergings(layer: Layer, states: int) -> Iterator[Layer]:
    """Every way to merge groups into exactly `states`, or the layer itself if there are no more."""
    if len(layer) <= states:
        yield layer
        return
    blocks: list[Group] = []

    def place(k: int) -> Iterator[Layer]:
        left = len(layer) - k
        if left == 0:
            yield tuple(blocks)
            return
        if len(blocks) + left > states:  # it may join an existing block
            for i, block in enumerate(blocks):
                blocks[i] = _sum([block, layer[k]])
                yield from place(k + 1)
                blocks[i] = block
        if len(blocks) < states:
            blocks.append(layer[k])
            yield from place(k + 1)
            blocks.pop()

    yield from place(0)
