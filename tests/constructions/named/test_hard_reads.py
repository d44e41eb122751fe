"""Weights that read one place are right with hard attention as well; weights that average are not, and are not declared."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch

from separatrix.certificates.verify import verify
from separatrix.checker import check_text
from separatrix.constructions import build, construction
from separatrix.constructions.named.hard_reads import hardened
from tests.constructions.named.running import all_right, every_input_right

NAMES = [f"{task}/hard-attention" for task in ("index-lookup", "copy", "mqar", "nearest-neighbor", "index", "recall-next", "c-gram")]
SMALL = {  # every input
    "index-lookup": {"length": 4, "symbols": 3}, "copy": {"length": 3, "symbols": 3}, "mqar": {"length": 4},
    "nearest-neighbor": {"length": 3, "dimension": 2, "gamma": 1.0}, "index": {"length": 3},
    "recall-next": {"length": 3}, "c-gram": {"length": 3},
}  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_every_input_of_a_small_task_is_right_and_certified_as_hard_attention(name: str) -> None:
    built = build(name, **SMALL[construction(name).task])
    assert {layer.mixer.scores for layer in built.model.config.layers} == {"hard"}
    assert every_input_right(built)
    verdict = check_text(verify(built).to_json())
    assert (verdict.holds, verdict.architecture) == (True, "hard-attention"), verdict.reason
    assert verdict.strength in ("proven", "exhaustive")


@pytest.mark.parametrize("name", NAMES)
def test_larger_ones_are_right_on_random_and_adversarial_inputs_in_one_pass_and_token_by_token(name: str) -> None:
    length = {"mqar": 16, "nearest-neighbor": 12, "index-lookup": 40, "copy": 20}.get(construction(name).task, 8)
    assert all_right(build(name, length=length), 20)


def test_each_head_reads_one_token_whole() -> None:
    built = build("index-lookup/hard-attention", length=6, symbols=4)
    weights = built.trace((1, 2, 3, 0, 1, 2, 4 + 3)).attention[0]
    assert set(weights.unique().tolist()) == {0.0, 1.0}


@pytest.mark.parametrize("name", ["parity/soft-attention", "counting/transformer"])
def test_weights_that_average_fail_with_hard_attention(name: str) -> None:
    built = build(name, length=4)
    other = replace(built, program=replace(built.program, model=hardened(built.model).eval()))
    assert not verify(other).holds


def test_a_head_that_reads_another_place_is_noticed() -> None:
    built = build("index-lookup/hard-attention", length=8)
    key = built.model.state_dict()["layers.0.mixer.key"]
    key.copy_(torch.roll(key, 1, dims=1))
    assert not all_right(built, 20)


SOUGHT = {  # every input
    "equality": {"length": 6, "symbols": 3}, "partition-equality": {"length": 8, "instance": 1}, "intersects": {"length": 8},
    "k-dnf": {"length": 6}, "k-cnf": {"length": 6, "k": 2}, "eq-random": {"length": 6, "distribution": "evaluation"},
    "eq-one": {"length": 4, "symbols": 3, "distribution": "evaluation"},
}  # fmt: skip


@pytest.mark.parametrize("task", SOUGHT)
def test_what_seeks_one_difference_is_right_on_every_input_with_hard_attention(task: str) -> None:
    built = build(f"{task}/hard-attention", **SOUGHT[task])
    assert {layer.mixer.scores for layer in built.model.config.layers} == {"hard"}
    assert every_input_right(built)
    verdict = check_text(verify(built).to_json())
    assert (verdict.holds, verdict.architecture, verdict.strength) == (True, "hard-attention", "exhaustive"), verdict.reason


def test_a_head_that_does_not_seek_reads_the_first_token_and_fails() -> None:
    built = build("equality/hard-attention", length=6)
    built.model.state_dict()["layers.1.mixer.query"].zero_()
    assert not every_input_right(built)
