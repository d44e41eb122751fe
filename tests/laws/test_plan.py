"""Every row of a plan agrees with what `bounds`, `constructions`, `verify` and `state` say of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from separatrix.architectures import Architecture, Quantity
from separatrix.bounds.limits import bounds_for, task_profile
from separatrix.bounds.number_format import number_format
from separatrix.certificates.verify import verify
from separatrix.constructions import build, construction
from separatrix.ledger.plan import Plan, PlanRow, plan
from separatrix.models import make_model
from separatrix.models.cost_formulas import SIZED
from separatrix.models.inclusions import linear_rnn_as_dss
from separatrix.models.model import Model
from separatrix.models.state_at_cut import bits_at_cut
from separatrix.runs.state_of import state_of
from separatrix.tasks import Task, make_task
from tests.constructions.named.running import all_right

FORMATS = ("float32", "bfloat16", "8")
TASKS = {  # name -> a length at which some architectures are refuted and others are not
    "index-lookup": 500, "associative-recall": 9000, "mqar": 12_000, "copy": 500, "equality": 4000, "eq-random": 4000,
    "intersects": 20_000, "dyck": 60, "parity": 60, "nearest-neighbor": 60,
}  # fmt: skip
SMALL = {"index-lookup": 6, "associative-recall": 2, "mqar": 4, "copy": 4, "equality": 4, "intersects": 4, "parity": 6}


def rows_of(task: Task, precision: str, accuracy: float = 1.0) -> Plan:
    return plan(task, number_format(precision), accuracy=accuracy)


def test_the_plan_meets_all_architectures_and_at_least_eight_tasks() -> None:
    assert len(TASKS) >= 8
    for row_task, length in TASKS.items():
        met = [row.architecture for row in rows_of(make_task(row_task, length=length), "bfloat16").rows]
        assert {*SIZED} <= {*met}
        assert len(met) == len({*met})


@pytest.mark.parametrize("precision", FORMATS)
@pytest.mark.parametrize("name", TASKS)
def test_every_verdict_follows_from_the_bound_and_the_cut(name: str, precision: str) -> None:
    task, numbers = make_task(name, length=TASKS[name]), number_format(precision)
    result = plan(task, numbers)
    wanted = (Architecture.RECURRENT, Quantity.STATE_BITS)
    (bound, *_) = [row.value for row in bounds_for(task, numbers.bits) if (row.architecture, row.quantity) == wanted]
    assert result.need.bits == bound
    for row in result.rows:
        assert row.least_bits is not None
        assert row.least_bits <= bound
        if row.carried_bits is None or row.state_bits is None:
            assert row.kind == "built"
            continue
        by_bits = row.carried_bits < row.least_bits
        assert (row.kind == "provably not") == (by_bits or row.pair is not None)
        assert row.carried_bits <= row.state_bits or row.cut == task.token_count  # the state is counted before the last token
        if row.largest_length is not None:
            assert (row.largest_length < task.length) == by_bits, row
    for kind in ("built", "open", "provably not"):  # in this order, each by its cost
        costs = [row.operations or 10**18 for row in result.rows if row.kind == kind]
        assert costs == sorted(costs)
    assert [row.kind for row in result.rows] == sorted((row.kind for row in result.rows), key=["built", "open", "provably not"].index)


@pytest.mark.parametrize("name", ["index-lookup", "copy", "dyck"])
def test_refuted_rows_are_those_that_the_cut_calculator_refutes_on_the_model_itself(name: str) -> None:
    task = make_task(name, length=min(120, TASKS[name]))
    profile, token_bits = task_profile(task), (task.vocabulary - 1).bit_length()
    met = 0
    for row in rows_of(task, "1").rows:
        if row.architecture in SIZED:
            model = make_model(row.name, vocabulary=task.vocabulary, targets=task.targets, length=task.token_count)
            assert isinstance(model, Model)
            refuted = any(bits_at_cut(model.cuts(t), model.config.width, 1, token_bits) < bits for t, bits in enumerate(profile.bits_at))
            assert refuted == (row.verdict == "provably not" and row.pair is None) or row.architecture == "window", row
            met += 1
    assert met == len(SIZED)


def test_state_bits_are_those_of_the_state_command() -> None:
    task = make_task("index-lookup", length=40)
    for row in rows_of(task, "bfloat16").rows:
        if row.architecture in SIZED:
            assert row.state_bits == 8 * state_of(row.name, task.token_count - 1, "bfloat16").held


@pytest.mark.parametrize("name", SMALL)
def test_what_a_row_calls_built_is_built_at_that_size_and_verified(name: str) -> None:
    task = make_task(name, length=SMALL[name])
    for row in rows_of(task, "64").rows:
        assert (row.kind == "built") == (row.built is not None and row.kind != "provably not")
        if row.built is not None and construction(row.built["construction"]).task == task.name:
            chosen = {key: value for key, value in task.parameters.items() if key in construction(row.built["construction"]).parameters}
            arithmetic = {"arithmetic": row.built["arithmetic"]} if row.built["arithmetic"] else {}
            if "arithmetic" not in construction(row.built["construction"]).parameters:
                arithmetic = {}
            built = build(row.built["construction"], **chosen, **row.built["settings"], **arithmetic)
            assert {key: built.sizes()[key] for key in ("layers", "width") if key in row.built} == {
                key: row.built[key] for key in ("layers", "width") if key in row.built
            }
            assert verify(built).holds
            if "width" not in row.built:  # a map of weights that widens them, and that no certificate is about
                assert row.architecture == "dss"
                assert row.strength in ("tested", "declared")
                mapped = linear_rnn_as_dss(built.model, task.token_count)
                assert all_right(replace(built, program=replace(built.program, model=mapped)), 10)


def test_the_widths_of_a_plan_have_room_and_a_smaller_one_has_not() -> None:
    task = make_task("index-lookup", length=500)
    for row in rows_of(task, "8").rows:
        if row.architecture in SIZED and row.least_width is not None:
            for width, refuted in ((row.least_width, False), (row.least_width - 8, True)):
                if width < 8 or row.architecture in ("transformer",) or "hybrid" in row.architecture:
                    continue
                model = make_model(row.architecture, vocabulary=task.vocabulary, targets=64, layers=2, width=width, length=501)
                assert isinstance(model, Model)
                assert (model.bits_at_cut(row.cut, "fixed:8,4") < 3000) == refuted, (row.architecture, width)


def test_accuracy_lowers_the_need_through_the_ceiling() -> None:
    task = make_task("index-lookup", length=500)
    exact, loose = rows_of(task, "8"), rows_of(task, "8", accuracy=0.5)
    assert exact.need.bits == 3000
    assert loose.need.bits is not None
    assert 900 < loose.need.bits < 1100  # 500 (6 - h(1/2) - log2(63) / 2), about
    refuted = [{row.architecture for row in result.rows if row.verdict == "provably not"} for result in (exact, loose)]
    assert refuted[1] < refuted[0]


def test_a_task_without_a_ceiling_leaves_every_row_open_or_built() -> None:
    rows: tuple[PlanRow, ...] = rows_of(make_task("nearest-neighbor", length=60), "16", accuracy=0.9).rows
    assert {row.kind for row in rows} <= {"open", "built"}
    assert {row.least_bits for row in rows} == {None}


@pytest.mark.parametrize("name", ["mqar", "associative-recall", "state-based-recall", "index"])
def test_a_hybrid_is_built_only_by_weights_of_its_own_kinds_of_layers(name: str) -> None:
    rows = {row.architecture: row for row in rows_of(make_task(name, length=64), "float64").rows if row.architecture.startswith("hybrid")}
    assert any(row.built is not None for row in rows.values())
    for architecture, row in rows.items():
        if row.built is None or architecture == Architecture.HYBRID:
            continue
        by, half = row.built["construction"], architecture.removeprefix("hybrid-")
        mixers = {type(layer.mixer).kind for layer in build(by, length=4).model.config.layers if layer.mixer is not None}
        assert mixers - {"attention"} <= {half, "deltanet"}, (architecture, by)
