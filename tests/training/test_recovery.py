"""From construction to learning: what is trained, what counts as right, and what cannot be trained."""

from __future__ import annotations

import pytest
import torch

from separatrix.constructions import CONSTRUCTIONS, build, construction
from separatrix.errors import BadInput
from separatrix.models.saved import weights_bytes
from separatrix.training.budget import Budget
from separatrix.training.recovery import BITS, TARGETS, VECTORS, disturbed, objective_of, recover

FEW = Budget(steps=4, batch=8, report_every=4, validation=8)


def test_small_noise_is_trained_away() -> None:
    built = build("index-lookup", length=8, symbols=4)
    budget = Budget(steps=150, batch=64, rate=3e-3, report_every=150, validate_every=1000, validation=200)
    first, last = recover(built, 0.3, budget, seed=1)
    assert (first.step, last.step, first.deviation) == (0, 150, 0.3)
    assert first.error > 0.05
    assert last.error < 0.5 * first.error
    assert last.accuracy > first.accuracy


def test_noise_is_on_every_weight_of_a_copy() -> None:
    model = build("index-lookup", length=4).model
    before = weights_bytes(model)
    noisy = disturbed(model, 0.01, seed=0)
    assert weights_bytes(model) == before
    assert all(bool((a != b).all()) for a, b in zip(noisy.parameters(), model.parameters(), strict=True))
    assert weights_bytes(disturbed(model, 0.01, seed=0)) == weights_bytes(noisy)
    assert all(torch.equal(a, b) for a, b in zip(disturbed(model, 0.0, seed=0).parameters(), model.parameters(), strict=True))


@pytest.mark.parametrize(
    ("name", "chosen", "expected"),
    [
        ("index-lookup", {"length": 4}, BITS),
        ("copy", {"length": 3}, TARGETS),  # bits, but of several answers
        ("index/transformer", {"length": 4}, TARGETS),
        ("is-tree/hybrid", {"length": 4}, TARGETS),
        ("lis/standard", {"length": 4, "symbols": 3}, VECTORS),
    ],
)
def test_what_a_construction_is_trained_on(name: str, chosen: dict[str, int], expected: str) -> None:
    assert objective_of(build(name, **chosen))[0] == expected


@pytest.mark.parametrize("name", [name for name in CONSTRUCTIONS if name.partition("/")[0] in ("lis", "edit-distance", "reverse-sum")])
def test_the_vectors_of_built_weights_are_right(name: str) -> None:
    """Rounding leaves less than a half, so the squared error is below a quarter; noise of one tenth is not."""
    built = build(name, **construction(name).quick[0])
    _, error = objective_of(built)
    batch = built.task.sample(0, 16)
    with torch.no_grad():
        assert float(error(built.model, batch)) < 1e-3
        assert not float(error(disturbed(built.model, 0.1, 0), batch)) < 0.25  # nor if it is not a number


def test_a_chain_counts_as_a_whole() -> None:
    """Most numbers of a vector stay right with little noise; of whole chains none does."""
    built = build("lis/standard", length=4, symbols=3)
    exact, _ = recover(built, 0.0, FEW, 0)
    assert (exact.accuracy, exact.step) == (1.0, 0)
    noisy, _ = recover(built, 0.03, FEW, 0)
    assert noisy.accuracy == 0.0


def test_without_noise_bits_have_no_error_and_targets_do() -> None:
    """The error of bits is exactly zero on built weights; a cross-entropy can always fall further."""
    (first, last) = recover(build("index-lookup", length=4), 0.0, FEW, 0)
    assert (first.error, last.error) == (0.0, 0.0)
    (first, last) = recover(build("index/transformer", length=4), 0.0, FEW, 0)
    assert first.error > 0.1


def test_what_is_tested_is_not_what_is_validated() -> None:
    """A rate is chosen by the one and reported by the other, so they are shares of different inputs."""
    point = next(recover(build("eq-random", length=40), 0.001, Budget(steps=1, batch=8, report_every=1, validation=200), 0))
    assert 0 < point.accuracy < 1
    assert 0 < point.tested < 1
    assert point.accuracy != point.tested


def test_training_continues_from_report_to_report() -> None:
    """Two reports of 20 steps are 40 steps, and each has the error since the last."""
    built = build("index-lookup", length=8, symbols=4)
    budget = Budget(steps=40, batch=16, rate=3e-3, report_every=20, validation=20)
    points = list(recover(built, 0.3, budget, seed=1))
    assert [point.step for point in points] == [0, 20, 40]
    assert points[0].error > points[1].error > points[2].error > 0
    (_, whole) = recover(built, 0.3, Budget(steps=40, batch=16, rate=3e-3, report_every=40, validation=20), seed=1)
    assert whole.error == pytest.approx((points[1].error + points[2].error) / 2)


def test_what_cannot_be_trained_is_refused() -> None:
    with pytest.raises(BadInput, match=r"the deviation of the noise must not be negative, found -1.0"):
        disturbed(build("index-lookup", length=4).model, -1.0, 0)
    fixed = build("index-lookup", length=4, symbols=2, address="quadratic", arithmetic="fixed:24,8")
    with pytest.raises(BadInput, match="training needs a native float, found a model in fixed:24,8"):
        next(recover(fixed, 0.1, Budget(), 0))
    with pytest.raises(BadInput, match="must be a one-hot row and number"):
        list(recover(build("equality/recurrent", length=10), 0.1, FEW, 0))
