"""The statements of Yang et al. 2024: complete, well formed, in the order of the text, and with errata whose numbers can be recomputed."""

from __future__ import annotations

import re
from importlib import import_module
from itertools import product
from math import ceil, isclose, isqrt, log2, sqrt
from pkgutil import iter_modules

import pytest

from separatrix.papers import statement, yang2024
from separatrix.papers.statement import Statement

# Written down by hand from the text. Equation 2 is said with 1, 11 with Lemma A.4, 16 and 18 with 17.
FAMILIES = {
    "Theorem": ["4.1", "4.2", "4.4", "B.3", "B.4", "B.5", "B.6", "C.1", "C.2", "C.3", "C.4"],
    "Definition": ["4.3", "5.3"],
    "Proposition": ["5.1", "5.2", "5.4", "5.5"],
    "Lemma": ["A.1", "A.2", "A.3", "A.4", "A.5", "A.6", "A.7", "A.8", "A.9", "A.11", "A.12"],
    "Assumption": ["1", "2", "3", "A.10", "B.1", "B.2"],  # 1 to 3 are numbered by us, as are the six families after Table
    "Equation": ["1", "3", "4", "5", "6", "7", "8", "9", "10", "12", "13", "14", "15", "17", "19"],
    "Figure": ["1", "2", "3"],
    "Table": ["1", "2"],
    "Notion": ["1", "2"],
    "Task": [str(i) for i in range(1, 7)],
    "Claim": [str(i) for i in range(1, 8)],
    "Remark": [str(i) for i in range(1, 5)],
    "Experiment": [str(i) for i in range(1, 10)],
    "Question": ["1", "2", "3"],
}
CHAPTERS = ["section 1", "section 3", "section 4", "section 5", "section 6", "section 7", *(f"appendix {letter}" for letter in "ABCD")]
KEY = re.compile(r"yang2024 ([A-Z][a-z]+) ((?:[A-C]\.)?[0-9]+(?:\.[0-9]+)?)")
STATEMENTS = yang2024.STATEMENTS


def numbers(family: str) -> list[str]:
    found = [KEY.fullmatch(s.key) for s in STATEMENTS]
    return [match[2] for match in found if match is not None and match[1] == family]


def test_every_key_is_unique_and_of_a_known_family() -> None:
    keys = [s.key for s in STATEMENTS]
    assert len(set(keys)) == len(keys) == 85
    for key in keys:
        match = KEY.fullmatch(key)
        assert match is not None, key
        assert match[1] in FAMILIES, key


@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_each_family_has_exactly_its_numbers_in_the_order_of_the_text(family: str) -> None:
    assert numbers(family) == FAMILIES[family]


def test_the_statements_follow_the_sections_and_appendices_of_the_paper() -> None:
    chapters = [CHAPTERS.index(re.sub(r"^(section \d|appendix [A-D]).*", r"\1", s.place)) for s in STATEMENTS]
    assert chapters == sorted(chapters)
    assert set(chapters) == set(range(len(CHAPTERS)))


def test_each_constant_is_named_after_its_key_and_none_is_left_out() -> None:
    named = {}
    for module in iter_modules(yang2024.__path__, "separatrix.papers.yang2024."):
        named |= {name: value for name, value in vars(import_module(module.name)).items() if isinstance(value, Statement)}
    assert {re.sub(r"[ .]", "_", s.key.split(" ", 1)[1]).upper(): s for s in STATEMENTS} == named
    assert set(yang2024.__all__) == {*named, "STATEMENTS"}


@pytest.mark.parametrize("s", STATEMENTS, ids=lambda s: s.key)
def test_a_statement_and_its_errata_are_short_sentences(s: Statement) -> None:
    assert 40 <= len(s.says) <= 600
    texts = [text for erratum in s.errata for text in (erratum.printed, erratum.true, erratum.evidence)]
    for text in (s.says, *texts):
        assert text.endswith(".")
        assert "  " not in text


def test_exactly_the_questions_are_open() -> None:
    assert [s.key for s in STATEMENTS if s.status == "open"] == [f"yang2024 Question {i}" for i in range(1, 4)]


def test_a_statement_is_found_by_its_key() -> None:
    assert statement("yang2024 Lemma A.12").says == yang2024.LEMMA_A_12.says


