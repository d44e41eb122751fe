"""Turing machines as data, and what they accept."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from separatrix.errors import BadInput
from separatrix.tasks.machine import machine_text, read_machine
from separatrix.tasks.turing_machine import TuringMachine

PALINDROME = machine_text("palindrome")


def accepted(task: TuringMachine, word: str) -> bool:
    answer = task.answer(task.read(" ".join(("<s>", *word, *["#"] * task.padding))))
    assert answer is not None
    return task.target_text(answer) == "YES"


@pytest.mark.parametrize("n", [1, 2, 5, 6])
def test_the_palindrome_machine_accepts_palindromes(n: int) -> None:
    task = TuringMachine(n, padding=2)
    for word in map("".join, product("01", repeat=n)):
        assert accepted(task, word) == (word == word[::-1])


def test_the_increment_machine_accepts_where_a_digit_is_added() -> None:
    task = TuringMachine(4, machine="increment")
    assert [word for word in map("".join, product("01", repeat=4)) if accepted(task, word)] == ["1111"]


def test_the_example_of_the_documentation_and_its_chain() -> None:
    task = TuringMachine(1, thought="chain")
    chain = task.chain(task.read("<s> 0"))
    assert task.text(chain or ()) == "r:0 w:_ q:seek0 R r:_ w:_ q:last0 L r:_ w:_ q:yes R YES </s>"


def test_a_machine_is_a_name_a_file_or_a_text(tmp_path: Path) -> None:
    file = tmp_path / "machine.toml"
    file.write_text(PALINDROME)
    assert TuringMachine(3) == TuringMachine(3, machine=str(file)) == TuringMachine(3, machine=PALINDROME)
    assert TuringMachine(3).parameters["machine"] == PALINDROME  # what a certificate then contains
    with pytest.raises(BadInput, match=r"^machine: expected a file, or one of increment, palindrome, found 'nothing'$"):
        TuringMachine(3, machine="nothing")


def test_inputs_on_which_the_machine_does_not_halt_in_time_or_space_have_no_answer() -> None:
    prompt = TuringMachine(4).read("<s> 0 1 1 0")
    steps = len(TuringMachine(4).log(prompt) or ())
    assert TuringMachine(4, steps=steps).answer(prompt) is not None
    assert TuringMachine(4, steps=steps - 1).answer(prompt) is None
    assert TuringMachine(4, margin=0).answer(prompt) is None  # it looks at the blank beside its input
    with pytest.raises(BadInput, match=r"the machine does not halt on .* within 1 steps and its cells"):
        TuringMachine(4, steps=1).sample(0, 4)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('reject = "no"', 'reject = "yes"', "accept and reject must be two states without moves, found 'yes' and 'yes'"),
        ('start = "first"', 'start = "never"', "the first state 'never' has no moves"),
        (
            '1 = ["seek1", "_", "R"]\n',
            "",
            "1 of 18 are missing: state 'first' at '1'; one that should reject is, in [moves.first], '1' = [\"no\", \"1\", \"S\"]",
        ),
        ('["seek0", "_", "R"]', '["gone", "_", "R"]', "state 'first' at '0' goes to 'gone', which has no moves and does not halt"),
        ('["seek0", "_", "R"]', '["seek0", "_", "up"]', "state 'first' at '0': expected [state, symbol, 'L', 'R' or 'S']"),
        ('["seek0", "_", "R"]', '["seek0", "x", "R"]', "6 of 24 are missing: state 'first' at 'x', "),
        ('blank = "_"', 'blank = ""', "expected text for 'blank', found ''"),
        ('blank = "_"', 'colour = "_"', "expected text for 'blank', found None"),
        ("[moves.first]", "[moves.first", "Expected ']'"),
    ],
)
def test_a_table_that_is_not_a_machine_is_refused_in_one_line(old: str, new: str, message: str) -> None:
    assert old in PALINDROME
    with pytest.raises(BadInput) as refused:
        read_machine(PALINDROME.replace(old, new, 1))
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_machine_without_a_way_to_halt_is_refused() -> None:
    text = 'start = "a"\naccept = "y"\nreject = "n"\nblank = "_"\ninput = "1"\n[moves.a]\n_ = ["a", "_", "R"]\n1 = ["a", "1", "R"]\n'
    with pytest.raises(BadInput, match=r"^machine: no move leads to a state that halts$"):
        read_machine(text)
