"""Cases through a model: numbers of counterexamples, margins, distinct inputs and answers, over several batches."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from separatrix.certificates import cases as subject
from separatrix.certificates.built import Built
from separatrix.certificates.cases import batches, run, trial
from separatrix.models.decoders.position import Position
from separatrix.tasks import Batch, make_task
from separatrix.tasks.equality import Equality


class Says(nn.Module):
    """Logits that are a function of the tokens."""

    def __init__(self, logits: Any) -> None:
        super().__init__()
        self.logits = logits

    def forward(self, tokens: Tensor) -> Tensor:
        outputs: Tensor = self.logits(tokens)
        return outputs


READ = SimpleNamespace(writes=False, decoder=Position())  # a program that answers where it is asked


def built(logits: Any, length: int = 4) -> Built:
    """As much of a construction as a run of cases asks for."""
    return cast(Built, SimpleNamespace(model=Says(logits), task=Equality(length), program=READ))


def always(*logits: float) -> Any:
    return lambda tokens: torch.tensor(logits, dtype=torch.float64).expand(*tokens.shape, len(logits))


def one_case(*tokens: int, wanted: int) -> Batch:
    row = np.array([tokens])
    mask = np.arange(len(tokens))[None] == len(tokens) - 1
    return Batch(row, np.where(mask, wanted, 0), mask, np.array([len(tokens)]))


def test_a_counterexample_past_the_first_batch_has_its_own_number(monkeypatch: pytest.MonkeyPatch) -> None:
    """Eight cases in batches of three; the model is wrong on one input only, which is case 7."""
    task = make_task("index-lookup", length=4, symbols=50)
    monkeypatch.setattr(subject, "AT_ONCE", 3 * (2 * task.length + 2))
    whole = task.sample(5, 8)
    marked = torch.from_numpy(whole.tokens[7])

    def logits(tokens: Tensor) -> Tensor:
        right = torch.stack([torch.tensor([task.answer(row.tolist()) for row in tokens])] * tokens.shape[1], dim=1)
        wrong = (tokens == marked).all(dim=1)[:, None]
        return nn.functional.one_hot(torch.where(wrong, (right + 1) % 50, right), 50).double()

    result = trial(cast(Built, SimpleNamespace(model=Says(logits), task=task, program=READ)), [{"kind": "random", "seed": 5, "count": 8}])
    assert (result.cases, result.distinct, result.errors, result.holds) == (8, 8, 1, False)
    case = result.counterexample
    assert case is not None
    assert (case["kind"], case["number"], case["tokens"], case["at"]) == ("random", 7, marked.tolist(), [5])
    assert case["said"] != case["expected"] == [task.answer(marked.tolist())]


def test_batches_together_are_the_family_whatever_their_size(monkeypatch: pytest.MonkeyPatch) -> None:
    task = Equality(6)
    for family in ({"kind": "random", "seed": 3, "count": 10}, {"kind": "one-change", "seed": 3, "count": 10}):
        monkeypatch.setattr(subject, "AT_ONCE", 1 << 22)
        ((first, whole),) = batches(task, family)
        assert first == 0
        monkeypatch.setattr(subject, "AT_ONCE", 4 * 6)
        parts = [*batches(task, family)]
        assert len(parts) > 2
        assert [first for first, _ in parts] == [*np.cumsum([0, *(len(part.tokens) for _, part in parts[:-1])])]
        assert np.array_equal(np.concatenate([part.tokens for _, part in parts]), whole.tokens)


def test_every_input_is_asked_at_its_end_with_the_answer_of_the_task() -> None:
    ((first, batch),) = batches(Equality(2), {"kind": "all"})
    assert first == 0
    assert batch.tokens.tolist() == [[0, 0], [0, 1], [1, 0], [1, 1]]
    assert batch.targets[batch.mask].tolist() == [1, 0, 0, 1]
    assert batch.mask.sum(axis=1).tolist() == [1] * 4


@pytest.mark.parametrize(
    ("logits", "margin"),
    [((1.0, 3.5), 2.5), ((3.0, 1.0), -2.0), ((0.5, 2.0, 1.75), 0.25), ((-1.0, 0.0, -4.0), 1.0)],
)
def test_the_margin_is_how_far_the_right_answer_leads_the_best_other_one(logits: tuple[float, ...], margin: float) -> None:
    assert run(built(always(*logits)), [("one", 0, one_case(0, 1, wanted=1))]).margin == margin


def test_the_only_answer_leads_by_its_own_logit() -> None:
    assert run(built(always(0.75)), [("one", 0, one_case(0, 1, wanted=0))]).margin == 0.75


def test_the_margin_of_several_cases_is_the_least() -> None:
    def by_length(tokens: Tensor) -> Tensor:
        outputs: Tensor = tokens.shape[1] * always(0.0, 1.0)(tokens)
        return outputs

    lengths = {"long": (0, 1, 1), "short": (0, 1), "longer": (1, 1, 1, 1)}
    pieces = [(name, number, one_case(*tokens, wanted=1)) for number, (name, tokens) in enumerate(lengths.items())]
    assert run(built(by_length), pieces).margin == 2.0
    both = Batch(*(np.concatenate(parts) for parts in zip(*(vars(one_case(1, t, wanted=1)).values() for t in (0, 1)), strict=True)))
    by_token = built(lambda tokens: (1 + tokens)[..., None] * always(0.0, 1.0)(tokens))
    assert run(by_token, [("both", 0, both)]).margin == 1.0  # the least of one batch, too


def test_equal_inputs_count_once_and_answers_up_to_two() -> None:
    same = [("same", k, one_case(0, 1, wanted=1)) for k in range(3)]
    result = run(built(always(0.0, 1.0)), same)
    assert (result.cases, result.distinct, result.answers, result.errors) == (3, 1, 1, 0)
    result = run(built(always(0.0, 1.0)), [*same, ("other", 3, one_case(1, 1, wanted=0)), ("third", 4, one_case(1, 0, wanted=0))])
    assert (result.cases, result.distinct, result.answers, result.errors) == (5, 3, 2, 2)
    assert result.counterexample is not None
    assert result.counterexample["number"] == 3  # the first that went wrong
    scored = np.array([[False, True, False]])
    padded = Batch(np.array([[0, 1, 7]]), scored.astype(np.int64), scored, np.array([2]))  # after its end stands nothing of an input
    assert run(built(always(0.0, 1.0)), [same[0], ("padded", 1, padded)]).distinct == 1


def test_the_decisions_are_hashed_in_their_order() -> None:
    def first_token(tokens: Tensor) -> Tensor:
        return nn.functional.one_hot(tokens[:, :1].expand_as(tokens), 2).double()

    pieces = [("a", 0, one_case(0, 1, wanted=0)), ("b", 1, one_case(1, 1, wanted=1))]
    there, back = (run(built(first_token), [*order]).decisions for order in (pieces, pieces[::-1]))
    assert there != back
    assert there == run(built(first_token), pieces).decisions
