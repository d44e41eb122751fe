"""Attacks find what is wrong with a model, make it simple and certify it, and find nothing where nothing is wrong."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from separatrix.checker import check_document
from separatrix.constructions import build
from separatrix.errors import BadInput
from separatrix.models import make_model
from separatrix.models.model import Model
from separatrix.refuters.attack import attack
from separatrix.refuters.failures import replay
from separatrix.refuters.leads import Subject, asked, leads
from separatrix.refuters.search import GRADIENT, Account, Climb, guided_search
from separatrix.refuters.shrinking import shrink
from separatrix.refuters.substitutions import allowed, guided_neighbours, random_neighbour
from separatrix.tasks import make_task
from tests.refuters.hard_models import hard_model
from tests.refuters.models_that_fail import Constant, NotNumbers, WrongOnOne, WrongShape

LOOKUP = make_task("index-lookup", length=8, symbols=8)


def blunt(share: float) -> Model:
    """Index lookup whose head gives the place asked for this share of the attention: below 1/2 the complement wins."""
    model = build("index-lookup", length=64, symbols=8).model
    (attention,) = (layer.mixer for layer in model.each_layer())
    with torch.no_grad():
        batch = make_task("index-lookup", length=64, symbols=8).complement(0, 64)
        low, high = 0.0, 1.0
        query = attention.query.clone()
        for _ in range(40):
            middle = (low + high) / 2
            attention.query.copy_(middle * query)
            weights = attention.inside(model.embedding(torch.as_tensor(batch.tokens)), torch.full((64,), 64))["attention"]
            enough = float(weights[torch.arange(64), 0, 0, torch.arange(64)].min()) >= share
            low, high = (low, middle) if enough else (middle, high)
    return model


def test_nothing_is_found_on_a_built_model_and_the_account_says_so() -> None:
    result = attack(build("index-lookup", length=8, symbols=8).model, "built", LOOKUP, evaluations=3000)
    assert result.found is None
    document = result.document()
    assert document["found"] is False
    assert document["least_margin"] == pytest.approx(2, abs=0.1)
    counts = {key: value for key, value in document["tried"].items() if key != "evaluations"}
    assert counts.keys() == {"cases: random", "cases: complement", "gradients", "neighbours"}
    assert sum(counts.values()) == document["tried"]["evaluations"] >= 3000


def test_a_fresh_model_fails_and_the_certificate_is_accepted() -> None:
    for name, kind in (("tf-1-16", "index-lookup"), ("lstm-1-8", "index-lookup"), ("gru-1-8", "parity"), ("tf-2-8", "copy")):
        task = make_task(kind, length=6) if kind == "parity" else make_task(kind, length=6, symbols=8)
        model = make_model(name, vocabulary=task.vocabulary, targets=task.targets, **({"length": 12} if "tf" in name else {}))
        result = attack(model, name, task)
        assert result.found is not None
        assert result.found.why_not == ""
        verdict = check_document(result.document())
        assert (verdict.holds, verdict.strength) == (True, "proven"), verdict.reason
        assert result.failure is not None
        assert result.failure.said != result.failure.expected == result.document()["expected"]


def test_where_float32_is_too_coarse_the_same_weights_are_certified_in_float64() -> None:
    """A fresh model of three layers: its error bound in float32 exceeds the leads, which are about 0.01."""
    task = make_task("index-lookup", length=6, symbols=8)
    model = make_model("tf-3-32", vocabulary=task.vocabulary, targets=8, length=7)
    result = attack(model, "fresh", task)
    assert result.found is not None
    assert result.found.note.startswith("about the same weights in float64")
    assert result.document()["program"]["model"]["arithmetic"] == "float64"
    assert check_document(result.document()).holds


def test_guided_search_finds_what_random_inputs_do_not() -> None:
    """The head is right as long as less than all other places hold the complement."""
    model, task = blunt(0.495), make_task("index-lookup", length=64, symbols=8)
    drawn = leads(model, task.sample(0, 5000))
    assert not drawn.wrong.any()

    class OnlyRandom(type(task)):  # type: ignore[misc]
        families = ()

    account = Account(5000)
    failure = guided_search(Subject(model, OnlyRandom(64, 8)), account, seed=0)
    assert failure is not None
    assert account.evaluations < 5000
    assert task.answer(failure.tokens) == failure.expected


class Counted(WrongOnOne):
    """Counts the rows that it is asked about, apart from those whose gradient is asked for, and remembers them."""

    def __init__(self) -> None:
        super().__init__(depth=-1.0)  # right everywhere
        self.rows: list[tuple[int, ...]] = []
        self.differentiated = 0

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        if torch.is_grad_enabled():
            self.differentiated += len(tokens)
            return super().forward(tokens) + 0 * self.embedding(tokens)
        self.rows += [tuple(row) for row in tokens.tolist()]
        return super().forward(tokens)


def test_every_input_that_the_model_sees_is_counted_and_a_climb_asks_about_none_twice() -> None:
    task, model, account = make_task("index-lookup", length=6, symbols=8), Counted(), Account(2000)
    assert guided_search(Subject(model, task), account, seed=0) is None
    assert account.evaluations == len(model.rows) + GRADIENT * model.differentiated >= 2000
    assert model.differentiated > 0
    assert account.by_kind["gradients"] == GRADIENT * model.differentiated
    assert sum(account.by_kind.values()) == account.evaluations <= 2000 + GRADIENT

    climb, model = Climb(), Counted()
    batch = task.sample(5, 8)
    climb.add(batch, np.arange(8.0) + 1)
    assert climb.promising(3) == [0, 1, 2]
    climb.tried[0] = 10**6
    assert climb.promising(3) == [1, 2, 3]  # weary of the first
    assert guided_search(Subject(model, task), Account(60), seed=0, guided=False, first=climb) is None
    assert len(model.rows) == len({*model.rows}) == 60
    assert not {*model.rows} & {batch.row(r) for r in range(8)}


def test_the_gradient_points_to_worse_neighbours_than_chance() -> None:
    task, random = make_task("index-lookup", length=16, symbols=8), np.random.default_rng(0)
    model = make_model("transformer", vocabulary=24, targets=8, width=16, length=17, deviation=0.1)
    batch, may = task.sample(3, 64), allowed(task, 17)
    proposed = guided_neighbours(model, task, batch, may, random)
    assert proposed is not None
    assert sum(map(bool, proposed)) > 32
    before = leads(model, batch).lead
    for nth, share in ((0, 0.85), (2, 0.85), (-1, 0.85)):  # at one place, at four places, one of the best; half of all lower it
        near = [rows[nth] if len(rows) > 2 else batch.row(r) for r, rows in enumerate(proposed)]
        assert all(task.answer(row) == task.answer(batch.row(r)) for r, row in enumerate(near))
        after = leads(model, asked(task, near, batch)[0]).lead
        assert (after < before).mean() > share
    changed = [sum(a != b for a, b in zip(rows[2], batch.row(r), strict=True)) for r, rows in enumerate(proposed) if len(rows) > 2]
    assert set(changed) <= {1, 2, 3, 4}
    assert 4 in changed


def test_a_failure_becomes_the_simplest_one() -> None:
    model, task, account = WrongOnOne(), make_task("index-lookup", length=6, symbols=8), Account(10**6)
    subject = Subject(model, task)
    failure = guided_search(subject, account, seed=0)
    assert failure is not None
    simple = shrink(subject, failure, account)
    assert simple.tokens == (0, 0, 5, 0, 0, 0, 8 + 2)
    assert (simple.said, simple.expected, simple.margin) == (0, 5, 1.0)


def test_other_models_fail_with_a_record_that_can_be_replayed_and_not_be_forged() -> None:
    model, task = WrongOnOne(), make_task("index-lookup", length=6, symbols=8)
    result = attack(model, "WrongOnOne", task)
    assert result.found is not None
    assert result.found.why_not == "the checker cannot run a WrongOnOne"
    record = result.document()
    assert (record["schema"], record["found"]) == ("separatrix/failure", True)
    assert replay(record, model) == ""
    assert replay({**record, "tokens": [0, 0, 4, 0, 0, 0, 10]}, model) == "the task expects 4, not 5"
    assert replay({**record, "said": 1}, model) == "the model says 0, not 1"
    assert replay({**record, "outputs": [0.0] * 8}, model) == "the model's outputs are different"
    assert replay(record, WrongOnOne(depth=0.5)) == "these are other weights"
    assert replay({**record, "tokens": [70] * 7}, model) == "its tokens are not an input of the task"
    with pytest.raises(BadInput, match="the record is incomplete: KeyError"):
        replay({"task": "index-lookup"}, model)


def test_a_model_of_six_bits_is_refuted_by_a_collision() -> None:
    model = build("equality/recurrent", length=12).model
    assert model.state_bits(11) == 6
    result = attack(model, "registers", make_task("intersects", length=12))
    assert result.document()["kind"] == "state-collision"
    assert check_document(result.document()).holds


def test_hard_attention_is_refuted_by_a_restriction() -> None:
    task = make_task("parity", length=40)
    result = attack(hard_model(7, task.token_count, 2, 1, task.vocabulary), "hard", task)
    assert result.document()["kind"] == "restriction"
    assert result.document()["free"] >= 1
    assert check_document(result.document()).holds
    assert result.tried["evaluations"] == 0


def test_a_small_model_is_refuted_by_drawn_prefixes_where_there_are_too_many_to_list() -> None:
    """Registers that store the first ten of twenty symbols: they forget the rest, and two drawn prefixes share a state."""
    task = make_task("index-lookup", length=20, symbols=2)
    model = build("index-lookup/recurrent", length=20, symbols=2).model
    (layer,) = (layer.mixer for layer in model.each_layer())
    with torch.no_grad():
        layer.gates[10:20] = torch.tensor([0.0, 1.0, 0.0, 0.0])  # keep
    result = attack(model, "registers", task, evaluations=2000)
    assert result.failure is not None
    assert result.failure.tokens[-1] - 2 >= 10  # a place that it forgot
    assert check_document(result.document()).holds


def test_further_lengths_are_swept_after_the_one_asked_for() -> None:
    class WrongAtFour(WrongOnOne):
        def forward(self, tokens: torch.Tensor) -> torch.Tensor:
            logits = super().forward(tokens).clone()
            if tokens.shape[1] == 5:
                logits[..., 0] += 10
            return logits

    task = make_task("index-lookup", length=2, symbols=8)  # there is no place 3
    assert attack(WrongAtFour(), "m", task, evaluations=1500).found is None
    swept = attack(WrongAtFour(), "m", task, evaluations=4000, lengths=(3, 4))
    assert swept.found is not None
    assert swept.task.length in (3, 4)


def test_tasks_scored_along_the_way_keep_their_promise() -> None:
    for name in ("copy", "mqar"):
        task = make_task(name, length=6)
        batch, random = task.sample(0, 32), np.random.default_rng(0)
        rows = [random_neighbour(batch.row(r), task.alphabets(), random, batch.row(r - 1)) for r in range(32)]
        kept, places = asked(task, rows, batch)
        assert 0 < len(places) < 32
        for r, place in enumerate(places):
            assert kept.answer(r) == task.answer(kept.row(r))
            assert (kept.mask[r] == batch.mask[place]).all()


def test_a_program_that_writes_is_judged_on_every_token_of_its_chain() -> None:
    built = build("index/retrieval", length=6)
    assert attack(built.program, "built", built.task, evaluations=800).found is None
    model = built.model
    with torch.no_grad():
        model.embedding.table[3] += model.embedding.table[built.task.stop]  # which also reads out: one token leads ..
        model.embedding.table[built.task.stop] *= -1  # .. where it should stop
    result = attack(built.program, "built", built.task, evaluations=800)
    assert result.failure is not None
    assert result.failure.expected == built.task.stop
    assert result.failure.position >= len(result.failure.tokens)  # in the chain
    verdict = check_document(result.document())
    assert verdict.holds, (verdict.reason, result.found)
    with pytest.raises(BadInput, match="this program writes vectors"):
        attack(build("reverse-sum/standard", length=3).program, "built", make_task("reverse-sum", length=3))


def test_bad_models_are_refused_in_one_line() -> None:
    sizes = {"vocabulary": LOOKUP.vocabulary, "targets": 8}
    for model, line in (
        (NotNumbers(**sizes), "its outputs are not finite numbers"),
        (WrongShape(**sizes), r"expected logits \[b, n, targets\]"),
        (Constant(LOOKUP.vocabulary, 3), "has 3 outputs, and the task expects 7"),
        (make_model("lstm-1-8", vocabulary=9, targets=8), "has 16 tokens, and the model knows 9"),
        (make_model("lstm-1-8", vocabulary=16, targets=4), "has 8 answers, and the model knows 4"),
        (make_model("tf-1-8", vocabulary=16, targets=8, length=5), "has inputs of 9 tokens, and the model reads at most 5"),
    ):
        with pytest.raises(BadInput, match=line):
            attack(model, "m", LOOKUP)
    with pytest.raises(BadInput, match="evaluations must be at least 1, found 0"):
        attack(Constant(**sizes), "m", LOOKUP, evaluations=0)
    assert attack(Constant(**sizes), "m", LOOKUP, evaluations=1).tried["evaluations"] >= 1
