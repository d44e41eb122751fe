"""A hybrid recalls with its recurrent half alone, bit for bit."""

from __future__ import annotations

import pytest
import torch

from separatrix.certificates.verify import verify
from separatrix.checker import check_text
from separatrix.constructions import build
from tests.constructions.named.running import all_right, every_input_right, logits

NAMES = [f"{task}/hybrid-{by}" for task in ("mqar", "associative-recall") for by in ("mamba2", "gated-deltanet")]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("arithmetic", ["float64", "float32"])
def test_labels_are_recalled(name: str, arithmetic: str) -> None:
    assert all_right(build(name, length=16, labels=3, arithmetic=arithmetic), 20)


@pytest.mark.parametrize("name", NAMES)
def test_the_logits_are_those_of_the_half_that_works(name: str) -> None:
    built, half = build(name, length=8), build(name.replace("hybrid-", ""), length=8)
    tokens = built.task.sample(1, 10).tokens
    assert torch.equal(logits(built, tokens), logits(half, tokens))


@pytest.mark.parametrize("name", NAMES)
def test_small_sizes_are_certified_as_a_hybrid(name: str) -> None:
    built = build(name, length=4 if name.startswith("mqar") else 2)
    assert every_input_right(built)
    verdict = check_text(verify(built).to_json())
    assert (verdict.holds, verdict.strength, verdict.architecture) == (True, "exhaustive", "hybrid"), verdict.reason


def test_attention_that_is_not_idle_is_noticed() -> None:
    built = build("mqar/hybrid-mamba2", length=16)
    generator = torch.Generator().manual_seed(0)
    for part in ("value", "out"):
        weight = built.model.state_dict()[f"layers.1.mixer.{part}"]
        weight.copy_(4 * torch.randn(weight.shape, generator=generator, dtype=weight.dtype))
    assert not all_right(built)
