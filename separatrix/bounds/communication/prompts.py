"""INDEX as prompts: what Alice holds is the first part of a prompt, Bob's place the rest, and the right answer is her bit.

[wen2024 Theorem 4.6; its reductions] [wen2024 Construction 3; wen2024 Construction 4; wen2024 Construction 5; corrected numbers]
[wen2024 Lemma B.26; wen2024 Lemma B.28; by the graphs of wen2024 Construction 1] [wen2024 Lemma B.24; counted for zero error]

A recurrent model that reads Alice's part is in some state. Bob continues from it, and whatever chain of thought follows is a function of
the state and of his part: so after her part the model has at least the bits that she holds, however long it thinks.

Notation   N  bits of Alice     a_i  her bits, i = 1 .. N     n  length of the task     h  blocks, one for each bit
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from separatrix.bounds.communication.facts import Bits
from separatrix.errors import BadInput
from separatrix.tasks import Task, make_task


@dataclass(frozen=True)
class PromptReduction:
    """From INDEX on N bits to a task: its settings, Alice's words, Bob's words, and her bit from the answer's word."""

    name: str
    cites: str
    bits: Callable[[Task], int]  # how many bits a prompt of this task holds
    settings: Callable[[int], dict[str, Any]]  # a task that holds N bits
    alice: Callable[[Task, Bits], str]
    bob: Callable[[Task, int], str]
    bit: Callable[[Task, str], int]

    def task(self, N: int) -> Task:
        """The least task that holds N bits."""
        if N < 1:
            raise BadInput(f"{self.name}: expected at least 1 bit, found {N}")
        return make_task(self.name, **self.settings(N))

    def prompt(self, task: Task, a: Bits, i: int) -> tuple[int, ...]:
        """The prompt that asks for a_i."""
        return task.read(f"{self.alice(task, a)} {self.bob(task, i)}")


def _numbers(values: Iterator[int] | list[int], rest: int, filler: int) -> str:
    """`<s>` and these numbers, filled up."""
    listed = list(values)
    return " ".join(["<s>", *map(str, listed + [filler] * (rest - len(listed)))])


def _blocks(task: Task) -> int:
    """Each bit takes c numbers, its place c - 1 times and its value; values h + 1 and h + 2 are no places."""
    return min(task.length // _gram(task), task.length - 2)


def _gram(task: Task) -> int:
    return int(getattr(task, "gram", 2))


def _grams(task: Task, a: Bits) -> str:
    """i .. i, then h + 1 + a_i; filled up with h + 1, which no query begins with."""
    h, c = _blocks(task), _gram(task)
    return _numbers([v for i, bit in enumerate(a, 1) for v in (*[i] * (c - 1), h + 1 + bit)], task.length, h + 1)


def _asked_gram(task: Task, i: int) -> str:
    return " ".join([str(i)] * (_gram(task) - 1))


def _listed(task: Task, a: Bits) -> str:
    """The places of ones, once each, filled up with n, which is no place."""
    return _numbers([i for i, bit in enumerate(a, 1) if bit], task.length, task.length)


def _message(task: Task, a: Bits) -> str:
    """Leaf i is joined to the centre that spells the parity of a_1 .. a_(i-1), so that leaves i and i + 1 have two centres iff a_i = 1."""
    centres = [sum(a[:i]) % 2 for i in range(task.length - 2)]
    return " ".join(["<s>", *(f"{leaf} ~ {task.length - 1 + centre}" for leaf, centre in enumerate(centres, 1))])


REDUCTIONS = {
    "recall-next": PromptReduction(
        "recall-next", "wen2024 Construction 3", _blocks, lambda N: {"length": max(4, 2 * N)}, _grams, _asked_gram,
        lambda task, said: int(said) - _blocks(task) - 1,
    ),
    "c-gram": PromptReduction(
        "c-gram", "wen2024 Construction 4", _blocks, lambda N: {"length": max(5, 3 * N)}, _grams, _asked_gram,
        lambda task, said: int(said) - _blocks(task) - 1,
    ),
    "counting": PromptReduction(
        "counting", "wen2024 Construction 5", lambda task: task.length - 1, lambda N: {"length": N + 1}, _listed,
        lambda _, i: f"{i} 0", lambda _, said: int(said == "YES"),
    ),
    "is-tree": PromptReduction(
        "is-tree", "wen2024 Construction 1", lambda task: task.length - 3, lambda N: {"length": N + 3}, _message,
        lambda _, i: f"{i} ~ {i + 1} <sep>", lambda _, said: int(said == "YES"),
    ),
    "index": PromptReduction(
        "index", "wen2024 Lemma B.24", lambda task: task.length, lambda N: {"length": max(2, N)},
        lambda task, a: _numbers([1 + bit for bit in a], task.length, 1), lambda _, i: str(i), lambda _, said: int(said) - 1,
    ),
}  # fmt: skip
