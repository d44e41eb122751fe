"""Accuracy against state, by enumeration: exact, bounded, and never below what a machine attains."""

from __future__ import annotations

import doctest
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import separatrix.bounds.accuracy.counted_ceiling
from separatrix.bounds.accuracy.ceiling import least_error
from separatrix.bounds.accuracy.counted_ceiling import accuracy_ceiling, least_state_bits
from separatrix.bounds.accuracy.cut_ceilings import cut_ceilings
from separatrix.bounds.accuracy.weighted_tree import weighted_tree
from separatrix.bounds.accuracy.width_limited import best_machine
from separatrix.bounds.states.profile import state_profile
from separatrix.errors import BadInput

STRINGS = list(product((0, 1), repeat=3))


def equality(x: tuple[Any, ...]) -> bool:
    return x[: len(x) // 2] == x[len(x) // 2 :]


def lookup(x: tuple[Any, ...]) -> Any:
    return x[x[-1]]


def exhausted(answers: dict[tuple[int, ...], int | None], weights: dict[tuple[int, ...], int]) -> Fraction:
    """The best accuracy over every machine with two states that reads three bits, each step and the read-out chosen freely."""
    best = 0
    for first in product((0, 1), repeat=2):
        for second, third in product(product((0, 1), repeat=4), repeat=2):
            right: dict[tuple[int, int | None], int] = {}
            for x in STRINGS:
                state = third[2 * second[2 * first[x[0]] + x[1]] + x[2]]
                if answers[x] is not None:
                    key = (state, answers[x])
                    right[key] = right.get(key, 0) + weights[x]
            best = max(best, sum(max((w for (s, _), w in right.items() if s == state), default=0) for state in (0, 1)))
    return Fraction(best, sum(weights[x] for x in STRINGS if answers[x] is not None))


@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_the_search_finds_the_best_of_all_machines(seed: int) -> None:
    rng = np.random.default_rng(seed)
    answers = {x: int(v) for x, v in zip(STRINGS, rng.integers(0, 3, 8), strict=True)}
    weights = {x: int(w) for x, w in zip(STRINGS, rng.integers(1, 5, 8), strict=True)}
    ceiling = accuracy_ceiling(answers.__getitem__, (0, 1), 3, 1, weights.__getitem__)
    assert ceiling.accuracy == ceiling.attained == float(exhausted(answers, weights))
    assert ceiling.method.startswith("exact")


@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_strings_outside_the_promise_or_without_weight_do_not_count(seed: int) -> None:
    rng = np.random.default_rng(seed)
    answers = {x: None if rng.random() < 0.3 else int(rng.integers(0, 2)) for x in STRINGS}
    weights = {x: int(rng.integers(0, 3)) for x in STRINGS}
    if not any(weights[x] for x in STRINGS if answers[x] is not None):
        return
    ceiling = accuracy_ceiling(answers.__getitem__, (0, 1), 3, 1, weights.__getitem__)
    assert ceiling.accuracy == float(exhausted(answers, weights))


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), states=st.integers(1, 4), weighted=st.booleans(), promise=st.booleans())
def test_no_ceiling_is_below_what_a_machine_attains(seed: int, states: int, weighted: bool, promise: bool) -> None:
    rng = np.random.default_rng(seed)
    strings = list(product(range(2), range(3), range(2), range(2)))
    answers = {x: None if promise and rng.random() < 0.2 else int(rng.integers(0, 3)) for x in strings}
    weights = {x: int(rng.integers(1, 6)) for x in strings}
    if all(answer is None for answer in answers.values()):
        return
    weight = weights.__getitem__ if weighted else None
    tree = weighted_tree(answers.__getitem__, [range(2), range(3), range(2), range(2)], 4, weight)
    machine = best_machine(tree, states)
    assert machine is not None
    for accuracy, argument in cut_ceilings(tree, states):
        assert accuracy >= machine.weight / tree.total - 1e-12, argument


@pytest.mark.parametrize(("N", "b", "accuracy"), [(4, 0, 3 / 4), (4, 1, 13 / 16), (6, 1, 57 / 64), (6, 2, 59 / 64)])
def test_uniform_strings_are_almost_never_equal_so_little_state_goes_far(N: int, b: int, accuracy: float) -> None:
    # of 2^(N/2) halves W - 1 are recognised, one state being needed for 'different': 1 - (2^(N/2) - W + 1) / 2^N
    ceiling = accuracy_ceiling(equality, "01", N, b)
    assert ceiling.exact
    assert ceiling.accuracy == accuracy


