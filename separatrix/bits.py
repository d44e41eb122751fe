"""Bits needed to number a set of things."""

from __future__ import annotations


def ceil_log2(count: int) -> int:
    """ceil(log2 count): the bits that distinguish `count` things; 0 for a single one."""
    return (count - 1).bit_length()


def bits_for(count: int) -> int:
    """The width of a binary code for `count` things: ceil(log2 count), but at least 1, so that even a single one has a coordinate."""
    return max(1, ceil_log2(count))