def ramp(x: float, k: int, slope: int) -> float:
    """The indicator of k <= x as a difference of two ReLUs, centred at x = k - 1/2."""
    middle = slope * (x - k + 0.5)
    return max(middle + 0.5, 0) - max(middle - 0.5, 0)


def test_the_staircase_reaches_a_third_with_slope_three_and_only_a_quarter_with_slope_two() -> None:
    assert ramp(3 - 1 / 4, 3, slope=2) == 1
    assert isclose(ramp(3 - 1 / 3, 3, slope=2), 5 / 6)
    assert isclose(ramp(2 + 1 / 3, 3, slope=2), 1 / 6)
    assert isclose(ramp(3 - 1 / 3, 3, slope=3), 1)
    assert isclose(ramp(2 + 1 / 3, 3, slope=3), 0, abs_tol=1e-12)
    assert "5/6 for 1 and 1/6 for 0" in yang2024.EQUATION_12.errata[0].evidence


def test_equation_14_counts_the_wrong_blocks() -> None:
    wrong = []
    for n in range(2, 33):
        places = range(1, n * n + 1)
        printed = [sum(i <= j * n for j in range(1, n + 1)) for i in places]
        assert printed == [n + 1 - ceil(i / n) for i in places]
        assert [1 + sum(i > j * n for j in range(1, n)) for i in places] == [ceil(i / n) for i in places]
        wrong.append(sum(c != ceil(i / n) for c, i in zip(printed, places, strict=True)) / n**2)
    assert f"{min(wrong):.0%} {max(wrong):.0%}" == "67% 100%"
    assert "67 to 100 %" in yang2024.EQUATION_14.errata[0].evidence


