"""The price of an address, by family and length."""

from __future__ import annotations

import pytest

from separatrix.atlas.reading.material import Records
from separatrix.studies import addresses
from separatrix.studies.study import Row


@pytest.fixture(scope="module")
def rows(records: Records) -> list[Row]:
    return addresses.rows(records.content("rows", "addresses"))


def column(rows: list[Row], address: str, field: str) -> list[object]:
    return [row[field] for row in rows if row["address"] == address]


def test_every_family_is_there_at_every_length_that_it_can_have(rows: list[Row]) -> None:
    lengths = [10**power for power in range(2, 7)]
    for address in ("binary", "quadratic", "code", addresses.PAPER):
        assert column(rows, address, "length") == lengths
    for address in ("random", "one-hot"):
        assert column(rows, address, "length") == [100, 1000]
    assert len(rows) == 24


def test_the_printed_lemma_needs_128_ln_2N_coordinates(rows: list[Row]) -> None:
    # by hand: 8 / (1/4)^2 = 128; 128 ln 200 = 678.2, 128 ln 2000 = 972.9, 1267.7, 1562.4, 1857.1, rounded up
    assert column(rows, addresses.PAPER, "k") == [679, 973, 1268, 1563, 1858]
    assert column(rows, addresses.PAPER, "width")[-1] == 3722
    assert column(rows, addresses.PAPER, "largest_logit")[0] == 11.41  # 2 ln 300
    assert set(column(rows, addresses.PAPER, "parameter_bits")) == {None}  # formulas, not weights


def test_random_signs_have_the_printed_length(rows: list[Row]) -> None:
    assert column(rows, "random", "k") == [679, 973]


def test_binary_addresses_have_the_digits_of_N_and_width_46_at_a_million(rows: list[Row]) -> None:
    assert column(rows, "binary", "k") == [7, 10, 14, 17, 20]  # by hand: ceil(log2 N)
    assert column(rows, "binary", "width") == [20, 26, 34, 40, 46]  # 6 + 2 k
    assert column(rows, "binary", "eta")[-1] == pytest.approx(2.12, abs=0.01)  # ln(20 / ln(4/3)) / 2 = 2.12


def test_codes_of_sixteen_to_a_hundred_and_twenty_eight_signs_carry_these_lengths(rows: list[Row]) -> None:
    # from the evidence of the erratum to Lemma 2: k = 16, 32, 64, 128 carry 2^7, 2^11, 2^16, 2^22
    assert column(rows, "code", "k") == [16, 32, 64, 128, 128]


def test_the_quadratic_address_is_narrow_and_its_logits_grow_as_the_square(rows: list[Row]) -> None:
    assert set(column(rows, "quadratic", "width")) == {10}
    assert column(rows, "quadratic", "largest_logit") == [3.0 * 10 ** (2 * power) for power in range(2, 7)]
    assert set(column(rows, "quadratic", "least_weight")) == {0.9094}  # 1 / (1 + 2 (e^-3 + e^-12 + ...)) = 0.90944


def test_every_address_puts_three_quarters_of_the_attention_on_the_place(rows: list[Row]) -> None:
    assert all(row["least_weight"] >= 0.75 for row in rows)


def test_the_figure_draws_width_and_logit_of_every_family(rows: list[Row]) -> None:
    width, logit = addresses.figure(rows)["concat"]
    assert width["encoding"]["y"]["field"] == "width"
    assert logit["encoding"]["y"]["field"] == "largest_logit"
    assert width["encoding"]["color"]["scale"]["domain"] == [*addresses.ADDRESSES, addresses.PAPER]
