"""IsTree by a hybrid with one attention layer, whose chain writes out the lists of neighbours and then walks along them.

[wen2024 Theorem 5.7; its first part, with a chain of at most 7 n - 4 tokens instead of O(n log n)] [wen2024 Definition 5.5]

Notation   s  position of <sep>     j  edges listed so far     rv, ru  vertex and neighbour of a list entry

One attention layer cannot find the edge of v that comes after a given one: that takes a count first, and then the next count. The paper
looks for it by doubling distances, in O(log n) tokens each time. Here the chain first writes `: a b w x` for every edge a ~ b, from the
last to the first. The entry that was last written for a names the neighbour after b, so MATCHCLOSE finds w, and x for b. From then on the
neighbour of v after u is one MATCH, of (v, u), and the first neighbour one MATCHCLOSE.

The walk goes on to the neighbour after the one it came from, and from the last to the first, so it needs no father: around a tree it
takes every edge twice and ends at vertex 1. It may also end early, or go around a cycle. The graph is a tree iff the walk takes each of
its m edges twice, there are m + 1 lists, each of which has one end `.`, and m = n - 1: the edges then hang together, and no vertex is
without one. Another number of edges is seen at <sep>, and the answer is then NO at once: so the chain is linear in n for every graph.
Without a given n (`vertices=touched`) it is linear in m.

Linear units hold the last tokens, whether <sep> was read, and how many `:` and `.` were; the second one counts the tokens since <sep>.
The layer with the heads is the last one, and its feed-forward part speaks: a vertex that was not found is 0, which gates what replaces it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from separatrix.architectures import Architecture, Mode
from separatrix.certificates.construction import Construction
from separatrix.constructions.forms import Form, stack
from separatrix.constructions.gadgets import equal, threshold, when
from separatrix.constructions.parts.blocks import Pair, match, match_close, read_at
from separatrix.constructions.parts.numbered import Numbered
from separatrix.constructions.parts.rules import Rules
from separatrix.constructions.recurrences import history, running_sum
from separatrix.constructions.wen2024.thought import need_thought
from separatrix.tasks.is_tree import LISTED, NO, NONE, SEP, YES, IsTree
from separatrix.tasks.searching import STOP

if TYPE_CHECKING:
    from separatrix.certificates.built import Built


def lists_program(task: IsTree, arithmetic: str) -> Numbered:
    """Two linear units, then one Transformer layer: three heads, and the rules."""
    need_thought(task, "lists")
    n = task.length
    program = Numbered(task.name, task.words, n, task.token_count + task.chain_limit, arithmetic, "hybrid")
    one, v, k = program.one, program.number, program.place[0]
    now = program.flag

    unit = program.net.linear_unit()
    numbers = unit.remember("numbers", history(v, 3))
    back = [v, *(numbers[2 * i : 2 * i + 2] for i in range(3))]  # a number and its square, so many tokens back
    colons = unit.remember("colons", history(now(LISTED), 5))
    at_a, at_b, at_w, at_x, behind = (colons[i] for i in range(5))
    begun = unit.remember("begun", history(now(SEP), 1))
    thinking = unit.remember("thinking", running_sum(now(SEP)))
    j = unit.remember("edges listed", running_sum(now(LISTED)))
    ends = unit.remember("lists", running_sum(now(NONE)))
    entries = [
        unit.write("entry of a", when([at_w], stack(back[2], back[1]))),
        unit.write("entry of b", when([at_x], stack(back[2], back[3]))),
    ]
    rv, ru = ((entries[0][i] + entries[1][i], entries[0][i + 1] + entries[1][i + 1]) for i in (0, 2))
    vertex, listing = one - program.word.total(), (at_a, at_b, at_w, at_x)
    walking = unit.write("walking", when([thinking, vertex], one, unless=listing))
    asked = unit.write("listed vertex", when([at_b + at_w], back[1])) + unit.write(
        "walked vertex", when([thinking, vertex], v, unless=listing)
    )
    at_root = unit.write("at vertex 1", equal(v[0], one, one))

    unit = program.net.linear_unit()
    t = unit.remember("tokens since <sep>", running_sum(thinking))
    s = k - t + one
    left = unit.write("edges left", threshold(s - 3 * j, 3, 1, one))  # s - 3 j = 2 when all are listed
    holds = [
        unit.write("every edge twice", equal(t - 7 * j, 2 * one, one)),  # 5 j tokens of lists, 2 j + 1 of the walk, and <sep>
        unit.write("one vertex more than edges", equal(ends - j, one, one)),
    ]
    counted = unit.write("n - 1 edges", equal(s, (3 * n - 1) * one, one)) if task.vertices == "all" else None

    layer = program.net.layer()
    edge = read_at(program, layer, "end of an edge", s - 3 * j + 2 * at_a, program.L, v[0], "edge")
    first = match_close(program, layer, "first neighbour", [rv], [_pair(asked)], n, ru[0], "first")
    after = match(program, layer, "next neighbour", [rv, ru], [_pair(v), _pair(back[1])], n, v[0], "after")

    rules, start = Rules(program), behind + begun
    rules.say(LISTED, [now(SEP) + at_x, left])
    rules.say_number(edge, [now(LISTED) + at_a])
    rules.say_number(first, [at_b + at_w])
    rules.say(NONE, [at_b + at_w], weight=0.5)  # only loses to a number
    rules.say_number(one, [now(SEP) + at_x], unless=[left])  # the walk begins at vertex 1
    rules.say_number(first, [walking, start])
    rules.say(NO, [walking, start], weight=0.5)
    if task.vertices == "touched":
        rules.say(YES, [walking, begun], weight=0.75)  # no edge: vertex 1 alone is a tree
    rules.say_number(after, [walking], unless=[start])
    rules.say_number(first, [walking], unless=[start, at_root, after])  # a vertex 1 .. n closes the gate, 0 leaves it open
    rules.say(NO, [walking, at_root], unless=[start, after])
    rules.say(YES, [walking, at_root, *holds], unless=[start, after], weight=2)  # outweighs NO
    if counted is not None:
        rules.say(NO, [now(SEP)], unless=[counted], weight=2)  # outweighs the list, and the walk
    rules.say(STOP, [now(YES) + now(NO)])
    rules.finish(layer)
    return program


def _pair(form: Form) -> Pair:
    return form[0], form[1]


def is_tree_hybrid(task: IsTree, arithmetic: str = "float64") -> Built:
    """Two linear units and one attention layer, of constant size: lists of neighbours, then a walk along them."""
    return lists_program(task, arithmetic).compile(task, IS_TREE_HYBRID)


IS_TREE_HYBRID = Construction(
    name="is-tree/hybrid",
    cites="wen2024 Theorem 5.7",
    computes=IsTree,
    architecture=Architecture.HYBRID,
    mode=Mode.CHAIN,
    build=is_tree_hybrid,
    formula=lambda task, arithmetic: lists_program(task, arithmetic).sizes(),
    quick=({"length": 4},),
    default_length=8,
    defaults={"thought": "lists"},
    chain="at most 7 n - 4, whatever the edges; with vertices=touched 7 m + 3",
    paper_says="O(log n) bits of memory, O(log n) parameters, O(n log n) chain",
)