def test_equation_6_as_printed_looks_ahead_and_claim_7_forgets_the_global_tokens() -> None:
    assert [j for j in range(1, 21) if 3 - 5 < j <= 3 or (j - 1) % 5 >= 4] == [1, 2, 3, 5, 10, 15, 20]
    assert "sees 5, 10, 15 and 20" in yang2024.EQUATION_6.errata[0].evidence

    L, B = 10**6, 100  # k = c = 1: min(i, B) in the window and the block ends before it
    pairs = sum(min(i, B) + max(0, i - B) // B for i in range(1, L + 1))
    assert f"{round(pairs / L):,} pairs" in yang2024.CLAIM_7.errata[0].evidence


def lis_chain(s: tuple[int, ...]) -> tuple[int, ...]:
    chain: list[int] = []
    for i, x in enumerate(s):
        chain.append(1 + max((chain[j] for j in range(i) if s[j] < x), default=0))
    return tuple(chain)


def edit_table(a: tuple[int, ...], b: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """Insert and delete 2, replace 3, boundary 1 per letter: the convention of the public data."""
    table = [list(range(len(b) + 1))]
    for i, x in enumerate(a, start=1):
        row = [i]
        for j, y in enumerate(b, start=1):
            row.append(min(table[-1][j] + 2, row[-1] + 2, table[-1][j - 1] + 3 * (x != y)))
        table.append(row)
    return tuple(map(tuple, table))


def test_neither_lis_nor_the_edit_distance_is_regular() -> None:
    evidence = yang2024.DEFINITION_4_3.errata[0].evidence
    assert lis_chain((1, 2)) == lis_chain((1, 3)) == (1, 2)
    chains = [len({lis_chain(s) for s in product(range(n), repeat=n)}) for n in range(1, 7)]
    assert chains == [1, 2, 5, 15, 52, 203]
    assert ", ".join(map(str, chains)) in evidence
    for letters, text in ((2, "128 of 256"), (3, "864 of 6,561"), (4, "65,536 inputs and only 1,367")):
        words = list(product(range(letters), repeat=4))
        tables = len({edit_table(a, b) for a in words for b in words})
        assert {f"{tables:,}", f"{letters**8:,}"} <= set(re.findall(r"[\d,]*\d", text))
        assert text in evidence


def test_the_lengths_of_the_chains_are_those_of_the_text_except_for_arithmetic() -> None:
    lis = [2 * n + 3 for n in (40, 110, 175, 250)]
    edit = [(n + 2) * (n + 3) for n in (6, 12, 16, 20)]
    longest = [2 * m * m + 2 * m + 1 for m in (6, 10, 13, 16)]
    assert "chains of {}, {}, {} and {} tokens".format(*lis) in yang2024.TASK_2.says
    assert "at most {}, {}, {} and {} tokens".format(*edit) in yang2024.TASK_3.says
    assert ": {}, {}, {}, {}.".format(*longest) in yang2024.TASK_4.errata[0].true
    assert "at most 87, 221, 355 and 505 tokens" in yang2024.TASK_4.says


def test_the_block_size_is_eight_or_sixteen() -> None:
    shorter, longer = yang2024.EXPERIMENT_2.errata[0].evidence.split(";")
    assert {2 ** int(log2(sqrt(int(L)))) for L in re.findall(r"\d{2,3}", shorter)} == {8}
    assert {2 ** int(log2(sqrt(int(L)))) for L in re.findall(r"\d{3}", longer)} == {16}


# D of the least model above 90 %, and the fitted linear coefficient, per row of Table 2
ROWS = {"Standard": ((64, 128, 128, 128), 100), "Linear": ((256, 512, 512, 512), 100), "Sparse": ((128, 256, 256, 256), 55)}


def test_table_2_counts_weight_products_only() -> None:
    misses = []
    for row, (widths, kappa) in ROWS.items():
        match = re.search(rf"{row}: ([\d., ]+)\.", yang2024.TABLE_2.says)
        assert match is not None
        for text, L, D in zip(match[1].split(", "), (87, 221, 355, 505), widths, strict=True):
            assert isclose((L + 2) * 72 * D**2 / 1e9, float(text), rel_tol=0.03)
            fitted = f"{(L + 2) * (72 * D**2 + kappa * D) / 1e9:.3f}"
            misses += [(text, fitted)] if fitted != text else []
    assert misses == [("9.584", "9.595")]
    assert "Perhaps 9.595" in yang2024.TABLE_2.errata[1].true


def least_width(bits: float, p: int, M: int = 3, H: int = 4) -> float:
    """The least D with M (D^2/H + D) p >= bits."""
    return H / 2 * (sqrt(1 + 4 * bits / (M * p * H)) - 1)


def test_the_lower_bounds_hardly_bind_at_the_sizes_of_the_experiments() -> None:
    row = [1]  # Bell triangle
    for _ in range(249):
        last = [row[-1]]
        for x in row:
            last.append(last[-1] + x)
        row = last
    bits = log2(row[-1])
    assert f"{bits:.0f}" == "1206"
    assert [f"{least_width(bits, p):.1f}" for p in (32, 16, 1)] == ["5.4", "8.2", "38.2"]
    assert "5.4 at 32 bits, 8.2 at 16, 38 at 1" in yang2024.EXPERIMENT_5.errata[0].true

    arithmetic = log2(11) + 15 * log2(43)
    found = ", ".join(f"{least_width(arithmetic, p):.1f}" for p in (32, 16, 1))
    assert f"linear {found}" in yang2024.EXPERIMENT_5.errata[0].true
    assert found in yang2024.THEOREM_C_1.errata[0].evidence


@pytest.mark.parametrize(
    ("name", "sizes", "widths"),  # (n, states, reads) and (standard, linear, sparse)
    [
        ("LIS", (32, 561, 4), (32, 419, 326)),
        ("edit distance", (42, 483, 5), (35, 470, 357)),
        ("reversed sum", (400, 400, 2), (18, 285, 232)),
    ],
)
def test_the_widths_of_theorem_4_2_follow_their_closed_forms(name: str, sizes: tuple[int, int, int], widths: tuple[int, int, int]) -> None:
    n, states, reads = sizes
    standard, linear, sparse = widths
    L = n + 1 + states + 1
    W = isqrt(L - 1) + 1
    NB = ceil(L / W)
    assert standard + 1 + 2 * W + NB + reads * (NB + 2 * W + 4) == linear
    assert standard + 3 + 3 * W + reads * (2 * W + 4) == sparse
    assert re.search(rf"{name} [^(]*\({linear} and {sparse}\)", yang2024.THEOREM_4_2.errata[0].evidence)
