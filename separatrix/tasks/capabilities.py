"""What some tasks can do besides being asked and answered: write a chain, hold vectors, be interviewed, be solved a second way.

A task has such a capability if it has the members that the protocol lists; it need not derive from anything.
Whoever can do without the capability asks one of the functions, which answer for every task.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np

from separatrix.errors import BadInput
from separatrix.tasks.batch import Answer, Batch, Integers
from separatrix.tasks.searching import Template

if TYPE_CHECKING:
    from separatrix.tasks.task import Task


@dataclass(frozen=True)
class Search:
    """The tokens around a search; the token after `end` is its result, which a model is given (tasks/searching.py).

    Where queries are short, `templates` has the expression that each first word stands for.
    """

    start: int
    end: int
    templates: Mapping[str, Template] = field(default_factory=dict)


@runtime_checkable
class WritesChain(Protocol):
    """Answers may come at the end of a chain of thought."""

    @property
    def stop(self) -> int | None:
        """The token that ends a chain; None with parameters at which nothing is written."""

    def chain(self, tokens: Sequence[int]) -> tuple[int, ...] | None:
        """The tokens that a chain writes after these, up to and with `stop`."""


@runtime_checkable
class LimitsChain(Protocol):
    """Chains have a greatest length; models are trained on the chains of such tasks only."""

    @property
    def chain_limit(self) -> int:
        """The most tokens of a chain, with the stop token."""


@runtime_checkable
class Searches(Protocol):
    """Chains may search the text of what was read, which is `spelling`."""

    @property
    def search(self) -> Search | None:
        """The tokens around a search."""


@runtime_checkable
class HoldsVectors(Protocol):
    """Models may read the input as integer vectors, and round what they write."""

    def as_vectors(self, prompts: Integers) -> tuple[Integers, Integers]:
        """Prompts [rows, tokens] as vectors [rows, tokens, integers], and the chains after them, up to and with the zero vector."""

    def prompt_of(self, read: Sequence[Any]) -> list[int]:
        """The input, as ids, from its vectors."""


@runtime_checkable
class KeysAreVectors(Protocol):
    """The first ids stand for vectors, which are inputs in the paper: it stores no table of them."""

    @property
    def keys(self) -> int:
        """How many ids those are."""

    @property
    def vectors(self) -> Any:
        """The vector of each, [keys, d]."""


@runtime_checkable
class PublicLines(Protocol):
    """The public chain-of-thought data have this task."""

    def benchmark_line(self, tokens: Sequence[int]) -> str | None:
        """The example with its chain as one line of those data."""

    def read_benchmark(self, line: str) -> tuple[int, ...]:
        """The tokens of the input of such a line; its chain must be the one that `benchmark_line` writes."""


@runtime_checkable
class DrawsChains(Protocol):
    """Chains may be drawn with the example: then they are not a function of it."""

    def drawn_chains(self, seed: int, count: int, start: int = 0) -> list[tuple[int, ...]] | None:
        """The chains of drawn examples; None with parameters at which the input decides its chain."""

    def line_with_chain(self, tokens: Sequence[int], chain: Sequence[int]) -> str:
        """`benchmark_line` with a chain that came with the draw."""


@runtime_checkable
class PointsElsewhere(Protocol):
    """What is scored at one position asks about another."""

    def asked(self, batch: Batch) -> Integers:
        """For each scored position, row by row, the position (from 1) that it asks about."""


@runtime_checkable
class Interviewed(Protocol):
    """Inputs hold independent uniform answers, and can be asked for each of them."""

    @property
    def independent_answers(self) -> tuple[int, int]:
        """How many answers an input of full length holds, and out of how many values."""

    def interview(self, seed: int, count: int) -> Batch:
        """`count` inputs, each asked about every answer that it holds.

        One row asks for one answer, or for all in order; rows of one input stand together and differ in the question alone. In every
        place each value occurs equally often, as far as `count` allows, so that a guess is right exactly as often as chance.
        """


@dataclass(frozen=True)
class Revealed:
    """Bits of the prompt that a chain reveals: the logarithm of the number of chains, and its formula.

    `loose`: there may be more chains, so a count at a small size says more.
    """

    bits: float
    formula: str
    loose: bool = False


@runtime_checkable
class RevealsPrompt(Protocol):
    """It is known, by an argument, how many different chains there are."""

    def revealed_by_chain(self) -> Revealed:
        """What the chain reveals of the prompt."""


def stop_of(task: Task) -> int | None:
    """The token that ends a chain of the task; None if it writes none."""
    return task.stop if isinstance(task, WritesChain) else None


def chain_of(task: Task, tokens: Sequence[int]) -> tuple[int, ...] | None:
    """The chain of a task, if it has one; refuses a chain that does not end with its only stop token."""
    # asked by name, so that a task which forgot its stop token is told so
    write: Callable[[Sequence[int]], tuple[int, ...] | None] | None = getattr(task, "chain", None)
    chain = None if write is None else write(tokens)
    if chain is None:
        return None
    stop = stop_of(task)
    if stop is None:
        raise BadInput(f"{task.name}: a chain needs a stop token, but the task has none")
    if not chain or chain[-1] != stop or stop in chain[:-1]:
        raise BadInput(f"{task.name}: a chain must end with the stop token {stop} and contain it nowhere else, found {list(chain)!r:.80}")
    return tuple(chain)


def chain_limit(task: Task) -> int:
    """The most tokens of a chain; 0 for a task without one."""
    return task.chain_limit if isinstance(task, LimitsChain) else 0


def tokens_read(task: Task) -> int:
    """The most tokens that a model reads: the input, and the chain but for its stop token."""
    return task.token_count + max(0, chain_limit(task) - 1)


def search_of(task: Task) -> Search | None:
    """The tokens around a search, if chains of the task search."""
    return task.search if isinstance(task, Searches) else None


def vectors_of(task: Task, prompts: Integers) -> tuple[Integers, Integers] | None:
    """Prompts and their chains as vectors; None for a task of tokens."""
    return task.as_vectors(prompts) if isinstance(task, HoldsVectors) else None


def prompt_of(task: Task, read: Sequence[Any]) -> list[Any]:
    """The input, as ids, from what a model reads of it: ids, or vectors."""
    return task.prompt_of(read) if isinstance(task, HoldsVectors) else list(read)


def vector_tokens(task: Task) -> int:
    """How many tokens of the task stand for vectors."""
    return task.keys if isinstance(task, KeysAreVectors) else 0


def asked_positions(task: Task, batch: Batch) -> Integers:
    """For each scored position, row by row, the position (from 1) that it asks about."""
    return task.asked(batch) if isinstance(task, PointsElsewhere) else scored_positions(batch)


def scored_positions(batch: Batch) -> Integers:
    """The scored positions themselves, row by row, from 1."""
    return np.nonzero(batch.mask)[1] + 1


def second_solver(task: Task) -> Callable[[Sequence[int]], Answer | None] | None:
    """What computes the answer independently of `answer`, inside the promise: the method `second`, if the task has one.

    A task with a parameter of that name has `second_answer` instead.
    """
    solver: Any = getattr(task, "second_answer", None) or getattr(task, "second", None)
    return solver if callable(solver) else None
