"""Reductions: with a correct solver the protocols are right, with a forgetful one they are not."""

from __future__ import annotations

from typing import Any

import pytest

from separatrix.bounds.communication.reductions import REDUCTIONS, Reduction, hypercube, inner
from separatrix.errors import BadInput

Tokens = tuple[Any, ...]


def lookup(tokens: Tokens) -> int:
    return int(tokens[tokens[-1] - 2])


def nearest(tokens: Tokens) -> int:
    *context, query = tokens
    keys, labels = context[::2], context[1::2]
    scores = [inner(query, key) for key in keys]
    best = max(scores)
    assert scores.count(best) == 1
    assert best == 1  # an exact match, and the others at least 2/d behind
    assert all(score <= 1 - 2 / len(query) for score in scores if score != best)
    return int(labels[scores.index(best)])


def equal(tokens: Tokens) -> int:
    return int(tokens[: len(tokens) // 2] == tokens[len(tokens) // 2 :])


def meets(tokens: Tokens) -> int:
    half = len(tokens) // 2
    return int(any(a & b for a, b in zip(tokens[:half], tokens[half:], strict=True)))


def recall_solver(n: int) -> Any:
    def solver(tokens: Tokens) -> int:
        return int(tokens[tokens.index(tokens[-1]) + 1]) - 2 * n

    return solver


def solver_of(reduction: Reduction, n: int) -> Any:
    return {
        "index-lookup": lookup,
        "associative-recall": recall_solver(n),
        "mqar": recall_solver(n),
        "nearest-neighbor": nearest,
        "equality": equal,
        "intersects": meets,
    }[reduction.task]


def wrong_inputs(reduction: Reduction, solver: Any, n: int) -> list[tuple[Any, Any]]:
    """Inputs of n bits on which the protocol with this solver is wrong."""
    problem = reduction.problem
    inputs = ((a, b) for a in problem.alice(n) for b in problem.bob(n))
    return [(a, b) for a, b in inputs if reduction.run(solver, a, b) != problem.value(a, b)]


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_a_correct_model_makes_a_correct_protocol(n: int) -> None:
    met = 0
    for reduction in REDUCTIONS:
        assert wrong_inputs(reduction, solver_of(reduction, n), n) == []
        assert reduction.state_bits(n) == n
        met += 1
    assert met == 6


def test_a_model_that_forgets_the_first_token_is_found_out() -> None:
    for reduction in REDUCTIONS:
        if reduction.task in ("index-lookup", "equality", "intersects"):
            right = solver_of(reduction, 3)
            wrong = wrong_inputs(reduction, lambda tokens, right=right: right((0, *tokens[1:])), 3)
            assert wrong
            assert all(a[0] == 1 for a, _ in wrong)


def test_two_keys_of_the_hypercube_are_at_least_two_over_d_apart() -> None:
    for keys in (1, 2, 3, 8, 13):
        vectors = [hypercube(key, keys) for key in range(keys)]
        d = len(vectors[0])
        assert len(set(vectors)) == keys
        assert all(inner(x, x) == 1 for x in vectors)
        assert all(inner(x, y) <= 1 - 2 / d for x in vectors for y in vectors if x != y)
    with pytest.raises(BadInput, match=r"key 4 lies outside 0\.\.3"):
        hypercube(4, 4)
