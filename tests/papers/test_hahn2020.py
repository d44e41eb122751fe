"""The statements of Hahn 2020: complete, well formed, in the order of the text, and with errata whose numbers can be recomputed."""

from __future__ import annotations

import re
from importlib import import_module
from itertools import product
from math import exp, isclose, log
from pkgutil import iter_modules

import numpy as np
import pytest

from separatrix.papers import hahn2020, statement
from separatrix.papers.statement import Statement

# Written down by hand from the text. Theorems, corollary, definition and lemmas share one counter; the last seven families are ours.
FAMILIES = {
    "Theorem": ["1", "6"],
    "Corollary": ["2"],
    "Definition": ["3"],
    "Lemma": ["4", "5"],
    "Equation": ["1", "2", "3", "7", "8", "9", "10", "11", "12"],  # 4 is in Definition 3, 5 and 6 in Lemma 4
    "Figure": ["1", "2", "3"],
    "Footnote": ["1", "2", "3", "4"],
    "Stage": ["1", "2", "3"],
    "Notion": [str(i) for i in range(1, 7)],
    "Task": [str(i) for i in range(1, 6)],
    "Construction": ["1", "2"],
    "Claim": [str(i) for i in range(1, 6)],
    "Assumption": ["1"],
    "Remark": [str(i) for i in range(1, 10)],
    "Question": [str(i) for i in range(1, 5)],
}
KEY = re.compile(r"hahn2020 ([A-Z][a-z]+) ([0-9]+)")
STATEMENTS = hahn2020.STATEMENTS


def numbers(family: str) -> list[str]:
    found = [KEY.fullmatch(s.key) for s in STATEMENTS]
    return [match[2] for match in found if match is not None and match[1] == family]


def test_every_key_is_unique_and_of_a_known_family() -> None:
    keys = [s.key for s in STATEMENTS]
    assert len(set(keys)) == len(keys) == 57
    for key in keys:
        match = KEY.fullmatch(key)
        assert match is not None, key
        assert match[1] in FAMILIES, key


@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_each_family_has_exactly_its_numbers_in_the_order_of_the_text(family: str) -> None:
    assert numbers(family) == FAMILIES[family]


def test_the_statements_follow_the_sections_of_the_paper() -> None:
    places = [re.match(r"section ([\d.]+)", s.place) for s in STATEMENTS]
    sections = [float(place[1]) for place in places if place is not None]
    assert len(sections) == len(STATEMENTS)
    assert sections == sorted(sections)
    assert set(sections) == {2, 3, 4, 5, 5.1, 6, 7}


def test_each_constant_is_named_after_its_key_and_none_is_left_out() -> None:
    named = {}
    for module in iter_modules(hahn2020.__path__, "separatrix.papers.hahn2020."):
        named |= {name: value for name, value in vars(import_module(module.name)).items() if isinstance(value, Statement)}
    assert {s.key.split(" ", 1)[1].upper().replace(" ", "_"): s for s in STATEMENTS} == named
    assert set(hahn2020.__all__) == {*named, "STATEMENTS"}


@pytest.mark.parametrize("s", STATEMENTS, ids=lambda s: s.key)
def test_a_statement_and_its_errata_are_short_sentences(s: Statement) -> None:
    assert 40 <= len(s.says) <= 600
    texts = [text for erratum in s.errata for text in (erratum.printed, erratum.true, erratum.evidence)]
    for text in (s.says, *texts):
        assert text.endswith(".")
        assert "  " not in text


def test_exactly_the_questions_are_open() -> None:
    assert [s.key for s in STATEMENTS if s.status == "open"] == [f"hahn2020 Question {i}" for i in range(1, 5)]


def test_a_statement_is_found_by_its_key() -> None:
    assert statement("hahn2020 Lemma 4").says == hahn2020.LEMMA_4.says


def accepts_as_printed(word: str) -> bool:
    n = len(word) + 1  # the end symbol stands at n
    return not any((letter == "b" and 2 * j < n) or (letter == "a" and 2 * j >= n) for j, letter in enumerate(word, start=1))


