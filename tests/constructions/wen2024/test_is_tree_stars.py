"""IsTree without a chain on two stars whose labels are permuted."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

from separatrix.certificates.verify import trial, verify
from separatrix.checker import check_file
from separatrix.constructions import build, construction
from separatrix.constructions.wen2024.is_tree_stars import EARLY
from separatrix.errors import BadInput
from separatrix.tasks.is_tree import IsTree
from tests.constructions.wen2024.test_is_tree import prompt

NAME = "is-tree/hybrid/no-chain"


def test_every_place_of_the_edge_between_leaves_and_every_split_of_seven_vertices() -> None:
    """All ways to hang five leaves on two centres, all pairs of leaves, and the extra edge first, in the middle or last."""
    built = build(NAME, length=7, graphs="two-star")
    task = built.task
    assert isinstance(task, IsTree)
    rng = np.random.default_rng(1)
    prompts, expected = [], []
    for split in range(32):
        for j, k in permutations(range(5), 2):
            label = (1 + rng.permutation(7)).tolist()
            edges = [(label[leaf], label[5 + (split >> leaf & 1)]) for leaf in range(5)]
            edges.insert((0, 3, 5)[(j + k) % 3], (label[j], label[k]))
            prompts.append(prompt(task, edges))
            expected.append("YES" if (split >> j & 1) != (split >> k & 1) else "NO")
    said = [task.target_text(built.program.answer(tokens)) for tokens in prompts]  # type: ignore[arg-type]
    assert said == expected
    assert [task.target_text(task.answer(tokens) or 0) for tokens in prompts] == expected


@pytest.mark.parametrize(("n", "cases"), [(8, 300), (16, 100), (64, 8)])
def test_the_graphs_of_the_experiments(n: int, cases: int) -> None:
    assert trial(build(NAME, length=n, graphs="two-star"), [{"kind": "random", "seed": 1, "count": cases}]).holds


def test_in_exact_numbers() -> None:
    built = build(NAME, length=8, graphs="two-star", arithmetic="nearest:41,strict")
    assert trial(built, [{"kind": "random", "seed": 3, "count": 4}]).holds


def test_the_size_is_constant_with_one_attention_layer_and_a_certificate_holds(tmp_path: Path) -> None:
    declared = construction(NAME)
    sizes = [declared.sizes({"length": n, "graphs": "two-star"}) for n in (8, 60)]
    assert replace(sizes[0], state_bits=None) == replace(sizes[1], state_bits=None)
    built = build(NAME, length=8, graphs="two-star")
    kinds = [layer.mixer.config.kind for layer in built.model.each_layer() if layer.mixer is not None]
    assert kinds == [*["linear-rnn"] * 5, "attention"]
    assert built.model.each_layer()[-1].mixer is not None  # it ends in the layer that attends
    verify(built).write(tmp_path / "c.json")
    verdict = check_file(tmp_path / "c.json")
    assert (verdict.holds, verdict.strength) == (True, "tested"), verdict.reason
    assert verdict.claim.startswith("trees among graphs of two stars with 8 vertices and 7 edges: ")


def test_five_edges_may_leave_no_vertex_with_three() -> None:
    """A path through both centres has degrees 1 and 2 only; with a sixth edge some centre has three."""
    path = [(1, 2), (2, 3), (3, 4), (4, 5), (5, 6)]  # leaf, centre, leaf, leaf, centre, leaf
    assert max(sum(v in edge for edge in path) for v in range(1, 7)) == 2
    assert IsTree(6, graphs="two-star").answer(prompt(IsTree(6, graphs="two-star"), path)) is not None
    assert EARLY == 6


def test_fewer_vertices_and_other_graphs_are_refused() -> None:
    with pytest.raises(BadInput, match=r"^is-tree: without a chain and with any labels expected at least 7 vertices, found n = 6$"):
        build(NAME, length=6, graphs="two-star")
    task = IsTree(5, graphs="two-star")
    assert task.answer(prompt(task, [(1, 2), (2, 3), (1, 3), (4, 5)])) is not None  # centres 1 and 4, with leaves 2, 3 and 5
    assert task.answer(prompt(task, [(1, 2), (1, 3), (1, 4), (1, 5)])) is None  # one star
    assert task.answer(prompt(task, [(1, 2), (2, 3), (3, 4), (1, 4)])) is None  # a cycle of four


def test_a_changed_weight_is_noticed() -> None:
    built = build(NAME, length=12, graphs="two-star")
    built.heads(-1).value.data[:] *= 0  # no end is found among the leaves of c
    assert not trial(built, [{"kind": "random", "seed": 1, "count": 30}]).holds
