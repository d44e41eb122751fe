"""The simplest input that still fails: tokens become the first of their alphabet, in ever smaller blocks, while the model stays wrong."""

from __future__ import annotations

import numpy as np

from separatrix.refuters.leads import Subject, Tokens, asked
from separatrix.refuters.search import Account, Failure, judged

ROUNDS = 4


def shrink(subject: Subject, failure: Failure, account: Account) -> Failure:
    """Try ever smaller blocks of simpler tokens, and single tokens renamed everywhere, until nothing helps."""
    alphabets = subject.task.alphabets()
    for _ in range(ROUNDS):
        before = failure.tokens
        size = max(1, len(before) // 2)
        while True:
            for first in range(0, len(before), size):
                failure = _simpler(subject, failure, _block(failure.tokens, alphabets, first, size), account)
            if size == 1:
                break
            size //= 2
        for place in range(len(before)):
            failure = _simpler(subject, failure, _renamed(failure.tokens, alphabets, place), account)
        if failure.tokens == before:
            break
    return failure


def _block(tokens: Tokens, alphabets: tuple[object, ...], first: int, size: int) -> Tokens:
    return tuple(_simplest(alphabets, i, t) if first <= i < first + size else t for i, t in enumerate(tokens))


def _renamed(tokens: Tokens, alphabets: tuple[object, ...], place: int) -> Tokens:
    """All tokens equal to one of them made simplest together, for tasks in which they belong together."""
    simple = _simplest(alphabets, place, tokens[place])
    return tuple(simple if token == tokens[place] else token for token in tokens)


def _simplest(alphabets: tuple[object, ...], place: int, token: int) -> int:
    alphabet = alphabets[place] if place < len(alphabets) else (token,)
    return int(min(alphabet))  # type: ignore[call-overload]


def _simpler(subject: Subject, failure: Failure, tokens: Tokens, account: Account) -> Failure:
    """The other input if it is simpler, an input of the task, and fails."""
    if tokens == failure.tokens:
        return failure
    batch, places = asked(subject.task, [tokens], failure.batch)
    if not len(np.atleast_1d(places)):
        return failure
    _, other = judged(subject, batch, account, "shrinking")
    return failure if other is None else other
