"""The register file computed twice, by programs that share nothing; and what is no register file."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
import torch

from separatrix.checker.models.description import read_description
from separatrix.checker.models.mixers.register_file import RegisterFile as CheckedFile
from separatrix.checker.models.model import Model
from separatrix.checker.numbers.formats import numbers
from separatrix.checker.seal import Refused
from separatrix.checker.weights import parse_safetensors
from separatrix.constructions.compiler import model_of
from separatrix.constructions.register_program import Registers
from separatrix.models.config import EmbeddingConfig, LayerConfig, ModelConfig, PlaceConfig, ReadoutConfig
from separatrix.models.mixers.register_file import RegisterFile, RegisterFileConfig
from separatrix.models.model import Model as Built
from tests.described import describe_model, weights_file

BOOLEAN = [  # gates a, b, c, d whose value a + b v + c r + d v r is 0 or 1 for all bits v, r: every one of the 16 functions
    [f0, f2 - f0, f1 - f0, f3 - f2 - f1 + f0] for f0 in (0, 1) for f1 in (0, 1) for f2 in (0, 1) for f3 in (0, 1)
]


def empty(
    registers: int = 1, length: int = 2, writes: int = 1, plain: int = 2, numbered: int = 0, targets: int = 2, scratch: int = 0,
    arithmetic: str = "float32",
) -> Built:  # fmt: skip
    """A register file that writes nothing yet."""
    program = Registers(registers, length, writes, plain, numbered, scratch)
    mixer = RegisterFileConfig(registers, scratch, writes, program.rows, numbered, length)
    embedding = EmbeddingConfig(plain, numbered, PlaceConfig("one-hot", numbered) if numbered else None)
    config = ModelConfig(embedding, (LayerConfig(mixer),), ReadoutConfig(targets), mixer.least_width, arithmetic=arithmetic, length=length)
    return model_of(config, program.tensors(mixer.least_width, targets, 1), "a register file")


def file_of(model: Built) -> RegisterFile:
    mixer = model.each_layer()[0].mixer
    assert isinstance(mixer, RegisterFile)
    return mixer


def drawn(rng: np.random.Generator, arithmetic: str = "float32") -> Built:
    sizes = (int(rng.integers(*span)) for span in ((1, 5), (1, 6), (1, 5), (1, 4), (0, 3), (1, 4), (0, 3)))
    model = empty(*sizes, arithmetic=arithmetic)
    file = file_of(model)
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


def checked(model: Built, **changed: np.ndarray) -> Model:
    description = read_description(json.loads(json.dumps(describe_model(model))))
    return Model(description, parse_safetensors(weights_file(model)) | changed, numbers(description.arithmetic))


@pytest.mark.parametrize("arithmetic", ["float32", "fixed:9,2", "fixed:80,30"])
def test_both_programs_give_the_same_logits_at_every_position(arithmetic: str) -> None:
    rng, scratched = np.random.default_rng(0), 0
    for _ in range(100):
        model = drawn(rng, arithmetic)
        c = file_of(model).config
        tokens = rng.integers(0, model.config.embedding.vocabulary, (2, c.length))
        with torch.no_grad():
            outputs = model(torch.from_numpy(tokens)).numpy()
        ready = checked(model)
        output = ready.logits(tokens, list(range(c.length)))
        assert output.point
        assert (output.low / (ready.ops.scale or 1)).tolist() == outputs.tolist(), model.config
        scratched += c.scratch > 0 and c.length > 2
    assert scratched > 20  # a scratch register that kept its value would show


def test_a_register_holds_a_bit() -> None:
    model = empty()
    with torch.no_grad():
        file_of(model).gates[1, 0, 1] = torch.tensor([2.0, 0.0, 0.0, 0.0])
    assert checked(model).logits(np.array([1, 0]), [1]).shape == (1, 2)
    with pytest.raises(Refused, match=r"^weights: token 2 of an input writes 2 to a one-bit register$"):
        checked(model).logits(np.array([0, 1]), [1])


def test_gates_are_integers() -> None:
    """a = 1e-30 and b = 1 would be a bit in one order of summation, and not in real numbers."""
    for gate in ([1e-30, 1.0, 0.0, 0.0], [0.5, 0.5, 0.0, 0.0], [0.0, 1.0, 2.0**21, 0.0]):
        model = empty()
        with torch.no_grad():
            file_of(model).gates[0, 0, 0] = torch.tensor(gate)
        with pytest.raises(Refused, match=r"^weights: the gates of a register file are integers"):
            checked(model).logits(np.array([1, 1]), [1])


def test_a_stream_that_is_not_one_hot_is_refused() -> None:
    model = empty()
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
    model = empty(registers=3)
    tensor = parse_safetensors(weights_file(model))[f"layers.0.mixer.{name}"]
    with pytest.raises(Refused, match=reason):
        checked(model, **{f"layers.0.mixer.{name}": change(tensor)})


def test_inputs_that_do_not_fit_are_refused() -> None:
    for tokens in ([0, 0, 0], [0, 2], [-1, 0]):
        with pytest.raises(Refused, match=r"^an input has"):
            checked(empty()).logits(np.array(tokens), [1])


def test_the_register_file_has_weights_for_its_own_number_of_tokens() -> None:
    description = describe_model(empty())
    longer = read_description({**json.loads(json.dumps(description)), "length": 3})
    ready = Model(longer, parse_safetensors(weights_file(empty())), numbers("float32"))
    with pytest.raises(Refused, match=r"^an input has 3 tokens, the register file has weights for 2$"):
        ready.logits(np.array([0, 0, 0]), [2])


def test_a_width_that_cannot_hold_it_is_refused() -> None:
    description = json.loads(json.dumps(describe_model(empty(registers=3))))
    with pytest.raises(Refused, match=r"a stream of width 2 does not hold its rows and numbers, or its registers$"):
        read_description({**description, "width": 2})


@pytest.mark.parametrize("gate", [2.0**20 + 1, 2.0**62, 2.0**63, 2.0**64, 2.0**90])
def test_gates_are_integers_of_at_most_twenty_bits_also_where_64_do_not_hold_them(gate: float) -> None:
    mixer, ops = CheckedFile(1, 0, 1, 1, 0, 1), numbers("float64")
    assert int(mixer.whole_gates(ops, np.array([2.0**20])).max()) == 1 << 20
    for sign in (1, -1):
        with pytest.raises(Refused, match="the gates of a register file are integers up to 1048576"):
            mixer.whole_gates(ops, np.array([sign * gate]))
