"""Which token sees which, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from separatrix.checker.models.masks import Mask, read_mask


def seen(mask: Mask, i: int, n: int = 9) -> list[int]:
    """The tokens, from 0, that token i sees."""
    visible = mask.visible(np.array([i]), n)
    return list(range(n)) if visible is None else np.flatnonzero(visible[0]).tolist()


def test_masks_by_hand() -> None:
    assert seen(Mask("all"), 3) == list(range(9))
    assert seen(Mask("causal"), 3) == [0, 1, 2, 3]
    assert seen(Mask("window", 3), 5) == [3, 4, 5]
    assert seen(Mask("window", 3), 1) == [0, 1]
    # blocks of 3 from token 0 on; the last block, and the last token of every block
    assert seen(Mask("block-sparse", block=3, local=1, far=1), 7) == [2, 5, 6, 7]
    assert seen(Mask("block-sparse", block=3, local=2, far=2), 8) == [1, 2, 3, 4, 5, 6, 7, 8]
    assert seen(Mask("block-sparse", block=3, local=1, far=0), 7) == [5, 6, 7]


def test_the_block_sparse_set_counted_from_1() -> None:
    """j <= i with j > i - local block, or with (j - 1) mod block >= block - global."""
    for i in range(1, 31):
        mask = Mask("block-sparse", block=5, local=2, far=2)
        wanted = [j for j in range(1, i + 1) if j > i - 2 * 5 or (j - 1) % 5 >= 5 - 2]
        assert [j + 1 for j in seen(mask, i - 1, 30)] == wanted


def test_every_token_sees_itself_and_only_all_looks_ahead() -> None:
    for mask in (Mask("all"), Mask("causal"), Mask("window", 1), Mask("block-sparse", block=4, local=1, far=0)):
        for i in range(9):
            assert i in seen(mask, i)
            assert mask.causal == (max(seen(mask, i)) <= i) or i == 8
    assert not Mask("all").causal


@pytest.mark.parametrize("document", [{"kind": "window", "size": 4}, {"kind": "block-sparse", "block": 3, "local": 2, "global": 1}])
def test_masks_are_read_from_their_fields(document: dict[str, object]) -> None:
    mask = read_mask(document, "mask")
    assert (mask.kind, mask.size, mask.block, mask.local, mask.far) == (
        document["kind"], document.get("size", 0), document.get("block", 0), document.get("local", 0), document.get("global", 0)
    )  # fmt: skip
