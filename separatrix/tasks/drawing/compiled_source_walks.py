"""`source_walks`, compiled."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import njit

from separatrix.tasks.drawing.compiled_counter import below, below_low, stream, word
from separatrix.tasks.drawing.counter import HALF

Integers = npt.NDArray[np.int64]


@njit(cache=True)
def parity_prefixes(key: np.uint64, first: int, even: np.uint64, stop: np.uint64, tokens: Integers, upcoming: Integers) -> None:
    """Bit strings that the PARITY source survives for N symbols, and the symbol that comes next."""
    N = tokens.shape[1]
    for r in range(len(tokens)):
        start, state = stream(key, first + r), 0
        for t in range(N):
            drawn = word(start, t + 1) >> HALF
            reached = 0 if drawn < (even if t < N - 1 else np.uint64(2**31)) else 1
            tokens[r, t] = state ^ reached
            state = reached
        drawn = word(start, 0)
        upcoming[r] = 2 if state == 0 and (drawn >> HALF) < stop else below_low(drawn, 2)


@njit(cache=True)
def parity_strings(key: np.uint64, first: int, stop: np.uint64, tokens: Integers, upcoming: Integers, lengths: Integers) -> None:
    """Strings of the PARITY source with at least one symbol, cut after N, and what follows the last remaining symbol."""
    N = tokens.shape[1]
    for r in range(len(tokens)):
        start, state = stream(key, first + r), 0
        for t in range(N + 1):
            drawn = word(start, t)
            ends = t > 0 and state == 0 and (drawn >> HALF) < stop
            symbol = 2 if ends else int(below_low(drawn, 2))
            if ends or t == N:
                upcoming[r], lengths[r] = symbol, t
                break
            tokens[r, t] = symbol
            state ^= symbol


@njit(cache=True)
def dyck_prefixes(key: np.uint64, first: int, open_: np.uint64, heights: Integers, tokens: Integers, upcoming: Integers) -> None:
    """Uniform 2DYCK prefixes of N brackets, drawn from the back. Choices are made by masks: half of the branches would be mispredicted."""
    N = tokens.shape[1]
    waiting = np.empty(N + 1, dtype=np.int64)
    words = np.empty(N + 1, dtype=np.uint64)
    for r in range(len(tokens)):
        start, h, waits, top = stream(key, first + r), heights[r], np.int64(0), -1
        row = tokens[r]
        for k in range(N + 1):
            words[k] = word(start, k)
        for k in range(N, 0, -1):
            kind = below_low(words[k], 2)
            closes = -np.int64(below(words[k], k * (h + 1)) >= h * (((k + h) >> 1) + 1))  # -1 where it does, else 0
            some = -np.int64(waits > 0)
            match = (waiting[waits - 1 if waits > 0 else 0] & some) | (kind & ~some)
            waiting[waits] = kind
            row[k - 1] = ((2 + kind) & closes) | (match & ~closes)
            top = match if (closes == 0 and some == 0 and top < 0) else top  # the innermost bracket that stays open
            waits += (1 & closes) - (1 & ~closes & some)
            h += (2 & closes) - 1
        drawn = words[0]
        upcoming[r] = below_low(drawn, 2) if (drawn >> HALF) < open_ else 4 if top < 0 else 2 + top


@njit(cache=True)
def dyck_strings(key: np.uint64, first: int, open_: np.uint64, tokens: Integers, upcoming: Integers, lengths: Integers) -> None:
    """Strings of the 2DYCK source with at least one bracket, cut after N, and what follows the last remaining bracket."""
    N = tokens.shape[1]
    stack = np.empty(N + 1, dtype=np.int64)
    for r in range(len(tokens)):
        start, h = stream(key, first + r), 0
        for t in range(N + 1):
            drawn = word(start, t)
            opens = t == 0 or (drawn >> HALF) < open_
            symbol = below_low(drawn, 2) if opens else 4 if h == 0 else 2 + stack[h - 1]
            if symbol == 4 or t == N:
                upcoming[r], lengths[r] = symbol, t
                break
            tokens[r, t] = symbol
            if opens:
                stack[h] = symbol
                h += 1
            else:
                h -= 1
