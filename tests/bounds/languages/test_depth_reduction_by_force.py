"""The steps of the depth reduction, each one on small random models of hard attention, where every input can be tried.

[hahn2020 Lemma 4]

The checker tests the inequalities; the argument around them is read. What is confronted here is that argument, in code of its own:
what a pair of a head and a value reads, what one fixed vector does to it, and how many bits the first two stages fix.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

import pytest

Bits = dict[int, int]  # the bits that are fixed
Reach = tuple[list[int], set[int], bool]  # places listed, the free bits behind them, and whether the walk ended


@dataclass(frozen=True)
class Layer:
    """Vectors that depend on bits, and the scores that one pair of a head and a value of its reader gives to each value of each vector."""

    behind: tuple[tuple[int, ...], ...]
    scores: tuple[dict[tuple[int, ...], float], ...]

    def values(self, j: int, fixed: Bits) -> list[tuple[int, ...]]:
        """What vector j may still be."""
        return list(product(*[(fixed[bit],) if bit in fixed else (0, 1) for bit in self.behind[j]]))

    def best(self, j: int, fixed: Bits) -> tuple[int, ...]:
        """A value of vector j with the largest score that it can still reach."""
        return max(self.values(j, fixed), key=self.scores[j].__getitem__)

    def walk(self, fixed: Bits, k: int, own: bool = False) -> Reach:
        """Down the ranking, to the first place that is constant or that would be the list's k + 1st. `own`: lists as they are printed."""
        ranked = sorted(range(len(self.behind)), key=lambda j: (-self.scores[j][self.best(j, fixed)], j))
        listed: list[int] = []
        covered: set[int] = set()
        for j in ranked:
            free = {bit for bit in self.behind[j] if bit not in fixed}
            if not free:
                return listed, covered, True
            if free - covered if not own else self.each_has_its_own([*listed, j], fixed):
                if len(listed) == k:
                    return listed, covered, False
                listed.append(j)
                covered |= free
        return listed, covered, True

    def each_has_its_own(self, places: list[int], fixed: Bits) -> bool:
        held = Counter(bit for j in places for bit in self.behind[j] if bit not in fixed)
        return all(any(held[bit] == 1 for bit in self.behind[j]) for j in places)

    def read(self, word: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
        """The place with the largest score, the first of equals, and its value."""
        values = [tuple(word[bit] for bit in bits) for bits in self.behind]
        place = max(range(len(values)), key=lambda j: (self.scores[j][values[j]], -j))
        return place, values[place]


def drawn(rng: random.Random, places: int, bits: int, c: int, most: int) -> Layer:
    """At most `most` different scores, so that there are ties."""
    behind = tuple(tuple(rng.sample(range(bits), rng.randint(1, c))) for _ in range(places))
    return Layer(behind, tuple({value: rng.randrange(most) for value in product((0, 1), repeat=len(b))} for b in behind))


def words(bits: int, fixed: Bits) -> list[tuple[int, ...]]:
    return list(product(*[(fixed[bit],) if bit in fixed else (0, 1) for bit in range(bits)]))


def depends_on_no_others(layer: Layer, bits: int, fixed: Bits, covered: set[int]) -> bool:
    """By every input: what is read is a function of the bits in `covered`."""
    seen: dict[tuple[int, ...], set[object]] = defaultdict(set)
    for word in words(bits, fixed):
        seen[tuple(word[bit] for bit in sorted(covered))].add(layer.read(word))
    return all(len(found) == 1 for found in seen.values())


def some(rng: random.Random, bits: int, share: float) -> Bits:
    return {bit: rng.randrange(2) for bit in range(bits) if rng.random() < share}


def test_a_pair_whose_walk_ends_reads_the_bits_behind_its_list_and_no_others() -> None:
    rng, ended = random.Random(1), 0
    for _ in range(400):
        layer, fixed, k = drawn(rng, 8, 8, 2, 4), some(rng, 8, 0.3), rng.randint(1, 4)
        listed, covered, ends = layer.walk(fixed, k)
        assert len(listed) <= k
        assert len(covered) <= 2 * k
        if ends:
            ended += 1
            assert depends_on_no_others(layer, 8, fixed, covered)
    assert ended > 100


def test_a_listed_vector_at_its_best_value_satisfies_the_pair_whatever_else_is_fixed() -> None:
    """The heart of the lemma, and what stages 2 and 3 use: the others' best scores only fall."""
    rng, tried = random.Random(2), 0
    for _ in range(300):
        layer, fixed, k = drawn(rng, 8, 8, 2, 4), some(rng, 8, 0.2), rng.randint(1, 3)
        listed, covered, ends = layer.walk(fixed, k)
        for j in [] if ends else listed:
            now = fixed | dict(zip(layer.behind[j], layer.best(j, fixed), strict=True))
            more = {bit: value for bit, value in some(rng, 8, 0.4).items() if bit not in now}
            assert depends_on_no_others(layer, 8, now | more, covered)
            tried += 1
    assert tried > 150


def test_a_value_below_the_best_or_a_printed_list_may_leave_more_bits_to_read() -> None:
    """Negative controls of the two tests above."""
    rng, below, printed = random.Random(3), 0, 0
    for _ in range(400):
        layer, fixed, k = drawn(rng, 8, 8, 2, 4), some(rng, 8, 0.2), rng.randint(1, 3)
        listed, covered, ends = layer.walk(fixed, k)
        for j in [] if ends else listed:
            worst = min(layer.values(j, fixed), key=layer.scores[j].__getitem__)
            below += not depends_on_no_others(layer, 8, fixed | dict(zip(layer.behind[j], worst, strict=True)), covered)
        listed, covered, ends = layer.walk(fixed, k, own=True)
        printed += ends and not depends_on_no_others(layer, 8, fixed, covered)
    assert below > 50
    assert printed > 5


@pytest.mark.parametrize("alike", [0.0, 0.7, 1.0])  # the share of scores that all pairs have in common: alike, they list the same places
def test_the_first_two_stages_fix_as_few_bits_as_they_claim(alike: float) -> None:
    n, c, H, k, eta, C = 96, 2, 1, 32, Fraction(1, 4), Fraction(1)
    assert 2**c * c / k <= eta * C
    rng = random.Random(4)
    behind = tuple(tuple(rng.sample(range(n), c)) if j % 3 else (0, 1 + j % (n - 1)) for j in range(n))  # bit 0 is behind a third of all
    common = [[rng.random() for _ in range(2**c)] for _ in range(n)]

    def pair() -> Layer:
        tables = [[s if rng.random() < alike else rng.random() for s in row] for row in common]
        return Layer(behind, tuple(dict(zip(product((0, 1), repeat=c), row, strict=True)) for row in tables))

    fixed: Bits = {bit: 0 for bit, count in Counter(bit for bits in behind for bit in bits).items() if count > c / (eta * C)}
    assert 0 < len(fixed) <= eta * C * n

    unsatisfied, rounds = [pair() for _ in range(2**c * H * n)], 0
    while True:
        walks = [(layer, *layer.walk(fixed, k)) for layer in unsatisfied]
        lists = [(layer, listed, covered) for layer, listed, covered, ends in walks if not ends]
        listed_by = Counter(j for _, listed, _ in lists for j in listed)
        place = max(range(n), key=lambda j: listed_by[j])
        if listed_by[place] <= 2**c * k * H:
            break
        wanted = {id(layer): layer.best(place, fixed) for layer, listed, _ in lists if place in listed}
        (value, served), *_ = Counter(wanted.values()).most_common(1)
        assert served > k * H
        fixed |= dict(zip(behind[place], value, strict=True))
        unsatisfied = [layer for layer, _, _ in lists if wanted.get(id(layer)) != value]
        rounds += 1
    assert rounds <= 2**c * n / k
    assert n - len(fixed) >= (1 - 2 * eta) * C * n
    shared = [sum(not covered.isdisjoint(other) for _, _, other in lists) for _, _, covered in lists]
    assert max(shared, default=0) <= 2**c * c**2 * k**2 * H / (eta * C)
    assert rounds > 0 or alike < 1
