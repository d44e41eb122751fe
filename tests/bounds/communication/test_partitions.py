"""The search for the hardest partition."""

from __future__ import annotations

from typing import Any

import pytest

from separatrix.bounds.communication import partitions
from separatrix.bounds.communication.matrix import communication_matrix
from separatrix.bounds.communication.partitions import hardest_partition
from separatrix.errors import BadInput


def equal_halves(x: tuple[Any, ...]) -> bool:
    return x[: len(x) // 2] == x[len(x) // 2 :]


def interleaved(x: tuple[Any, ...]) -> bool:
    """Pairs of neighbours are equal: easy over a contiguous cut, hard over odd and even places."""
    return x[::2] == x[1::2]


def test_equality_of_neighbours_is_hardest_over_odd_and_even_places() -> None:
    partition = hardest_partition(interleaved, "01", 6)
    assert partition.score == 8
    assert partition.exhaustive
    assert partition.examined == 2**6 - 2
    assert all((2 * i in partition.alice) != (2 * i + 1 in partition.alice) for i in range(3))


def test_distinct_rows_may_ask_for_another_partition_than_the_rank() -> None:
    def lookup(x: tuple[Any, ...]) -> Any:
        return x[x[-1]]

    alphabet = [(0, 1)] * 4 + [range(4)]
    rows = hardest_partition(lookup, alphabet, 5, by="distinct-rows")
    rank = hardest_partition(lookup, alphabet, 5, by="rank")
    assert (rows.alice, rows.score) == ((0, 1, 2, 3), 16)
    assert rank.score < 16


def test_the_number_of_positions_can_be_fixed() -> None:
    partition = hardest_partition(equal_halves, "01", 6, size=2)
    assert len(partition.alice) == 2
    assert partition.examined == 15
    assert partition.score == 4


def test_a_local_search_says_what_it_is_and_finds_a_real_partition(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(partitions, "EXHAUSTED", 10)
    partition = hardest_partition(interleaved, "01", 8, size=4, seed=3)
    assert not partition.exhaustive
    assert partition.examined < 70
    assert partition.score == communication_matrix(interleaved, "01", 8, partition.alice).rank() == 16
    assert partition == hardest_partition(interleaved, "01", 8, size=4, seed=3)
    free = hardest_partition(interleaved, "01", 6, seed=3)
    assert free.score == 8


def test_a_local_search_climbs_from_starts_that_are_easy(monkeypatch: pytest.MonkeyPatch) -> None:
    def paired(x: tuple[Any, ...]) -> bool:
        """Places 0 2, 1 3, 4 6, 5 7 agree: neither the halves nor the odd places cut any pair."""
        return all(x[i] == x[i + 2] for i in (0, 1, 4, 5))

    monkeypatch.setattr(partitions, "EXHAUSTED", 10)
    monkeypatch.setattr(partitions, "STARTS", 2)
    assert communication_matrix(paired, "01", 8, (0, 1, 2, 3)).rank() == 1
    assert communication_matrix(paired, "01", 8, (0, 2, 4, 6)).rank() == 1
    for size in (None, 4):
        partition = hardest_partition(paired, "01", 8, size=size)
        assert partition.score == 16


def test_among_equally_hard_partitions_alice_holds_least() -> None:
    assert hardest_partition(lambda x: x.count("1") % 2, "01", 5).alice == (0,)


def test_what_cannot_be_searched_is_refused() -> None:
    with pytest.raises(BadInput, match="by must be rank, distinct-rows, fooling-set, found 'beauty'"):
        hardest_partition(equal_halves, "01", 4, by="beauty")  # type: ignore[arg-type]
    with pytest.raises(BadInput, match="alice and bob must each hold a position of 4, found size 4"):
        hardest_partition(equal_halves, "01", 4, size=4)


def test_where_a_promise_leaves_cells_open_the_largest_fooling_set_decides() -> None:
    """Neighbours agree, or differ everywhere: nothing else is promised, so there is no rank."""

    def promised(x: tuple[Any, ...]) -> bool | None:
        agree = {a == b for a, b in zip(x[::2], x[1::2], strict=True)}
        return agree.pop() if len(agree) == 1 else None

    partition = hardest_partition(promised, "01", 4, by="fooling-set")
    assert (partition.by, partition.exhaustive, partition.examined) == ("fooling-set", True, 14)
    assert partition.score == 2  # (0 0 | 0 0) and (1 1 | 1 1), crossed: both pairs of neighbours differ
    assert all((2 * i in partition.alice) != (2 * i + 1 in partition.alice) for i in range(2))
    with pytest.raises(BadInput, match="rank needs an answer in every cell"):
        hardest_partition(promised, "01", 4, by="rank")


def test_the_search_for_fooling_sets_agrees_with_the_rank_where_both_are_full() -> None:
    assert hardest_partition(interleaved, "01", 6, by="fooling-set").score == hardest_partition(interleaved, "01", 6).score == 8
