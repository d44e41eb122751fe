"""Boolean circuits as data, over the whole input or one bit at a time."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from separatrix.errors import BadInput
from separatrix.tasks.circuit import Circuit
from separatrix.tasks.gates import read_circuit

MAJORITY = 'gates = ["x1", "x2", "x3", "and 1 2", "or 1 2", "and 5 3", "or 4 6"]\n'


def output(task: Circuit, bits: tuple[int, ...]) -> int:
    tokens = task.read(" ".join(["<s>", *map(str, bits)]))
    answer = task.answer(tokens)
    assert answer == task.second(tokens)
    return int(task.target_text(answer or 0))


@pytest.mark.parametrize("n", [1, 2, 5])
@pytest.mark.parametrize("name", ["parity", "recurrent-parity"])
def test_parity_in_one_circuit_and_bit_by_bit(name: str, n: int) -> None:
    task = Circuit(n, circuit=name)
    assert all(output(task, bits) == sum(bits) % 2 for bits in product((0, 1), repeat=n))


def test_the_number_of_ones_modulo_three() -> None:
    task = Circuit(6, circuit="recurrent-mod-3")
    assert all(output(task, bits) == (sum(bits) % 3 == 2) for bits in product((0, 1), repeat=6))


def test_a_model_of_two_bits_adds_up_what_it_reads_and_says_the_sum_with_its_bits_swapped() -> None:
    """And then reads two tokens of its own."""
    task, swapped = Circuit(3, circuit="recurrent-add-4"), (0, 2, 1, 3)

    def expected(tokens: tuple[int, ...]) -> int:
        total = sum(tokens) % 4
        for _ in range(2):
            total = (total + swapped[total]) % 4
        return swapped[total]

    assert all(output(task, tokens) == expected(tokens) for tokens in product(range(4), repeat=3))


def test_the_chain_of_a_recurrent_circuit_is_its_sequence_with_the_gates_in_between() -> None:
    task = Circuit(3, circuit="recurrent-parity", thought="chain")
    chain = task.text(task.chain(task.read("<s> 1 0 1")) or ())
    assert chain == "1 b0 b1 b1 0 b1 b0 b1 1 b1 b1 b0 0 </s>"


def test_a_circuit_is_a_name_a_file_or_a_text(tmp_path: Path) -> None:
    (tmp_path / "majority.toml").write_text(MAJORITY)
    task = Circuit(3, circuit=str(tmp_path / "majority.toml"), thought="chain")
    assert task == Circuit(3, circuit=MAJORITY, thought="chain")
    assert all(output(task, bits) == (sum(bits) >= 2) for bits in product((0, 1), repeat=3))
    assert task.text(task.chain(task.read("<s> 1 0 1")) or ()) == "1 0 1 0 1 1 1 </s>"
    with pytest.raises(
        BadInput,
        match=r"^circuit: expected a file, or one of parity, recurrent-parity, recurrent-mod-3, recurrent-add-4, found 'majority'$",
    ):
        Circuit(3, circuit="majority")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('gates = ["x1", "and 1 2"]', "gate 2 reads gate 2: expected an earlier one, so that there is no cycle"),
        ('gates = ["and 2 2", "x1"]', "gate 1 reads gate 2: expected an earlier one, so that there is no cycle"),
        ('gates = ["x3"]', "gate 1 reads bit 3 of the input, which has 2"),
        ('gates = ["x"]', "gate 1 is 'x': a recurrent circuit without `bits` reads `x`, another one `x1` .. `x2`"),
        ('state = 1\ngates = ["x1"]', "gate 1 is 'x1': a recurrent circuit without `bits` reads `x`, another one `x1` .. `x2`"),
        ('state = 1\ngates = ["s2", "x"]', "gate 1 reads bit 2 of the state, which has 1"),
        ('state = 3\ngates = ["x"]', "state must lie in 1..1, found 3"),
        ('gates = ["nand 1 1"]', "gate 1 is 'nand 1 1': expected xI, sI, one, not A, and A B, or A B, xor A B"),
        ("gates = []", "expected `gates`, a list of 1 to 100000 texts, and `state` if it is recurrent"),
        ('bits = 2\ngates = ["x1"]', "and `state` if it is recurrent, then also `bits` and `steps`"),
        ('state = 1\nbits = 2\ngates = ["x1", "x2"]', "bits must lie in 1..1, as so many gates stand before those of the state, found 2"),
        (
            'state = 1\nbits = 1\ngates = ["x", "x1"]',
            "gate 1 is 'x': a recurrent circuit without `bits` reads `x`, another one `x1`",
        ),
        ('state = 1\nsteps = -1\ngates = ["x"]', "steps must lie in 0..100000, found -1"),
        ('gates = ["x1"', "Unclosed array"),
    ],
)
def test_what_is_not_a_circuit_is_refused_in_one_line(text: str, message: str) -> None:
    with pytest.raises(BadInput) as refused:
        read_circuit(text, 2)
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)
