"""Capacity: exactly its bits for a register file, exactly nothing for a constant; rounding the state costs what the ceiling says."""

from __future__ import annotations

from math import log2

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from separatrix.bounds.accuracy.retained import answers_of, fano_bits, retained_on_average, wilson
from separatrix.bounds.limits import task_ceiling
from separatrix.constructions import build
from separatrix.errors import BadInput
from separatrix.models import make_model
from separatrix.models.model import Model
from separatrix.refuters.capacity import _quantiser, capacity
from separatrix.tasks import TASKS, Task, make_task, task_at, task_class
from separatrix.tasks.capabilities import Interviewed
from tests.refuters.models_that_fail import Constant, NotNumbers

HOLDING = ("index-lookup", "associative-recall", "mqar", "copy")  # tasks whose inputs hold independent answers


def sized(name: str) -> Task:
    return make_task(name, length=6, **({"symbols": 8} if name in ("index-lookup", "copy") else {"labels": 4}))


def test_the_tasks_that_can_be_asked_are_these() -> None:
    assert {name for name in TASKS if isinstance(task_at(name, task_class(name).drawn_at), Interviewed)} == {*HOLDING}


@pytest.mark.parametrize("name", HOLDING)
def test_an_interview_asks_every_question_of_one_input_and_a_guess_is_right_as_often_as_chance(name: str) -> None:
    task = sized(name)
    count, values = answers_of(task)
    assert isinstance(task, Interviewed)
    batch = task.interview(1, 3 * values)
    expected = batch.targets[batch.mask].reshape(3 * values, count)
    for value in range(values):
        assert ((expected == value).sum(axis=0) == 3).all()  # in every place equally often
    for r in range(len(batch.tokens)):
        row, right = batch.row(r), batch.answer(r)
        assert right == (task.answer(row) if name != "mqar" else make_task("associative-recall", length=3, symbols=6, labels=4).answer(row))
    if (batch.mask.sum(axis=1) == 1).all():  # rows of one input differ in the question alone
        first = batch.tokens[:count]
        assert (first[:, :-1] == first[0, :-1]).all()
        assert len({*first[:, -1].tolist()}) == count
    again = task.interview(1, 3 * values)
    assert (again.tokens == batch.tokens).all()


@pytest.mark.parametrize(
    ("name", "chosen", "bits"),
    [
        ("index-lookup", {"length": 7, "symbols": 4}, 14),
        ("copy", {"length": 5, "symbols": 8}, 15),
        ("associative-recall", {"length": 4, "symbols": 4}, 4),
    ],
)
def test_a_register_file_retains_all_its_answers(name: str, chosen: dict[str, int], bits: int) -> None:
    found = capacity(build(f"{name}/recurrent", **chosen).model, make_task(name, **chosen), inputs=64)
    assert found.retained.bits == bits
    assert found.retained.low < bits == found.retained.high
    assert found.accuracy == 1
    assert [row["accuracy"] for row in found.per_position] == [1] * chosen["length"]
    if name != "associative-recall":  # which also has to remember a key
        assert found.state_bits == found.needed == bits
        assert found.ceiling == 1


@pytest.mark.parametrize("name", HOLDING)
def test_a_constant_model_retains_nothing(name: str) -> None:
    task = sized(name)
    count, values = answers_of(task)
    found = capacity(Constant(task.vocabulary, task.targets), task, inputs=8 * values)
    assert found.retained.bits == 0
    assert found.accuracy == 1 / values
    assert 0 == found.retained.low < found.retained.high < count
    assert found.state_bits is None


def test_a_model_that_knows_some_positions_retains_these() -> None:
    """Registers that keep the first three of eight symbols of two bits."""
    task, model = make_task("index-lookup", length=8, symbols=4), build("index-lookup/recurrent", length=8, symbols=4).model
    (layer,) = (layer.mixer for layer in model.each_layer())
    with torch.no_grad():
        layer.gates[3:8] = torch.tensor([0.0, 1.0, 0.0, 0.0])
    found = capacity(model, task, inputs=64)
    assert [row["accuracy"] for row in found.per_position] == [1, 1, 1, *[0.25] * 5]
    assert found.retained.bits == 6
    assert found.retained.bits > task.length * fano_bits(found.accuracy, 4)  # an average proves less


def test_without_questions_the_ceiling_turns_accuracy_into_bits() -> None:
    task = make_task("equality", length=12)
    found = capacity(build("equality/recurrent", length=12).model, task, inputs=400)
    assert (found.accuracy, found.retained.bits, found.needed, found.state_bits) == (1, 6, 6, 6)
    constant = capacity(Constant(2, 2), task, inputs=400)
    assert constant.retained.low == 0
    assert constant.per_position == ()


