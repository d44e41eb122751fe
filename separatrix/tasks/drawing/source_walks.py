"""Walks of the two next-symbol sources: prefixes that survive N symbols, and whole strings cut after N. All rows take a step at a time.

Brackets: ( 0, [ 1, ) 2, ] 3, the end 4. Bits: 0, 1, the end 2.
One word per symbol: its high half decides the state or the direction, its low half the bit or the type.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from separatrix.kernels import with_compiled_twin
from separatrix.tasks.drawing.counter import HALF, below, below_low, streams, word

Integers = npt.NDArray[np.int64]
TWINS = "separatrix.tasks.drawing.compiled_source_walks"


@with_compiled_twin(TWINS)
def parity_prefixes(key: np.uint64, first: int, even: np.uint64, stop: np.uint64, tokens: Integers, upcoming: Integers) -> None:
    """Bit strings that the PARITY source survives for N symbols, and the symbol that comes next.

    Given survival, the states after 1 .. N-1 symbols are independent, even with probability (1 - p)/(2 - p) = even / 2^32,
    and the state after N is a fair coin: only the even states pay 1 - p, and the last one has not paid yet.
    """
    starts, N, state = streams(key, first, len(tokens)), tokens.shape[1], np.zeros(len(tokens), dtype=np.int64)
    for t in range(N):
        reached = ((word(starts, t + 1) >> HALF) >= (even if t < N - 1 else np.uint64(2**31))).astype(np.int64)
        tokens[:, t] = state ^ reached
        state = reached
    drawn = word(starts, 0)
    upcoming[:] = np.where((state == 0) & ((drawn >> HALF) < stop), 2, below_low(drawn, 2))


@with_compiled_twin(TWINS)
def parity_strings(key: np.uint64, first: int, stop: np.uint64, tokens: Integers, upcoming: Integers, lengths: Integers) -> None:
    """Strings of the PARITY source with at least one symbol, cut after N, and what follows the last remaining symbol."""
    starts, going, state = streams(key, first, len(tokens)), np.arange(len(tokens)), np.zeros(len(tokens), dtype=np.int64)
    for t in range(tokens.shape[1] + 1):
        drawn = word(starts[going], t)
        ends = (state[going] == 0) & ((drawn >> HALF) < stop) & (t > 0)
        symbol = np.where(ends, 2, below_low(drawn, 2))
        over = ends | (t == tokens.shape[1])
        upcoming[going[over]], lengths[going[over]] = symbol[over], t
        going, symbol = going[~over], symbol[~over]
        tokens[going, t : t + 1] = symbol[:, None]
        state[going] ^= symbol


@with_compiled_twin(TWINS)
def dyck_prefixes(key: np.uint64, first: int, open_: np.uint64, heights: Integers, tokens: Integers, upcoming: Integers) -> None:
    """Uniform 2DYCK prefixes of N brackets that end at the given heights, and the bracket that comes next; drawn from the back.

    Of the walks of k steps from 0 to h, h ((k + h)/2 + 1) in k (h + 1) end with a step up.
    From the back a closing bracket waits for its partner, and an opening one takes the last that waits.
    """
    (count, N), rows, starts = tokens.shape, np.arange(len(tokens)), streams(key, first, len(tokens))
    h, waits, top = heights.astype(np.int64), np.zeros(count, dtype=np.int64), np.full(count, -1)
    waiting = np.empty((count, N + 1), dtype=np.int64)
    for k in range(N, 0, -1):
        drawn = word(starts, k)
        kind = below_low(drawn, 2)
        closes = below(drawn, k * (h + 1)) >= h * (((k + h) >> 1) + 1)
        match = np.where(waits > 0, waiting[rows, waits - 1], kind)
        waiting[rows, waits] = kind
        tokens[:, k - 1] = np.where(closes, 2 + kind, match)
        top = np.where(~closes & (waits == 0) & (top < 0), match, top)  # the innermost bracket that stays open
        waits += np.where(closes, 1, -(waits > 0).astype(np.int64))
        h += np.where(closes, 1, -1)
    drawn = word(starts, 0)
    upcoming[:] = np.where((drawn >> HALF) < open_, below_low(drawn, 2), np.where(top < 0, 4, 2 + top))


@with_compiled_twin(TWINS)
def dyck_strings(key: np.uint64, first: int, open_: np.uint64, tokens: Integers, upcoming: Integers, lengths: Integers) -> None:
    """Strings of the 2DYCK source with at least one bracket, cut after N, and what follows the last remaining bracket."""
    (count, N), starts, going = tokens.shape, streams(key, first, len(tokens)), np.arange(len(tokens))
    h, stack = np.zeros(count, dtype=np.int64), np.empty((count, N + 1), dtype=np.int64)
    for t in range(N + 1):
        drawn, height = word(starts[going], t), h[going]
        opens = ((drawn >> HALF) < open_) | (t == 0)
        closing = np.where(height == 0, 4, 2 + stack[going, height - 1])
        symbol = np.where(opens, below_low(drawn, 2), closing)
        over = (symbol == 4) | (t == N)
        upcoming[going[over]], lengths[going[over]] = symbol[over], t
        going, symbol, opens = going[~over], symbol[~over], opens[~over]
        tokens[going, t : t + 1] = symbol[:, None]
        stack[going[opens], h[going[opens]]] = symbol[opens]
        h[going] += np.where(opens, 1, -1)
