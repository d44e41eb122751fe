"""Functions with a compiled twin: where numba is installed (`separatrix[fast]`), it compiles the twin when the function first runs.

Without numba, or where it does not work, the function itself runs: slower, and with the same results bit for bit.
numba stores what it has compiled beside the code or in the user's cache, and fails where it can write to neither.
torch's own kernels need settings, too, which it reads when it is loaded.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache, wraps
from importlib import import_module
from types import ModuleType
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


def with_compiled_twin(module: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Let the function of the same name in `module` do the work, where numba can compile it."""

    def decorated(plain: Callable[P, R]) -> Callable[P, R]:
        @wraps(plain)
        def run(*args: P.args, **kwargs: P.kwargs) -> R:
            kernels = _twins(module)
            if kernels is None:
                return plain(*args, **kwargs)
            result: R = getattr(kernels, plain.__name__)(*args, **kwargs)
            return result

        return run

    return decorated


@cache
def _twins(module: str) -> ModuleType | None:
    try:
        return load_kernels(module)
    except Exception:  # whatever a missing, broken or unwritable numba throws
        return None


def load_kernels(module: str) -> ModuleType:
    """Import a module of numba kernels, with a place to store what numba compiles."""
    prepare_storage(os.path.dirname(__file__))
    return import_module(module)


def avoid_amx() -> None:
    """Have oneDNN do without AMX, unless the user has chosen; to be called before torch first multiplies.

    Some virtual machines announce AMX and stop at its first instruction, and it sums bfloat16 in an order of its own.
    """
    os.environ.setdefault("ONEDNN_MAX_CPU_ISA", "AVX512_CORE_FP16")


def prepare_for_torch() -> None:
    """Settings that torch reads when it is loaded: no AMX, and threads that wait for each other go to sleep after some microseconds.

    By default they try for milliseconds, on a busy machine instead of the very thread that they wait for: a study of small models
    then took more than ten minutes instead of twenty seconds. On a quiet machine it makes no difference. A user's own setting stays.
    """
    avoid_amx()
    if "OMP_WAIT_POLICY" not in os.environ:
        os.environ.setdefault("GOMP_SPINCOUNT", "2000")


def prepare_storage(package: str) -> None:
    """Where numba can write neither beside the code nor to the user's cache, give it a folder that ends with this process.

    What is stored there is code, so nobody else may write it.
    """
    cached = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    if "NUMBA_CACHE_DIR" in os.environ or _writable(package) or _writable(cached):
        return
    import atexit
    import shutil
    import tempfile

    try:
        os.environ["NUMBA_CACHE_DIR"] = folder = tempfile.mkdtemp(prefix="separatrix-")
    except OSError:  # nowhere at all: numba refuses, and the plain functions run
        return
    atexit.register(shutil.rmtree, folder, ignore_errors=True)


def _writable(folder: str) -> bool:
    """Whether files can be made in a folder, or in the nearest folder above it that exists."""
    while not os.path.exists(folder):
        folder = os.path.dirname(folder)
    return os.path.isdir(folder) and os.access(folder, os.W_OK)
