"""What a stack of windows and short convolutions can see, and two inputs that it cannot tell apart.

A layer that sees w tokens, itself included, reaches w - 1 back; L layers reach the sum. The output at a token is a function of the tokens
within reach of it and of their places, whatever the width, the precision and the weights. So a task whose answer changes with a token
further back is impossible. The pair of inputs is found by changing tokens of drawn examples and asking the task's own oracle; finding none
proves nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from separatrix.bounds.question import stated
from separatrix.checker import VERSION, Refused, sealed
from separatrix.checker.specs import spec_of
from separatrix.errors import BadInput
from separatrix.tasks import Task
from separatrix.tasks.batch import Batch
from separatrix.tasks.capabilities import asked_positions

EXAMPLES = 24  # drawn, in which tokens are changed
PLACES = 24  # tried in each
SYMBOLS = 3  # tried at each
TRIES = 1500  # calls of the oracle
WORK = 4_000_000  # tokens that a search draws, and steps of the oracle: the longer the inputs, the fewer are tried
CERTIFIED = 1 << 16  # tokens of an input of a certificate


@dataclass(frozen=True)
class BlindPair:
    """Two inputs that agree on everything within reach of `position`, where they need different answers."""

    task: Task
    stack: tuple[int, ...]  # tokens that each layer sees, itself included
    inputs: tuple[tuple[int, ...], tuple[int, ...]]
    position: int
    expected: tuple[int, int]
    kind = "receptive-field"

    @property
    def reach(self) -> int:
        """How far back the stack sees."""
        return reach_of(self.stack)

    @property
    def certifiable(self) -> bool:
        """Whether the checker knows the task, and the inputs are not too long for a document."""
        if len(self.inputs[0]) > CERTIFIED:
            return False
        try:
            spec = spec_of(self.claim["task"], self.claim["parameters"])
        except Refused:
            return False
        return spec.decoder in ("position", "positions") and not spec.vectors  # else the checker knows it with a chain only

    @property
    def claim(self) -> dict[str, Any]:
        """The task, as the certificate states it."""
        return stated(self.task.name, self.task.parameters)

    def certificate(self) -> dict[str, Any]:
        """The sealed document."""
        return sealed(
            {
                "schema": "separatrix/certificate",
                "version": VERSION,
                "kind": self.kind,
                "claim": self.claim,
                "stack": list(self.stack),
                "inputs": [list(tokens) for tokens in self.inputs],
                "position": self.position,
                "expected": list(self.expected),
                "strength": "proven",
            }
        )


def reach_of(stack: Sequence[int]) -> int:
    """How far back a stack sees, in tokens."""
    return sum(seen - 1 for seen in stack)


@cache
def blind_pair(task: Task, stack: tuple[int, ...]) -> BlindPair | None:
    """Two inputs that a stack cannot tell apart; None if none was found, or if two are too long to be drawn."""
    reach = reach_of(stack)
    affordable = WORK // max(task.token_count, task.answer_steps)
    if reach >= task.token_count or affordable < 2:
        return None
    try:
        batch = task.sample(0, min(EXAMPLES, affordable))
    except BadInput:  # words of some languages are drawn from a table, which has its limit
        return None
    tried = 0
    for row in range(len(batch.tokens)):
        tokens = batch.row(row)
        position = int(np.flatnonzero(batch.mask[row])[-1])
        if position >= len(tokens) or batch.answer(row) != task.answer(tokens):  # the target of a source is a draw
            continue
        for changed in _changed(task, batch, row, tokens, position - reach):
            tried += 1
            if tried > min(TRIES, affordable):
                return None
            pair = _told_apart(task, tokens, changed)
            if pair is not None:
                return BlindPair(task, stack, (tokens, changed), position, pair)
    return None


def _changed(task: Task, batch: Batch, row: int, tokens: tuple[int, ...], end: int) -> Iterator[tuple[int, ...]]:
    """The same input with one token before `end` changed: first those that are asked about, then the first, then others."""
    if end < 1:
        return
    asked = [int(place) for place in asked_positions(task, batch)[: int(batch.mask[: row + 1].sum())][-1:]]
    position = int(np.flatnonzero(batch.mask[row])[-1])
    lags = [position - lag for lag in (task.length, task.length // 2)]  # where a copy, or the other half, has its original
    same = [place for place in range(end) if tokens[place] == tokens[position]][:PLACES]  # a query stands behind its key, and a label there
    near = [*(place + 1 for place in same), *(place + shift for place in (*asked, *lags) for shift in (-1, 0, 1, -2))]
    spread = np.linspace(0, end - 1, min(end, PLACES)).astype(int).tolist()
    alphabets = task.alphabets() if len(tokens) == task.token_count else None
    for place in dict.fromkeys(p for p in (*near, *spread) if 0 <= p < end):
        allowed = range(task.vocabulary) if alphabets is None else alphabets[place]
        others = (tokens[place] ^ 1, tokens[place] + 1, tokens[place] - 1, *allowed[:SYMBOLS])
        for symbol in dict.fromkeys(s for s in others if s in allowed and s != tokens[place]):
            yield (*tokens[:place], symbol, *tokens[place + 1 :])


def _told_apart(task: Task, one: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, int] | None:
    """The two answers at the last scored token, if they differ."""
    answers = [task.answer(tokens) for tokens in (one, other)]
    if None in answers:
        return None
    last = [answer[-1] if isinstance(answer, tuple) else answer for answer in answers]
    if last[0] == last[1] or not all(isinstance(value, int | np.integer) for value in last):
        return None
    return int(last[0]), int(last[1])  # type: ignore[arg-type]
