"""Noise moves every weight by its own share, the same for the same seed, and nothing else."""

from __future__ import annotations

import torch

from separatrix.certificates.noise import perturbed
from separatrix.constructions import build


def test_weights_move_in_proportion_and_by_the_seed_alone() -> None:
    built = build("equality", length=6)
    before = {name: weight.detach().clone() for name, weight in built.model.named_parameters()}
    one, same, other = (dict(perturbed(built, 0.1, seed).model.named_parameters()) for seed in (1, 1, 2))
    moved = []
    for name, weight in before.items():
        assert torch.equal(one[name], same[name])
        assert torch.equal(one[name][weight == 0], weight[weight == 0])
        moved.append((one[name].detach() / weight - 1)[weight != 0].flatten())
    assert any(not torch.equal(one[name], other[name]) for name in before)
    shares = torch.cat(moved)
    assert 0.05 < float(shares.std()) < 0.2  # 0.1 times a normal number
    assert all(torch.equal(weight, before[name]) for name, weight in built.model.named_parameters())  # the model itself stays


def test_no_noise_is_the_model_itself() -> None:
    built = build("equality", length=6)
    assert perturbed(built, 0.0) is built
