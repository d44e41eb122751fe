from __future__ import annotations

import copy
from typing import Any

import pytest
import torch

from separatrix.errors import BadInput
from separatrix.models import make_model
from separatrix.tasks import Batch
from separatrix.tasks.index_lookup import IndexLookup
from separatrix.training.batches import batches
from separatrix.training.budget import Budget
from separatrix.training.loop import Diverged, LossRow, ScoreRow, cross_entropy, make_optimiser, split_seed, train
from separatrix.training.snapshots import Snapshot

TASK, JUDGED = IndexLookup(length=6, symbols=4, distribution="training"), IndexLookup(length=6, symbols=4)
BUDGET = Budget(steps=12, batch=8, rate=1e-2, report_every=4, validate_every=6, validation=20, test=20, snapshot_every=5, clip=1.0)


def small(name: str = "tf-1-8", **chosen: Any) -> torch.nn.Module:
    return make_model(
        name, vocabulary=JUDGED.vocabulary, targets=JUDGED.targets, **{"length": 7} if name.startswith("tf") else {}, **chosen
    )


def events(model: torch.nn.Module, budget: Budget = BUDGET, start: Snapshot | None = None, seed: int = 3) -> list[Any]:
    return list(train(model, TASK, budget, seed, validation=JUDGED, tests=[JUDGED], start=start))


def rows(result: list[Any]) -> list[Any]:
    return [event for event in result if not isinstance(event, Snapshot)]


def test_the_events_come_in_order() -> None:
    stream = events(small())
    order = [(type(e).__name__, e.progress.step if isinstance(e, Snapshot) else e.step) for e in stream]
    assert order == [
        ("Snapshot", 0), ("LossRow", 4), ("Snapshot", 5), ("ScoreRow", 6), ("LossRow", 8), ("Snapshot", 10),
        ("LossRow", 12), ("ScoreRow", 12), ("ScoreRow", 12), ("Snapshot", 12),
    ]  # fmt: skip
    assert [e.split for e in stream if isinstance(e, ScoreRow)] == ["validation", "validation", "test"]
    assert [e.progress.finished for e in stream if isinstance(e, Snapshot)] == [False, False, False, True]


def test_the_updates_are_those_of_the_plain_loop() -> None:
    """The peer: torch's unfused Adam over the same batches, written out."""
    model = small()
    peer = copy.deepcopy(model)
    optimiser = torch.optim.Adam(peer.parameters(), lr=1e-2)
    losses = []
    for step in range(12):
        batch = TASK.sample(3, 8, start=8 * step)
        logits = peer(torch.from_numpy(batch.tokens))[torch.arange(8), torch.from_numpy(batch.lengths - 1)]
        loss = torch.nn.functional.cross_entropy(logits, torch.from_numpy(batch.targets[batch.mask]))
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(peer.parameters(), 1.0)
        optimiser.step()
        losses.append(float(loss.detach()))
    results = [row.loss for row in rows(events(model)) if isinstance(row, LossRow)]
    assert results == pytest.approx([sum(losses[i : i + 4]) / 4 for i in (0, 4, 8)], rel=1e-3)


@pytest.mark.parametrize("name", ["tf-1-8", "lstm-1-8"])
@pytest.mark.parametrize("examples", [0, 20])
def test_from_every_snapshot_the_rest_is_the_same_bit_for_bit(name: str, examples: int) -> None:
    budget = Budget(**{**vars(BUDGET), "examples": examples, "optimiser": "adamw", "decay": 0.1, "schedule": "cosine", "warmup": 3})
    model = small(name, dropout=0.3)
    whole = events(model, budget)
    places = [i for i, event in enumerate(whole) if isinstance(event, Snapshot)]
    assert len(places) == 4
    for place in places:
        again = small(name, dropout=0.3, seed=9)
        torch.manual_seed(place)  # the state of the global generator is nobody's business
        assert rows(events(again, budget, start=whole[place])) == rows(whole[place:])
        assert all(torch.equal(a, b) for a, b in zip(again.state_dict().values(), model.state_dict().values(), strict=True))


def test_training_leaves_the_global_generator_alone() -> None:
    torch.manual_seed(5)
    before = torch.get_rng_state()
    events(small(dropout=0.5))
    assert torch.equal(torch.get_rng_state(), before)


