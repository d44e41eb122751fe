"""The checker's own functions say what the tasks say, on every string of small lengths."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from separatrix.checker.functions import FUNCTIONS, function, string
from separatrix.checker.seal import Refused
from separatrix.tasks import make_task

SMALL: list[tuple[str, dict[str, Any]]] = [
    ("index-lookup", {"length": 3, "symbols": 3}),
    ("index-lookup", {"length": 1, "symbols": 2}),
    ("equality", {"length": 8}),
    ("equality", {"length": 4, "symbols": 3}),
    ("intersects", {"length": 8}),
    ("dyck", {"length": 6}),
    ("dyck", {"length": 6, "types": 1, "depth": 1}),
    ("dyck", {"length": 4, "types": 3, "depth": 3}),
    ("parity", {"length": 7}),
    ("associative-recall", {"length": 2}),
    ("associative-recall", {"length": 2, "symbols": 2, "labels": 3}),
]


@pytest.mark.parametrize(("name", "chosen"), SMALL)
def test_every_string_has_the_tasks_answer(name: str, chosen: dict[str, Any]) -> None:
    task = make_task(name, **chosen)
    found = function({"task": name, "cites": "x"}, task.parameters, "x")
    assert [tuple(alphabet) for alphabet in found.alphabets] == [tuple(alphabet) for alphabet in task.alphabets()]
    for tokens in product(*found.alphabets):
        assert found.answer(tokens) == task.answer(tokens), tokens


def test_every_function_but_the_table_was_met() -> None:
    assert {name for name, _ in SMALL} | {"table"} == set(FUNCTIONS)


def test_a_table_is_read_in_row_major_order() -> None:
    found = function({"task": "table", "cites": ""}, {"sizes": [2, 3], "answers": [0, 1, 2, 3, None, 5]}, "")
    assert [found.answer(tokens) for tokens in product(range(2), range(3))] == [0, 1, 2, 3, None, 5]


@pytest.mark.parametrize(
    ("task", "parameters", "reason"),
    [
        ("sorting", {}, "no function for the task 'sorting'"),
        ("equality", {"length": 3, "symbols": 2}, "length: expected an even number, found 3"),
        ("equality", {"length": 0, "symbols": 2}, "length: expected 1..4096, found 0"),
        ("equality", {"length": 4, "symbols": True}, "symbols: expected int, found bool"),
        ("equality", {"length": 4}, "missing field 'symbols'"),
        ("dyck", {"length": 4, "types": 2, "depth": 2, "positives": "x"}, "positives: expected one of walk"),
        ("index-lookup", {"length": 4, "symbols": 2, "distribution": "x"}, "distribution: expected one of evaluation"),
        ("associative-recall", {"length": 4, "symbols": 3, "labels": 2}, "symbols: expected 4.."),
        ("table", {"sizes": [2, 2], "answers": [0, 1, 2]}, "answers: expected 4 of them"),
        ("table", {"sizes": [2, 2], "answers": [0, 1, 2, True]}, "answers: expected a whole number, found bool"),
        ("table", {"sizes": [2, 2.0], "answers": [0, 1, 2, 3]}, "sizes: expected a whole number, found float"),
        ("table", {"sizes": [1 << 20, 1 << 20], "answers": []}, "answers: expected 1099511627776 of them"),
        ("table", {"sizes": [], "answers": [1]}, "number of sizes"),
    ],
)
def test_parameters_that_make_no_function_are_refused(task: str, parameters: dict[str, Any], reason: str) -> None:
    with pytest.raises(Refused, match=reason):
        function({"task": task, "cites": ""}, parameters, "")


def test_strings_have_the_right_length_and_symbols() -> None:
    alphabets = (range(2), range(5, 7))
    assert string([1, 5], alphabets, "x") == (1, 5)
    for tokens in ([1], [1, 4], [1, 7], [2, 5], [True, 5], [1, 5.0], "15", None):
        with pytest.raises(Refused, match=r"^x: "):
            string(tokens, alphabets, "x")
