"""Yang et al. 2024: the numbers in its entries, recomputed."""

from __future__ import annotations

import re
from itertools import product
from math import ceil, erf, isclose, isqrt, log2, sqrt

import pytest

from separatrix.papers import statement
from separatrix.studies import study, study_rows


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
    assert "5/6 for 1 and 1/6 for 0" in statement("yang2024 Equation 12").entries[0].evidence


def test_equation_14_counts_the_wrong_blocks() -> None:
    wrong = []
    for n in range(2, 33):
        places = range(1, n * n + 1)
        printed = [sum(i <= j * n for j in range(1, n + 1)) for i in places]
        assert printed == [n + 1 - ceil(i / n) for i in places]
        assert [1 + sum(i > j * n for j in range(1, n)) for i in places] == [ceil(i / n) for i in places]
        wrong.append(sum(c != ceil(i / n) for c, i in zip(printed, places, strict=True)) / n**2)
    assert f"{min(wrong):.0%} {max(wrong):.0%}" == "67% 100%"
    assert "67 to 100 %" in statement("yang2024 Equation 14").entries[0].evidence


def test_equation_6_as_printed_looks_ahead_and_claim_7_forgets_the_global_tokens() -> None:
    assert [j for j in range(1, 21) if 3 - 5 < j <= 3 or (j - 1) % 5 >= 4] == [1, 2, 3, 5, 10, 15, 20]
    assert "sees 5, 10, 15 and 20" in statement("yang2024 Equation 6").entries[0].evidence

    L, B = 10**6, 100  # k = c = 1: min(i, B) in the window and the block ends before it
    pairs = sum(min(i, B) + max(0, i - B) // B for i in range(1, L + 1))
    assert f"{round(pairs / L):,} pairs" in statement("yang2024 Claim 7").entries[0].evidence


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
    evidence = statement("yang2024 Definition 4.3").entries[0].evidence
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
    assert "chains of {}, {}, {} and {} tokens".format(*lis) in statement("yang2024 Task 2").says
    assert "at most {}, {}, {} and {} tokens".format(*edit) in statement("yang2024 Task 3").says
    assert ": {}, {}, {}, {}.".format(*longest) in statement("yang2024 Task 4").entries[0].holds
    assert "at most 87, 221, 355 and 505 tokens" in statement("yang2024 Task 4").says


def test_the_block_size_is_eight_or_sixteen() -> None:
    shorter, longer = statement("yang2024 Experiment 2").entries[0].evidence.split(";")
    assert {2 ** int(log2(sqrt(int(L)))) for L in re.findall(r"\d{2,3}", shorter)} == {8}
    assert {2 ** int(log2(sqrt(int(L)))) for L in re.findall(r"\d{3}", longer)} == {16}


# D of the least model above 90 %, per row of Table 2
ROWS = {"Standard": (64, 128, 128, 128), "Linear": (256, 512, 512, 512), "Sparse": (128, 256, 256, 256)}


def visible(n: int, B: int, k: int = 1, c: int = 1) -> int:
    """How many of n prompt tokens the next token sees."""
    near = min(n, k * B - 1)
    far = n - near
    return near + c * (far // B) + max(0, far % B - (B - c))


def pairs(L: int, B: int, k: int = 1, c: int = 1) -> int:
    """How many pairs (i, j) block-sparse attention computes on L tokens."""
    return sum(min(i, k * B) + c * (r // B) + max(0, r % B - (B - c)) for i in range(1, L + 1) for r in (max(0, i - k * B),))


def test_the_formulas_for_visible_tokens_and_attended_pairs_equal_brute_force() -> None:
    for B, k in product(range(1, 7), (1, 2, 3)):
        for c in range(1, B + 1):
            mask = [[i - k * B < j <= i or (j - 1) % B >= B - c for j in range(1, i + 1)] for i in range(1, 31)]
            for n in range(1, 30):
                assert visible(n, B, k, c) == sum(mask[n][:n])
                assert pairs(n, B, k, c) == sum(sum(row) for row in mask[:n])
    for name, formula in (("Claim 2", "min(i, kB) + c floor(r/B)"), ("Theorem B.6", "min(n, kB - 1) + c floor(r/B)")):
        assert formula in statement(f"yang2024 {name}").entries[0].holds


def test_table_2_fits_the_weight_products_alone() -> None:
    for row, widths in ROWS.items():
        match = re.search(rf"{row}: ([\d., ]+)\.", statement("yang2024 Table 2").says)
        assert match is not None
        for text, L, D in zip(match[1].split(", "), (87, 221, 355, 505), widths, strict=True):
            assert isclose((L + 2) * 72 * D**2 / 1e9, float(text), rel_tol=0.03)
        assert ", ".join(map(str, widths)) in statement("yang2024 Table 2").entries[0].evidence

    def mixing(row: str, L: int, D: int) -> float:
        if row == "Linear":
            return L * (D**2 + 4 * D)  # 4 heads
        return 4 * D * (L * (L + 1) // 2 if row == "Standard" else pairs(L, 2 ** int(log2(sqrt(L)))))

    for row, widths in ROWS.items():
        whole = [(3 * (24 * L * D**2 + mixing(row, L, D)) + 42 * L * D) / 1e9 for L, D in zip((87, 221, 355, 505), widths, strict=True)]
        assert f"{row.lower()} {', '.join(f'{cost:.3f}' for cost in whole)}" in statement("yang2024 Table 2").entries[0].holds


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
    assert "5.4 at 32 bits, 8.2 at 16, 38 at 1" in statement("yang2024 Experiment 5").entries[0].holds

    arithmetic = log2(11) + 15 * log2(43)
    result = ", ".join(f"{least_width(arithmetic, p):.1f}" for p in (32, 16, 1))
    assert f"linear {result}" in statement("yang2024 Experiment 5").entries[0].holds
    assert result in statement("yang2024 Theorem C.1").entries[0].evidence


def test_bounds_and_constructions_for_the_reversed_sum_are_far_apart() -> None:
    n, p, M = 5000, 16, 3
    L, bits = 2 * n + 2, n * log2(10)
    W = isqrt(L - 1) + 1
    NB, v = ceil(L / W), visible(n, W)
    linear, sparse = least_width(bits, p), (bits - v * log2(10)) / (v * (M - 1) * p)
    built = (21 + 2 + 2 * W + NB + 2 * (NB + 2 * W + 4), 21 + 3 + 3 * W + 2 * (2 * W + 4))
    entry = statement("yang2024 Theorem 4.4").entries[1]
    assert f"linear D >= {linear:.1f} against {built[0]}, sparse D >= {sparse:.1f} against {built[1]}" in entry.evidence
    assert f"{built[0] / linear:.0f} and {built[1] / sparse:.0f} times larger" in entry.holds
    assert f"{sqrt(log2(10) / 2 * 4 / (M * p)):.2f} sqrt(L)" in entry.holds  # D^2 = H bits / (M p), bits = L log2(10) / 2
    assert f"{log2(10) / 2 / (1.5 * (M - 1) * p):.3f} sqrt(L)" in entry.holds  # v = 1.5 sqrt(L)


def test_gelu_is_within_0_17_of_relu() -> None:
    distance, place = max((x * (1 - erf(x / sqrt(2))) / 2, x) for x in (i / 10_000 for i in range(20_000)))
    assert f"at most {distance:.5f}/lam, attained at lam |x| = {place:.4f}" in statement("yang2024 Lemma A.2").entries[0].holds


@pytest.mark.parametrize(
    ("name", "sizes", "widths"),  # (n, states, reads) and (standard, linear, sparse)
    [
        ("LIS", (32, 561, 4), (47, 435, 341)),
        ("edit distance", (42, 483, 5), (59, 495, 381)),
        ("reversed sum", (400, 400, 2), (21, 289, 235)),
    ],
)
def test_the_widths_of_theorem_4_2_follow_their_closed_forms(name: str, sizes: tuple[int, int, int], widths: tuple[int, int, int]) -> None:
    n, states, reads = sizes
    standard, linear, sparse = widths
    L = n + 1 + states + 1
    W = isqrt(L - 1) + 1
    NB = ceil(L / W)
    assert standard + 2 + 2 * W + NB + reads * (NB + 2 * W + 4) == linear
    assert standard + 3 + 3 * W + reads * (2 * W + 4) == sparse
    assert re.search(rf"{name} [^(]*\({linear} and {sparse}\)", statement("yang2024 Theorem 4.2").entries[0].evidence)


def test_what_is_said_of_five_layers_is_what_was_run() -> None:
    """Training them was announced where no cell had been run."""
    ran = [row for row in study_rows(study("programs-learned")) if "5 layers" in row["task"] and row["status"] == "run"]
    for key in ("yang2024 Experiment 9", "yang2024 Figure 3"):
        assert ("No cell with 5 layers was run" in statement(key).missing) == (not ran)
