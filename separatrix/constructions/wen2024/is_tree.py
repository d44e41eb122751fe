"""IsTree by a Transformer whose chain of thought is a depth-first walk.

[wen2024 Theorem 4.7] [wen2024 Construction 2] [wen2024 Lemma B.27; corrected: one list of records, separate tests of edges and tour]
[wen2024 Lemma B.29; as its last test]

Notation   v, p   vertex at this token, and at the one before      rv, rp, rc   a record: vertex, neighbour, 1/(count + 1)
           fa     father of v: the token before v first stood      fp           the position at which v first stood in the chain

Every edge a ~ b becomes two records, (b, a) at b and (a, b) at the token after it, each with the reciprocal count of its vertex so far. So
the neighbours of v are in the order of their counts. On arrival from the father the walk starts before the first, otherwise after the
record (v, p). The next record is found by MATCHNEXT; if it leads to the father, so is the one after it.
What is found goes on if it is new, is NO if the chain already contains it; if nothing is found the walk returns to the father, and at
vertex 1 it ends: YES iff the walk took each of the m edges twice and m = n - 1. Without the second test, which alone knows n, one set of
weights serves graphs of every size, whose vertices are the ends of their edges.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from separatrix.architectures import Architecture, Mode
from separatrix.certificates.construction import Construction
from separatrix.constructions.assembler import Layer
from separatrix.constructions.forms import Form, stack
from separatrix.constructions.gadgets import equal, gated, product, threshold, when
from separatrix.constructions.parts.blocks import Pair, copy, count, match, match_next, occurs, seen
from separatrix.constructions.parts.numbered import Numbered
from separatrix.constructions.parts.reciprocals import write_following, write_square
from separatrix.constructions.parts.rules import Rules, combined
from separatrix.constructions.wen2024.thought import need_thought
from separatrix.tasks.is_tree import EDGE, NO, SEP, YES, IsTree
from separatrix.tasks.searching import STOP

if TYPE_CHECKING:
    from separatrix.certificates.built import Built


def transformer_program(task: IsTree, arithmetic: str) -> Numbered:
    """Twelve layers, seven of which attend, with up to five heads."""
    need_thought(task, "tour")
    n = task.length
    program = Numbered(task.name, task.words, n, task.token_count + task.chain_limit, arithmetic)
    net, one, v = program.net, program.one, _pair(program.number)
    tilde, separator = program.flag(EDGE), program.flag(SEP)

    layer = net.layer()  # what stands around a token
    r = count(program, layer, [v], [v], n, "r")
    thinking = seen(program, layer, "seen <sep>", separator, "thinking")
    token = stack(program.number, tilde)
    back = [copy(program, layer, s, token, f"{s} back") for s in (1, 2, 3)]
    p = _pair(back[0])
    at_b, after_b = back[0][2], back[1][2]  # ~ is one or two tokens back
    ends = [(when([at_b], program.number), when([after_b], back[2][:2])), (when([at_b], back[1][:2]), when([after_b], back[0][:2]))]
    rv, rp = (_both(layer.write(into, a), layer.write(f"{into} after", b)) for into, (a, b) in zip(("rv", "rp"), ends, strict=True))
    walked = _pair(layer.write("walked", gated(thinking, program.number)))  # v, in the chain only
    vertex = one - program.word.total()
    walking = layer.write("walking", when([thinking, vertex], one))

    layer = net.layer()  # the count of a record's vertex, when that stood three tokens back
    r_back = copy(program, layer, 3, r, "r 3 back")
    rc = layer.write("rc", combined("count", 1, [(0, when([at_b], r)), (0, when([after_b], r_back))], low=0, high=1))

    layer = net.layer()  # where the walk came from
    here = match(program, layer, "record (v, p)", [rv, rp], [v, p], n, stack(rc, program.place[0]), "came by")
    first = match(program, layer, "v first", [walked], [v], n, stack(p[0], program.place[0]), "father")
    fa, fp = first[0], first[1]
    from_father = layer.write("from father", equal(p[0], fa, stack(one - here[0], -here[1])))
    start = here + from_father  # 1 and 0 on arrival from the father, else count and position of (v, p)
    counts = rc, write_square(layer, "rc^2", rc)

    z1, y1 = _next_neighbour(program, net.pointwise(), "1", v, start, rv, rp, counts)
    layer = net.pointwise()
    to_father = layer.write("to father", equal(z1, fa, one))
    z2, _ = _next_neighbour(program, layer, "2", v, y1, rv, rp, counts)

    layer = net.pointwise()
    candidate = z1 + layer.write("instead", when([to_father], z2 - z1))
    layer = net.pointwise()
    squared = layer.write("candidate^2", product(candidate, candidate))
    none = layer.write("none", equal(candidate, 0 * one, one))
    at_root = layer.write("at root", equal(fa, 0 * one, one))
    # vertex 1 first stands at fp = 3 m + 3, and the walk ends with token fp + 2 m if it takes every edge twice
    holds = [layer.write("whole tour", equal(3 * program.place[0] - 5 * fp, -6 * one, one))]
    holds += [layer.write("n - 1 edges", equal(fp, 3 * n * one, one))] if task.vertices == "all" else []

    layer = net.layer()
    visited = occurs(program, layer, "candidate", [walked], [(candidate, squared)], n, walking, "visited")
    rules = Rules(program)
    rules.say_number(one, [separator])
    rules.say_number(candidate, [walking], unless=[visited])
    rules.say(NO, [walking, visited])
    rules.say_number(fa, [walking, none])
    rules.say(NO, [walking, none, at_root])
    rules.say(YES, [walking, none, at_root, *holds], weight=2)  # outweighs NO
    rules.say(STOP, [program.flag(YES) + program.flag(NO)])
    rules.finish(layer)
    return program


def _next_neighbour(program: Numbered, layer: Layer, name: str, v: Pair, after: Form, rv: Pair, rp: Pair, rc: Pair) -> tuple[Form, Form]:
    """The neighbour of v in the record after one with this count and position, 0 if there is none; and count and position of its record.

    If there is none, MATCHNEXT finds the last record again, which does not lie after itself. The layer squares the count.
    """
    net, x, place = program.net, after[0], after[1]
    squared = write_square(layer, f"x{name}^2", x)
    following = write_following(net.pointwise(), f"next {name}", x, squared, program.one)
    layer = net.layer()
    record = stack(rp[0], rc[0], program.place[0])
    found = match_next(program, layer, f"next neighbour {name}", rv, v, rc, following, program.n, record, f"found {name}")
    return layer.write(f"neighbour {name}", threshold(found[2] - place, 1, 1, found[0])), found[1:]


def _pair(form: Form) -> Pair:
    return form[0], form[1]


def _both(one: Form, other: Form) -> Pair:
    """A number and its square that stand in one of two slots, the other being 0."""
    return one[0] + other[0], one[1] + other[1]


def is_tree_transformer(task: IsTree, arithmetic: str = "float64") -> Built:
    """A Transformer of constant size whose chain is the depth-first walk: at most 2 n - 1 vertices and the answer."""
    return transformer_program(task, arithmetic).compile(task, IS_TREE_TRANSFORMER)


IS_TREE_TRANSFORMER = Construction(
    name="is-tree/transformer",
    cites="wen2024 Theorem 4.7",
    computes=IsTree,
    architecture=Architecture.TRANSFORMER,
    mode=Mode.CHAIN,
    build=is_tree_transformer,
    formula=lambda task, arithmetic: transformer_program(task, arithmetic).sizes(),
    quick=({"length": 4},),
    default_length=8,
    defaults={"thought": "tour"},
    chain="at most 2 n + 1",
    paper_says="constant depth and dimension, O(log n) precision, O(n) chain",
)
