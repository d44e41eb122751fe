"""IsTree without a chain of thought, on the graphs of a message and a place: by a hybrid with one attention layer.

[wen2024 Construction 1] [wen2024 Theorem 5.7; its second part, for the labels of the proof]

With `graphs=two-star` the labels are permuted, and it takes more: is_tree_stars.py.
Leaf a of 1 .. n - 2 is joined to the centre n - 1 or n that spells bit a of the message, and the place k to k + 1. The graph is a tree iff
the bits at k and k + 1 differ. A linear unit holds the two tokens before, so that at the second end b of an edge a ~ b both ends are
known; b <= n - 2 only for the edge between leaves, whose ends another linear unit holds as running sums. At <sep> one head reads the
centre of each, and they are compared.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from separatrix.architectures import Architecture
from separatrix.certificates.construction import Construction
from separatrix.constructions.forms import stack
from separatrix.constructions.gadgets import equal, threshold, when
from separatrix.constructions.parts.blocks import match
from separatrix.constructions.parts.numbered import Numbered
from separatrix.constructions.parts.rules import Rules
from separatrix.constructions.recurrences import history, running_sum
from separatrix.constructions.wen2024.is_tree_stars import stars_program
from separatrix.constructions.wen2024.thought import need_thought
from separatrix.errors import BadInput
from separatrix.tasks.is_tree import EDGE, NO, YES, IsTree

if TYPE_CHECKING:
    from separatrix.certificates.built import Built


def no_chain_program(task: IsTree, arithmetic: str) -> Numbered:
    """For the labels of the proof, or for any labels."""
    need_thought(task, "none")
    if task.graphs == "any":
        raise BadInput(f"is-tree: this construction needs graphs=message or graphs=two-star, found graphs={task.graphs}")
    return message_program(task, arithmetic) if task.graphs == "message" else stars_program(task, arithmetic)


def message_program(task: IsTree, arithmetic: str) -> Numbered:
    """Three linear units, one layer with two heads, and a comparison."""
    n = task.length
    program = Numbered(task.name, task.words, n, task.token_count, arithmetic, "hybrid")
    one, b = program.one, program.number

    unit = program.net.linear_unit()
    before = unit.remember("before", history(stack(program.number, program.flag(EDGE)), 2))  # (v, v^2, is ~) one and two tokens back
    at_b, a = before[2], before[3:5]
    leaf = unit.write("leaf", threshold(-1 * b[0], 2 - n, 1, one))  # b <= n - 2
    lone = program.net.linear_unit()
    ends = lone.write("ends", when([at_b, leaf], stack(a, b)))  # of the edge between leaves
    edge = lone.write("edge", when([at_b], a, unless=[leaf]))  # the leaf of every other edge, whose centre is b

    held = program.net.linear_unit().remember("held", running_sum(ends))
    heads = program.net.layer()
    keys = [(edge[0], edge[1])]
    centres = [
        match(program, heads, f"centre of {name}", keys, [(held[2 * i], held[2 * i + 1])], n, b[0], f"centre of {name}")
        for i, name in enumerate(("k", "k + 1"))
    ]
    rules = Rules(program)
    rules.say_by(NO, equal(centres[0], centres[1], 2 * one))
    rules.say(YES, [])
    rules.finish(heads)
    return program


def is_tree_hybrid_no_chain(task: IsTree, arithmetic: str = "float64") -> Built:
    """Linear units and one attention layer: the centres of the two leaves that are joined, compared at <sep>."""
    return no_chain_program(task, arithmetic).compile(task, IS_TREE_HYBRID_NO_CHAIN)


IS_TREE_HYBRID_NO_CHAIN = Construction(
    name="is-tree/hybrid/no-chain",
    cites="wen2024 Theorem 5.7",
    computes=IsTree,
    architecture=Architecture.HYBRID,
    build=is_tree_hybrid_no_chain,
    formula=lambda task, arithmetic: no_chain_program(task, arithmetic).sizes(),
    quick=({"length": 5}, {"length": 16, "arithmetic": "nearest:51"}, {"length": 8, "graphs": "two-star"}),
    default_length=32,
    defaults={"graphs": "message"},
    paper_says="O(log n) bits of memory, O(log n) parameters, no chain on these graphs",
)
