"""`Batch`: examples side by side, and how they are scored."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from separatrix.errors import BadInput

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
        """The expected answer of one row: a single id if one position is scored, else the ids in order."""
        return as_answer(int(t) for t in self.targets[r][self.mask[r]])


def as_answer(scored: Iterable[int]) -> Answer:
    """The entries at the scored positions as one answer: a single id, or a tuple if there are several."""
    every = tuple(scored)
    return every[0] if len(every) == 1 else every


def blank(rows: int, width: int) -> Integers:
    """Zeros for tokens and targets, [2, rows, width]: in one allocation, because the allocator would free two."""
    return np.zeros((2, rows, width), dtype=np.int64)


def read_at_end(tokens: Integers, lengths: Integers, answers: Integers) -> Batch:
    """A batch scored at the last token of each row only."""
    block = blank(*tokens.shape)
    block[0] = tokens
    return ask_at_end(block, lengths, answers)


def ask_at_end(block: Integers, lengths: Integers, answers: Integers) -> Batch:
    """A batch scored at the last token, for tokens already written into a blank block."""
    (tokens, targets), mask, rows = block, np.zeros(block.shape[1:], dtype=bool), np.arange(block.shape[1])
    targets[rows, lengths - 1], mask[rows, lengths - 1] = answers, True
    return Batch(tokens, targets, mask, lengths)


def read_next(tokens: Integers, lengths: Integers, mask: npt.NDArray[np.bool_]) -> Batch:
    """A batch that asks for the next token wherever `mask` is set."""
    block = blank(*tokens.shape)
    block[0] = tokens
    np.copyto(block[1, :, :-1], tokens[:, 1:], where=mask[:, :-1])
    return Batch(block[0], block[1], mask, lengths)


def pad_after(tokens: Integers, lengths: Integers) -> None:
    """Write 0 over what follows the real tokens of each row."""
    if lengths.min(initial=tokens.shape[1]) < tokens.shape[1]:
        tokens[np.arange(tokens.shape[1]) >= lengths[:, None]] = 0


def need_examples(seed: int, count: int, start: int) -> None:
    """Refuse negative seeds, counts and starts."""
    if count < 0 or start < 0 or seed < 0:
        raise BadInput(f"seed, count and start must not be negative, found seed={seed}, count={count}, start={start}")
