"""The register file computed twice, by programs that share nothing; and what is no register file."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from separatrix.certificates.version_1 import version_1
from separatrix.checker.numbers import numbers
from separatrix.checker.registers import Registers
from separatrix.checker.seal import Refused
from separatrix.checker.weights import parse_safetensors
from separatrix.constructions.bhattamishra2024.registers import Registers as Program
from separatrix.constructions.compiler import model_of
from separatrix.models.config import EmbeddingConfig, LayerConfig, ModelConfig, PlaceConfig, ReadoutConfig
from separatrix.models.mixers.register_file import RegisterFile, RegisterFileConfig
from separatrix.models.model import Model
from separatrix.models.saved import describe, weights_bytes

BOOLEAN = [  # gates a, b, c, d whose value a + b v + c r + d v r is 0 or 1 for all bits v, r: every one of the 16 functions
    [f0, f2 - f0, f1 - f0, f3 - f2 - f1 + f0] for f0 in (0, 1) for f1 in (0, 1) for f2 in (0, 1) for f3 in (0, 1)
]


def made(registers: int, length: int, writes: int, plain: int, numbers: int, targets: int, scratch: int = 0) -> Model:
    program = Program(registers, length, writes, plain, numbers, scratch)
    mixer = RegisterFileConfig(registers, scratch, writes, program.rows, numbers, length)
    embedding = EmbeddingConfig(plain, numbers, PlaceConfig("one-hot", numbers) if numbers else None)
    config = ModelConfig(embedding, (LayerConfig(mixer),), ReadoutConfig(targets), mixer.least_width, length=length)
    return model_of(config, program.tensors(mixer.least_width, targets, 1), "a register file")


def drawn(rng: np.random.Generator) -> Model:
    model = made(*(int(rng.integers(*span)) for span in ((1, 5), (1, 6), (1, 5), (1, 4), (0, 3), (1, 4), (0, 3))))
    file = model.each_layer()[0].mixer
    assert isinstance(file, RegisterFile)
    with torch.no_grad():
        for _, buffer in file.named_buffers():
            buffer.copy_(torch.from_numpy(rng.integers(0, file.config.registers + file.config.scratch, tuple(buffer.shape))))
        choice = rng.integers(0, 16, tuple(file.gates.shape[:3]))
        file.gates.copy_(torch.tensor(BOOLEAN, dtype=torch.float32)[torch.from_numpy(choice)])
        used = model.readout.weight[:, : file.config.registers]
        used.copy_(torch.from_numpy(rng.integers(-3, 4, tuple(used.shape))))
        assert model.readout.bias is not None
        model.readout.bias.copy_(torch.from_numpy(rng.integers(-3, 4, tuple(model.readout.bias.shape))))
    return model


def checked(model: Model) -> Registers:
    document, weights = version_1(describe(model), weights_bytes(model))
    return Registers(document["config"], parse_safetensors(weights), numbers("float32"))


def test_both_programs_give_the_same_logits_at_every_position() -> None:
    rng, scratched = np.random.default_rng(0), 0
    for _ in range(150):
        model = drawn(rng)
        c = checked(model).config
        tokens = rng.integers(0, c["plain"] + c["numbers"], c["length"])
        with torch.no_grad():
            said = model(torch.from_numpy(tokens[None]))[0].numpy()
        assert checked(model).logits(tokens, list(range(c["length"]))).tolist() == said.tolist(), model.config
        scratched += c["scratch"] > 0 and c["length"] > 2
    assert scratched > 30  # a scratch register that kept its value would show


def test_a_register_holds_a_bit() -> None:
    model = made(registers=1, length=2, writes=1, plain=2, numbers=0, targets=2)
    with torch.no_grad():
        model.each_layer()[0].mixer.gates[1, 0, 1] = torch.tensor([2.0, 0.0, 0.0, 0.0])
    assert checked(model).logits(np.array([1, 0]), [1]).shape == (1, 2)
    with pytest.raises(Refused, match=r"^weights: token 2 of a case puts 2\.0 into a register of one bit$"):
        checked(model).logits(np.array([0, 1]), [1])


@pytest.mark.parametrize(
    ("name", "change", "reason"),
    [
        ("write", lambda x: x + 5, "write names a register that is not there"),
        ("read", lambda x: x - 1, "read names a register that is not there"),
        ("write", lambda x: x.astype(np.float32), "write holds numbers of the wrong type"),
        ("gates", lambda x: x.astype(np.int64), "gates holds numbers of the wrong type"),
        ("gates", lambda x: x[:1], "gates has shape"),
        ("unembedding", lambda x: x.T, "unembedding has shape"),
    ],
)
def test_weights_that_fit_no_register_file_are_refused(name: str, change: Any, reason: str) -> None:
    config = {"registers": 3, "length": 2, "writes": 1, "plain": 2, "numbers": 0, "targets": 2, "scratch": 0, "arithmetic": "float32"}
    tensors = checked(made(3, 2, 1, 2, 0, 2)).weights
    assert Registers(config, tensors, numbers("float32")).config == config
    with pytest.raises(Refused, match=reason):
        Registers(config, {**tensors, name: change(tensors[name])}, numbers("float32"))
    with pytest.raises(Refused, match=r"^weights: expected gates, read"):
        Registers(config, {**tensors, "more": tensors["gates"]}, numbers("float32"))


def test_cases_that_do_not_fit_are_refused() -> None:
    model = made(registers=1, length=2, writes=1, plain=2, numbers=0, targets=2)
    for tokens in ([0, 0, 0], [0, 2], [-1, 0]):
        with pytest.raises(Refused, match=r"^a case has too many tokens, or one outside the model's vocabulary$"):
            checked(model).logits(np.array(tokens), [1])