def test_when_the_search_does_not_end_the_ceiling_is_a_proven_bound() -> None:
    ceiling = accuracy_ceiling(equality, "01", 8, 3)
    assert ceiling.method == "proven bound: pairs of classes after token 4"
    assert ceiling.attained is not None
    assert ceiling.attained < ceiling.accuracy == 1 - 8 / 256  # 1 - (16 - W) / 2^N


def test_fano_binds_where_many_answers_are_open() -> None:
    ceiling = accuracy_ceiling(lookup, [(0, 1)] * 6 + [range(6)], 7, 2)
    assert ceiling.method == "proven bound: Fano's inequality after token 6"
    # h(e) = 1 - 2/6 at e = 0.17395
    assert ceiling.accuracy == pytest.approx(0.826048, abs=1e-6)
    assert ceiling.attained is not None
    assert 0.7 < ceiling.attained < ceiling.accuracy


def test_few_states_give_few_answers() -> None:
    ceiling = accuracy_ceiling(lambda x: x, "abc", 2, 1)
    assert ceiling.accuracy == 2 / 9
    assert accuracy_ceiling(lambda x: x, "abc", 2, 0).accuracy == 1 / 9


@pytest.mark.parametrize(("answer", "alphabet", "length"), [(equality, "01", 6), (lookup, [(0, 1)] * 3 + [range(3)], 4)])
def test_the_profiles_bits_are_enough_and_one_less_is_not(answer: Any, alphabet: Any, length: int) -> None:
    bits = state_profile(answer, alphabet, length).bits
    assert accuracy_ceiling(answer, alphabet, length, bits).accuracy == 1
    assert accuracy_ceiling(answer, alphabet, length, bits - 1).accuracy < 1
    assert least_state_bits(answer, alphabet, length, 1.0).bits == bits


def test_the_least_bits_for_an_accuracy_are_the_first_whose_ceiling_reaches_it() -> None:
    alphabet = [(0, 1)] * 3 + [range(3)]
    ceilings = [accuracy_ceiling(lookup, alphabet, 4, b).accuracy for b in range(4)]
    assert ceilings == [1 / 2, pytest.approx(17 / 24), pytest.approx(5 / 6), 1]
    for accuracy, bits in [(0.0, 0), (0.5, 0), (0.51, 1), (0.7, 1), (0.71, 2), (0.9, 3), (1.0, 3)]:
        assert least_state_bits(lookup, alphabet, 4, accuracy).bits == bits


def test_the_least_error_inverts_fanos_function() -> None:
    assert least_error(0.0, 2) == least_error(-1.0, 5) == least_error(0.3, 1) == 0
    assert least_error(1.0, 2) == pytest.approx(0.5, abs=1e-6)
    assert least_error(0.5, 2) == pytest.approx(0.1100279, abs=1e-6)  # h(0.11003) = 1/2
    assert least_error(6.0, 64) == pytest.approx(63 / 64, abs=1e-5)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: accuracy_ceiling(equality, "01", 4, -1), "state bits must be a whole number, at least 0, found -1"),
        (lambda: accuracy_ceiling(equality, "01", 4, 1.5), "state bits must be a whole number, at least 0, found 1.5"),
        (lambda: least_state_bits(equality, "01", 4, 1.2), r"accuracy must lie in 0\.\.1, found 1\.2"),
        (lambda: least_state_bits(equality, "01", 4, float("nan")), r"accuracy must lie in 0\.\.1, found nan"),
        (
            lambda: accuracy_ceiling(equality, "01", 4, 1, lambda _: -1),
            "a weight must be a whole number or a fraction, at least 0, found -1",
        ),
        (lambda: accuracy_ceiling(equality, "01", 4, 1, lambda _: 0.5), "a weight must be a whole number or a fraction"),
        (lambda: accuracy_ceiling(equality, "01", 4, 1, lambda _: 0), "no string of the promise has a weight above 0"),
        (lambda: accuracy_ceiling(equality, "01", 2, 1, lambda x: 2**62 + int(x[0])), "the weights must add up to less than 2\\^62"),
    ],
)
def test_wrong_questions_are_refused(call: Any, says: str) -> None:
    with pytest.raises(BadInput, match=says):
        call()


def test_the_example_in_the_documentation_runs() -> None:
    results = doctest.testmod(separatrix.bounds.accuracy.counted_ceiling)
    assert results.attempted == 1
    assert results.failed == 0
