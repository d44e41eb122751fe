from __future__ import annotations

import numpy as np
import pytest

from separatrix.tasks import make_task
from separatrix.tasks.audit.shortcuts import Cases, cases, shortcuts
from separatrix.tasks.task import Batch

PARITY = make_task("parity", length=4)


def chosen(strings: list[str], labels: list[int]) -> Cases:
    return Cases(tuple(tuple(map(int, text)) for text in strings), np.array(labels))


def reached(fitted: Cases, scored: Cases | None = None) -> dict[str, float]:
    return shortcuts(PARITY, fitted, fitted if scored is None else scored)


def test_one_case_per_row_and_several_scored_positions_take_turns() -> None:
    tokens = np.array([[5, 6, 7], [8, 9, 0], [1, 2, 3]])
    mask = np.array([[False, True, True], [True, True, False], [False, False, True]])
    picked = cases(Batch(tokens, tokens + 10 * mask, mask, np.array([3, 2, 3])))
    assert picked.prefixes == ((5, 6), (8, 9), (1, 2, 3))
    assert picked.labels.tolist() == [16, 19, 13]


def test_the_majority_and_the_length() -> None:
    accuracies = reached(chosen(["0", "1", "00", "11", "01"], [1, 1, 0, 0, 0]))
    assert accuracies["majority"] == 0.6
    assert accuracies["length"] == 1.0


def test_the_ends_of_a_string() -> None:
    strings = ["0101", "0110", "1001", "1010"]
    assert reached(chosen(strings, [0, 0, 1, 1]))["first-symbols"] == 1.0
    assert reached(chosen(strings, [1, 0, 1, 0]))["last-symbols"] == 1.0


def test_less_of_the_end_is_used_where_the_whole_is_new() -> None:
    fitted = chosen(["1110", "1100", "0001", "0011"], [0, 0, 1, 1])
    scored = chosen(["0010", "1101"], [0, 1])
    assert reached(fitted, scored)["last-symbols"] == 1.0
    assert reached(fitted, chosen(["0010"], [1]))["last-symbols"] == 0.0
    turned = [
        chosen([text[::-1] for text in texts], labels)
        for texts, labels in ((["1110", "1100", "0001", "0011"], [0, 0, 1, 1]), (["0010", "1101"], [0, 1]))
    ]
    assert reached(*turned)["first-symbols"] == 1.0


def test_counts_of_one_symbol_and_of_odd_occurrences() -> None:
    strings = ["0011", "0110", "0001", "0111", "0000", "1111"]
    by_ones = [1, 1, 0, 0, 1, 1]  # an even number of ones: no line through the counts, but a table has it
    accuracies = reached(chosen(strings, by_ones))
    assert accuracies["symbol-count"] == accuracies["odd-counts"] == 1.0
    assert reached(chosen(["0000", "0011", "1111", "1110"], [0, 1, 0, 1]))["distinct-symbols"] == 1.0


def test_a_bag_of_symbols_sees_that_two_sums_agree() -> None:
    draw = np.random.default_rng(0)
    labels = draw.integers(0, 2, 300)
    opens = np.where(labels == 1, 10, 10 + draw.choice([-4, 4], 300))  # in non-members 6 or 14 of 20 brackets open
    rows = [draw.permutation([*draw.integers(0, 2, n), *draw.integers(2, 4, 20 - n)]).tolist() for n in opens]
    dyck = make_task("dyck", length=20)
    some, others = (Cases(tuple(map(tuple, rows[part])), labels[part]) for part in (slice(0, 150), slice(150, 300)))
    accuracies = shortcuts(dyck, some, others)
    assert accuracies["bag-of-symbols"] > 0.95
    assert accuracies["symbol-count"] < 0.8


def test_opening_brackets_are_counted_together_only_where_there_are_brackets() -> None:
    dyck = make_task("dyck", length=4)
    fitted = chosen(["0123", "1023", "0013", "0233"], [1, 1, 0, 0])
    assert shortcuts(dyck, fitted, fitted)["open-count"] == 1.0
    assert "open-count" not in reached(chosen(["01", "10"], [0, 1]))


def test_what_was_fitted_is_scored_on_something_else() -> None:
    fitted, scored = chosen(["01", "10"], [0, 1]), chosen(["01", "10"], [1, 0])
    assert reached(fitted)["first-symbols"] == 1.0
    assert reached(fitted, scored)["first-symbols"] == 0.0


@pytest.mark.parametrize("name", ["index-lookup", "eq-ncp"])
def test_large_vocabularies_share_counts(name: str) -> None:
    task = make_task(name, length=10, symbols=5000)
    accuracies = shortcuts(task, cases(task.sample(0, 40)), cases(task.sample(1, 40)))
    assert all(0 <= share <= 1 for share in accuracies.values())
