"""Wen et al. 2024: the numbers in its entries, recomputed."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import product

import pytest

from separatrix.papers import Statement, statement


def evidence(s: Statement) -> str:
    return " | ".join(e.evidence for e in s.entries)


def relu(x: Fraction | int) -> Fraction | int:
    return max(x, 0)


def test_the_printed_product_fails_as_often_as_its_erratum_says() -> None:
    pairs = list(product(range(-7, 8), repeat=2))
    printed = sum(relu(x) * relu(y) + relu(-x) * relu(y) != x * y for x, y in pairs)
    still_added = sum(relu(x) * y + relu(-x) * y != x * y for x, y in pairs)
    assert all(relu(x) * y - relu(-x) * y == x * y for x, y in pairs)
    assert f"Wrong on {printed} of the {len(pairs)} integer pairs" in evidence(statement("wen2024 Lemma B.1"))
    assert f"on {still_added} without the second ReLU" in evidence(statement("wen2024 Lemma B.1"))


def test_the_printed_indicator_takes_the_values_of_its_erratum() -> None:
    def indicator(x: int, signs: tuple[int, ...]) -> Fraction:
        units = (relu(x - Fraction(1, 2)), relu(x + Fraction(1, 2)), relu(-x - Fraction(3, 5)), relu(-x + Fraction(2, 5)))
        return Fraction(10 + 10 * sum(sign * unit for sign, unit in zip(signs, units, strict=True)))

    printed = ", ".join(str(indicator(x, (1, -1, -1, 1))) for x in range(-3, 4))
    corrected = ", ".join(str(indicator(x, (1, -1, 1, -1))) for x in range(-3, 4))
    assert f"gives {printed}; as corrected {corrected}" in evidence(statement("wen2024 Lemma B.3"))


def test_the_printed_threshold_takes_the_values_of_its_erratum() -> None:
    u, eps = 3, Fraction(1, 4)
    points = [Fraction(2), Fraction(11, 4), Fraction(3), Fraction(4), Fraction(9)]
    printed = ", ".join(str(2 / eps * (relu(x - u - eps) - relu(x - u + Fraction(1, 2)))) for x in points)
    corrected = ", ".join(str(2 / eps * (relu(x - u + eps) - relu(x - u + eps / 2))) for x in points)
    assert f"gives {printed} at 2, 2.75, 3, 4, 9; the corrected one {corrected}" in evidence(statement("wen2024 Lemma B.5"))


@pytest.mark.parametrize(("c", "name"), [(2, "Construction 3"), (3, "Construction 4")], ids=["recall", "3-grams"])
def test_the_printed_reduction_to_recall_fails_as_often_as_its_erratum_says(c: int, name: str) -> None:
    def wrong(shift: int) -> int:
        count = 0
        for bits in product((0, 1), repeat=4):
            value = [4 + bit + shift for bit in bits]  # n / c = 4 blocks
            prompt = [token for key in range(1, 5) for token in (*[key] * (c - 1), value[key - 1])]
            for k in range(1, 5):
                text = [*prompt, *[k] * (c - 1)]
                first = next(i for i in range(len(text)) if text[i : i + c - 1] == [k] * (c - 1))
                count += text[first + c - 1] != value[k - 1]
        return count

    assert f"{wrong(0)} of 64 answers wrong as printed, {wrong(1)} with the shift by 1" in evidence(statement(f"wen2024 {name}"))


def test_the_printed_equivalence_on_prefix_sums_fails_as_often_as_its_erratum_says() -> None:
    cases = [(x, k) for x in product((0, 1), repeat=6) for k in range(1, 6)]
    agree = {(x, k): sum(x[: k + 1]) % 2 == sum(x[:k]) % 2 for x, k in cases}
    printed = sum((x[k] == x[k - 1]) != agree[x, k] for x, k in cases)
    assert all((x[k] == 0) == agree[x, k] for x, k in cases)
    assert f"fails in {printed} of {len(cases)} cases" in evidence(statement("wen2024 Lemma B.28"))


def test_the_printed_query_for_the_last_write_returns_the_first() -> None:
    text = "5 a 5 6 b 6 5 c 5"
    printed = re.search(r"5 (.) 5.*?$", text)
    corrected = re.search(r"^.*(?<!\S)5\s(\w+)\s5(?!\S)", text)
    assert printed is not None
    assert corrected is not None
    assert f"on `{text}` the printed query for cell 5 returns {printed[1]}, the corrected one {corrected[1]}" in evidence(
        statement("wen2024 Construction 10")
    )


def test_two_counts_can_be_equally_near_to_the_next_reciprocal() -> None:
    target, a, b = 3, 2, 6
    assert abs(Fraction(1, a) - Fraction(1, target)) == abs(Fraction(1, b) - Fraction(1, target))
    assert f"the target is 1/{target}, the first head holds 1/{a} and 1/{b}" in evidence(statement("wen2024 Lemma B.27"))