def test_the_printed_rule_for_anbn_accepts_one_b_too_many_and_nothing_else() -> None:
    words = ["".join(letters) for length in range(15) for letters in product("ab", repeat=length)]
    member = {"a" * k + "b" * k for k in range(8)}
    wrong = [word for word in words if accepts_as_printed(word) != (word in member)]
    assert wrong == ["a" * k + "b" * (k + 1) for k in range(7)]
    assert [word for word in words if (accepts_as_printed(word) and len(word) % 2 == 0) != (word in member)] == []
    assert "a^6 b^7" in hahn2020.CONSTRUCTION_2.errata[0].evidence


def entropy(p: float) -> float:
    return -p * log(p) - (1 - p) * log(1 - p)


@pytest.mark.parametrize(("p", "printed"), [(0.5, ("0.866434", "1.063398", "1.082196")), (0.9, ("0.5438", "0.7599", "1.0694"))])
def test_the_floors_of_theorem_6_on_parity_follow_from_the_source(p: float, printed: tuple[str, str, str]) -> None:
    # Weight of (last bit, parity) among surviving prefixes; even prefixes go on with probability 1 - p. Stationary after two symbols.
    weight = {(0, 0): 1.0}
    for _ in range(4):
        after = {(bit, parity): 0.0 for bit in (0, 1) for parity in (0, 1)}
        for (_, parity), mass in weight.items():
            for bit in (0, 1):
                after[bit, parity ^ bit] += mass * (1 - p if parity == 0 else 1) / 2
        weight = {state: mass / sum(after.values()) for state, mass in after.items()}
    even = weight[0, 0] + weight[1, 0]

    def cross_entropy(stop: float) -> float:
        return entropy(stop) + (1 - stop) * log(2)

    optimum = even * cross_entropy(p) + (1 - even) * log(2)
    last_symbol = sum(
        (weight[bit, 0] + weight[bit, 1]) * cross_entropy(p * weight[bit, 0] / (weight[bit, 0] + weight[bit, 1])) for bit in (0, 1)
    )
    evidence = hahn2020.THEOREM_6.errata[0].evidence
    for value, text in zip((optimum, last_symbol, cross_entropy(p * even)), printed, strict=True):
        assert f"{value:.{len(text) - 2}f}" == text
        assert text in evidence


def test_the_heights_of_surviving_2dyck_prefixes_follow_the_quasi_stationary_law() -> None:
    p, s = 0.25, 1 / 3
    height, closing = np.zeros(2003), {}
    height[0] = 1
    for n in range(1, 2002):
        up, down = np.zeros(2003), np.zeros(2003)
        up[1:], down[:-1] = p * height[:-1], (1 - p) * height[1:]  # from height 0 the word ends with probability 1 - p
        alive = (up + down).sum()
        height = (up + down) / alive
        closing[n] = down[1:].sum() / alive, height[0]
    evidence = hahn2020.THEOREM_6.errata[2].evidence
    assert f"{closing[2000][0]:.4f} at n = 2000" in evidence
    assert f"{closing[2001][0]:.4f} at n = 2001" in evidence
    assert f"{closing[2000][1]:.4f}" in hahn2020.FOOTNOTE_4.errata[0].evidence
    assert isclose(closing[2000][0], s * (2 - s) / (1 + s), rel_tol=0.01)
    assert isclose(closing[2001][0], (3 - s) / 4, rel_tol=0.01)
    assert isclose(closing[2000][1], (1 - s) ** 2 / (1 + s), rel_tol=0.01)


@pytest.mark.parametrize("n", [10, 100, 1000])
def test_unbounded_positions_keep_the_influence_of_one_symbol(n: int) -> None:
    share = 1 / sum(exp(i - n) for i in range(1, n + 1))
    assert f"{share:.3f}" == "0.632"
    assert "0.632" in hahn2020.LEMMA_5.errata[0].evidence
