from __future__ import annotations

import json
from collections.abc import Sequence

import pytest

from separatrix.tasks import Batch, make_task
from separatrix.tasks.audit.audit import audit
from separatrix.tasks.parity import Parity


def test_an_audit_is_one_document() -> None:
    report = audit(make_task("dyck-1", length=8), count=200)
    assert set(report) >= {"balance", "duplicates", "disagreements", "shortcuts"}
    assert json.loads(json.dumps(report)) == report
    assert report["parameters"] == {"length": 8}
    assert report["seeds"] == [0, 1]
    assert report["second_solver"] is True


def test_labels_are_weighed_and_rare_ones_are_summed_up() -> None:
    assert audit(make_task("an-bn", length=3), count=50)["balance"] == {"0": 1.0}
    balance = audit(make_task("index-lookup", length=5), count=300)["balance"]
    assert len(balance) == 17
    assert sum(balance.values()) == pytest.approx(1, abs=1e-3)
    assert balance["(others)"] > 0.5


def test_examples_that_both_samples_have_are_counted() -> None:
    small, large = (audit(make_task("parity", length=N), count=200)["duplicates"] for N in (3, 60))
    assert small == 200
    assert large == 0
    batches = [make_task("parity", length=8).sample(seed, 200) for seed in (5, 6)]
    rows = [[tuple(row) for row in batch.tokens.tolist()] for batch in batches]
    assert audit(make_task("parity", length=8), count=200, seed=5)["duplicates"] == sum(row in rows[0] for row in rows[1])


class WrongLabels(Parity):
    def sample(self, seed: int, count: int, start: int = 0) -> Batch:
        batch = super().sample(seed, count, start)
        batch.targets[3, -1] ^= 1
        return batch


class WrongOracle(Parity):
    """Labels and oracle agree, and both are wrong."""

    def sample(self, seed: int, count: int, start: int = 0) -> Batch:
        batch = super().sample(seed, count, start)
        batch.targets[:, -1] = [self.answer(batch.row(r)) for r in range(count)]
        return batch

    def answer(self, tokens: Sequence[int]) -> int | None:
        return 1 if tokens[0] == 1 and tokens[1] == 1 else super().answer(tokens)


def test_a_wrong_label_is_found() -> None:
    report = audit(WrongLabels(10), count=20)
    assert report["disagreements"] == 2
    example = report["counterexample"]
    assert example["tokens"] == [*Parity(10).sample(0, 20).row(3)]
    assert example["target"] != example["answer"] == example["second"]


def test_a_wrong_oracle_is_found_by_the_second_solver() -> None:
    report = audit(WrongOracle(10), count=50)
    assert report["disagreements"] > 5
    assert report["counterexample"]["answer"] != report["counterexample"]["second"]
    assert report["counterexample"]["text"].startswith("1 1 ")


def test_a_drawn_symbol_must_be_among_those_that_may_follow() -> None:
    task = make_task("parity-next", length=10, distribution="training")
    assert audit(task, count=50)["disagreements"] == 0
    assert audit(make_task("dyck-2-next", length=10), count=50)["disagreements"] == 0


# Shares of the non-members of Dyck-(2, 2) that have not N/2 opening brackets: 57 % at N = 20 and 84 % at N = 400, as the task says.
@pytest.mark.parametrize(("N", "rejected"), [(20, 0.57), (400, 0.84)])
def test_counting_opens_is_a_known_leak_of_bounded_dyck(N: int, rejected: float) -> None:
    batch = make_task("dyck", length=N).sample(0, 4000)
    outside = batch.tokens[batch.targets[:, -1] == 0]
    share = ((outside < 2).sum(axis=1) != N // 2).mean()
    assert share == pytest.approx(rejected, abs=0.035)  # 4 standard deviations of 2000 draws, and rounding
    report = audit(make_task("dyck", length=N), count=300)["shortcuts"]
    assert report["open-count"] == pytest.approx((1 + share) / 2, abs=0.1)
    assert report["majority"] < 0.6


def test_counts_of_symbols_give_eq_one_away() -> None:
    report = audit(make_task("eq-one", length=20), count=300)["shortcuts"]
    assert report["odd-counts"] == 1.0
    assert max(report["length"], report["first-symbols"], report["last-symbols"]) < 0.65


def test_dyck_languages_are_decided_by_no_shortcut() -> None:
    for name in ("dyck-1", "dyck-2"):
        report = audit(make_task(name, length=40), count=400)["shortcuts"]
        assert max(report.values()) < 0.85
