"""Constant size: one set of weights decides graphs of every size up to its own, every token as the oracle says."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from separatrix.constructions import build
from separatrix.models.decoders.decoder import Decoder
from separatrix.tasks.is_tree import IsTree
from tests.constructions.wen2024.test_is_tree import HARD, Edges, prompt

WAYS = {"is-tree/transformer": "tour", "is-tree/hybrid": "lists", "is-tree/retrieval": "search"}


def tree(rng: np.random.Generator, n: int) -> list[tuple[int, int]]:
    """A random tree on vertices 1 .. n: each but the first hangs on one before it, under random labels."""
    label = (1 + rng.permutation(n)).tolist()
    edges = [(label[i], label[int(rng.integers(i))]) for i in range(1, n)]
    return [edges[i] for i in rng.permutation(n - 1)]


def graphs(rng: np.random.Generator, n: int) -> list[Edges]:
    """Five kinds: a tree, a forest, one cycle, a path or star, and two stars."""
    whole, label = tree(rng, n), (1 + rng.permutation(n)).tolist()
    new = next(pair for pair in combinations(range(1, n + 1), 2) if {*pair} not in [{*edge} for edge in whole])
    path = [(label[i - 1], label[i]) if rng.integers(2) else (label[0], label[i]) for i in range(1, n)]
    stars = [(label[i], label[int(rng.integers(2))]) for i in range(2, n)] + [(label[2], label[3])]
    return [whole, whole[1:], [*whole[1:], new], path, stars]


def assert_decides(name: str, n: int, sizes: list[int], seed: int) -> int:
    """The chains of one set of weights on graphs with these numbers of vertices; how many there were."""
    built, rng = build(name, length=n, edges=n, vertices="touched"), np.random.default_rng(seed)
    every = [graph for size in sizes for graph in graphs(rng, size)] + [[*edges] for k, edges in HARD if len(edges) <= n]
    tasks = [IsTree(n, edges=len(graph), thought=WAYS[name], vertices="touched") for graph in every]  # type: ignore[arg-type]
    prompts = [prompt(task, graph) for task, graph in zip(tasks, every, strict=True)]
    decoder = built.program.decoder
    assert isinstance(decoder, Decoder)
    chains = decoder.chains(built.model, prompts)
    said = set()
    for task, tokens, chain, graph in zip(tasks, prompts, chains, every, strict=True):
        assert chain.tokens == task.chain(tokens), graph
        assert chain.tokens[-2] == task.second(tokens)
        said.add(task.spelling[chain.tokens[-2]])
    assert said == {"YES", "NO"}
    return len(every)


@pytest.mark.parametrize("name", WAYS)
def test_one_set_of_weights_for_up_to_10_vertices(name: str) -> None:
    assert assert_decides(name, 10, [4, 5, 7, 10], 1) == 28


@pytest.mark.slow
@pytest.mark.parametrize("name", WAYS)
def test_one_set_of_weights_for_up_to_32_vertices(name: str) -> None:
    assert assert_decides(name, 32, [4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 18, 20, 22, 24, 25, 26, 28, 30, 31, 32], 2) == 108


@pytest.mark.slow
@pytest.mark.parametrize("name", WAYS)
def test_one_set_of_weights_for_up_to_64_vertices(name: str) -> None:
    assert assert_decides(name, 64, [4, 33, 64], 3) == 23


@pytest.mark.slow
@pytest.mark.parametrize(("name", "p"), [("is-tree/transformer", 89), ("is-tree/hybrid", 83)])
def test_a_graph_with_64_vertices_in_exact_numbers(name: str, p: int) -> None:
    built = build(name, length=64, arithmetic=f"nearest:{p},strict")
    edges = tree(np.random.default_rng(5), 64)
    task = built.task
    assert isinstance(task, IsTree)
    assert built.generate(prompt(task, edges)) == task.chain(prompt(task, edges))
