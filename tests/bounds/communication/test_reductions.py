"""Reductions: with a correct solver the protocols are right, with a forgetful one they are not."""

from __future__ import annotations

from typing import Any

import pytest

from separatrix.bounds.communication.dialogues import automaton_as_protocol
from separatrix.bounds.communication.reductions import REDUCTIONS, Reduction, check_reduction, hypercube, inner, recall_as_nearest_neighbour
from separatrix.bounds.states.automaton import layered_automaton
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


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_a_correct_model_makes_a_correct_protocol(n: int) -> None:
    met = 0
    for reduction in REDUCTIONS:
        check = check_reduction(reduction, solver_of(reduction, n), n)
        assert check.holds, (reduction.task, check.counterexample)
        assert check.cases == 2**n * (n if reduction.problem.name == "INDEX" else 2**n)
        assert check.state_bits == n
        met += 1
    assert met == 6


def test_a_model_that_forgets_the_first_token_is_found_out() -> None:
    for reduction in REDUCTIONS:
        if reduction.task in ("index-lookup", "equality", "intersects"):
            right = solver_of(reduction, 3)
            check = check_reduction(reduction, lambda tokens, right=right: right((0, *tokens[1:])), 3)
            assert not check.holds
            assert check.counterexample is not None
            assert check.counterexample[0][0] == 1


def test_two_keys_of_the_hypercube_are_at_least_two_over_d_apart() -> None:
    for keys in (1, 2, 3, 8, 13):
        vectors = [hypercube(key, keys) for key in range(keys)]
        d = len(vectors[0])
        assert len(set(vectors)) == keys
        assert all(inner(x, x) == 1 for x in vectors)
        assert all(inner(x, y) <= 1 - 2 / d for x in vectors for y in vectors if x != y)
    with pytest.raises(BadInput, match=r"key 4 lies outside 0\.\.3"):
        hypercube(4, 4)


def test_recall_is_nearest_neighbour_in_disguise() -> None:
    keys, tokens = 6, (3, 6, 0, 7, 5, 6, 0)  # x3 y0 x0 y1 x5 y0, and x0 is asked
    stream = recall_as_nearest_neighbour(tokens, keys)
    assert stream[1::2] == (0, 1, 0)
    assert nearest(stream) == 1


def test_the_automaton_of_a_task_is_a_one_way_protocol_with_the_profiles_bits() -> None:
    automaton = layered_automaton(lambda x: x[x[-1]], [(0, 1)] * 3 + [range(3)], 4)
    for tokens in ((1, 0, 1, 0), (0, 0, 1, 2), (1, 1, 0, 1)):
        transcript = automaton_as_protocol(automaton, tokens, cut=3)
        assert transcript.answer == tokens[tokens[-1]]
        assert len(transcript.messages[0].bits) == 3
    with pytest.raises(BadInput, match=r"the cut must leave tokens on both sides, 1\.\.3, found 4"):
        automaton_as_protocol(automaton, (0, 0, 0, 0), cut=4)
