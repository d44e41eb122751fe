"""Registers of one bit: written in turn, read by number, refused where they would hold anything else."""

from __future__ import annotations

import pytest
import torch

from separatrix.arithmetic import arithmetic
from separatrix.errors import BadInput
from separatrix.models.mixers.register_file import RegisterFile, RegisterFileConfig

AND, SET, COPY, KEEP = (0.0, 0.0, 0.0, 1.0), (1.0, 0.0, 0.0, 0.0), (0.0, 0.0, 1.0, 0.0), (0.0, 1.0, 0.0, 0.0)


def make(**chosen: int) -> RegisterFile:
    sizes = {"registers": 3, "scratch": 1, "writes": 2, "rows": 2, "numbers": 2, "length": 3, **chosen}
    return RegisterFileConfig(**sizes).build(5, arithmetic("float32"))


def stream(*tokens: tuple[int, int]) -> torch.Tensor:
    """(row, number) of one row of tokens; number 0 is none."""
    x = torch.zeros(1, len(tokens), 5)
    for t, (row, number) in enumerate(tokens):
        x[0, t, row] = 1
        if number:
            x[0, t, 2 + number - 1] = 1
    return x


def test_writes_come_one_after_the_other_and_scratch_is_cleared() -> None:
    """Row 1 sets register 0 and copies it into scratch register 3; the next token copies scratch, which is 0 again, into register 1."""
    file = make()
    file.write[0] = torch.tensor([0, 3])
    file.read[0] = torch.tensor([0, 0])
    file.write[1] = torch.tensor([1, 2])
    file.read[1] = torch.tensor([3, 0])
    with torch.no_grad():
        file.gates[0, 0, 1], file.gates[0, 1, 1] = torch.tensor(SET), torch.tensor(COPY)
        file.gates[1, 0, 1], file.gates[1, 1, 1] = torch.tensor(COPY), torch.tensor(COPY)
        mixed = file(stream((1, 0), (1, 0)))
    assert mixed[0].tolist() == [[1, 0, 0, 0, 0], [1, 0, 1, 0, 0]]


def test_a_number_reads_a_register_of_its_own() -> None:
    file = make(writes=1)
    file.write[0, 0], file.write[1, 0] = 1, 0
    assert file.number_read is not None
    file.number_read[:, 0] = torch.tensor([1, 2])
    with torch.no_grad():
        file.gates[0, 0, 0], file.gates[1, 0, 1] = torch.tensor(SET), torch.tensor(COPY)
        first, second = file(stream((0, 0), (1, 1))), file(stream((0, 0), (1, 2)))
    assert first[0, 1, 0] == 1  # number 1 reads register 1, which was set
    assert second[0, 1, 0] == 0  # number 2 reads register 2


def test_the_state_is_one_bit_per_register_whatever_the_format() -> None:
    file = make()
    state, _ = file.step(file.initial_state(1), stream((0, 0))[:, 0], 0)
    assert state[0].dtype == torch.bool
    assert state[0].shape == (1, 3)
    assert file.state_bits(2, 64) == file.state_bits(2, 16) == 3


def test_it_is_exact_in_every_format() -> None:
    config = RegisterFileConfig(1, 0, 1, 2, 0, 2)
    for name in ("fixed:8,4", "nearest:9", "float64"):
        file = config.build(2, arithmetic(name))
        with torch.no_grad():
            file.gates[0, 0, 1] = torch.tensor(SET)
            x = file.numbers.enter(torch.tensor([[[0.0, 1.0], [1.0, 0.0]]]))
            assert file.numbers.leave(file(x))[0].tolist() == [[1, 0], [1, 0]]


def test_anything_but_bits_is_refused() -> None:
    file = make()
    with torch.no_grad():
        file.gates[0, 0, 0] = torch.tensor([0.5, 0.0, 0.0, 0.0])
    with pytest.raises(BadInput, match=r"^register-file: token 1 writes 0\.5 to a one-bit register$"):
        file(stream((0, 0)))
    for wrong in (
        torch.zeros(1, 1, 5),
        2 * stream((0, 0)),
        stream((0, 0)) + stream((1, 0)),
        stream((0, 1)) + stream((0, 2)) - stream((0, 0)),
    ):
        with pytest.raises(BadInput, match=r"^register-file: the first 4 coordinates of the stream must be a one-hot row and number$"):
            file(wrong)
    with pytest.raises(BadInput, match=r"^register-file: there are weights for 3 tokens, found one more$"):
        file(stream(*((1, 0),) * 4))
