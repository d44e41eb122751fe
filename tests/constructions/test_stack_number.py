"""A stack inside one number: 2DYCK of any depth, with two bits for each open bracket."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest
import torch

from separatrix.certificates.verify import verify
from separatrix.checker import check_text
from separatrix.constructions import build
from separatrix.errors import BadInput
from separatrix.models.model import Model
from separatrix.tasks import make_task

NAME = "dyck-2/recurrent"


def said(model: Model, words: list[list[int]]) -> list[int]:
    with torch.no_grad():
        return [int(answer) for answer in model(torch.tensor([[*word, 4] for word in words]), at=-1).argmax(dim=-1)]


@pytest.mark.parametrize("N", [2, 4, 6])
def test_every_word_is_right_by_the_weights_of_its_length_and_of_longer_ones(N: int) -> None:
    words = [list(word) for word in itertools.product(range(4), repeat=N)]
    due = [make_task("dyck-2", length=N).answer([*word, 4]) for word in words]
    assert said(build(NAME, length=N).model, words) == due
    longer = build(NAME, length=N + 2).model  # one bracket more would fit
    assert said(longer, words) == due


def test_words_that_are_too_deep_are_forgotten_from_below_and_never_accepted() -> None:
    model = build(NAME, length=8).model
    for opened in range(5, 9):
        assert said(model, [[0] * opened + [2] * (8 - opened)]) == [0]
    assert said(model, [[0, 1, 0, 1, 3, 2, 3, 2], [0] * 4 + [2] * 4]) == [1, 1]


def test_one_digit_less_confuses_the_deepest_words() -> None:
    model = build(NAME, length=8).model
    short = Model(replace(model.config, arithmetic="fixed:12,6")).double()
    short.load_state_dict(model.state_dict())
    assert said(short, [[0] * 4 + [2] * 4]) == [0]  # the lowest bracket is gone, so the last one closes nothing
    assert said(short, [[0] * 3 + [2] * 3 + [0, 2]]) == [1]


@pytest.mark.parametrize(("N", "bits"), [(6, 12), (58, 64), (200, 206)])
def test_any_depth_that_the_bits_hold_is_proven(N: int, bits: int) -> None:
    built = build(NAME, length=N)
    assert (built.sizes()["state_bits"], built.sizes()["width"], built.claim.facts["open brackets"]) == (bits, 5, N / 2)
    verdict = check_text(verify(built).to_json())
    assert (verdict.holds, verdict.strength) == (True, "proven"), verdict.reason
    assert f"holds {N // 2} open brackets" in str(verdict.evidence)


def test_the_number_of_units_does_not_depend_on_the_depth() -> None:
    assert len({len(build(NAME, length=N).model.state_dict()["layers.0.mixer.bias"]) for N in (2, 58, 400)}) == 1


def test_more_brackets_than_the_widest_format_holds_are_refused() -> None:
    with pytest.raises(BadInput, match="dyck-2: 1020 brackets need numbers of 1026 bits: expected at most 1024"):
        build(NAME, length=1020)
