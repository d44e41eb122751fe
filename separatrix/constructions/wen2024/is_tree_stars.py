"""IsTree without a chain of thought on two stars and one edge between leaves, whatever the labels: a hybrid with one attention layer.

[wen2024 Construction 11; with six edges instead of four, and no second centre] [wen2024 Theorem 5.7; its second part, for any labels]
[wen2024 Lemma B.22; for the first six edges]

Notation   c  a centre     a, b  the ends of the edge that is read     x_1 .. x_12  the ends of the first six edges

A leaf has at most two edges, and of six edges at least five have a centre: so some vertex has three of them, and it is a centre c. Edges
that touch c are (c, leaf); the others are those of the other centre, and the one between leaves. An edge that touches c and one that does
not can only share a leaf of c which is an end of the edge between leaves. The graph is a tree iff there is exactly one such pair: none if
both ends of that edge hang on the other centre, two if both hang on c.

So the program counts pairs. Linear units hold the first six edges; feed-forward parts find c, compare the first six edges with each
other, and each later edge with them. Later edges are compared with each other by attention: an edge (c, leaf) asks whether the leaf was
seen, at an edge without c, as a first or as a second end; an edge without c asks for each end whether it was seen as a leaf of c. A
linear unit adds up.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from itertools import combinations, permutations, product
from operator import add

from separatrix.constructions.forms import Form, stack
from separatrix.constructions.gadgets import Gadget, at_least, equal, threshold, when
from separatrix.constructions.parts.blocks import Pair, occurs
from separatrix.constructions.parts.numbered import Numbered
from separatrix.constructions.parts.rules import combined
from separatrix.constructions.recurrences import history, running_sum
from separatrix.errors import BadInput
from separatrix.tasks.is_tree import EDGE, NO, YES, IsTree

EARLY = 6  # edges, of which three share a centre


def stars_program(task: IsTree, arithmetic: str) -> Numbered:
    """Two linear units, four feed-forward parts, one layer with four heads, and a linear unit that adds up."""
    n = task.length
    if n <= EARLY:
        raise BadInput(f"is-tree: without a chain and with any labels expected at least {EARLY + 1} vertices, found n = {n}")
    program = Numbered(task.name, task.words, n, task.token_count, arithmetic, "hybrid")
    net, one, place = program.net, program.one, program.place[0]

    unit = net.linear_unit()
    before = unit.remember("before", history(stack(program.number, program.flag(EDGE)), 2))  # (v, v^2, is ~) one and two tokens back
    at_b, a, b = before[2], before[3:5], program.number
    ends = unit.write("ends", when([at_b], stack(a, b)))
    given = [unit.write(f"edge {e}", equal(place, (3 * e + 1) * one, stack(a[0], b[0]))) for e in range(1, EARLY + 1)]

    unit = net.linear_unit()
    x = unit.remember("early", running_sum(stack(*given)))
    later = unit.write("later", threshold(place, 3 * EARLY + 2, 1, one))  # behind the first six edges
    compared, shares = _compared(x, one)
    rows = 2 * EARLY + len(shares)
    counted = unit.write("counted", combined("ends in common", rows, compared, low=0, high=2 * EARLY))
    pairs = {pair: counted[2 * EARLY + row] for row, pair in enumerate(shares)}

    part = net.pointwise()
    is_centre = part.write("is a centre", at_least(counted[: 2 * EARLY], 2))  # two other edges have it too
    part = net.pointwise()
    first = [(0, when([is_centre[i], later], x[i], unless=[is_centre[j] for j in range(i)])) for i in range(2 * EARLY)]
    c = part.write("centre", combined("first centre", 1, first, low=0, high=n))

    part = net.pointwise()  # before the seventh edge c is 0, and so is no end of an edge
    leaf = _sum(
        part.write(f"leaf {name}", equal(end[0], c, other)) for name, end, other in (("a", ends[2:], ends[:2]), ("b", ends, ends[2:]))
    )
    touching = [(0, equal(end, c, part_of)) for end, part_of in ((ends[0], at_b), (ends[2], at_b))]
    touches = part.write("touches", combined("touches", 1, touching, low=0, high=1))
    early = [(i // 2, equal(x[i], c, one)) for i in range(2 * EARLY)]
    touch = part.write("early touches", combined("touches", EARLY, early, low=0, high=2))
    met = [(i // 2, equal(x[i], end, at_b)) for i in range(2 * EARLY) for end in (ends[0], ends[2])]
    meets = part.write("meets", combined("ends in common", EARLY, met, low=0, high=4))

    part = net.pointwise()
    other = part.write("without c", when([at_b, later], stack(ends, one), unless=[touches]))
    now = [(0, when([meets[e], touch[e], later], one, unless=[touches])) for e in range(EARLY)]
    now += [(0, when([meets[e], touches, later], one, unless=[touch[e]])) for e in range(EARLY)]
    hits = part.write("hits", combined("pairs with an early edge", 1, now, low=0, high=2 * EARLY))
    inside = [(0, when([pairs[min(e, f), max(e, f)], touch[e]], one, unless=[touch[f]])) for e, f in permutations(range(EARLY), 2)]
    among = part.write("among", combined("pairs of early edges", 1, inside, low=0, high=EARLY**2))

    layer = net.layer()
    lone, hung = (_pair(other), _pair(other[2:])), _pair(leaf)
    seen = [occurs(program, layer, f"leaf of c {i}", hung, lone[i], n, touches, f"asked for {i}") for i in (0, 1)]
    seen += [occurs(program, layer, f"without c {i}", lone[i], hung, n, other[4], f"asked by leaf {i}") for i in (0, 1)]

    unit = net.linear_unit()
    total = unit.remember("pairs", running_sum(_sum(seen) + hits))
    tree = unit.write("tree", equal(total + among, one, one))
    program.say(None, {YES: 2 * tree, NO: one})
    return program


def _compared(x: Form, one: Form) -> tuple[list[tuple[list[int], Gadget]], list[tuple[int, int]]]:
    """Comparisons of the ends of different edges, each with the rows it adds to: those of both ends, and that of both edges."""
    shares = [*combinations(range(EARLY), 2)]
    both = [(row, i, j) for row, (e, f) in enumerate(shares) for i, j in product((2 * e, 2 * e + 1), (2 * f, 2 * f + 1))]
    return [([i, j, 2 * EARLY + row], equal(x[i], x[j], one)) for row, i, j in both], shares


def _pair(form: Form) -> Pair:
    return form[0], form[1]


def _sum(forms: Iterable[Form]) -> Form:
    return reduce(add, forms)
