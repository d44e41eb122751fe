"""The layered automaton attains the profile and is right on every string."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from separatrix.bounds.states.automaton import layered_automaton
from separatrix.bounds.states.profile import state_profile
from separatrix.errors import BadInput


def equality(x: tuple[Any, ...]) -> bool:
    return x[: len(x) // 2] == x[len(x) // 2 :]


def recall(x: tuple[Any, ...]) -> Any:
    keys, labels, query = x[:-1:2], x[1::2], x[-1]
    if len(set(keys)) < len(keys) or query not in keys:
        return None
    return labels[keys.index(query)]


@pytest.mark.parametrize(
    ("answer", "alphabet", "length"),
    [
        (equality, "01", 8),
        (equality, "abc", 4),
        (lambda x: x[x[-1]], ["xyz"] * 4 + [range(4)], 5),
        (lambda x: sum(x) % 3, (0, 1, 2), 5),
    ],
)
def test_the_automaton_attains_the_profile_and_answers_every_string(answer: Any, alphabet: Any, length: int) -> None:
    automaton = layered_automaton(answer, alphabet, length)
    profile = state_profile(answer, alphabet, length)
    assert automaton.widths == profile.classes
    assert automaton.bits == profile.bits
    for tokens in product(*automaton.alphabets):
        assert automaton.run(tokens) == answer(tokens)


def test_for_a_promise_the_automaton_is_the_one_behind_the_upper_counts() -> None:
    keys = ("p", "q", "r")
    alphabet = [keys, (0, 1)] * 3 + [keys]
    automaton = layered_automaton(recall, alphabet, 7)
    assert automaton.widths == state_profile(recall, alphabet, 7).classes_upper
    assert automaton.bits == 4
    valid = [tokens for tokens in product(*automaton.alphabets) if recall(tokens) is not None]
    assert len(valid) == 6 * 8 * 3
    assert all(automaton.run(tokens) == recall(tokens) for tokens in valid)


def test_a_string_that_cannot_become_valid_is_seen_as_such() -> None:
    automaton = layered_automaton(lambda x: None if x[0] == "b" else x[1], "ab", 2)
    assert automaton.states("ba") == (0, -1, -1)
    assert automaton.run("ba") is None
    assert automaton.run("ab") == "b"


def test_strings_of_the_wrong_length_or_alphabet_are_refused() -> None:
    automaton = layered_automaton(equality, "01", 4)
    with pytest.raises(BadInput, match="the automaton reads 4 tokens, found 3"):
        automaton.run("010")
    with pytest.raises(BadInput, match=r"token 2 must be one of \('0', '1'\), found '7'"):
        automaton.run("0171")
