"""State profiles: the numbers of the exact theorem, promises, and agreement with a plain count."""

from __future__ import annotations

import doctest
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import separatrix.bounds.states.profile
from separatrix.bits import ceil_log2
from separatrix.bounds.states.profile import StateProfile, profile_of_oracle, profile_of_table, state_profile
from separatrix.bounds.states.residuals import merged, residuals
from separatrix.errors import BadInput
from tests.bounds.functions import dyck_2_2, recall


def equality(x: tuple[Any, ...]) -> bool:
    return x[: len(x) // 2] == x[len(x) // 2 :]


def intersects(x: tuple[Any, ...]) -> bool:
    half = len(x) // 2
    return any(a == b == "1" for a, b in zip(x[:half], x[half:], strict=True))


def recall_alphabets(n: int) -> list[Any]:
    keys = tuple(f"k{i}" for i in range(n))
    return [keys, (0, 1)] * n + [keys]


def counted(table: list[int], sizes: tuple[int, ...]) -> tuple[int, ...]:
    """The count that needs no cleverness: distinct stretches of the table per level."""
    widths = [int(np.prod(sizes[t:], initial=1)) for t in range(len(sizes) + 1)]
    return tuple(len({tuple(table[i : i + w]) for i in range(0, len(table), w)}) for w in widths)


def test_equality_doubles_up_to_the_middle_and_then_forgets() -> None:
    # by hand: 2^t prefixes, then what is left of the first half, or 'already different'
    profile = state_profile(equality, alphabet="01", length=12)
    assert profile.classes == (1, 2, 4, 8, 16, 32, 64, 33, 17, 9, 5, 3, 2)
    assert profile.bits == 6
    assert profile.bits_at == (0, 1, 2, 3, 4, 5, 6, 6, 5, 4, 3, 2, 1)
    assert profile.widest == 6
    assert profile.exact
    assert profile.bits_upper == 6


def test_intersection_has_the_profile_of_equality() -> None:
    assert state_profile(intersects, "01", 12).classes == state_profile(equality, "01", 12).classes


@pytest.mark.parametrize("length", [2, 4, 6, 8])
def test_bounded_dyck_alternates_between_three_and_six(length: int) -> None:
    # stack of depth 1: two brackets; of depth 2: four, or empty; and one dead state
    profile = state_profile(dyck_2_2, "()[]", length)
    assert profile.classes == (1, *([3, 6] * (length // 2))[: length - 1], 2)
    assert profile.bits == (2 if length == 2 else 3)


def test_no_word_of_odd_length_is_balanced_so_nothing_is_remembered() -> None:
    assert state_profile(dyck_2_2, "()[]", 5).classes == (1,) * 6


@pytest.mark.parametrize(("length", "symbols", "bits"), [(7, 2, 7), (4, 3, 7), (3, 5, 7), (2, 64, 12)])
def test_index_lookup_keeps_every_symbol(length: int, symbols: int, bits: int) -> None:
    profile = state_profile(lambda x: x[x[-1]], [range(symbols)] * length + [range(length)], length + 1)
    assert profile.classes == (*(symbols**t for t in range(length + 1)), symbols)
    assert profile.bits == bits  # ceil(N log2 |S|)


def test_parity_needs_one_bit() -> None:
    assert state_profile(lambda x: x.count("1") % 2, "01", 6).classes == (1, 2, 2, 2, 2, 2, 2)


def test_a_constant_needs_no_state() -> None:
    profile = state_profile(lambda _: "yes", "abc", 4)
    assert profile.classes == (1,) * 5
    assert profile.bits == 0


@pytest.mark.parametrize(("n", "states"), [(2, 4), (3, 12), (4, 32)])
def test_recall_is_widest_before_the_last_label(n: int, states: int) -> None:
    # n choices of the pending key, 2^(n-1) labels of the others
    profile = state_profile(recall, recall_alphabets(n), 2 * n + 1)
    assert profile.classes_lower[2 * n - 1] == states == n * 2 ** (n - 1)
    assert profile.bits == ceil_log2(states)
    assert profile.bits_upper == profile.bits
    assert profile.widest == 2 * n - 1


def test_recall_of_five_keys_by_a_vectorised_oracle_needs_eighty_states() -> None:
    n = 5

    def oracle(rows: np.ndarray[Any, np.dtype[np.int64]]) -> np.ndarray[Any, np.dtype[np.int64]]:
        keys, labels, query = rows[:, :-1:2], rows[:, 1::2], rows[:, -1]
        distinct = (np.sort(keys, axis=1)[:, 1:] != np.sort(keys, axis=1)[:, :-1]).all(axis=1)
        matches = keys == query[:, None]
        valid = distinct & matches.any(axis=1)
        return np.where(valid, (labels * matches).sum(axis=1), -1)

    profile = profile_of_oracle(oracle, [range(n), range(2)] * n + [range(n)], 2 * n + 1)
    assert profile.classes_lower[2 * n - 1] == 80
    assert profile.bits == profile.bits_upper == 7


def test_prefixes_without_a_valid_completion_are_no_class() -> None:
    profile = state_profile(lambda x: None if x[0] == "b" else x[1], "ab", 2)
    assert profile.classes_lower == profile.classes_upper == (1, 1, 2)


def test_prefixes_that_share_no_valid_suffix_may_share_a_state() -> None:
    # after one token: 'a' may only be followed by 'a', 'b' only by 'b', so one state is enough and 'two residuals' is no bound
    profile = state_profile(lambda x: x[0] if x[0] == x[1] else None, "ab", 2)
    assert profile.classes_lower == (1, 1, 2)
    assert profile.classes_upper == (1, 1, 2)


def test_lower_and_upper_are_told_apart_in_the_method() -> None:
    assert "lower" in state_profile(recall, recall_alphabets(2), 5).method
    assert "lower" not in state_profile(equality, "01", 2).method


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(1, 4), min_size=1, max_size=5), st.integers(1, 4), st.integers(0, 2**32 - 1))
def test_the_packed_count_is_the_plain_count(sizes: list[int], answers: int, seed: int) -> None:
    table = np.random.default_rng(seed).integers(0, answers, int(np.prod(sizes)))
    assert profile_of_table(table, sizes).classes == counted(table.tolist(), tuple(sizes))


def test_wide_alphabets_are_packed_without_overflow() -> None:
    # 40 columns of up to 50 classes do not fit in 64 bits, nor do 3 columns of 10^6 answers each
    rng = np.random.default_rng(1)
    for sizes, answers in [((30, 40), 50), ((7, 5, 3), 10**6), ((4, 64), 3)]:
        rows = rng.integers(0, answers, (5, int(np.prod(sizes[1:]))))
        table = rows[rng.integers(0, 5, sizes[0])].reshape(-1)
        assert profile_of_table(table, sizes).classes == counted(table.tolist(), sizes)


def test_a_column_that_would_be_shifted_out_of_64_bits_still_counts() -> None:
    # sixteen classes in twenty columns: packed without care, the first four columns leave a 64-bit word
    row = np.arange(20) % 16
    table = np.concatenate([row, np.concatenate([[5], row[1:]])])
    profile = profile_of_table(table, (2, 20))
    assert profile.classes == (1, 2, 16)
    children = residuals(table, (2, 20)).children[1]
    assert sorted(children[:, 0].tolist()) == [0, 5]
    assert (children[:, 1:] == row[1:]).all()


def test_a_promise_without_dead_prefixes_keeps_all_its_classes_when_rows_are_sorted() -> None:
    # 200 prefixes with two answers each, all different, and one answer missing: 400^2 possible rows are sorted, not counted
    table = np.arange(400)
    table[399] = -1
    profile = profile_of_table(table, (200, 2))
    assert profile.classes_lower == (1, 199, 399)
    assert profile.classes_upper == (1, 200, 399)


def test_huge_answer_codes_are_sorted_rather_than_counted() -> None:
    table = np.array([2**61, 5, 2**61, 7, 5, 5, 2**61, 5])
    assert profile_of_table(table, (2, 2, 2)).classes == counted(table.tolist(), (2, 2, 2)) == (1, 2, 3, 3)


def colours_needed(rows: list[tuple[int, ...]]) -> int:
    """The least number of groups of rows that agree where both are defined, by trying all assignments in canonical order."""
    clash = [[any(a != b and a >= 0 and b >= 0 for a, b in zip(u, v, strict=True)) for v in rows] for u in rows]
    best = len(rows)

    def extend(groups: list[list[int]], index: int) -> None:
        nonlocal best
        if len(groups) >= best:
            return
        if index == len(rows):
            best = len(groups)
            return
        for group in groups:
            if not any(clash[index][other] for other in group):
                group.append(index)
                extend(groups, index + 1)
                group.pop()
        extend([*groups, [index]], index + 1)

    extend([], 0)
    return best


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_promise_counts_enclose_the_least_number_of_states(seed: int) -> None:
    sizes = (2, 3, 2)
    rng = np.random.default_rng(seed)
    table = np.where(rng.random(12) < 0.4, -1, rng.integers(0, 2, 12))
    if (table < 0).all():
        return
    profile = profile_of_table(table, sizes)
    for t in range(4):
        width = int(np.prod(sizes[t:], initial=1))
        rows = {tuple(row) for row in table.reshape(-1, width).tolist() if max(row) >= 0}
        assert profile.classes_lower[t] <= colours_needed(sorted(rows)) <= profile.classes_upper[t]


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_merging_keeps_the_answer_of_every_valid_string(seed: int) -> None:
    sizes = (2, 2, 3, 2)
    rng = np.random.default_rng(seed)
    table = np.where(rng.random(24) < 0.5, -1, rng.integers(0, 3, 24))
    if (table < 0).all():
        return
    shared = merged(residuals(table, sizes))
    for code, string in zip(table.tolist(), product(*map(range, sizes)), strict=True):
        state = 0
        for level, symbol in zip(shared.children, string, strict=True):
            state = level[state, symbol] if state >= 0 else -1
        if code >= 0:
            assert shared.answers[state] == code


def test_bits_are_whole_numbers_even_for_counts_beyond_floating_point() -> None:
    assert [ceil_log2(count) for count in (1, 2, 3, 4, 5, 2**100, 2**100 + 1)] == [0, 1, 2, 2, 3, 100, 101]
    assert StateProfile((1, 2**64 + 1), (1, 2**64 + 1), "by hand").bits == 65


@pytest.mark.parametrize(
    ("table", "sizes", "says"),
    [
        (np.zeros(7, int), (2, 4), "a table for sizes (2, 4) must hold 8 whole numbers, found 7 of type int64"),
        (np.zeros(8), (2, 4), "a table for sizes (2, 4) must hold 8 whole numbers, found 8 of type float64"),
        (np.full(4, -1), (2, 2), "all 4 answers are negative: nothing is inside the promise"),
        (np.full(2, 2**62), (2,), "answers of a table must be below 2^62, found 4611686018427387904"),
        (np.zeros(0, int), (0,), "every position needs at least one symbol, found sizes (0,)"),
        (np.zeros(1, int), (10,) * 10, "10,000,000,000 answers are above the limit of 1,000,000,000"),
    ],
)
def test_a_table_that_is_none_is_refused(table: Any, sizes: tuple[int, ...], says: str) -> None:
    with pytest.raises(BadInput) as caught:
        profile_of_table(table, sizes)
    assert says in str(caught.value)


def test_the_example_in_the_documentation_runs() -> None:
    results = doctest.testmod(separatrix.bounds.states.profile)
    assert results.attempted == 1
    assert results.failed == 0
