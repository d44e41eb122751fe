"""Graphs as lists of edges, and their depth-first walks."""

from __future__ import annotations

from itertools import combinations, pairwise, permutations

import pytest

from separatrix.errors import BadInput
from separatrix.tasks.is_tree import AFTER, AFTER_FATHER, FATHER, FIRST, VISITED, IsTree


def test_the_example_of_the_documentation_is_figure_3_of_the_paper() -> None:
    task = IsTree(6, thought="tour")
    tokens = task.read("<s> 2 ~ 6 1 ~ 5 3 ~ 5 4 ~ 6 2 ~ 3 <sep>")
    assert task.text(task.chain(tokens) or ()) == "1 5 3 2 6 4 6 2 3 5 1 YES </s>"
    assert task.target_text(task.answer(tokens) or 0) == "YES"


@pytest.mark.parametrize(
    ("n", "text", "chain"),
    [
        (3, "<s> 1 ~ 2 2 ~ 3 <sep>", "1 2 3 2 1 YES </s>"),
        (3, "<s> 2 ~ 3 1 ~ 2 1 ~ 3 <sep>", "1 2 3 NO </s>"),  # 3 sees 1, which was visited
        (4, "<s> 2 ~ 3 3 ~ 4 2 ~ 4 <sep>", "1 NO </s>"),  # vertex 1 is alone, and there are n - 1 edges
        (4, "<s> 1 ~ 2 3 ~ 4 <sep>", "1 2 1 NO </s>"),
        (2, "<s> <sep>", "1 NO </s>"),
    ],
)
def test_walks_by_hand(n: int, text: str, chain: str) -> None:
    task = IsTree(n, edges=text.count("~"), thought="tour")
    assert task.text(task.chain(task.read(text)) or ()) == chain


def test_all_graphs_with_four_vertices_by_two_solvers() -> None:
    trees = 0
    for m in range(7):
        task = IsTree(4, edges=m, thought="tour")
        for edges in combinations(combinations(range(1, 5), 2), m):
            tokens = task.read(" ".join(["<s>", *(f"{u} ~ {v}" for u, v in edges), "<sep>"]))
            answer = task.answer(tokens)
            assert answer == task.second(tokens)
            chain = task.chain(tokens)
            assert chain is not None
            assert chain[-2] == answer
            trees += task.target_text(answer or 0) == "YES"
    assert trees == 16  # 4^(4 - 2), by Cayley


def test_a_walk_of_a_tree_has_2n_minus_1_vertices_and_crosses_every_edge_twice() -> None:
    task = IsTree(9, thought="tour")
    batch = task.cases("tree", 0, 30)
    for r in range(30):
        walk = [int(word) for word in task.text(task.chain(batch.row(r)) or ()).split()[:-2]]
        assert len(walk) == 17
        crossed = [tuple(sorted(step)) for step in pairwise(walk)]
        edges = task.edge_list(batch.row(r)) or []
        assert sorted(crossed) == sorted(edges * 2)


def test_the_graphs_of_the_experiments_are_two_stars_and_one_edge_and_half_of_them_are_trees() -> None:
    task = IsTree(16, graphs="two-star")
    batch = task.sample(0, 600)
    assert 0.45 < (batch.targets[:, -1] == task.words.index("YES")).mean() < 0.55
    for r in range(60):
        edges = task.edge_list(batch.row(r)) or []
        apart = [sum(len({*edge} & {*pair}) != 1 for edge in edges) for pair in combinations(range(1, 17), 2)]
        assert min(apart) <= 1  # all edges but one have one end in a centre
        assert len(edges) == 15


def test_any_graph_has_different_edges_in_the_given_number() -> None:
    task = IsTree(6, edges=9)
    batch = task.sample(1, 50)
    assert all(len({*(task.edge_list(batch.row(r)) or [])}) == 9 for r in range(50))


@pytest.mark.parametrize(
    "text", ["<s> 1 ~ 1 2 ~ 3 <sep>", "<s> 1 ~ 2 1 ~ 2 <sep>", "<s> 2 ~ 1 2 ~ 3 <sep>", "<s> 1 ~ 2 2 ~ 3", "<s> 1 2 ~ 2 ~ 3 <sep>"]
)
def test_loops_repeated_edges_and_other_texts_are_no_graphs(text: str) -> None:
    task = IsTree(3)
    assert task.answer(task.read(text)) is None


def test_every_order_of_the_edges_is_an_input() -> None:
    assert IsTree(4, edges=2).input_count == len([*permutations(range(6), 2)]) == len([*IsTree(4, edges=2).inputs()])


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        ({"edges": 4}, "3 vertices have at most 3 edges, found edges=4"),
        ({"edges": -1}, "3 vertices have at most 3 edges, found edges=-1"),
        ({"graphs": "two-star"}, "two stars have n >= 4 vertices and n - 1 edges, found n = 3 and 2 edges"),
    ],
)
def test_graphs_that_do_not_exist_are_refused(chosen: dict[str, object], message: str) -> None:
    with pytest.raises(BadInput, match=f"^is-tree: {message}$"):
        IsTree(3, **chosen)  # type: ignore[arg-type]


@pytest.mark.parametrize("graphs", ["any", "two-star", "message"])
def test_short_searches_are_the_whole_ones_without_what_is_fixed(graphs: str) -> None:
    """A second way to shorten: the first fragment of a whole query gives its name, and its vertices stand in it once each."""
    names = {FATHER: "father", VISITED: "visited", FIRST: "first", AFTER: "after", AFTER_FATHER: "again"}
    whole, short = (IsTree(9, graphs=graphs, thought=thought) for thought in ("search", "short"))  # type: ignore[arg-type]
    met = set()
    for r in range(40):
        written: list[str] = []
        query: list[str] | None = None
        prompt = whole.sample(3, 40).row(r)
        for word in whole.text(whole.chain(prompt) or ()).split():
            if word == "<StartSearch>":
                query = []
            elif word == "<EndSearch>" and query is not None:
                vertices = [*dict.fromkeys(part for part in query if part.isdigit())]
                written += ["<StartSearch>", names[query[0]], *vertices[::-1], "<EndSearch>"]  # the other vertex stands first in a pattern
                met.add(names[query[0]])
                query = None
            elif query is not None:
                query.append(word)
            else:
                written.append(word)
        chain = short.chain(short.read(whole.text(prompt)))
        assert short.text(chain or ()).split() == written
        assert len(chain or ()) <= short.chain_limit < whole.chain_limit
    assert met == {*names.values()}


def two_stacks(edges: list[tuple[int, int]]) -> list[int]:
    """The pseudo-code: look at the top of the first stack; push its first neighbour that is in neither, else move it to the second."""
    first, second, told = [1], [], []
    while first:
        v = first[-1]
        told.append(v)
        new = [b if a == v else a for a, b in edges if v in (a, b) and {a, b} - {v} - {*first} - {*second}]
        if new:
            first.append(new[0])
        else:
            second.append(first.pop())
    return told


def test_the_walk_over_a_tree_is_that_of_a_search_with_two_stacks() -> None:
    """[wen2024 Algorithm 1]"""
    task, trees = IsTree(7), 0
    batch = task.sample(5, 60)
    for row in range(60):
        edges = [*(task.edge_list(batch.row(row)) or [])]
        walk, tree = task.tour(edges)
        if tree:
            assert walk == two_stacks(edges)
            assert len(walk) == 2 * 7 - 1
            trees += 1
    assert trees > 10
