"""The register file computed twice, by programs that share nothing; and what is no register file."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
import torch

from separatrix.certificates.description import describe_model, weights_file
from separatrix.checker.models.description import read_description
from separatrix.checker.models.model import Model
from separatrix.checker.numbers.formats import numbers
from separatrix.checker.seal import Refused
from separatrix.checker.weights import parse_safetensors
from separatrix.models.register_file import RegisterFile, RegisterFileConfig

BOOLEAN = [  # gates a, b, c, d whose value a + b v + c r + d v r is 0 or 1 for all bits v, r: every one of the 16 functions
    [f0, f2 - f0, f1 - f0, f3 - f2 - f1 + f0] for f0 in (0, 1) for f1 in (0, 1) for f2 in (0, 1) for f3 in (0, 1)
]


def drawn(rng: np.random.Generator, arithmetic: str = "float32") -> RegisterFile:
    config = RegisterFileConfig(
        registers=int(rng.integers(1, 5)),
        length=int(rng.integers(1, 6)),
        writes=int(rng.integers(1, 5)),
        plain=int(rng.integers(1, 4)),
        numbers=int(rng.integers(0, 3)),
        targets=int(rng.integers(1, 4)),
        scratch=int(rng.integers(0, 3)),
        arithmetic=arithmetic,
    )
    model = RegisterFile(config)
    with torch.no_grad():
        for _, buffer in model.named_buffers():
            buffer.copy_(torch.from_numpy(rng.integers(0, config.registers + config.scratch, tuple(buffer.shape))))
        choice = rng.integers(0, 16, tuple(model.gates.shape[:3]))
        model.gates.copy_(torch.tensor(BOOLEAN, dtype=torch.float32)[torch.from_numpy(choice)])
        model.unembedding.copy_(torch.from_numpy(rng.integers(-3, 4, tuple(model.unembedding.shape))))
        model.unembedding_bias.copy_(torch.from_numpy(rng.integers(-3, 4, config.targets)))
    return model


def checked(model: RegisterFile, **changed: np.ndarray) -> Model:
    description = read_description(json.loads(json.dumps(describe_model(model))))
    return Model(description, parse_safetensors(weights_file(model)) | changed, numbers(description.arithmetic))


@pytest.mark.parametrize("arithmetic", ["float32", "fixed:9,2", "fixed:80,30"])
def test_both_programs_give_the_same_logits_at_every_position(arithmetic: str) -> None:
    rng, scratched = np.random.default_rng(0), 0
    for _ in range(100):
        model = drawn(rng, arithmetic)
        c = model.config
        tokens = rng.integers(0, c.plain + c.numbers, (2, c.length))
        with torch.no_grad():
            said = model(torch.from_numpy(tokens)).numpy()
        ready = checked(model)
        found = ready.logits(tokens, list(range(c.length)))
        assert found.error is None
        assert (found.value / (ready.ops.scale or 1)).tolist() == said.tolist(), model.config
        scratched += c.scratch > 0 and c.length > 2
    assert scratched > 20  # a scratch register that kept its value would show


def one_register(**chosen: Any) -> RegisterFile:
    return RegisterFile(RegisterFileConfig(**({"registers": 1, "length": 2, "writes": 1, "plain": 2, "numbers": 0, "targets": 2} | chosen)))


def test_a_register_holds_a_bit() -> None:
    model = one_register()
    with torch.no_grad():
        model.gates[1, 0, 1] = torch.tensor([2.0, 0.0, 0.0, 0.0])
    assert checked(model).logits(np.array([1, 0]), [1]).shape == (1, 2)
    with pytest.raises(Refused, match=r"^weights: token 2 of an input puts 2 into a register of one bit$"):
        checked(model).logits(np.array([0, 1]), [1])


def test_gates_are_integers() -> None:
    """a = 1e-30 and b = 1 would be a bit in one order of summation, and not in real numbers."""
    for gate in ([1e-30, 1.0, 0.0, 0.0], [0.5, 0.5, 0.0, 0.0], [0.0, 1.0, 2.0**21, 0.0]):
        model = one_register()
        with torch.no_grad():
            model.gates[0, 0, 0] = torch.tensor(gate)
        with pytest.raises(Refused, match=r"^weights: the gates of a register file are integers"):
            checked(model).logits(np.array([1, 1]), [1])


def test_a_stream_that_is_not_one_hot_is_refused() -> None:
    model = one_register()
    table = np.eye(2, dtype=np.float32)
    for wrong in (table * 2, table * 0, np.ones((2, 2), dtype=np.float32), table + np.float32(1e-7)):
        with pytest.raises(Refused, match=r"one-hot"):
            checked(model, **{"embedding.table": wrong}).logits(np.array([0, 1]), [1])


@pytest.mark.parametrize(
    ("name", "change", "reason"),
    [
        ("write", lambda x: x + 5, r"write does not hold integers 0\.\.2"),
        ("read", lambda x: x - 1, r"read does not hold integers 0\.\.2"),
        ("write", lambda x: x.astype(np.float32), r"write does not hold integers"),
        ("gates", lambda x: x.astype(np.int64), "gates does not hold floating-point numbers"),
        ("gates", lambda x: x[:1], "gates has shape"),
    ],
)
def test_weights_that_fit_no_register_file_are_refused(name: str, change: Any, reason: str) -> None:
    model = one_register(registers=3)
    tensor = parse_safetensors(weights_file(model))[f"layers.0.mixer.{name}"]
    with pytest.raises(Refused, match=reason):
        checked(model, **{f"layers.0.mixer.{name}": change(tensor)})


def test_inputs_that_do_not_fit_are_refused() -> None:
    for tokens in ([0, 0, 0], [0, 2], [-1, 0]):
        with pytest.raises(Refused, match=r"^an input has"):
            checked(one_register()).logits(np.array(tokens), [1])


def test_the_register_file_has_weights_for_its_own_number_of_tokens() -> None:
    description = describe_model(one_register())
    longer = read_description({**json.loads(json.dumps(description)), "length": 3})
    ready = Model(longer, parse_safetensors(weights_file(one_register())), numbers("float32"))
    with pytest.raises(Refused, match=r"^an input has 3 tokens, the register file has weights for 2$"):
        ready.logits(np.array([0, 0, 0]), [2])


def test_a_width_that_cannot_hold_it_is_refused() -> None:
    description = json.loads(json.dumps(describe_model(one_register(registers=3))))
    with pytest.raises(Refused, match=r"a stream of width 2 does not hold its rows and numbers, or its registers$"):
        read_description({**description, "width": 2})
