"""What a head of attention reads, whatever correct program computes it, from its queries, keys and values.

Attention is linear on either side of a softmax. Where it is scaled, as trained heads are, a program may take <K^T q, x_j> for <q, K x_j>,
and V sum_j w_j x_j for sum_j w_j V x_j: then what is read lies in one box around both.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from separatrix.checker.numbers.boxes import Array, Box, rows_of, stored, transposed
from separatrix.checker.numbers.formats import Numbers


class Linear(NamedTuple):
    """A linear map of the stream, for one head."""

    weight: Array
    bias: Array | None

    @classmethod
    def of(cls, w: Mapping[str, Array], name: str, first: int, count: int) -> Linear:
        """Some rows of a map of all heads."""
        bias = w.get(f"{name}_bias")
        return cls(rows_of(w[name], first, count), None if bias is None else bias[None, first : first + count])


def weighed(ops: Numbers, scores: str, weights: Box, v: Box) -> Box:
    """Values, weighed; where weights are shares, a program may divide by the sum of all at the end."""
    read = ops.mix(weights, v)
    return read if scores == "hard" else ops.unweighed(read, np.asarray(v.reach.sum(axis=-2, keepdims=True)))


class Parts(NamedTuple):
    """The stream [.., n, width] that keys and values are made of, and how."""

    x: Box
    key: Linear
    value: Linear


def reading(ops: Numbers, scores: str, visible: Array | None, q: Box, k: Box, v: Box, parts: Parts | None) -> Box:
    """What one head reads; where `parts` are given, also by tokens instead of their keys and values."""
    if parts is None:
        return weighed(ops, scores, ops.attention(ops.logits(q, k), visible, scores), v)
    x, key, value = parts
    other = ops.logits(ops.logits(q, stored(transposed(key.weight))), x)
    if key.bias is not None:
        other = ops.add(other, ops.logits(q, stored(key.bias)))
    weights = ops.attention(ops.logits(q, k).around(other), visible, scores)
    read = ops.logits(weighed(ops, scores, weights, x), stored(value.weight))
    if value.bias is not None:
        read = ops.add(read, stored(value.bias))
    return read.around(weighed(ops, scores, weights, v))