def test_one_state_for_all_questions_answers_as_whole_inputs_do() -> None:
    task = make_task("index-lookup", length=6, symbols=8)
    for name in ("lstm-1-16", "tf-1-16", "linear-rnn-1-8"):
        model = make_model(name, vocabulary=task.vocabulary, targets=8, **({"length": 7} if "tf" in name else {}))
        assert isinstance(model, Model)
        assert isinstance(task, Interviewed)
        batch = task.interview(0, 64)
        with torch.no_grad():
            whole = model(torch.as_tensor(batch.tokens), at=-1).argmax(dim=-1).numpy()
        right = (whole == batch.targets[batch.mask]).reshape(64, 6).mean(axis=0)
        assert [row["accuracy"] for row in capacity(model, task, inputs=64).per_position] == right.tolist()


def test_rounding_the_state_to_few_bits_costs_accuracy_and_to_many_does_not() -> None:
    """Copying by a cache of keys and values: with one bit for each number the head no longer finds its place."""
    task, model = make_task("copy", length=8, symbols=4), build("copy", length=8, symbols=4, arithmetic="float64").model
    exact, fine, coarse = (capacity(model, task, inputs=16, quantise=b) for b in (None, 20, 1))
    assert (exact.accuracy, fine.accuracy) == (1, 1)
    assert coarse.accuracy < 0.9
    assert exact.state_bits is not None
    assert coarse.state_bits is not None
    assert (fine.state_bits, 64 * coarse.state_bits) == (20 * coarse.state_bits, exact.state_bits)


def test_the_ceiling_is_that_of_the_rounded_state() -> None:
    task = make_task("index-lookup", length=16, symbols=8)
    model = make_model("lstm-1-4", vocabulary=task.vocabulary, targets=8)
    found = capacity(model, task, inputs=16, quantise=2)
    assert found.state_bits == 2 * 4 * 2
    assert found.ceiling == task_ceiling(task, state_bits=16).accuracy < 1
    assert found.accuracy <= found.ceiling


def test_a_rounded_number_is_the_middle_of_its_part() -> None:
    """States of this recurrence are 0 and 1: with one bit they become 1/4 and 3/4, and the read-out says which."""
    model = make_model("linear-rnn", vocabulary=3, targets=2, width=8, state=8)
    assert isinstance(model, Model)
    (layer,) = (layer.mixer for layer in model.each_layer())
    with torch.no_grad():
        layer.transition.zero_()
        layer.drive.zero_()
        layer.drive[:, 0] = 1.0
        model.layers[0].before_mixing = None
        model.embedding.table.zero_()
        model.embedding.table[1, 0] = 1.0
    task = make_task("parity", length=5)
    change = _quantiser(model, task, 1, 0)
    state = model.initial_state(2)
    with torch.no_grad():
        state, _ = model.step(state, torch.tensor([0, 1]))
    assert change(state).layers[0][0].tolist() == [[0.25] * 8, [0.75] * 8]


def test_bad_questions_are_refused() -> None:
    task = make_task("index-lookup", length=4, symbols=4)
    with pytest.raises(BadInput, match="inputs must be at least 2, found 1"):
        capacity(Constant(8, 4), task, inputs=1)
    with pytest.raises(BadInput, match="--quantise needs a model of ours"):
        capacity(Constant(8, 4), task, quantise=4)
    with pytest.raises(BadInput, match=r"expects 1\.\.24 bits for each number, found 0"):
        capacity(make_model("lstm-1-8", vocabulary=8, targets=4), task, quantise=0)
    with pytest.raises(BadInput, match="not finite numbers"):
        capacity(NotNumbers(8, 4), task)
    with pytest.raises(BadInput, match="parity: its inputs do not hold independent uniform answers"):
        retained_on_average(make_task("parity", length=4), 0.5)


@settings(max_examples=60, deadline=None)
@given(st.floats(0, 1), st.integers(2, 64))
def test_fano_is_the_least_information_of_any_answer_of_that_accuracy(accuracy: float, values: int) -> None:
    """The answer that errs evenly among all other values attains it; from 1/s on, more accuracy never proves less."""
    bits = fano_bits(accuracy, values)
    assert 0 <= bits <= log2(values)
    if accuracy > 1 / values:
        wrong = (1 - accuracy) / (values - 1)
        entropy = -accuracy * log2(accuracy) - (values - 1) * (wrong * log2(wrong) if wrong else 0)
        assert bits == pytest.approx(log2(values) - entropy, abs=1e-9)
        assert fano_bits(min(1.0, accuracy + 0.01), values) >= bits


def test_wilsons_interval_covers_the_share_that_drew_it() -> None:
    random = np.random.default_rng(0)
    for share in (0.02, 0.5, 0.97):
        covered = sum(low <= share <= high for low, high in (wilson(float(random.binomial(256, share)), 256) for _ in range(400)))
        assert covered >= 0.92 * 400
    assert wilson(256, 256)[1] == 1
    assert wilson(0, 256)[0] == 0
