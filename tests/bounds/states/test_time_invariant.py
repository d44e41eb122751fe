"""Machines without a clock: minimal complete automata, and minimality by exhausting the smaller ones."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from separatrix.bounds.states.time_invariant import minimal_automaton
from tests.bounds.functions import bounded_dyck


@pytest.mark.parametrize(
    ("types", "depth", "length", "states"),
    # stacks of at most k brackets, and a sink: sum of n^i for i <= k, plus 1
    [(2, 2, 5, 8), (2, 2, 8, 8), (2, 3, 7, 16), (3, 2, 5, 14), (1, 2, 6, 4)],
)
def test_bounded_dyck_has_one_state_per_stack_and_a_sink(types: int, depth: int, length: int, states: int) -> None:
    automaton = minimal_automaton(bounded_dyck(depth), range(2 * types), length)
    assert automaton.states == states == sum(types**i for i in range(depth + 1)) + 1
    assert automaton.bits == (states - 1).bit_length()
    longer = np.random.default_rng(0).integers(0, 2 * types, (200, 30)).tolist()
    balanced = [[0, 1] * 15, [0, *[2 % (2 * types), 3 % (2 * types)] * 14, 1], [0, 0, 1, 1] * 5]
    assert all(automaton.run(word) == bounded_dyck(depth)(tuple(word)) for word in longer + balanced)


def test_parity_has_two_states() -> None:
    automaton = minimal_automaton(lambda w: w.count("1") % 2, "01", 5)
    assert automaton.states == 2
    assert automaton.run("110100101110") == 1


@pytest.mark.parametrize("seed", range(12))
def test_no_smaller_machine_is_right_on_all_short_words(seed: int) -> None:
    n, rng = 3, np.random.default_rng(seed)
    words = [w for size in range(n + 1) for w in product("ab", repeat=size)]
    answers = dict(zip(words, rng.integers(0, 2, len(words)).tolist(), strict=True))
    automaton = minimal_automaton(answers.__getitem__, "ab", n)
    assert all(automaton.run(word) == answers[word] for word in words)
    fewer = min(automaton.states - 1, 3)
    for steps in product(range(fewer), repeat=2 * fewer):
        read: dict[int, int] = {}
        for word in words:
            state = 0
            for symbol in word:
                state = steps[2 * state + "ab".index(symbol)]
            if read.setdefault(state, answers[word]) != answers[word]:
                break
        else:
            raise AssertionError(f"{fewer} states are enough: {steps}")


def test_a_longer_horizon_never_needs_fewer_states() -> None:
    def palindrome(word: tuple[str, ...]) -> bool:
        return word == word[::-1]

    sizes = [minimal_automaton(palindrome, "01", n).states for n in range(1, 9)]
    assert sizes == sorted(sizes)
    assert sizes[-1] > sizes[0]
