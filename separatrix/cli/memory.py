"""Out of memory: what was asked for, what there is, and so how much smaller it would have to be."""

from __future__ import annotations

import os
import re

WORDS = ("allocate memory", "out of memory", "Unable to allocate", "bytes exceeds")  # of torch on CPU, on a GPU, and of NumPy
SIZE = re.compile(r"(?:allocate|is) ([\d.]+) ?(bytes|[KMGTPE]iB)")
UNITS = {"bytes": 1, **{f"{letter}iB": 1024**power for power, letter in enumerate("KMGTPE", 1)}}
PRACTICAL = 0.5  # share of the free memory that one array may take: others stand beside it


def is_out_of_memory(error: BaseException) -> bool:
    """Whether an error says that memory ran out, whoever raised it."""
    if isinstance(error, MemoryError):
        return True
    return isinstance(error, RuntimeError | ValueError) and any(words in str(error) for words in WORDS)


def memory_message(error: BaseException) -> str:
    """One line: what was asked for in one piece, what is free, and the share of the size that would fit."""
    asked, free = _asked(str(error)), free_bytes()
    room = "" if free is None else f"; {_gigabytes(free)} of memory are free"
    if asked is None or free is None:
        return f"this needs more memory than there is{room}: use a smaller length, width or batch"
    share = asked / (PRACTICAL * free)
    return (
        f"this needs {_gigabytes(asked)} in one piece{room}: a length, width or batch about {_times(share)} times smaller would fit "
        f"(what grows with the square of it, {_times(share**0.5)} times)"
    )


def free_bytes() -> int | None:
    """Memory that could be taken now, where the system says so."""
    try:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return None


def _asked(text: str) -> int | None:
    found = SIZE.search(text)
    return None if found is None else int(float(found[1]) * UNITS[found[2]])


def _gigabytes(amount: float) -> str:
    return f"{_times(amount / 1e9)} GB"


def _times(number: float) -> str:
    """Three digits, never as a power of ten."""
    return f"{number:,.3g}" if number < 100 else f"{number:,.0f}"
