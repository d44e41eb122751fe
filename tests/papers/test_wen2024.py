"""The statements of Wen et al. 2024: complete, well formed, in our own short words; small numbers of the errata are recomputed."""

from __future__ import annotations

import re
from fractions import Fraction
from importlib import import_module
from itertools import product
from pkgutil import iter_modules

import pytest

from separatrix.papers import statements, wen2024
from separatrix.papers.statement import Statement


def span(prefix: str, first: int, last: int) -> set[str]:
    return {f"{prefix}{i}" for i in range(first, last + 1)}


# Written down by hand from the text. Theorems, definitions, lemmas and the proposition share one counter per section or appendix;
# footnotes 1 and 2 are taken by the affiliations; equations 1 to 3 and 7 to 9 stand inside definitions, and 6 repeats 4.
# The families from Claim on carry our own numbers.
FAMILIES = {
    "Theorem": {"4.1", "4.6", "4.7", "4.8", "5.2", "5.3", "5.4", "5.6", "5.7", "5.8", "B.30"},
    "Proposition": {"5.1"},
    "Lemma": span("B.", 1, 6) | span("B.", 13, 29) | {"B.31"},
    "Definition": span("3.", 1, 6) | span("4.", 2, 5) | {"5.5"} | span("A.", 1, 5) | span("B.", 7, 12),
    "Algorithm": {"1", "2"},
    "Equation": {"4", "5", "10"},
    "Figure": span("", 1, 5),
    "Footnote": span("", 3, 5),
    "Claim": span("", 1, 3),
    "Fact": {"1"},
    "Remark": span("", 1, 7),
    "Clarification": span("", 1, 3),
    "Assumption": span("", 1, 5),
    "Construction": span("", 1, 13),
    "Experiment": span("", 1, 8),
    "Question": span("", 1, 4),
}
KEY = re.compile(r"wen2024 ([A-Z][a-z]+) ((?:[AB]\.|[345]\.)?[0-9]+)")
STATEMENTS = wen2024.STATEMENTS


def numbers(family: str) -> list[str]:
    found = [KEY.fullmatch(s.key) for s in STATEMENTS]
    return [match[2] for match in found if match is not None and match[1] == family]


def evidence(s: Statement) -> str:
    return " | ".join(e.evidence for e in s.errata)


def relu(x: Fraction | int) -> Fraction | int:
    return max(x, 0)


def test_every_key_is_well_formed_and_of_a_known_family() -> None:
    for s in STATEMENTS:
        match = KEY.fullmatch(s.key)
        assert match is not None, s.key
        assert match[1] in FAMILIES, s.key
        assert s.kind == ("remark" if match[1] == "Footnote" else match[1].lower()), s.key


def test_no_key_occurs_twice_and_none_is_missing() -> None:
    keys = [s.key for s in STATEMENTS]
    assert len(keys) == len(set(keys)) == sum(len(numbers) for numbers in FAMILIES.values()) == 115
    assert [s.key for s in statements("wen2024")] == [s.key for s in STATEMENTS]


@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_each_family_has_exactly_the_numbers_of_the_paper(family: str) -> None:
    assert set(numbers(family)) == FAMILIES[family]


@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_a_family_is_numbered_in_the_order_of_the_text(family: str) -> None:
    def place(number: str) -> tuple[str, int]:
        section, _, index = number.rpartition(".")
        return section, int(index)

    assert numbers(family) == sorted(FAMILIES[family], key=place)


def test_every_constant_of_every_file_is_listed_and_exported_under_the_name_of_its_key() -> None:
    constants: dict[str, Statement] = {}
    for info in iter_modules(wen2024.__path__):
        module = import_module(f"{wen2024.__name__}.{info.name}")
        constants |= {name: value for name, value in vars(module).items() if isinstance(value, Statement)}
    assert constants == {re.sub(r"[ .]", "_", s.key.split(" ", 1)[1]).upper(): s for s in STATEMENTS}
    assert set(wen2024.__all__) == {"STATEMENTS", *constants}
    assert all(getattr(wen2024, name) is value for name, value in constants.items())


@pytest.mark.parametrize("s", STATEMENTS, ids=lambda s: s.key)
def test_a_statement_says_something_short_and_whole_and_where_it_stands(s: Statement) -> None:
    assert 40 <= len(s.says) <= 600
    assert s.says.endswith(".")
    assert "  " not in s.says
    assert re.match(r"abstract|section|appendix|footnote", s.place)
    for e in s.errata:
        assert e.printed != e.true
        assert all(10 <= len(text) <= 400 and not text.endswith(".") for text in (e.printed, e.true, e.evidence))


