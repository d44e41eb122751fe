"""A name in a certificate loads an oracle or nothing, and parameters that no task has are refused in one line."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from separatrix.checker.fields import string
from separatrix.checker.seal import Refused
from separatrix.checker.specs import function, names, spec_of
from tests.checker.specs.settings import DRAWN, GIVEN, both

HOSTILE = [
    "", "x", "forms", "forms.words", "forms-words", "__init__", "--init--", "../seal", "os", "index_lookup", "Index-Lookup",
    "index-lookup ", "index-lookup\n", "index‐lookup", ".index-lookup", "index--lookup", "file.py:Name", "table.Oracle", None, 3, ["table"],
]  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_not_a_file_of_the_folder_is_not_loaded(name: Any) -> None:
    before = set(sys.modules)
    with pytest.raises(Refused, match="no spec for the task"):
        spec_of(name, {})
    assert set(sys.modules) == before


def test_titles_name_the_sizes() -> None:
    """What stands in the sentence of a certificate."""
    titles = {name: both(name, chosen)[1].title for name, chosen in reversed(DRAWN)}
    assert titles["index-lookup"] == "index lookup, N = 1, 2 symbols"
    assert titles["equality"] == "equality, N = 10, 3 symbols"
    assert titles["eq-random"] == "equality across a separator (eq-random), N = 4 to 40, 2 symbols"
    assert titles["eq-one"] == "equality across a separator (eq-one), N = 6 to 44, 7 symbols"
    assert titles["eq-ncp"] == "repeating the half before a separator, N = 6 to 42, 9 symbols"
    assert titles["partition-equality"] == "equality over a partition (instance 4), N = 20, 3 symbols"
    assert titles["intersects"] == "intersection of two sets, N = 2 bits"
    assert titles["sparse-threshold"] == "more than 4 of 9 features of at most 3 bits, N = 9"
    assert titles["k-dnf"] == "3-DNF of 6 terms, N = 16"
    assert titles["k-cnf"] == "2-CNF of 9 clauses, N = 16"
    assert titles["dyck"] == "Dyck-(2, 2), N = 2"
    assert titles["mqar"] == "multi-query recall, N = 2, 2 keys, 2 labels"
    assert titles["associative-recall"] == "associative recall, N = 1, 2 keys, 2 labels"
    assert titles["nearest-neighbor"] == "nearest neighbour, N = 2, dimension 3, margin 0.7"
    assert titles["parity"] == "parity, N = 1"
    assert set(titles) == names() - GIVEN
    assert (
        both("partition-equality", {"length": 6, "first": (1, 4, 5)})[1].title
        == "equality over a partition (places 1, 4, 5), N = 6, 2 symbols"
    )
    assert "a given half" in both("partition-equality", {"length": 40, "first": tuple(range(1, 40, 2))})[1].title
    assert spec_of("table", {"sizes": [2, 2], "answers": [0, 1, 1, 0]}).title == "a function of 2 tokens, given as a table"


LOOKUP: dict[str, Any] = {"length": 4, "symbols": 3, "distribution": "evaluation"}
PARTITION: dict[str, Any] = {"length": 4, "symbols": 2, "first": [], "instance": 0}
SPARSE: dict[str, Any] = {"length": 4, "k": 2, "features": "", "threshold": None, "instance": 0}
FORMULA: dict[str, Any] = {"length": 4, "k": 2, "formula": "", "terms": None, "instance": 0}
PAIRS: dict[str, Any] = {"length": 4, "symbols": None, "labels": 2}
NEAREST: dict[str, Any] = {"length": 4, "dimension": 6, "gamma": 0.1, "distribution": "evaluation"}
DYCK: dict[str, Any] = {"length": 4, "types": 2, "depth": 2, "positives": "walk"}


@pytest.mark.parametrize(
    ("name", "parameters", "reason"),
    [
        ("index-lookup", {**LOOKUP, "length": 0}, r"length: expected 1\.\."),
        ("index-lookup", {**LOOKUP, "length": 10**7}, r"length: expected 1\.\.9999999"),
        ("index-lookup", {**LOOKUP, "symbols": 1}, r"symbols: expected 2\.\."),
        ("index-lookup", {**LOOKUP, "distribution": "uniform"}, "distribution: expected one of evaluation, training"),
        ("index-lookup", {**LOOKUP, "length": True}, "parameters.length: expected int, found bool"),
        ("index-lookup", [], "parameters: expected an object"),
        ("equality", {"length": 5, "symbols": 2}, "length: expected an even number, found 5"),
        ("equality", {"length": 0, "symbols": 2}, r"length: expected 2\.\."),
        ("equality", {"length": 4, "symbols": 1}, r"symbols: expected 2\.\."),
        ("equality", {"length": 4, "symbols": 2, "distribution": "training"}, "unknown field 'distribution'"),
        ("eq-random", {"length": 4, "symbols": 2}, "missing field 'distribution'"),
        ("eq-random", {"length": 4, "symbols": 2, "distribution": "uniform"}, "distribution: expected one of"),
        ("partition-equality", {**PARTITION, "length": 5}, "even"),
        ("partition-equality", {**PARTITION, "first": [1]}, "first: expected 2 different places"),
        ("partition-equality", {**PARTITION, "first": [1, 1]}, "first: expected 2 different places"),
        ("partition-equality", {**PARTITION, "first": [1, 5]}, "first: expected 2 different places"),
        ("partition-equality", {**PARTITION, "first": [1, True]}, "first: expected 2 different places"),
        ("partition-equality", {**PARTITION, "first": "1,2"}, "expected list"),
        ("partition-equality", {**PARTITION, "instance": -1}, "instance: expected 0"),
        ("intersects", {"length": 7}, "even"),
        ("intersects", {"length": 8, "k": 2}, "unknown field 'k'"),
        ("sparse-threshold", {**SPARSE, "features": "1,2,3:01101001"}, "at most k = 2"),
        ("sparse-threshold", {**SPARSE, "features": "1,5:0110"}, r"found one over \[1, 5\]"),
        ("sparse-threshold", {**SPARSE, "features": "0:01"}, r"found one over \[0\]"),
        ("sparse-threshold", {**SPARSE, "features": "1,1:0110"}, "different places"),
        ("sparse-threshold", {**SPARSE, "features": "1,2:011"}, r"2\^2 values"),
        ("sparse-threshold", {**SPARSE, "features": "1,2"}, "expected places and values such as 1,3:0110, found '1,2'"),
        ("sparse-threshold", {**SPARSE, "features": "1:02"}, "expected places and values"),
        ("sparse-threshold", {**SPARSE, "features": ";".join(["1:01"] * 5)}, "at most N = 4"),
        ("sparse-threshold", {**SPARSE, "k": 13}, r"k: expected 1\.\.12"),
        ("sparse-threshold", {**SPARSE, "length": 5000}, "features times the words of each"),
        ("sparse-threshold", {**SPARSE, "threshold": 10**30}, "threshold: expected"),
        ("k-dnf", {**FORMULA, "terms": 5}, r"terms: expected 1\.\.4"),
        ("k-dnf", {**FORMULA, "terms": 0}, r"terms: expected 1\.\.4"),
        ("k-dnf", {**FORMULA, "formula": "x1 & y2"}, "expected a literal such as x3 or !x3, found ' y2'"),
        ("k-cnf", {**FORMULA, "formula": "x1 | x9"}, r"found one over \[1, 9\]"),
        ("k-cnf", {**FORMULA, "instance": -1}, "instance: expected 0"),
        ("dyck", {**DYCK, "length": 3}, "length: expected an even number"),
        ("dyck", {**DYCK, "positives": "x"}, "positives: expected one of walk, fair-walk, uniform"),
        ("mqar", {**PAIRS, "length": 5}, "even"),
        ("mqar", {**PAIRS, "symbols": 1}, r"symbols: expected 2\.\."),
        ("associative-recall", {**PAIRS, "labels": 1}, r"labels: expected 2\.\."),
        ("nearest-neighbor", {**NEAREST, "gamma": 0.0}, "gamma"),
        ("nearest-neighbor", {**NEAREST, "gamma": -0.5}, "gamma"),
        ("nearest-neighbor", {**NEAREST, "gamma": float("inf")}, "gamma"),
        ("nearest-neighbor", {**NEAREST, "gamma": 0.05}, "gamma: expected a margin between 2/R and 2 with R = 20, found 0.05"),
        ("nearest-neighbor", {**NEAREST, "gamma": 2.1}, "gamma"),
        ("nearest-neighbor", {**NEAREST, "dimension": 21}, "dimension"),
        ("nearest-neighbor", {**NEAREST, "distribution": "x"}, "distribution: expected one of"),
        ("parity", {"length": 0}, r"length: expected 1\.\."),
        ("table", {"sizes": [2, 3], "answers": [0] * 5}, "answers: expected 6 of them"),
        ("table", {"sizes": [2, True], "answers": [0, 1]}, "sizes: expected a whole number, found bool"),
        ("table", {"sizes": [2], "answers": [0, True]}, "answers: expected a whole number, found bool"),
        ("table", {"sizes": [2], "answers": [0, 10**30]}, "answers: expected"),
        ("table", {"sizes": [2], "answers": [None, None]}, "nothing is inside the promise"),
        ("table", {"sizes": [0], "answers": []}, r"sizes: expected 1\.\."),
        ("table", {"sizes": [], "answers": [0]}, "number of sizes"),
        ("table", {"sizes": [1 << 11] * 2, "answers": []}, "at most 2097152"),
    ],
)
def test_parameters_that_no_task_has_are_refused(name: str, parameters: Any, reason: str) -> None:
    with pytest.raises(Refused, match=reason):
        spec_of(name, parameters)


@pytest.mark.parametrize(("name", "chosen"), DRAWN[::5])
def test_an_unknown_parameter_is_refused(name: str, chosen: dict[str, Any]) -> None:
    _, second = both(name, chosen)
    with pytest.raises(Refused, match="parameters: unknown field 'note'"):
        spec_of(name, {**second.parameters, "note": 1})


def test_a_witness_is_about_one_answer_and_one_length() -> None:
    assert function({"task": "parity", "parameters": {"length": 4095}}).tokens == 4096
    for claim, why in (
        ({"task": "parity", "parameters": {"length": 4096}}, r"tokens: expected 1\.\.4096, found 4097"),
        ({"task": "mqar", "parameters": PAIRS}, "mqar asks at several positions"),
        ({"task": "eq-ncp", "parameters": {**LOOKUP}}, "eq-ncp asks at several positions"),
        (
            {"task": "index-lookup", "parameters": {**LOOKUP, "length": 11, "distribution": "training"}},
            "inputs of one length, found index lookup, N = 10 to 11",
        ),
        ({"task": "eq-one", "parameters": {**LOOKUP, "distribution": "training"}}, "inputs of one length"),
        ({"task": "nearest-neighbor", "parameters": {**NEAREST, "distribution": "training"}}, "inputs of one length"),
        ({"task": "parity", "parameters": {"length": 4}, "note": 1}, "claim: unknown field 'note'"),
        ({"task": "parity"}, "claim: missing field 'parameters'"),
        ({"task": ["parity"], "parameters": {}}, "claim.task: expected str"),
        (None, "claim: expected an object"),
    ):
        with pytest.raises(Refused, match=why):
            function(claim)
    assert not function(
        {"task": "index-lookup", "parameters": {**LOOKUP, "distribution": "training"}}
    ).several_lengths  # N = 4 is the shortest


def test_strings_of_a_certificate_lie_over_the_alphabets() -> None:
    alphabets = (range(2), range(2, 5))
    assert string([1, 4], alphabets, "x") == (1, 4)
    for tokens, reason in (([1], "x: expected 2 tokens"), ((1, 4), "x: expected 2 tokens"), ([1, 5], "token 5 is not one of 2..4"),
                           ([1, True], "found bool"), ([1, 4.0], "found float")):  # fmt: skip
        with pytest.raises(Refused, match=reason):
            string(tokens, alphabets, "x")
