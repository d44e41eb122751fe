from __future__ import annotations

import pytest
import torch
from torch import Tensor, nn

from separatrix.certificates.evaluator import fed_back, predictions, predicts_tokens
from separatrix.constructions import build
from separatrix.errors import BadInput
from separatrix.models import make_model
from separatrix.models.model import Model, State
from separatrix.models.transformer import transformer
from separatrix.tasks import make_task
from separatrix.tasks.equality import EqNcp
from separatrix.tasks.index_lookup import IndexLookup
from separatrix.training.evaluation import evaluate


class Copier(nn.Module):
    """Says the token that came `lag` tokens before, and once, at the token `slip`, something wrong."""

    def __init__(self, symbols: int, lag: int, slip: int | None = None) -> None:
        super().__init__()
        self.symbols, self.lag, self.slip = symbols, lag, slip

    def forward(self, tokens: Tensor) -> Tensor:
        outputs = torch.stack([self.said(tokens[:, : t + 1]) for t in range(tokens.shape[1])], dim=1)
        return nn.functional.one_hot(outputs, self.symbols).float()

    def said(self, read: Tensor) -> Tensor:
        t = read.shape[1] - 1
        wanted = read[:, t - self.lag] if t >= self.lag else torch.zeros(len(read), dtype=torch.int64)
        return (wanted + (t == self.slip)) % self.symbols

    def initial_state(self, rows: int) -> State:
        return State(0, ((torch.zeros(rows, 0, dtype=torch.int64),),))

    def step(self, state: State, tokens: Tensor) -> tuple[State, Tensor]:
        read = torch.cat([state.layers[0][0], tokens[:, None]], dim=1)
        return State(state.clock + 1, ((read,),)), nn.functional.one_hot(self.said(read), self.symbols).float()


def test_a_built_model_is_right_at_every_position_asked() -> None:
    built = build("index-lookup", length=6, symbols=4)
    scores = evaluate(built.model, built.task, 300, seed=0)
    assert (scores.accuracy, scores.positions, scores.greedy, scores.length, scores.examples) == (1.0, 1.0, None, 6, 300)
    assert [p for p, _, _ in scores.asked] == [1, 2, 3, 4, 5, 6]
    assert sum(count for _, count, _ in scores.asked) == 300
    assert all(count == right for _, count, right in scores.asked)


def test_accuracy_is_told_apart_by_the_position_asked() -> None:
    built = build("index-lookup", length=6, symbols=4)
    model, batch = built.model, built.task.sample(0, 300)
    with torch.no_grad():
        model.layers[0].mixer.query.zero_()  # every place is read alike
    scores = evaluate(model, built.task, 300, seed=0)
    right = predictions(model, batch)[batch.mask] == batch.targets[batch.mask]
    queried = batch.tokens[:, -1] - 4 + 1
    assert scores.accuracy == pytest.approx(right.mean())
    assert 0.1 < scores.accuracy < 0.9
    assert scores.asked == tuple((p, int((queried == p).sum()), int(right[queried == p].sum())) for p in range(1, 7))


def test_a_wrong_word_spoils_what_is_copied_from_it() -> None:
    task = EqNcp(length=8, symbols=6)  # a b c d # a b c d: asked at #, a, b, c
    batch = task.sample(0, 40)
    assert predicts_tokens(batch)
    perfect = evaluate(Copier(6, lag=4), task, 40, seed=0)
    assert (perfect.accuracy, perfect.greedy, perfect.positions) == (1.0, 1.0, 1.0)
    slips = evaluate(Copier(6, lag=4, slip=5), task, 40, seed=0)
    assert (slips.accuracy, slips.greedy, slips.positions) == (0.0, 0.0, 0.75)
    # a model that says its own last word again lives on its first word when it is fed back, on the truth when it is not
    echo = Copier(6, lag=0)
    spoken, forced = fed_back(echo, batch), predictions(echo, batch)
    assert (forced[:, 5:8] == batch.tokens[:, 5:8]).all()
    assert (spoken[:, 5:8] == spoken[:, 4:5]).all()


def test_a_label_is_not_fed_back() -> None:
    assert not predicts_tokens(IndexLookup(length=5, symbols=3).sample(0, 20))


def test_evaluating_leaves_the_mode_of_the_model_alone() -> None:
    built = build("index-lookup", length=4)
    for mode in (True, False):
        built.model.train(mode)
        evaluate(built.model, built.task, 4, 0)
        assert built.model.training is mode


def test_no_examples_are_no_evaluation() -> None:
    built = build("index-lookup", length=4)
    with pytest.raises(BadInput, match="evaluate: the number of examples must be at least 1, found 0"):
        evaluate(built.model, built.task, 0, 0)


def test_a_model_without_mask_does_not_read_padding() -> None:
    """Rows of different lengths are run apart: the built model is right on all of them."""
    built = build("index-lookup", length=12)
    task = IndexLookup(length=12, distribution="training")
    assert len({*task.sample(0, 50).lengths.tolist()}) > 1
    scores = evaluate(built.model, task, 50, 0)
    assert (scores.accuracy, scores.positions) == (1.0, 1.0)


def test_a_model_without_mask_is_not_fed_back() -> None:
    """Above an unmasked layer a token has seen what comes later, so there is no next token to say."""
    task = EqNcp(length=8, symbols=6)
    model = transformer(task.vocabulary, task.targets, width=8, layers=2, causal=False, length=task.length + 1)
    assert evaluate(model, task, 5, 0).greedy is None
    masked = transformer(task.vocabulary, task.targets, width=8, layers=2, length=task.length + 1)
    assert evaluate(masked, task, 5, 0).greedy is not None


@pytest.mark.parametrize("name", ["parity-next", "dyck-2-next"])
def test_a_prediction_of_the_end_is_no_token_and_is_not_fed_back(name: str) -> None:
    task = make_task(name, length=9, distribution="training")
    model = make_model("lstm", vocabulary=task.vocabulary, targets=task.targets, width=4)
    assert isinstance(model, Model)
    with torch.no_grad():
        model.readout.bias[-1] = 100.0  # it says the end everywhere
    scores = evaluate(model, task, 20, 0)
    assert scores.greedy is None
    assert 0 < scores.positions < 1
