"""The memory of index lookup: an exact profile beside the sizes of weights that were built."""

from __future__ import annotations

import pytest

from separatrix.atlas.reading.material import Records
from separatrix.bounds.families.index_lookup import index_lookup_profile
from separatrix.studies import memory_of_lookup
from separatrix.studies.study import Row


@pytest.fixture(scope="module")
def rows(records: Records) -> list[Row]:
    return memory_of_lookup.rows(records.content("rows", "memory-of-lookup"))


def values(rows: list[Row], counts: str) -> dict[int, int]:
    return {row["length"]: row["value"] for row in rows if row["counts"] == counts}


def test_after_t_of_16_symbols_6t_bits_are_needed_and_6_once_the_index_is_known(rows: list[Row]) -> None:
    profile = [(row["tokens"], row["value"]) for row in rows if row["counts"] == memory_of_lookup.AFTER_EACH]
    assert profile == [(t, 6 * t) for t in range(17)] + [(17, 6)]  # by hand: 64^t strings of t symbols, then 64 answers


def test_the_state_is_six_bits_for_each_symbol_at_every_length(rows: list[Row]) -> None:
    assert values(rows, memory_of_lookup.STATE) == {2**power: 6 * 2**power for power in range(4, 21)}


def test_the_shortcut_to_the_widest_cut_agrees_with_the_whole_profile() -> None:
    state = next(row["value"] for row in memory_of_lookup.sizes_at(100) if row["counts"] == memory_of_lookup.STATE)
    assert state == index_lookup_profile(100, 64).bits == 600


def test_the_built_width_grows_by_two_when_the_length_doubles(rows: list[Row]) -> None:
    # by hand: 6 bits of the symbol and twice log2 N bits of address
    assert values(rows, memory_of_lookup.BUILT_WIDTH) == {2**power: 6 + 2 * power for power in range(4, 21)}


def test_the_least_recurrent_width_is_the_state_in_whole_numbers_of_64_bits(rows: list[Row]) -> None:
    result = values(rows, memory_of_lookup.LEAST_WIDTH)
    assert (result[16], result[32], result[2**20]) == (2, 3, 98304)  # 96 / 64 and 192 / 64 rounded up; 6 * 2^20 / 64


def test_widths_cross_between_128_and_256_and_stored_bits_where_the_caption_says(rows: list[Row]) -> None:
    least, built = values(rows, memory_of_lookup.LEAST_WIDTH), values(rows, memory_of_lookup.BUILT_WIDTH)
    assert next(N for N in least if least[N] > built[N]) == 256
    state, stored = values(rows, memory_of_lookup.STATE), values(rows, memory_of_lookup.STORED)
    crossing = next(N for N in state if state[N] > stored[N])
    assert crossing / 2 <= 10**5 <= crossing
    tabulated = values(rows, memory_of_lookup.TABULATED)
    assert all(tabulated[N] > state[N] for N in state)  # "they never do"


def test_the_figure_has_one_panel_for_each_kind_of_count_and_names_every_curve(rows: list[Row]) -> None:
    tokens, bits, width = memory_of_lookup.figure(rows)["concat"]
    assert "N = 16" in tokens["title"]["text"]
    assert bits["encoding"]["color"]["scale"]["domain"] == [memory_of_lookup.STATE, memory_of_lookup.STORED, memory_of_lookup.TABULATED]
    assert width["encoding"]["color"]["scale"]["domain"] == [memory_of_lookup.LEAST_WIDTH, memory_of_lookup.BUILT_WIDTH]
