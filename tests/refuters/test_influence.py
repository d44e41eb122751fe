"""The influence of one symbol on a softmax Transformer: measured below the bound, and both fall as 1/n."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch

from separatrix.errors import BadInput
from separatrix.models.config import Norm
from separatrix.models.masks import Causal
from separatrix.models.model import Model
from separatrix.refuters.floors import cross_entropy_floor
from separatrix.refuters.influence import influence_bound, measured_influence
from separatrix.tasks.next_symbol import ParityNext
from tests.refuters.soft_models import soft_model


@pytest.mark.parametrize(("layers", "heads"), [(1, 1), (2, 1), (2, 2)])
def test_what_is_measured_lies_below_the_bound_at_every_length(layers: int, heads: int) -> None:
    for seed in range(3):
        for size in (0.3, 0.7):
            model, bounds, seen = soft_model(seed, 1024, layers, heads, size), [], []
            for n in (16, 64, 256, 1024):
                tokens = torch.randint(0, 3, (2, n), generator=torch.Generator().manual_seed(n))
                bounds.append(influence_bound(model, n).logit)
                seen.append(max(measured_influence(model, tokens, place) for place in (0, n // 2)))
                assert 0 < seen[-1] <= bounds[-1], (seed, size, n)
            assert seen[0] > 8 * seen[-1]  # a sixty-fourth, up to chance


def test_the_bound_times_n_becomes_constant() -> None:
    """With small weights; with large ones e^(2A) exceeds any n in sight, and the bound says nothing."""
    model = soft_model(1, 1024, 2, 1, 0.2)
    first, second = (n * influence_bound(model, n).stream for n in (512, 1024))
    assert 1 < second / first < 1.1


def test_a_change_of_weights_moves_the_bound() -> None:
    """The bound is about these weights: larger values of one head raise it, and without heads there is no influence."""
    model = soft_model(0, 64, 1, 1, 0.3)
    before = influence_bound(model, 64).logit
    with torch.no_grad():
        model.each_layer()[0].mixer.value.mul_(2)  # type: ignore[union-attr,operator]
    assert influence_bound(model, 64).logit == pytest.approx(2 * before)
    with torch.no_grad():
        model.each_layer()[0].mixer.value.zero_()  # type: ignore[union-attr,operator]
    assert influence_bound(model, 64).logit == 0


def test_what_the_bound_is_not_about_is_refused() -> None:
    with pytest.raises(BadInput, match="layer 1: expected softmax attention without mask, bias or rotary positions"):
        influence_bound(soft_model(0, 16, 1, 1, 0.3, Causal()), 16)


@pytest.mark.parametrize("norm", ["layer", "rms"])
def test_a_norm_before_the_read_out_is_refused_and_so_is_a_floor(norm: Norm) -> None:
    """With weights scaled down a norm leaves the logits as they are, while the bound would fall to 0."""
    plain = soft_model(0, 16, 1, 1, 0.3)
    model = Model(replace(plain.config, readout=replace(plain.config.readout, norm=norm))).double()
    model.load_state_dict(plain.state_dict(), strict=False)
    with pytest.raises(BadInput, match=f"read-out: expected no norm before it, found {norm}"):
        influence_bound(model, 16)
    with pytest.raises(BadInput, match=f"read-out: expected no norm before it, found {norm}"):
        cross_entropy_floor(model, ParityNext(16))
