"""PARITY by a number that turns round, and what gates without a sign can do instead."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import torch

from separatrix.bounds.states.positive_gates import Gated
from separatrix.certificates.verify import verify
from separatrix.checker import check_document, check_text
from separatrix.constructions import build
from separatrix.constructions.compiler import model_of
from separatrix.models.config import EmbeddingConfig, FeedForwardConfig, LayerConfig, ModelConfig, ReadoutConfig
from separatrix.models.mixers.selective_rnn import SelectiveRnnConfig
from separatrix.models.model import Model
from separatrix.refuters.collisions import colliding_prefixes
from separatrix.tasks import make_task

NAME = "parity/linear-recurrent"


def test_two_bits_are_proven_at_every_length() -> None:
    for N in (1, 10, 500):
        built = build(NAME, length=N)
        assert built.sizes()["state_bits"] == 2
        verdict = check_text(verify(built).to_json())
        assert (verdict.holds, verdict.strength) == (True, "proven"), verdict.reason
        assert "by the rule simulation" in str(verdict.evidence)


def test_the_same_weights_with_positive_gates_are_refuted() -> None:
    built = build(NAME, length=4)
    config = replace(built.model.config, layers=(LayerConfig(SelectiveRnnConfig(1, "positive")),))
    model = Model(config).double()
    model.load_state_dict(built.model.state_dict())
    assert not verify(replace(built, program=replace(built.program, model=model))).holds


def counter(N: int) -> Model:
    """A number of three bits with positive gates that counts from -4, and ReLUs that are 1 at even counts: a zigzag."""
    knots = range(-4, 3)  # of a zigzag: 0 at even and 1 at odd counts
    tensors: dict[str, Any] = {
        "embedding.table": np.eye(3),
        "layers.0.mixer.gate": np.zeros((1, 3)), "layers.0.mixer.gate_bias": np.ones(1),
        "layers.0.mixer.drive": np.array([[0.0, 1.0, 0.0]]), "layers.0.mixer.drive_bias": np.zeros(1),
        "layers.0.mixer.initial": np.array([-4.0]), "layers.0.mixer.out": np.eye(3, 1),
    }  # fmt: skip
    tensors["layers.0.feedforward.inner"] = np.tile(np.eye(1, 3), (len(knots), 1))
    tensors["layers.0.feedforward.inner_bias"] = -np.array(knots, dtype=np.float64)
    tensors["layers.0.feedforward.outer"] = np.eye(3, 1) @ np.array([[1.0, *(2.0 * (-1) ** (i + 1) for i in range(len(knots) - 1))]])
    tensors["layers.0.feedforward.outer_bias"] = np.zeros(3)
    tensors["readout.weight"], tensors["readout.bias"] = np.array([[2.0], [-2.0]]) @ np.eye(1, 3), np.array([-1.0, 1.0])
    layer = LayerConfig(SelectiveRnnConfig(1, "positive"), FeedForwardConfig(len(knots)))
    return model_of(ModelConfig(EmbeddingConfig(3), (layer,), ReadoutConfig(2), 3, "float64", N + 1), tensors, "counter")


def clamped(N: int) -> Model:
    """The counter in fixed:6,2, whose numbers end at 7.75: room for the ReLUs, and for eleven ones."""
    return Model(replace(counter(N).config, arithmetic="fixed:6,2"))


def test_a_counter_with_positive_gates_is_right_until_its_number_is_full_and_then_confuses_two_words() -> None:
    for N, right in ((6, True), (7, True), (13, False)):
        model = clamped(N).double()
        model.load_state_dict(counter(N).state_dict())
        task = make_task("parity", length=N)
        words = torch.tensor([[*map(int, f"{w:0{N}b}"), 2] for w in range(2**N)])
        due = torch.tensor([task.answer(word) for word in words.tolist()])
        with torch.no_grad():
            holds = bool((model(words, at=-1).argmax(dim=-1) == due).all())
        assert holds == right, N
        found = colliding_prefixes(model, task).certificate
        assert (found is None) == right
        if found is not None:
            verdict = check_document(found)
            assert verdict.holds, verdict.reason
    assert Gated(3, (1, 1), (0, 1), -4).confused_at(20) == 8
