"""The frontier: bisection against learners whose least width is known, and exponents that are known on paper."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

from separatrix.errors import BadInput
from separatrix.studies.frontier import Family, Outcome, Question, Trial, families, fits, fitted, search, theorem_exponent
from separatrix.training.budget import Budget

WIDTHS = (8, 16, 24, 32, 48, 64, 96, 128)


def question(**changes: Any) -> Question:
    plain: dict[str, Any] = {
        "task": "index-lookup", "task_parameters": {"symbols": 4}, "families": families(["lstm-1"]), "lengths": (4, 8, 16), "target": 0.99,
        "widths": WIDTHS, "budget": Budget(), "rates": (0.001, 0.003), "seeds": 1,
    }  # fmt: skip
    return Question(**{**plain, **changes})


class Learner:
    """Learns at a width from some least one on, with its second rate only; counts what it was asked."""

    def __init__(self, least: Callable[[int], float], rate: float = 0.003) -> None:
        self.least, self.rate, self.asked, self.rounds = least, rate, list[tuple[int, int, float]](), 0

    def __call__(self, trials: list[Trial]) -> list[Outcome]:
        self.rounds += 1
        return [self.one(trial["run"]) for trial in trials]

    def one(self, run: dict[str, Any]) -> Outcome:
        length, width, rate = run["task_parameters"]["length"], run["model_parameters"]["width"], run["budget"]["rate"]
        assert (length, width, rate) not in self.asked, "an attempt is made once"
        self.asked.append((length, width, rate))
        learned = width >= self.least(length) and rate == self.rate
        sizes = {"kind": "sizes", "state_bits": 64 * width, "parameters": width * width}
        return [sizes, {"kind": "test", "accuracy": 0.995 if learned else 0.5, "step": 100}]


@pytest.mark.parametrize("least", [1, 8, 9, 24, 25, 70, 128, 129])
def test_the_least_width_is_found_and_its_neighbour_has_failed(least: int) -> None:
    learner = Learner(lambda _: least)
    (row,) = search(question(lengths=(4,)), learner)
    expected = next((width for width in WIDTHS if width >= least), None)
    assert row["width"] == expected
    assert row["failed_width"] == max((width for width in WIDTHS if width < least), default=None)
    assert len({width for _, width, _ in learner.asked}) <= 4  # of eight
    if expected is not None:
        assert (row["accuracy"], row["rate"], row["state_bits"]) == (0.995, 0.003, 64 * expected)


def test_a_width_fails_only_after_every_rate_and_seed_and_passes_with_one() -> None:
    learner = Learner(lambda _: 24, rate=0.001)
    (row,) = search(question(lengths=(4,), seeds=2, rates=(0.001, 0.003)), learner_by_seed := BySeed(1, 24))
    tried = [(entry["width"], entry["seed"], entry["rate"]) for entry in row["tried"]]
    assert row["width"] == 24
    assert [entry for entry in tried if entry[0] == 16] == [(16, seed, rate) for seed in (0, 1) for rate in (0.001, 0.003)]
    assert [entry for entry in tried if entry[0] == 24] == [(24, 0, 0.001), (24, 0, 0.003), (24, 1, 0.001)]
    assert learner_by_seed.count == len(tried)
    search(question(lengths=(4,)), learner)
    assert (4, 24, 0.001) in learner.asked
    assert (4, 24, 0.003) not in learner.asked  # the first rate was enough


class BySeed:
    """Learns from a width on, with one seed only."""

    def __init__(self, seed: int, least: int) -> None:
        self.seed, self.least, self.count = seed, least, 0

    def __call__(self, trials: list[Trial]) -> list[Outcome]:
        self.count += len(trials)
        return [self.one(trial["run"]) for trial in trials]

    def one(self, run: dict[str, Any]) -> Outcome:
        learned = run["model_parameters"]["width"] >= self.least and run["seed"] == self.seed
        return [
            {"kind": "sizes", "state_bits": 1, "parameters": 1},
            {"kind": "test", "accuracy": 1.0 if learned else 0.0, "step": 1},
        ]


def test_open_cells_make_their_attempts_together() -> None:
    learner = Learner(lambda _: 40, rate=0.001)
    search(question(lengths=(4, 8, 16, 32), families=families(["lstm-1", "gru-1"]), rates=(0.001,)), learner_of(learner))
    assert learner.rounds <= 4  # log2 of the widths, whatever the number of cells


def learner_of(learner: Learner) -> Callable[[list[Trial]], list[Outcome]]:
    """A learner that is asked about two families: attempts differ by model too."""

    def run(trials: list[Trial]) -> list[Outcome]:
        learner.asked.clear()
        found: list[Outcome] = []
        for trial in trials:
            learner.asked.clear()
            found.append(learner.one(trial["run"]))
        learner.rounds += 1
        return found

    return run


def test_a_trial_that_fails_has_a_reason_and_counts_as_an_attempt() -> None:
    (row,) = search(question(lengths=(4,), widths=(8,), rates=(0.001,)), lambda trials: ["the loss is not a number"] * len(trials))
    assert row["width"] is None
    assert row["tried"][0]["reason"] == "the loss is not a number"


@pytest.mark.parametrize("exponent", [0.0, 0.5, 1.0])
def test_a_power_is_found_inside_its_interval(exponent: float) -> None:
    asked = question(lengths=(4, 8, 16, 32, 64), widths=tuple(range(2, 600)))
    rows = search(asked, Learner(lambda length: 4 * length**exponent))
    (fit,) = fits(asked, rows)
    low, high = fit["interval"]
    assert low <= exponent <= high
    assert fit["exponent"] == pytest.approx(exponent, abs=0.05)
    assert fit["unlearned"] == []


def test_the_interval_is_what_the_brackets_leave_open() -> None:
    """By hand: two lengths a factor of 4 apart, the first in 4..8, the second in 16..16: the slope is 1/2 at 8, and up to 1 at 4."""
    slope, interval = fitted([(4, 4.0, 8.0), (16, 16.0, 16.0)])
    assert slope == pytest.approx(0.5)
    assert interval == pytest.approx([0.5, 1.0])
    assert fitted([(4, 4.0, 8.0)]) == (None, None)


def test_lengths_that_were_not_learned_are_named_and_left_out_of_the_fit() -> None:
    asked = question(lengths=(4, 8, 1000))
    rows = search(asked, Learner(lambda length: 2 * length))
    (fit,) = fits(asked, rows)
    assert fit["unlearned"] == [1000]
    assert fit["exponent"] == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("task", "family", "measure", "expected"),
    [
        ("index-lookup", Family("lstm", 1), "width", 1.0),  # N log2 s bits in a state of W numbers
        ("index-lookup", Family("lintf", 2), "width", 0.5),  # in a state of W^2
        ("index-lookup", Family("tf", 2), "width", 0.0),  # the cache grows by itself
        ("index-lookup", Family("lstm", 1), "state-bits", 1.0),
        ("parity", Family("lstm", 1), "width", 0.0),
    ],
)
def test_the_exponent_of_the_theorem(task: str, family: Family, measure: Any, expected: float) -> None:
    chosen = question(task=task, task_parameters={}, families=(family,))
    found = theorem_exponent(chosen, family, measure)
    assert found is not None
    assert math.isclose(found, expected, abs_tol=0.03)


def test_one_layer_of_attention_has_a_bound_by_communication() -> None:
    """Equality of two strings needs N bits between the parties: m H (p + log N) grows like N, so the width like N up to a logarithm."""
    chosen = question(task="equality", task_parameters={}, families=(Family("tf", 1),))
    found = theorem_exponent(chosen, Family("tf", 1), "width")
    assert found is not None
    assert 0.9 < found <= 1.0


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"target": 1.5}, "accuracy in \\(0, 1\\]"),
        ({"target": 0.0}, "accuracy in \\(0, 1\\]"),
        ({"lengths": ()}, "--lengths"),
        ({"lengths": (4, 4)}, "different"),
        ({"widths": (0, 8)}, "at least 1"),
    ],
)
def test_bad_questions_are_refused(changes: dict[str, Any], why: str) -> None:
    with pytest.raises(BadInput, match=why):
        question(**changes)


def test_a_mixer_of_ones_own_is_a_family_of_one_layer_unless_it_says_how_many() -> None:
    assert families(["my-file.py:Mixer", "my-file.py:Mixer-3"]) == (Family("my-file.py:Mixer", 1), Family("my-file.py:Mixer", 3))


@pytest.mark.parametrize("name", ["lstm", "lstm-", "lstm-0", "lstm-x", "-2"])
def test_a_family_is_a_name_and_a_number_of_layers(name: str) -> None:
    with pytest.raises(BadInput, match="number of layers"):
        families([name])
