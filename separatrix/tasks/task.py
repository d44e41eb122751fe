"""The form that every task has."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from separatrix.errors import BadInput
from separatrix.tasks.drawing.counter import stream_key

Integers = npt.NDArray[np.int64]
Answer = int | tuple[int, ...]


@dataclass(frozen=True)
class Batch:
    """Examples side by side: rows are padded on the right with 0 up to the longest.

    `targets[r, t]` is what a model must say at token t of row r wherever `mask[r, t]`; elsewhere it is 0 and not scored.
    """

    tokens: Integers  # [rows, tokens]
    targets: Integers  # [rows, tokens]
    mask: npt.NDArray[np.bool_]  # [rows, tokens]
    lengths: Integers  # [rows] real tokens of each row

    def row(self, r: int) -> tuple[int, ...]:
        """The tokens of one row without the padding."""
        return tuple(int(t) for t in self.tokens[r, : self.lengths[r]])

    def answer(self, r: int) -> Answer:
        """What is asked at one row: a single id where one position is scored, else all of them in order."""
        scored = tuple(int(t) for t in self.targets[r][self.mask[r]])
        return scored[0] if len(scored) == 1 else scored


def blank(rows: int, width: int) -> Integers:
    """Zeros for tokens and targets, [2, rows, width]: in one block, which the allocator keeps from batch to batch; two it gives back."""
    return np.zeros((2, rows, width), dtype=np.int64)


def read_at_end(tokens: Integers, lengths: Integers, answers: Integers) -> Batch:
    """A batch that is scored at the last token of each row only."""
    block = blank(*tokens.shape)
    block[0] = tokens
    return ask_at_end(block, lengths, answers)


def ask_at_end(block: Integers, lengths: Integers, answers: Integers) -> Batch:
    """The same for tokens that were written into a blank block."""
    (tokens, targets), mask, rows = block, np.zeros(block.shape[1:], dtype=bool), np.arange(block.shape[1])
    targets[rows, lengths - 1], mask[rows, lengths - 1] = answers, True
    return Batch(tokens, targets, mask, lengths)


def read_next(tokens: Integers, lengths: Integers, mask: npt.NDArray[np.bool_]) -> Batch:
    """A batch that asks for the following token wherever `mask`."""
    block = blank(*tokens.shape)
    block[0] = tokens
    np.copyto(block[1, :, :-1], tokens[:, 1:], where=mask[:, :-1])
    return Batch(block[0], block[1], mask, lengths)


def pad_after(tokens: Integers, lengths: Integers) -> None:
    """Write 0 over what follows the real tokens of each row."""
    if lengths.min(initial=tokens.shape[1]) < tokens.shape[1]:
        tokens[np.arange(tokens.shape[1]) >= lengths[:, None]] = 0


class Task(ABC):
    """A task is a frozen dataclass whose fields are its parameters; `length` is the paper's N.

    The truth is `answer`, plain slow Python. `sample` is vectorised and tested against it.
    """

    name: ClassVar[str]
    cites: ClassVar[str]  # "bhattamishra2024 Theorem 1"
    tokens: ClassVar[str]  # the number of tokens as a formula in the parameters: "N + 1"
    length: int

    @property
    @abstractmethod
    def vocabulary(self) -> int:
        """Number of input ids."""

    @property
    @abstractmethod
    def targets(self) -> int:
        """Number of output ids."""

    @abstractmethod
    def answer(self, tokens: Sequence[int]) -> Answer | None:
        """The oracle: what must be said about these tokens; None outside the promise."""

    @abstractmethod
    def sample(self, seed: int, count: int, start: int = 0) -> Batch:
        """Examples start .. start + count - 1 of a seed; each is a function of (task, parameters, seed, its number)."""

    @abstractmethod
    def inputs(self) -> Iterator[tuple[int, ...]]:
        """Every valid input of full length; meant for small sizes."""

    def cases(self, kind: str, seed: int, count: int) -> Batch:
        """Verification cases: `random`, or one of the task's adversarial families (`case_kinds`)."""
        if kind == "random":
            return self.sample(seed, count)
        raise BadInput(f"{self.name} has no cases {kind!r}: expected one of {', '.join(self.case_kinds)}")

    @property
    def case_kinds(self) -> tuple[str, ...]:
        """The families of verification cases that `cases` knows."""
        return ("random",)

    def alphabets(self) -> tuple[Sequence[int], ...]:
        """The ids that may stand at each token of an input of full length; empty where the task does not say."""
        return ()

    @property
    def position_kinds(self) -> tuple[str, ...]:
        """Families that, at count = N, ask about every position once."""
        return ()

    @property
    def input_count(self) -> int:
        """How many inputs `inputs` yields; 0 where that is not known."""
        return 0

    def text(self, tokens: Sequence[int]) -> str:
        """How an input reads."""
        return " ".join(map(str, tokens))

    def read(self, text: str) -> tuple[int, ...]:
        """The tokens of a text; the inverse of `text`."""
        return tuple(self._id(word) for word in text.split())

    def target_text(self, target: int) -> str:
        """How one output reads."""
        return str(target)

    def score(self, predictions: Integers, batch: Batch) -> float:
        """Share of rows in which every scored position is right."""
        right = (predictions == batch.targets) | ~batch.mask
        return float(right.all(axis=1).mean())

    @property
    def parameters(self) -> dict[str, Any]:
        """Everything that defines the task besides its name."""
        return asdict(self)  # type: ignore[call-overload,no-any-return]

    def key(self, seed: int) -> int:
        """The key of this task's random words under a seed."""
        return stream_key(self.name, self.parameters, seed)

    def at(self, length: int) -> Self:
        """The same task at another length."""
        return replace(self, length=length)  # type: ignore[type-var]

    def _id(self, word: str) -> int:
        try:
            token = int(word)
        except ValueError as error:
            raise BadInput(f"{self.name}: expected a token id, found {word!r}") from error
        if not 0 <= token < self.vocabulary:
            raise BadInput(f"{self.name}: token {token} lies outside 0..{self.vocabulary - 1}")
        return token


def need_length(name: str, length: int, least: int = 1) -> None:
    """Refuse a length that is too small for the task."""
    if length < least:
        raise BadInput(f"{name}: length N must be at least {least}, found {length}")


def need_examples(seed: int, count: int, start: int) -> None:
    """Refuse seeds, counts and starts that name no examples."""
    if count < 0 or start < 0 or seed < 0:
        raise BadInput(f"seed, count and start must not be negative, found seed={seed}, count={count}, start={start}")
