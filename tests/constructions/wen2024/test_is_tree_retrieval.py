"""IsTree by searches: every word of the chain against the oracle's, and the walk inside it against the depth-first one."""

from __future__ import annotations

from itertools import combinations
from math import comb

import pytest

from separatrix.certificates.verify import trial, verify
from separatrix.checker import check_text
from separatrix.constructions import build, construction
from separatrix.models.decoders.retrieval import Retrieval
from separatrix.tasks.is_tree import IsTree
from separatrix.tasks.searching import START
from tests.constructions.wen2024.test_is_tree import HARD, Edges, prompt


def visits(task: IsTree, chain: tuple[int, ...]) -> list[int]:
    """The vertices at which a visit begins: those before a search for a father."""
    words = task.text(chain).split()
    father = next(word for word in task.words if word.endswith(r"\s-\s"))
    return [int(words[i - 2]) for i, word in enumerate(words) if word == father and words[i - 1] == START]


def assert_walks(n: int, edges: int, graphs: list[Edges]) -> None:
    """One set of weights, also for fewer edges than it was built for."""
    built = build("is-tree/retrieval", length=n, edges=edges)
    decoder = built.program.decoder
    assert isinstance(decoder, Retrieval)
    tasks = [IsTree(n, edges=len(graph), thought="search") for graph in graphs]
    prompts = [prompt(task, graph) for task, graph in zip(tasks, graphs, strict=True)]
    for task, tokens, chain, graph in zip(tasks, prompts, decoder.chains(built.model, prompts), graphs, strict=True):
        assert chain.tokens == task.chain(tokens), (graph, chain.why)
        assert visits(task, chain.tokens) == task.tour(graph)[0]  # type: ignore[arg-type]


@pytest.mark.parametrize("n", [2, 3, 4])
def test_every_graph_with_up_to_four_vertices(n: int) -> None:
    pairs = [*combinations(range(1, n + 1), 2)]
    assert_walks(n, comb(n, 2), [edges for m in range(len(pairs) + 1) for edges in combinations(pairs, m)])


@pytest.mark.parametrize(("n", "edges"), HARD, ids=range(len(HARD)))
def test_adversarial_graphs(n: int, edges: Edges) -> None:
    assert_walks(n, 12, [edges, edges[::-1]])


@pytest.mark.parametrize(("n", "cases"), [(6, 8), (12, 3), (30, 1)])
def test_trees_take_at_most_63_words_for_each_vertex(n: int, cases: int) -> None:
    built = build("is-tree/retrieval", length=n)
    assert trial(built, [{"kind": kind, "seed": 2, "count": cases} for kind in built.task.case_kinds]).holds
    longest = max(len(built.task.chain(built.task.cases("tree", 2, cases).row(r)) or ()) for r in range(cases))
    assert longest <= 63 * n - 46  # the stop token included


def test_the_state_does_not_depend_on_the_graph_and_a_certificate_holds() -> None:
    declared = construction("is-tree/retrieval")
    bits = {n: declared.sizes(declared.task_at(length=n).parameters)["state_bits"] for n in (4, 64)}  # type: ignore[index]
    assert bits[4] == bits[64] == 80 * 64
    verdict = check_text(verify(build("is-tree/retrieval", length=4)).to_json())
    assert (verdict.holds, verdict.strength) == (True, "tested"), verdict.reason
    assert "with 4 vertices and 3 edges, by searches" in verdict.claim


def test_a_changed_weight_is_noticed() -> None:
    built = build("is-tree/retrieval", length=5)
    mixer = built.model.layers[0].mixer
    assert mixer is not None
    mixer.transition.data[-3, -4] = 0.0  # the number 17 words back is forgotten, from which f is taken
    assert not trial(built, [{"kind": kind, "seed": 2, "count": 20} for kind in built.task.case_kinds]).holds
