from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from separatrix.errors import BadInput
from separatrix.tasks import make_task
from separatrix.tasks.function import Function
from tests.tasks.plain_counter import Draws

SOURCE = """
import itertools

calls = itertools.count()

def more_b(word):
    return word.count("b") > word.count("a")

def third(word):
    return len(word) and (ord(word[0]) - ord("a")) % 3

def begins_with_b(word):
    return None if word[0] == "a" else word.count("b") % 2

def every_other_time(word):
    return next(calls) % 2

def divides(word):
    return 1 // (word[0] == "b")

def multi_line(word):
    raise RuntimeError("first\\nsecond")

def says_yes(word):
    return "yes"

def never(word):
    return None

NUMBER = 3
"""


@pytest.fixture
def place(tmp_path: Path) -> str:
    path = tmp_path / "mine.py"
    path.write_text(SOURCE)
    return str(path)


def make(place: str, name: str, length: int = 6) -> Function:
    task = make_task("function", length=length, function=f"{place}:{name}", alphabet="ab")
    assert isinstance(task, Function)
    return task


def test_any_function_of_a_tuple_of_symbols_is_a_task(place: str) -> None:
    task = make(place, "more_b", 5)
    assert task.answer((1, 1, 0, 1, 0)) == 1
    assert task.answer((1, 0, 0, 1, 0)) == 0
    assert task.answer((1, 2)) is None
    assert [*task.inputs()] == [*itertools.product(*task.alphabets())]
    batch = task.sample(0, 100)
    assert all(batch.answer(r) == task.answer(batch.row(r)) for r in range(100))
    assert task.read(task.text((1, 0, 1))) == (1, 0, 1)


def test_a_function_may_have_more_than_two_answers(place: str) -> None:
    task = make_task("function", length=4, function=f"{place}:third", alphabet="abc", classes=3)
    assert task.targets == 3
    assert {task.answer((s, 0, 0, 0)) for s in range(3)} == {0, 1, 2}


def test_strings_outside_the_promise_are_drawn_again(place: str) -> None:
    task = make(place, "begins_with_b")
    batch = task.sample(2, 200)
    assert len([*task.inputs()]) == 32
    tries = 0
    for r in range(200):
        draws = Draws(task, 2, r)
        attempt = next(t for t in range(1000) if draws.high(6 * t, 2) == 1)
        assert batch.row(r) == tuple(draws.high(6 * attempt + c, 2) for c in range(6))
        tries += attempt
    assert tries > 100


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("divides", r"function .*mine\.py:divides raised ZeroDivisionError on 'a.{5}': integer division or modulo by zero"),
        ("multi_line", r"function .*mine\.py:multi_line raised RuntimeError on '.{6}': first second"),
        ("every_other_time", r"function .*mine\.py:every_other_time is not deterministic: . and then . on '.{6}'"),
        ("says_yes", r"function .*mine\.py:says_yes must return True, False, None or a number 0\.\.1, found 'yes' on '.{6}'"),
        ("NUMBER", r"function: '.*mine\.py:NUMBER' is not a function but int"),
        ("missing", r"'.*mine\.py:missing': no 'missing' in .*"),
    ],
)
def test_what_is_not_a_function_is_refused_in_one_line(place: str, name: str, message: str) -> None:
    with pytest.raises(BadInput, match=f"^{message}$") as caught:
        make(place, name)
    assert "\n" not in str(caught.value)


def test_a_promise_that_no_string_keeps_is_refused(place: str) -> None:
    with pytest.raises(BadInput, match="never has no answer on 1000 random strings of length 6: its promise is too rare"):
        make(place, "never").sample(0, 3)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"alphabet": "aba"}, "function: the alphabet contains 'a' twice"),
        ({"alphabet": "a b"}, "function: the alphabet must be symbols without blanks, written 'ab' or as a list, found 'a b'"),
        ({"classes": 0}, "function: classes must be at least 1, found 0"),
        ({"function": "nowhere.py:f"}, "no such file: 'nowhere.py'"),
    ],
)
def test_parameters_that_make_no_task_are_refused(place: str, parameters: dict[str, object], message: str) -> None:
    with pytest.raises(BadInput) as caught:
        make_task("function", **{"length": 3, "function": f"{place}:more_b", "alphabet": "ab", **parameters})
    assert str(caught.value) == message


def test_symbols_outside_the_alphabet_are_refused(place: str) -> None:
    with pytest.raises(BadInput, match="function: expected one of a b, found 'ab'"):
        make(place, "more_b").read("ab")