def test_dropout_differs_from_step_to_step_and_from_seed_to_seed() -> None:
    def losses(seed: int) -> list[float]:
        budget = Budget(steps=3, batch=8, rate=1e-12, report_every=1, validate_every=100, examples=8)  # the same eight rows in every step
        return [row.loss for row in events(small(dropout=0.5), budget, seed=seed) if isinstance(row, LossRow)]

    one = losses(1)
    assert len(set(one)) == 3
    assert losses(1) == one


def test_validation_stops_a_run_that_is_good_enough() -> None:
    listed = rows(events(small(), Budget(**{**vars(BUDGET), "enough": 0.01})))
    assert [(row.step, row.split) for row in listed if isinstance(row, ScoreRow)] == [(6, "validation"), (6, "test")]


def test_validation_stops_a_run_that_no_longer_improves() -> None:
    budget = Budget(steps=50, batch=2, rate=1e-12, validate_every=2, validation=20, patience=3)
    listed = rows(events(small(), budget))
    assert listed[-1].step == 8  # best at 2, then three validations that are not better
    assert listed[-1].split == "test"


def test_the_three_splits_are_three_streams() -> None:
    assert len({split_seed("validation", 0), split_seed("test", 0), split_seed("validation", 1), 0}) == 4


class Explodes:
    """An objective that is fine until a step."""

    def __init__(self, at: int, gradient_only: bool = False) -> None:
        self.left, self.gradient_only = at, gradient_only

    def __call__(self, model: torch.nn.Module, batch: Batch) -> torch.Tensor:
        loss = cross_entropy(model, batch)
        self.left -= 1
        if self.left >= 0:
            return loss
        if self.gradient_only:
            return loss + (loss - loss.detach()).sqrt()  # finite, with an infinite slope
        return loss * float("nan")


def test_a_loss_that_is_not_a_number_stops_training_and_says_where() -> None:
    with pytest.raises(Diverged, match=r"^the loss is nan at step 7 \(learning rate 0.01\): training stops$") as caught:
        list(train(small(), TASK, BUDGET, 3, objective=Explodes(7)))
    assert caught.value.step == 7


def test_no_snapshot_holds_anything_but_finite_numbers() -> None:
    taken: list[Any] = []

    def watched() -> None:
        for event in train(small(), TASK, BUDGET, 3, objective=Explodes(7, gradient_only=True)):
            taken.append(event)

    with pytest.raises(Diverged, match=r"the norm of the gradient is (inf|nan) at step 7"):
        watched()
    snapshots = [event for event in taken if isinstance(event, Snapshot)]
    assert snapshots[-1].progress.step == 5
    assert all(bool(tensor.isfinite().all()) for snapshot in snapshots for tensor in snapshot.weights.values())


def test_the_learning_rate_follows_the_schedule() -> None:
    budget = Budget(**{**vars(BUDGET), "report_every": 1, "warmup": 4})
    rates = [row.rate for row in rows(events(small(), budget)) if isinstance(row, LossRow)]
    assert rates == [budget.rate_at(step) for step in range(12)]


def test_decay_is_for_matrices_only() -> None:
    optimiser = make_optimiser(small(), Budget(optimiser="adamw", decay=0.1))
    decays = {parameter.dim() >= 2: group["weight_decay"] for group in optimiser.param_groups for parameter in group["params"]}
    assert decays == {True: 0.1, False: 0.0}
    assert all(group["fused"] for group in optimiser.param_groups)


def test_a_snapshot_of_another_model_is_refused() -> None:
    start = events(small())[0]
    with pytest.raises(BadInput, match="the snapshot does not fit the model"):
        events(small("tf-1-16"), start=start)


def test_a_model_without_parameters_is_refused() -> None:
    with pytest.raises(BadInput, match="model Identity has no parameters to train"):
        events(torch.nn.Identity())


def test_a_step_sees_the_batch_of_its_number() -> None:
    batches_read: list[Batch] = []

    def watch(model: torch.nn.Module, batch: Batch) -> torch.Tensor:
        batches_read.append(batch)
        return cross_entropy(model, batch)

    list(train(small(), TASK, BUDGET, 3, objective=watch))
    of_step = batches(TASK, 8, 0, 3)
    assert [b.row(0) for b in batches_read] == [of_step(step).row(0) for step in range(12)]
