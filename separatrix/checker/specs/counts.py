"""Counts of inputs and states, without numbers too long to handle."""

from __future__ import annotations

COUNTED = 62  # bits of a number of inputs; more are never run
EXACT = 1 << 16  # bits of a power that is written out
BLOCK = 1024


def bits(count: int) -> int:
    """ceil(log2 count): the bits that distinguish `count` things."""
    return (count - 1).bit_length()


def in_bits(count: int) -> str:
    """`1 bit`, `4 bits`."""
    return f"{count} bit{'' if count == 1 else 's'}"


def strings(symbols: int, length: int) -> int | None:
    """symbols^length, or None if that is too many to run."""
    return None if length * bits(symbols + 1) > 2 * COUNTED else countable(symbols**length)


def countable(count: int) -> int | None:
    """The number itself, or None if that is too many to run."""
    return count if count.bit_length() <= COUNTED else None


def state_bits(base: int, exponent: int, factor: int = 1) -> int:
    """ceil(log2(factor base^exponent)); for a long number, a close lower bound."""
    if base & (base - 1) == 0:
        return exponent * bits(base) + bits(factor)
    if exponent * bits(base) <= EXACT:
        return bits(factor * base**exponent)
    block: int = base**BLOCK
    return exponent * (block.bit_length() - 1) // BLOCK + factor.bit_length() - 1
