"""Formulas of users: arithmetic, names by their beginnings, and nothing that runs."""

from __future__ import annotations

import math

import pytest

from separatrix.cli.formula import evaluated, parsed
from separatrix.errors import BadInput

NUMBERS = {"N": 8.0, "symbols": 64.0, "depth": 2.0, "degree": 3.0}


@pytest.mark.parametrize(
    ("formula", "value"),
    [
        ("N*log2(s)", 48),
        ("N log2(s)".replace(" ", "*"), 48),
        ("2^(N/2) - 1", 15),
        ("-N + 3 * symbols // 5 % 7", -8 + 38 % 7),
        ("ceil(log10(N)) + floor(e) + sqrt(4) + max(1, deg, depth) + abs(-1)", 1 + 2 + 2 + 3 + 1),
        ("log(e)", 1),
        ("pi", math.pi),
    ],
)
def test_a_formula_is_its_value(formula: str, value: float) -> None:
    assert evaluated(parsed(formula), NUMBERS) == pytest.approx(value)


@pytest.mark.parametrize(
    ("formula", "says"),
    [
        ("N*", "expected one such as N*log2(s), found 'N*'"),
        ("k", "there is no 'k'; the names are e, pi, N, symbols, depth, degree"),
        ("de", "'de' begins depth and degree"),
        ("N/0", "has no value at N = 8, symbols = 64, depth = 2, degree = 3"),
        ("log(0)", "has no value"),
        ("9^9^9^9", "it is too large"),
        ("(-1)^0.5", "formula '(-1) ** 0.5'"),
        ("max()", "max expected at least 1 argument"),
        ("True", "found 'True'"),
        ("'a'*9", "found \"'a'\""),
        ("__import__('os').getcwd()", "expected numbers, names"),
        ("N.real", "found 'N.real'"),
        ("[N for N in (1,)]", "expected numbers, names"),
        ("(" * 300 + "N" + ")" * 300, "expected one such as"),
    ],
)
def test_what_is_not_arithmetic_is_refused(formula: str, says: str) -> None:
    with pytest.raises(BadInput) as refused:
        evaluated(parsed(formula), NUMBERS)
    assert says in str(refused.value)
