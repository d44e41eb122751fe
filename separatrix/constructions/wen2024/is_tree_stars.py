"""IsTree without a chain of thought on two stars and one edge between leaves, whatever the labels: a hybrid with one attention layer.

[wen2024 Construction 11; with six edges instead of four] [wen2024 Theorem 5.7; its second part, for any labels]
[wen2024 Lemma B.22; for the first six edges, and for four of the others] [wen2024 Definition 5.5]

Notation   c, d  the centres     a, b  the ends of the edge that is read     x_1 .. x_12  the ends of the first six edges

A leaf has at most two edges, and of six edges at least five have a centre: so some vertex has three of them, and it is a centre c. Edges
that touch c are (c, leaf); the others, which are free of c, are those of d and the one between leaves. An end of a free edge that is a
leaf of c belongs to the edge between leaves. The graph is a tree iff there is exactly one such end: none if both ends of that edge hang on
d, two if both hang on c.

So the last layer has a head for each end in question and asks whether (c, end) is an edge. Which ends? At most three of the first six
edges are free. Of the later ones linear units hold the first four that are free. If there are four, three of them have a vertex in
common, which is d as a leaf has only two; from the fourth on the one that has no d is the edge between leaves, and a running sum holds
it. Ends of d's edges may be asked for as well: they are no leaves of c. That makes seven edges: three early, three later, and this one.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from itertools import combinations, product
from operator import add

from separatrix.constructions.assembler import Layer
from separatrix.constructions.forms import Form, stack
from separatrix.constructions.gadgets import Gadget, at_least, equal, threshold, when
from separatrix.constructions.parts.blocks import occurs
from separatrix.constructions.parts.numbered import Numbered
from separatrix.constructions.parts.rules import Rules, combined
from separatrix.constructions.recurrences import history, running_sum
from separatrix.errors import BadInput
from separatrix.tasks.is_tree import EDGE, NO, YES, IsTree

EARLY, FREE = 6, 3  # edges of which three share a centre, and how many of them are free of it at most
HELD = 4  # later edges that are free of c, of which three share the other centre


def stars_program(task: IsTree, arithmetic: str) -> Numbered:
    """Five linear units and feed-forward parts that find the ends to ask for, and one layer with a head for each."""
    n = task.length
    if n <= EARLY:
        raise BadInput(f"is-tree: without a chain and with any labels expected at least {EARLY + 1} vertices, found n = {n}")
    program = Numbered(task.name, task.words, n, task.token_count, arithmetic, "hybrid")
    net, one, place = program.net, program.one, program.place[0]

    unit = net.linear_unit()
    before = unit.remember("before", history(stack(program.number, program.flag(EDGE)), 2))  # (v, v^2, is ~) one and two tokens back
    at_b, a, b = before[2], before[3:5], program.number
    ends = unit.write("ends", when([at_b], stack(a, b)))  # a, a^2, b, b^2
    given = [unit.write(f"edge {e}", equal(place, (3 * e + 1) * one, stack(a, b))) for e in range(1, EARLY + 1)]

    unit = net.linear_unit()
    early = unit.remember("early", running_sum(stack(*given)))
    x = [early[2 * i : 2 * i + 2] for i in range(2 * EARLY)]  # ends of early edges and their squares
    later = unit.write("later", threshold(place, 3 * EARLY + 2, 1, one))  # behind the first six edges
    is_centre = _shared(unit, "is a centre", [end[0] for end in x], one)
    part = net.pointwise()
    c = _first(part, "c", is_centre, x, later, n)

    part = net.pointwise()  # before the seventh edge c is 0, and so is no end of an edge
    touches = part.write("touches c", _any_of(c[0], [ends[0], ends[2]], at_b))
    touch = [part.write(f"early {e} touches c", _any_of(c[0], [x[2 * e][0], x[2 * e + 1][0]], one)) for e in range(EARLY)]
    part = net.pointwise()
    free = part.write("free of c", when([at_b, later], stack(ends, one), unless=[touches]))
    ranks = _ranks(part, touch, one)

    unit = net.linear_unit()
    asked = _early_free(unit, ranks, x)
    counted = unit.remember("free edges", running_sum(free[4]))
    kept = [unit.write(f"free {j}", equal(counted + 2 * HELD * (one - free[4]), j * one, free[:4])) for j in range(1, HELD + 1)]
    fourth = unit.write("four are free", threshold(counted, HELD, 1, one))

    unit = net.linear_unit()
    held = unit.remember("held", running_sum(stack(*kept)))
    y = [held[2 * i : 2 * i + 2] for i in range(2 * HELD)]
    is_other = _shared(unit, "is the other centre", [end[0] for end in y], one)
    part = net.pointwise()
    d = _first(part, "d", is_other, y, fourth, n)
    part = net.pointwise()
    touches_d = part.write("touches d", _any_of(d[0], [free[0], free[2]], free[4]))
    part = net.pointwise()
    alone = part.write("without a centre", when([free[4], fourth], free[:4], unless=[touches_d]))

    unit = net.linear_unit()
    lone = unit.remember("edge between leaves", running_sum(alone))
    asked += [y[i] for i in range(2 * FREE)] + [lone[:2], lone[2:]]
    queries = [unit.write(f"edge of c and end {i}", _ordered(c, end)) for i, end in enumerate(asked)]

    layer = net.layer()
    keys = [(ends[0], ends[1]), (ends[2], ends[3])]
    hits = [
        occurs(program, layer, f"end {i}", keys, [(q[0], q[1]), (c[0] + end[0] - q[0], c[1] + end[1] - q[1])], n, at_b, f"hit {i}")
        for i, (q, end) in enumerate(zip(queries, asked, strict=True))
    ]
    rules = Rules(program)
    rules.say_by(YES, equal(_sum(hits), one, 2 * one))
    rules.say(NO, [])
    rules.finish(layer)
    return program


def _shared(unit: Layer, name: str, ends: list[Form], one: Form) -> Form:
    """For each end of some edges, two by two, whether three of the edges have it."""
    edges = range(len(ends) // 2)
    both = [(i, j) for e, f in combinations(edges, 2) for i, j in product((2 * e, 2 * e + 1), (2 * f, 2 * f + 1))]
    compared = [([i, j], equal(ends[i], ends[j], one)) for i, j in both]
    others = unit.write(f"{name}, counted", combined("ends in common", len(ends), compared, low=0, high=len(ends)))
    return unit.net.pointwise().write(name, at_least(others, 2))  # two other edges have it too


def _first(part: Layer, name: str, flags: Form, ends: list[Form], known: Form, n: int) -> Form:
    """The first end with a flag, and its square; 0 before it is known."""
    chosen = [(row, when([flags[i], known], ends[i][row], unless=[flags[j] for j in range(i)])) for i in range(len(ends)) for row in (0, 1)]
    return part.write(name, combined(f"first {name}", 2, chosen, low=0, high=n * n))


def _any_of(centre: Form, ends: list[Form], flag: Form) -> Gadget:
    """The flag, where the centre is one of two different ends."""
    return combined("touches", 1, [(0, equal(end, centre, flag)) for end in ends], low=0, high=1)


def _ranks(part: Layer, touch: list[Form], one: Form) -> list[list[Form]]:
    """For each of three ranks, whether early edge e has it: that many of the edges up to e, and e itself, are free of c."""
    rank = [_sum([one - t for t in touch[: e + 1]]) + EARLY * touch[e] for e in range(EARLY)]
    every = range(EARLY)
    return [[part.write(f"early {e} is free {j}", equal(rank[e], j * one, one)) for e in every] for j in range(1, FREE + 1)]


def _early_free(part: Layer, ranks: list[list[Form]], x: list[Form]) -> list[Form]:
    """The ends, with squares, of the first, second and third early edge that is free of c; 0 where there is none."""
    asked = []
    for j, flags in enumerate(ranks, 1):
        chosen = [(2 * side + row, when([flags[e]], x[2 * e + side][row])) for e in range(EARLY) for side in (0, 1) for row in (0, 1)]
        found = part.write(f"early free {j}", combined("free early edge", 4, chosen))
        asked += [found[:2], found[2:]]
    return asked


def _ordered(c: Form, end: Form) -> Gadget:
    """The lesser of two vertices, and its square: c, or the end where that is less."""
    rows = [(row, when([], c[row])) for row in (0, 1)]
    rows += [(row, threshold(c[0] - end[0], 1, 1, end[row] - c[row])) for row in (0, 1)]
    return combined("the lesser", 2, rows)


def _sum(forms: Iterable[Form]) -> Form:
    return reduce(add, forms)
