"""What costs too much is not begun, and the estimate says how much it would be."""

from __future__ import annotations

import pytest

from separatrix.checker.budget import SECOND, Budget, OverBudget


def test_the_default_is_ten_seconds_and_a_gigabyte() -> None:
    Budget().allow(10 * SECOND, 1 << 30)
    for work, memory in ((10 * SECOND + 1, 0), (0, (1 << 30) + 1)):
        with pytest.raises(OverBudget):
            Budget().allow(work, memory)


def test_the_message_names_the_estimate_the_budget_and_what_would_be_enough() -> None:
    with pytest.raises(OverBudget) as over:
        Budget().allow(45 * SECOND, 3 << 29)
    assert str(over.value) == "checking this takes about 45 s and 1.50 GB, above the budget of 10 s and 1 GB: --budget 48 allows it"
    Budget(48).allow(45 * SECOND, 3 << 29)
    with pytest.raises(OverBudget, match=r"about 0\.00 s and 64 GB, .*: --budget 672 allows it$"):
        Budget().allow(1, 64 << 30)


def test_memory_grows_with_the_budget() -> None:
    Budget(20).allow(0, 2 << 30)
    with pytest.raises(OverBudget, match=r"above the budget of 5 s and 0\.5 GB"):
        Budget(5).allow(0, 1 << 30)


def test_an_absurd_amount_is_still_one_line() -> None:
    with pytest.raises(OverBudget) as over:
        Budget().allow(10**60, 10**40)
    assert "1.0e+51 s" in str(over.value)
    assert "\n" not in str(over.value)


def test_one_budget_is_for_all_that_is_done() -> None:
    """Cases, weights and lemmas add up; memory does not, since each is given back."""
    left = Budget().after(4 * SECOND).after(3 * SECOND)
    left.allow(3 * SECOND, 1 << 30)
    with pytest.raises(OverBudget, match=r"takes about 11 s and 0\.00 GB, above the budget of 10 s"):
        left.allow(4 * SECOND, 0)
