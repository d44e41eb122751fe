"""Compiled kernels, where numba works: it is imported when a kernel first runs, and what it compiles is stored on disk.

The first call on a machine compiles; if that takes more than PATIENCE seconds, a line says so.
Where numba is missing or broken, a line says so once, and the naive text runs.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from types import ModuleType

from separatrix.kernels import load_kernels

PATIENCE = 2.0


@cache
def compiled(module: str, what: str, dtype: str) -> ModuleType | None:
    """The module with the kernels, compiled for a number type and tried out once; None where that cannot be done."""
    try:
        with announced(f"preparing {what} for {dtype}: it is compiled once for this machine, which takes up to a minute"):
            kernels = load_kernels(module)
            kernels.try_out(dtype)
    except ModuleNotFoundError as error:
        _say(f"{what} runs without its compiled kernel, much slower: {error.name} is not installed (pip install 'separatrix[fast]')")
        return None
    except Exception as error:  # whatever a broken numba or compiler throws
        reason = " ".join(str(error).split())[:120]
        _say(f"{what} runs without its compiled kernel, much slower: numba does not work here ({type(error).__name__}: {reason})")
        return None
    return kernels


@contextmanager
def announced(line: str) -> Iterator[None]:
    """Say a line on stderr if what runs inside takes longer than PATIENCE."""
    timer = threading.Timer(PATIENCE, _say, [line])
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
