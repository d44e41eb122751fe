"""Separatrix: what a sequence model of a given size can and cannot do.

import separatrix as sx

    task  = sx.task("index-lookup", length=1000, symbols=64)
    built = sx.build("index-lookup", length=1000, symbols=64)
    cert  = sx.verify(built, cases=1000, seed=0)

torch is imported when a model is first touched.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from torch import nn

    from separatrix.bounds.communication.matrix import CommunicationMatrix
    from separatrix.bounds.states.profile import StateProfile
    from separatrix.certificates.built import Built
    from separatrix.certificates.certificate import Certificate
    from separatrix.state import StateBytes
    from separatrix.tasks import Task

# Some virtual machines announce AMX and stop at its first instruction, and it sums bfloat16 in an order of its own: oneDNN does without.
os.environ.setdefault("ONEDNN_MAX_CPU_ISA", "AVX512_CORE_FP16")


def _writable(folder: str) -> bool:
    """Whether files can be made in a folder, or in the nearest folder above it that exists."""
    while not os.path.exists(folder):
        folder = os.path.dirname(folder)
    return os.path.isdir(folder) and os.access(folder, os.W_OK)


def _store_kernels(package: str) -> None:
    """numba stores compiled kernels beside the code or in the user's cache, and fails where it can write to neither.

    Then they go to a folder that only this process has and that ends with it: what is stored there is code, so no other may write it.
    """
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    if "NUMBA_CACHE_DIR" in os.environ or _writable(package) or _writable(cache):
        return
    import atexit
    import shutil
    import tempfile

    try:
        os.environ["NUMBA_CACHE_DIR"] = folder = tempfile.mkdtemp(prefix="separatrix-")
    except OSError:  # nowhere at all: kernels fail in one line, everything else works
        return
    atexit.register(shutil.rmtree, folder, ignore_errors=True)


_store_kernels(os.path.dirname(__file__))

__version__ = "0.1.0"
__all__ = ["build", "communication_matrix", "model", "state_bytes", "state_profile", "task", "verify"]


def task(name: str, **parameters: Any) -> Task:
    """A task by name: oracle, sampler, enumeration and scoring."""
    instance: Task = import_module("separatrix.tasks").make_task(name, **parameters)
    return instance


def build(name: str, **parameters: Any) -> Built:
    """Exact weights of a construction, with the claim about them."""
    built: Built = import_module("separatrix.constructions").build(name, **parameters)
    return built


def verify(built: Built, cases: int | None = None, seed: int = 0) -> Certificate:
    """The built model against the oracle, as a certificate."""
    certificate: Certificate = import_module("separatrix.certificates.verify").verify(built, cases, seed)
    return certificate


def model(name: str, **parameters: Any) -> nn.Module:
    """A model with fresh weights, ready to be trained."""
    instance: nn.Module = import_module("separatrix.models").make_model(name, **parameters)
    return instance


def state_profile(answer: Callable[[tuple[Any, ...]], Any], alphabet: str | Iterable[Any], length: int) -> StateProfile:
    """How many states any recurrent model must tell apart after each token, for any function of a tuple of symbols."""
    profile: StateProfile = import_module("separatrix.bounds.states.profile").state_profile(answer, alphabet, length)
    return profile


def communication_matrix(
    answer: Callable[[tuple[Any, ...]], Any], alphabet: str | Iterable[Any], length: int, alice: Sequence[int]
) -> CommunicationMatrix:
    """The communication matrix of a function when Alice holds the positions `alice` (from 0)."""
    matrix: CommunicationMatrix = import_module("separatrix.bounds.communication.matrix").communication_matrix(
        answer, alphabet, length, alice
    )
    return matrix


def state_bytes(config: Any, length: int, dtype: str | None = None, batch: int = 1) -> StateBytes:
    """The bytes that cross the cut between two tokens: of a Hugging Face config (a path or a dictionary) or of a model of ours."""
    size: StateBytes = import_module("separatrix.runs.state_of").state_bytes(config, length, dtype, batch)
    return size
