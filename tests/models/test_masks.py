"""Masks: what a whole sequence sees is what one token after the other carries."""

from __future__ import annotations

import pytest
import torch

from separatrix.errors import BadInput
from separatrix.models.masks import MASKS, All, BlockSparse, Causal, Mask, Window

EVERY: list[Mask] = [
    All(), Causal(), Window(1), Window(2), Window(5), Window(100),
    *(BlockSparse(block, local, ends) for block in (1, 3, 4) for local in (1, 2) for ends in range(min(block, 3) + 1)),
]  # fmt: skip
every_mask = pytest.mark.parametrize("mask", EVERY)
N = 23


def seen(mask: Mask, i: int, n: int) -> list[int]:
    """Positions from 0 that token i reads, of n."""
    visible = mask.visible(torch.tensor([i]), n)
    return list(range(n)) if visible is None else visible[0].nonzero()[:, 0].tolist()


def test_every_mask_is_met() -> None:
    assert {mask.kind for mask in EVERY} == set(MASKS)
    assert len(MASKS) == 4


def test_by_hand() -> None:
    """Blocks of 4 from position 0, one local block, one token at the end of each block: token 9 reads 6..9, and 3."""
    assert seen(All(), 2, 5) == [0, 1, 2, 3, 4]
    assert seen(Causal(), 2, 5) == [0, 1, 2]
    assert seen(Window(2), 3, 5) == [2, 3]
    assert seen(BlockSparse(4, 1, 1), 9, 12) == [3, 6, 7, 8, 9]
    assert seen(BlockSparse(4, 1, 2), 9, 12) == [2, 3, 6, 7, 8, 9]
    assert seen(BlockSparse(4, 2, 0), 9, 12) == [2, 3, 4, 5, 6, 7, 8, 9]


@every_mask
def test_what_is_carried_is_what_a_later_token_reads(mask: Mask) -> None:
    for n in range(N):
        later = {j for i in range(n, 2 * N) for j in seen(mask, i, 2 * N) if j < n}
        assert mask.carried(n) == len(later), n


@every_mask
def test_the_next_token_reads_all_that_is_carried_and_then_at_most_one_leaves(mask: Mask) -> None:
    carried: list[int] = []
    for t in range(N):
        expected = seen(mask, t, t + 1)
        assert [*carried, t] == expected, t
        leaves, carried = mask.leaves(t), [*carried, t]
        if leaves is not None:
            del carried[leaves]
        assert len(carried) == mask.carried(t + 1)


def test_a_causal_mask_hides_what_is_later() -> None:
    for mask in EVERY:
        assert mask.causal == all(max(seen(mask, i, N)) <= i for i in range(N))


def test_the_mask_of_attention_is_causal_unless_it_is_said() -> None:
    from separatrix.models.mixers.attention import AttentionConfig

    assert AttentionConfig(1, 1, 1).mask == Causal()


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: Window(0), "mask window: size must be at least 1, the token itself, found 0"),
        (lambda: BlockSparse(0, 1, 0), "block and local must be at least 1, found block=0, local=1"),
        (lambda: BlockSparse(4, 0, 1), "block and local must be at least 1, found block=4, local=0"),
        (lambda: BlockSparse(4, 1, 5), r"a block of 4 tokens has 0\.\.4 global ones, found 5"),
        (lambda: BlockSparse(4, 1, -1), r"a block of 4 tokens has 0\.\.4 global ones, found -1"),
    ],
)
def test_masks_that_cannot_be_are_refused(make: object, says: str) -> None:
    with pytest.raises(BadInput, match=says):
        make()  # type: ignore[operator]