def test_what_the_paper_proves_names_its_proof_and_only_questions_and_the_assumption_are_open() -> None:
    assert all(s.proof for s in STATEMENTS if s.kind in {"theorem", "lemma", "proposition", "claim"})
    assert {s.key.removeprefix("wen2024 ") for s in STATEMENTS if s.status == "open"} == {
        "Assumption 3",
        "Question 2",
        "Question 3",
        "Question 4",
    }


def test_the_printed_product_fails_as_often_as_its_erratum_says() -> None:
    pairs = list(product(range(-7, 8), repeat=2))
    printed = sum(relu(x) * relu(y) + relu(-x) * relu(y) != x * y for x, y in pairs)
    still_added = sum(relu(x) * y + relu(-x) * y != x * y for x, y in pairs)
    assert all(relu(x) * y - relu(-x) * y == x * y for x, y in pairs)
    assert f"wrong on {printed} of the {len(pairs)} integer pairs" in evidence(wen2024.LEMMA_B_1)
    assert f"on {still_added} without the second ReLU" in evidence(wen2024.LEMMA_B_1)


def test_the_printed_indicator_takes_the_values_of_its_erratum() -> None:
    def indicator(x: int, signs: tuple[int, ...]) -> Fraction:
        units = (relu(x - Fraction(1, 2)), relu(x + Fraction(1, 2)), relu(-x - Fraction(3, 5)), relu(-x + Fraction(2, 5)))
        return Fraction(10 + 10 * sum(sign * unit for sign, unit in zip(signs, units, strict=True)))

    printed = ", ".join(str(indicator(x, (1, -1, -1, 1))) for x in range(-3, 4))
    corrected = ", ".join(str(indicator(x, (1, -1, 1, -1))) for x in range(-3, 4))
    assert f"gives {printed}; as corrected {corrected}" in evidence(wen2024.LEMMA_B_3)


def test_the_printed_threshold_takes_the_values_of_its_erratum() -> None:
    u, eps = 3, Fraction(1, 4)
    points = [Fraction(2), Fraction(11, 4), Fraction(3), Fraction(4), Fraction(9)]
    printed = ", ".join(str(2 / eps * (relu(x - u - eps) - relu(x - u + Fraction(1, 2)))) for x in points)
    corrected = ", ".join(str(2 / eps * (relu(x - u + eps) - relu(x - u + eps / 2))) for x in points)
    assert f"gives {printed} at 2, 2.75, 3, 4, 9; the corrected one {corrected}" in evidence(wen2024.LEMMA_B_5)


@pytest.mark.parametrize(("c", "s"), [(2, wen2024.CONSTRUCTION_3), (3, wen2024.CONSTRUCTION_4)], ids=["recall", "3-grams"])
def test_the_printed_reduction_to_recall_fails_as_often_as_its_erratum_says(c: int, s: Statement) -> None:
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

    assert f"{wrong(0)} of 64 answers wrong as printed, {wrong(1)} with the shift by 1" in evidence(s)


def test_the_printed_equivalence_on_prefix_sums_fails_as_often_as_its_erratum_says() -> None:
    cases = [(x, k) for x in product((0, 1), repeat=6) for k in range(1, 6)]
    agree = {(x, k): sum(x[: k + 1]) % 2 == sum(x[:k]) % 2 for x, k in cases}
    printed = sum((x[k] == x[k - 1]) != agree[x, k] for x, k in cases)
    assert all((x[k] == 0) == agree[x, k] for x, k in cases)
    assert f"fails in {printed} of {len(cases)} cases" in evidence(wen2024.LEMMA_B_28)


def test_the_printed_query_for_the_last_write_returns_the_first() -> None:
    text = "5 a 5 6 b 6 5 c 5"
    printed = re.search(r"5 (.) 5.*?$", text)
    corrected = re.search(r"^.*(?<!\S)5\s(\w+)\s5(?!\S)", text)
    assert printed is not None
    assert corrected is not None
    assert f"on `{text}` the printed query for cell 5 returns {printed[1]}, the corrected one {corrected[1]}" in evidence(
        wen2024.CONSTRUCTION_10
    )


def test_two_counts_can_be_equally_near_to_the_next_reciprocal() -> None:
    for target, a, b in [(3, 2, 6), (4, 3, 6)]:
        assert abs(Fraction(1, a) - Fraction(1, target)) == abs(Fraction(1, b) - Fraction(1, target))
        assert f"next = 1/{target}" in evidence(wen2024.LEMMA_B_18)
