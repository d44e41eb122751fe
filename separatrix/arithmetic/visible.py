"""Which keys a query may read. A query that sees no key gives weight 0 to every key, in every format.

[hahn2020 Footnote 1; among several largest logits hard attention takes the first]
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from torch import Tensor


def hide(a: Tensor, visible: Tensor | None) -> Tensor:
    """Logits with minus infinity at hidden keys."""
    return a if visible is None else a.masked_fill(~visible, float("-inf"))


def first_largest(a: Tensor, visible: Tensor | None) -> Tensor:
    """The first of the largest visible logits of each row, as a boolean tensor."""
    hidden = hide(a, visible)
    largest = hidden == hidden.amax(dim=-1, keepdim=True)
    if visible is not None:
        largest &= visible
    return largest & (largest.cumsum(dim=-1) == 1)  # torch's argmax promises no order among ties


def visible_array(shape: tuple[int, ...], visible: Tensor | None) -> NDArray[np.bool_]:
    """`visible` as a NumPy array in the shape of the logits."""
    return np.ones(shape, dtype=bool) if visible is None else np.broadcast_to(visible.numpy(), shape)
