"""Alphabets and answer tables: what is accepted, and the one line that refuses the rest."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from separatrix.bounds.states.answers import alphabets_of, string_at, tabulate, tabulate_oracle
from separatrix.errors import BadInput


def refusal(call: Callable[[], object]) -> str:
    with pytest.raises(BadInput) as caught:
        call()
    text = str(caught.value)
    assert "\n" not in text
    return text


def test_a_string_is_the_alphabet_of_its_characters() -> None:
    assert alphabets_of("01", 3) == (("0", "1"),) * 3


def test_a_sequence_of_symbols_is_one_alphabet_for_all_positions() -> None:
    assert alphabets_of([0, 1, "x"], 2) == ((0, 1, "x"),) * 2
    assert alphabets_of(["open", "close"], 3) == (("open", "close"),) * 3


@pytest.mark.parametrize("per_position", [["01", "01", "abc"], [("0", "1"), ["0", "1"], "abc"], [list("01"), tuple("01"), ["a", "b", "c"]]])
def test_one_alphabet_per_position_may_be_strings_or_collections(per_position: list[Any]) -> None:
    assert alphabets_of(per_position, 3) == (("0", "1"), ("0", "1"), ("a", "b", "c"))


def test_symbols_that_are_tuples_go_in_one_list_per_position() -> None:
    pairs = [(0, 0), (0, 1)]
    assert alphabets_of([pairs, pairs], 2) == (((0, 0), (0, 1)),) * 2


@pytest.mark.parametrize(
    ("alphabet", "length", "says"),
    [
        ("010", 3, "symbols of the alphabet must differ, found '0' twice"),
        ([1, 2, 1], 5, "symbols of the alphabet must differ, found 1 twice"),
        (["01", "22", "01"], 3, "symbols of the alphabet of position 1 must differ, found '2' twice"),
        ("", 3, "alphabet must have at least one symbol, found none"),
        ([("a",), ()], 2, "alphabet of position 1 must have at least one symbol, found none"),
        ([("a",), ("b",)], 3, "one alphabet per position: expected 3 alphabets, found 2"),
        (["ab", "cd"], 2, "alphabet ['ab', 'cd'] could mean 2 symbols or one alphabet for each of 2 positions"),
        ([("a",), 3], 2, "alphabet mixes symbols with alphabets"),
        ([("a", [])], 1, "symbols of the alphabet of position 0 must be hashable"),
        (7, 2, "alphabet must be a string, a sequence of symbols, or one of these per position, found 7"),
        ("01", 0, "length must be a positive whole number, found 0"),
        ("01", -2, "length must be a positive whole number, found -2"),
        ("01", True, "length must be a positive whole number, found True"),
    ],
)
def test_an_alphabet_that_cannot_be_read_is_refused_in_one_line(alphabet: Any, length: int, says: str) -> None:
    assert says in refusal(lambda: alphabets_of(alphabet, length))


def test_a_table_lists_the_answers_in_row_major_order() -> None:
    alphabets = alphabets_of(["ab", (0, 1, 2)], 2)
    table = tabulate(lambda x: None if x == ("b", 0) else f"{x[0]}{x[1] % 2}", alphabets)
    strings = list(itertools.product("ab", (0, 1, 2)))
    assert [string_at(i, alphabets) for i in range(6)] == strings
    results = [None if code < 0 else table.values[code] for code in table.codes.tolist()]
    assert results == ["a0", "a1", "a0", None, "b1", "b0"]
    assert table.sizes == (2, 3)


def test_a_function_that_raises_is_reported_with_its_input() -> None:
    def answer(x: tuple[str, ...]) -> int:
        return 1 // (2 - x.count("1"))

    assert refusal(lambda: tabulate(answer, alphabets_of("01", 3))) == (
        "answer raised ZeroDivisionError (integer division or modulo by zero) on ('0', '1', '1')"
    )


def test_a_function_with_two_answers_is_reported() -> None:
    calls = itertools.count()
    assert refusal(lambda: tabulate(lambda _: next(calls) > 4, alphabets_of("01", 3))) == (
        "answer must be a function, found two different answers on ('0', '0', '0')"
    )


def test_a_function_that_is_never_inside_the_promise_is_reported() -> None:
    assert (
        refusal(lambda: tabulate(lambda _: None, alphabets_of("01", 3))) == "answer is None on all 8 strings: nothing is inside the promise"
    )


def test_an_answer_that_cannot_be_hashed_is_reported() -> None:
    assert refusal(lambda: tabulate(lambda _: [], alphabets_of("01", 1))) == "answer must be hashable, found list on ('0',)"  # type: ignore[arg-type, return-value]


def test_too_many_evaluations_are_refused_with_their_number_before_the_first() -> None:
    def answer(_: tuple[str, ...]) -> int:
        raise AssertionError("asked")

    assert "16,777,216 evaluations of the answer are above the limit of 10,000,000" in refusal(
        lambda: tabulate(answer, alphabets_of("01", 24))
    )


def test_a_vectorised_oracle_sees_every_string_once_in_order() -> None:
    sizes = (2, 3, 4, 5) * 3  # 14,400 x 120 strings: more than one block
    weights = np.array([int(np.prod(sizes[i + 1 :])) for i in range(len(sizes))])
    table = tabulate_oracle(lambda rows: rows @ weights, sizes)
    assert np.array_equal(table, np.arange(int(np.prod(sizes))))


def test_a_vectorised_oracle_may_leave_the_promise_late() -> None:
    table = tabulate_oracle(lambda rows: np.where(rows.all(axis=1), -1, 200), (2,) * 15)
    assert table[-1] == -1
    assert (table[:-1] == 200).all()


@pytest.mark.parametrize(
    ("oracle", "says"),
    [
        (lambda rows: rows, r"must return 8 whole numbers for 8 rows, found int64 of shape \(8, 3\)"),
        (lambda rows: rows[:, 0] * 0.5, r"must return 8 whole numbers for 8 rows, found float64 of shape \(8,\)"),
        (lambda rows: rows[:, 9], r"the vectorised oracle raised IndexError \(.*\) on 8 rows"),
        (lambda rows: rows[:, 0] + len(rows), "must answer row by row"),
        (lambda rows: rows.sort(), "the vectorised oracle raised ValueError"),
    ],
)
def test_a_broken_vectorised_oracle_is_reported(oracle: Any, says: str) -> None:
    sizes = (2, 2, 2) if "row by row" not in says else (2,) * 15
    assert re.search(says, refusal(lambda: tabulate_oracle(oracle, sizes)))


def test_a_table_that_fits_no_machine_is_refused_with_its_number() -> None:
    assert "1,099,511,627,776 answers are above the limit of 1,000,000,000" in refusal(
        lambda: tabulate_oracle(lambda rows: rows[:, 0], (2,) * 40)
    )
