"""The register file computed twice, by programs that share nothing; and what is no register file."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
import torch
from separatrix.models.register_file import RegisterFile, RegisterFileConfig

from separatrix.checker.numbers import numbers
from separatrix.checker.registers import Registers
from separatrix.checker.seal import Refused
from separatrix.checker.weights import parse_safetensors
from separatrix.models.saved import describe, weights_bytes

BOOLEAN = [  # gates a, b, c, d whose value a + b v + c r + d v r is 0 or 1 for all bits v, r: every one of the 16 functions
    [f0, f2 - f0, f1 - f0, f3 - f2 - f1 + f0] for f0 in (0, 1) for f1 in (0, 1) for f2 in (0, 1) for f3 in (0, 1)
]


def drawn(rng: np.random.Generator) -> RegisterFile:
    config = RegisterFileConfig(
        registers=int(rng.integers(1, 5)),
        length=int(rng.integers(1, 6)),
        writes=int(rng.integers(1, 5)),
        plain=int(rng.integers(1, 4)),
        numbers=int(rng.integers(0, 3)),
        targets=int(rng.integers(1, 4)),
        scratch=int(rng.integers(0, 3)),
    )
    model = RegisterFile(config)
    with torch.no_grad():
        for _, buffer in model.named_buffers():
            buffer.copy_(torch.from_numpy(rng.integers(0, config.registers + config.scratch, tuple(buffer.shape))))
        choice = rng.integers(0, 16, tuple(model.gates.shape[:3]))
        model.gates.copy_(torch.tensor(BOOLEAN, dtype=torch.float32)[torch.from_numpy(choice)])
        model.readout.weight.copy_(torch.from_numpy(rng.integers(-3, 4, tuple(model.readout.weight.shape))))
        model.readout.bias.copy_(torch.from_numpy(rng.integers(-3, 4, config.targets)))
    return model


def checked(model: RegisterFile) -> Registers:
    return Registers(json.loads(json.dumps(describe(model)["config"])), parse_safetensors(weights_bytes(model)), numbers("float32"))


def test_both_programs_give_the_same_logits_at_every_position() -> None:
    rng, scratched = np.random.default_rng(0), 0
    for _ in range(150):
        model = drawn(rng)
        c = model.config
        tokens = rng.integers(0, c.plain + c.numbers, c.length)
        with torch.no_grad():
            said = model(torch.from_numpy(tokens[None]))[0].numpy()
        assert checked(model).logits(tokens, list(range(c.length))).tolist() == said.tolist(), model.config
        scratched += c.scratch > 0 and c.length > 2
    assert scratched > 30  # a scratch register that kept its value would show


def test_a_register_holds_a_bit() -> None:
    model = RegisterFile(RegisterFileConfig(registers=1, length=2, writes=1, plain=2, numbers=0, targets=2))
    with torch.no_grad():
        model.gates[1, 0, 1] = torch.tensor([2.0, 0.0, 0.0, 0.0])
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
    tensors = parse_safetensors(weights_bytes(RegisterFile(RegisterFileConfig(**config))))  # type: ignore[arg-type]
    assert Registers(config, tensors, numbers("float32")).config == config
    with pytest.raises(Refused, match=reason):
        Registers(config, {**tensors, name: change(tensors[name])}, numbers("float32"))
    with pytest.raises(Refused, match=r"^weights: expected gates, read"):
        Registers(config, {**tensors, "more": tensors["gates"]}, numbers("float32"))


def test_cases_that_do_not_fit_are_refused() -> None:
    model = RegisterFile(RegisterFileConfig(registers=1, length=2, writes=1, plain=2, numbers=0, targets=2))
    for tokens in ([0, 0, 0], [0, 2], [-1, 0]):
        with pytest.raises(Refused, match=r"^a case has too many tokens, or one outside the model's vocabulary$"):
            checked(model).logits(np.array(tokens), [1])
