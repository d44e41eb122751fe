"""Chains counted, as sealed documents that `separatrix check` judges on its own: how many different ones follow a task's inputs.

[yang2024 Definition 4.3] [yang2024 Theorem 4.4]
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from separatrix.bits import ceil_log2
from separatrix.checker import sealed
from separatrix.errors import BadInput
from separatrix.tasks import Task
from separatrix.tasks.arithmetic import Arithmetic
from separatrix.tasks.capabilities import chain_of, vectors_of

VERSION = 3
Tokens = tuple[int, ...]


@dataclass(frozen=True)
class ChainCount:
    """The chains of a task of the package, after all inputs of its size or after those listed."""

    task: Task
    listed: tuple[Tokens, ...] | None = None
    cites: str = ""
    kind = "chain-count"

    def certificate(self) -> dict[str, Any]:
        """The sealed document."""
        inputs = [*self.task.inputs()] if self.listed is None else [*self.listed]
        first: dict[object, Tokens] = {}
        alike: tuple[Tokens, Tokens] | None = None
        for tokens, chain in zip(inputs, _chains(self.task, inputs), strict=True):
            met = first.setdefault(chain, tokens)
            if met != tokens and alike is None:
                alike = met, tokens
        return sealed(
            {
                "schema": "separatrix/certificate",
                "version": VERSION,
                "kind": self.kind,
                "claim": {"task": self.task.name, "parameters": self.task.parameters},
                "cites": self.cites,
                "listed": None if self.listed is None else [list(tokens) for tokens in self.listed],
                "inputs": len(inputs),
                "chains": len(first),
                "alike": None if alike is None else [list(tokens) for tokens in alike],
                "bits": ceil_log2(len(first)),
                "strength": "proven",
            }
        )


def first_handles(task: Arithmetic) -> tuple[Tokens, ...]:
    """Inputs whose second lines are all expressions without brackets: (a + 0) stands for the first number.

    [yang2024 Theorem C.1]

    p (4 p - 1)^(N - 1) of them: a number, then N - 1 times an operation and a number, without a division by 0.
    """
    p, plus, over = task.prime, task.sign("+"), task.sign("/")
    following = [(sign, b) for sign in range(plus, over + 1) for b in range(p) if b or sign != over]
    begins = [(task.sign("="), task.sign("("), a, plus, 0, task.sign(")")) for a in range(p)] if task.length > 1 else [
        (task.sign("="), a, plus, 0) for a in range(p)
    ]  # fmt: skip
    rests = product(following, repeat=task.length - 1)
    return tuple((*begin, *(token for pair in rest for token in pair), task.sign("=")) for rest in rests for begin in begins)


def _chains(task: Task, inputs: Sequence[Tokens]) -> Iterable[object]:
    import numpy as np

    if chain_of(task, inputs[0]) is not None:
        return [chain_of(task, tokens) for tokens in inputs]
    vectors = vectors_of(task, np.array(inputs))
    if vectors is None:
        raise BadInput(f"{task.name}: expected a task with a chain")
    return [chain.tobytes() for chain in vectors[1]]
