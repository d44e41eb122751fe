"""IsTree by lists of neighbours: every token of the chain against the oracle's, and the walk inside it against a depth-first one."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import combinations, pairwise

import pytest

from separatrix.certificates.verify import trial, verify
from separatrix.checker import check_text
from separatrix.constructions import build, construction
from separatrix.errors import BadInput
from separatrix.models.decoders.greedy import Greedy
from separatrix.tasks.is_tree import IsTree
from tests.constructions.wen2024.test_is_tree import HARD, Edges, prompt


def walked(task: IsTree, chain: tuple[int, ...]) -> list[int]:
    """The walk of a chain: what follows five words for each edge."""
    return [int(word) for word in task.text(chain).split()[5 * task.m : -2]]


def assert_walks(n: int, edges: int, graphs: list[Edges], arithmetic: str = "float64") -> None:
    """One set of weights, also for fewer edges than it was built for."""
    built = build("is-tree/hybrid", length=n, edges=edges, arithmetic=arithmetic)
    decoder = built.program.decoder
    assert isinstance(decoder, Greedy)
    tasks = [IsTree(n, edges=len(graph), thought="lists") for graph in graphs]
    prompts = [prompt(task, graph) for task, graph in zip(tasks, graphs, strict=True)]
    for task, tokens, chain, graph in zip(tasks, prompts, decoder.chains(built.model, prompts), graphs, strict=True):
        assert chain.tokens == task.chain(tokens), (graph, task.text(chain.tokens))  # type: ignore[arg-type]
        assert chain.tokens[-2] == task.second(tokens)


def test_the_graph_of_figure_3() -> None:
    """2 ~ 3 comes last: 3 has 5 before 2 and 2 has 6 before 3, so nothing follows; vertex 6 has 2 first and then 4."""
    built = build("is-tree/hybrid", length=6)
    task = built.task
    assert isinstance(task, IsTree)
    chain = task.text(built.generate(prompt(task, [(2, 6), (1, 5), (3, 5), (4, 6), (2, 3)])))  # type: ignore[arg-type]
    assert chain == ": 2 3 . . : 4 6 . . : 3 5 2 . : 1 5 . 3 : 2 6 3 4 1 5 3 2 6 4 6 2 3 5 1 YES </s>"


@pytest.mark.parametrize(("n", "arithmetic"), [(2, "float64"), (3, "float64"), (4, "float64"), (3, "nearest:41,strict")])
def test_every_graph_with_up_to_four_vertices(n: int, arithmetic: str) -> None:
    pairs = [*combinations(range(1, n + 1), 2)]
    every: list[Edges] = [edges for m in range(len(pairs) + 1) for edges in combinations(pairs, m)]
    assert_walks(n, math.comb(n, 2), every, arithmetic)
    assert_walks(n, math.comb(n, 2), [edges[::-1] for edges in every], arithmetic)


@pytest.mark.parametrize(("n", "edges"), HARD, ids=range(len(HARD)))
def test_adversarial_graphs(n: int, edges: Edges) -> None:
    assert_walks(n, 12, [edges, edges[::-1]])


def test_a_walk_that_takes_every_edge_of_a_graph_twice_does_not_make_it_a_tree() -> None:
    """Two cycles through 1 whose edges alternate around 1 give one walk of all 12 sides of 6 edges; two vertices are left out."""
    edges = [(1, 2), (1, 4), (1, 3), (1, 5), (2, 3), (4, 5)]
    task = IsTree(7, thought="lists")
    chain = task.chain(prompt(task, edges))
    assert chain is not None
    assert (len(walked(task, chain)), task.text(chain).split()[-2]) == (13, "NO")
    assert_walks(7, 6, [edges])


def test_around_a_tree_the_walk_is_depth_first() -> None:
    task = IsTree(12, thought="lists")
    for r in range(20):
        tokens = task.cases("tree", 3, 20).row(r)
        walk = walked(task, task.chain(tokens) or ())
        stack = [1]
        for u, v in pairwise(walk):  # on to a vertex that was not seen, or back to the one before
            assert u == stack[-1]
            if len(stack) > 1 and v == stack[-2]:
                stack.pop()
            else:
                assert v not in walk[: len(walk) - walk[::-1].index(v) - 1] or v not in stack
                stack.append(v)
        assert (stack, len(walk), {*walk}) == ([1], 23, {*range(1, 13)})


@pytest.mark.parametrize(("n", "cases"), [(6, 12), (10, 6), (16, 4), (32, 2), pytest.param(64, 1, marks=pytest.mark.slow)])
def test_trees_paths_stars_cycles_and_the_graphs_of_the_experiments(n: int, cases: int) -> None:
    built = build("is-tree/hybrid", length=n)
    result = trial(built, [{"kind": kind, "seed": 4, "count": cases} for kind in built.task.case_kinds])
    assert result.holds
    longest = max(len(built.task.chain(built.task.cases("tree", 4, cases).row(r)) or ()) for r in range(cases))
    assert longest == 7 * n - 4


def test_the_size_does_not_depend_on_the_graph_and_there_is_one_attention_layer() -> None:
    declared = construction("is-tree/hybrid")
    sizes = {n: declared.sizes(declared.task_at(length=n).parameters) for n in (4, 16, 64)}
    assert len({replace(size, state_bits=None) for size in sizes.values()}) == 1
    mixers = [layer.mixer and layer.mixer.config.kind for layer in build("is-tree/hybrid", length=4).model.each_layer()]  # type: ignore[union-attr]
    assert mixers == ["linear-rnn", "linear-rnn", "attention"]


LEAST = {4: 41, 6: 47, 10: 53, 16: 59}


@pytest.mark.parametrize(("n", "p"), [pytest.param(n, p, marks=[pytest.mark.slow] if n > 6 else []) for n, p in LEAST.items()])
def test_the_least_precision_is_enough_in_exact_numbers_and_the_next_below_is_refused(n: int, p: int) -> None:
    built = build("is-tree/hybrid", length=n, arithmetic=f"nearest:{p},strict")
    assert trial(built, [{"kind": kind, "seed": 6, "count": 1} for kind in built.task.case_kinds]).holds
    with pytest.raises(BadInput, match=rf"^is-tree: .* reach .*, more than nearest:{p - 2} holds$"):
        build("is-tree/hybrid", length=n, arithmetic=f"nearest:{p - 2}")


def test_every_input_of_four_vertices_and_three_edges_is_certified() -> None:
    verdict = check_text(verify(build("is-tree/hybrid", length=4)).to_json())
    assert (verdict.holds, verdict.strength) == (True, "exhaustive"), verdict.reason
    assert verdict.claim.startswith("trees among graphs with 4 vertices and 3 edges, by lists of neighbours: right on all 120 inputs; ")


def test_a_changed_weight_is_noticed() -> None:
    built = build("is-tree/hybrid", length=5)
    built.heads(2).query.data[-4:] *= 1e-6  # the next neighbour is read from everywhere
    assert not trial(built, [{"kind": kind, "seed": 2, "count": 5} for kind in built.task.case_kinds]).holds
