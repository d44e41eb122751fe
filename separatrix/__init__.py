"""Separatrix: what a sequence model of a given size can and cannot do.

import separatrix as sx

    task  = sx.task("index-lookup", length=1000, symbols=64)
    built = sx.build("index-lookup", length=1000, symbols=64)
    cert  = sx.verify(built, cases=1000, seed=0)

torch is imported when a model is first touched.
"""

from __future__ import annotations

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

__version__ = "0.2.0"
__all__ = ["build", "communication_matrix", "decide", "model", "state_bytes", "state_profile", "task", "verify"]


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


def decide(language: str, architecture: str | None = None, arithmetic: str | None = None, alphabet: str | None = None) -> dict[str, Any]:
    """Which architectures recognise a regular language or track a group, at all lengths: the report of `separatrix decide`."""
    report: dict[str, Any] = import_module("separatrix.refuters.decide").decide(language, architecture, arithmetic, alphabet)
    return report


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
