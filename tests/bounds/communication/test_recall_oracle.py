"""An oracle for recall on inputs where its answers are known beforehand."""

from __future__ import annotations

from itertools import product

import pytest

from separatrix.bounds.communication.recall_oracle import (
    bits_despite_recall,
    oracle_reveals_nothing,
    recall,
    simulated_recall,
    swapped_pairs,
)
from separatrix.errors import BadInput
from separatrix.tasks import make_task


@pytest.mark.parametrize("N", [1, 2, 3, 6])
def test_the_oracle_is_simulated_from_the_third_token_alone(N: int) -> None:
    assert oracle_reveals_nothing(N)


def test_it_is_the_oracle_of_the_task() -> None:
    task = make_task("recall-next", length=8)
    for a in product((0, 1), repeat=2):
        x = swapped_pairs(a)
        for q in range(1, 9):
            right = task.answer(task.read(f"<s> {' '.join(map(str, x))} {q}"))
            assert recall(x, q) == (None if right is None else int(task.target_text(right)))  # type: ignore[arg-type]


def test_random_odd_places_would_reveal_which_tokens_occur() -> None:
    """As printed, with any tokens at the odd places: the oracle tells apart two inputs with the same third token."""
    n = 8
    x, y = (1, n, 2, n, 3, n, 4, n), (1, n, 2, n, 5, n, 4, n)
    assert recall(x, 3) != recall(y, 3)
    assert recall(y, 3) != simulated_recall(n, 2, 3)


def test_of_n_quarters_one_bit_is_known() -> None:
    assert [bits_despite_recall(n) for n in (4, 8, 400)] == [0, 1, 99]
    with pytest.raises(BadInput, match="at least 1 bit"):
        swapped_pairs(())
