"""One task reduces to another: a map of inputs, executed and tested, with what it costs.

If inputs of `easy` become inputs of `hard` with the same answers, weights for `hard` are weights for `easy`. A map keeps the tokens as
they are, leaves the last ones away or adds one at the end, so that a causal model needs no change at all; or it renames them, so that
the rows of the token table change places and some are left away. Where two tasks are one under two names, weights serve both ways.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from separatrix.architectures import Mode
from separatrix.ledger.fact import Fact, Lengths, What
from separatrix.tasks import Task, make_task

Tokens = tuple[int, ...]
Settings = Mapping[str, Any]
LONGEST_WORD = 16  # that is spelled out as a language of its own


@dataclass(frozen=True)
class Reduction:
    """From a task to a harder one. `easier` gives the parameters of the easy task at those of the hard one; None where there are none."""

    easy: str
    hard: str
    says: str
    easier: Callable[[Settings], Settings | None]
    tokens: Callable[[Task, Sequence[int]], Tokens]  # the input of the easy task that an input of the hard one begins with, or is
    answer: Callable[[Any], Any]  # the answer of the easy task, from those of the hard one
    harder: Callable[[Settings], Settings | None]  # the parameters of the hard task at those of the easy one
    same: bool = False  # the hard task at those parameters is the easy one under another name
    renamed: Callable[[Sequence[int]], Tokens] | None = None  # an easy input in the ids of the hard task
    at_each_length: bool = False  # the hard task depends on the length: nothing about one model for all lengths travels along it
    twins: bool = False  # inputs and answers are the same, token by token: weights for the easy task are weights for the hard one

    def pair(self, hard: Settings) -> tuple[Task, Task] | None:
        """The two tasks, both at the parameters of the harder one."""
        easy = self.easier(hard)
        return None if easy is None else (make_task(self.easy, **easy), make_task(self.hard, **hard))


def _named(language: str, step: int = 1) -> Callable[[Settings], Settings | None]:
    """The task that is one language, at lengths that are multiples of `step`."""

    def easier(hard: Settings) -> Settings | None:
        return {"length": hard["length"]} if hard.get("language") in _spelled(language) and not hard["length"] % step else None

    return easier


@cache
def _spelled(language: str) -> tuple[str, ...]:
    """A language of the gallery by its name, and as the parameters of a task have it."""
    return language, make_task("regular", length=2, language=language).parameters["language"]


def _ones(hard: Settings) -> Settings | None:
    """1* over both bits; over 1 alone it is another task, which has no other word."""
    return {"length": hard["length"]} if (hard.get("language"), hard.get("alphabet")) == ("1*", "01") else None


def _one_word(hard: Settings) -> Settings | None:
    """a^n b^n, where the language is this word alone and N is its length."""
    N = hard["length"]
    return {"length": N} if hard.get("language") == _an_bn(N) and hard.get("alphabet") in (None, "ab") else None


def _an_bn(N: int) -> str | None:
    return "a" * (N // 2) + "b" * (N // 2) if N and not N % 2 and N <= LONGEST_WORD else None


def _recall(hard: Settings) -> Settings:
    symbols = hard.get("symbols") or hard["length"]
    return {"length": hard["length"] // 2, "symbols": symbols, "labels": hard.get("labels", 2), **_around(hard)}


def _around(settings: Settings) -> Settings:
    from separatrix.tasks.alternating import Recall

    return {name: settings[name] for name in Recall.extensions if name in settings}


def _one_type(tokens: Sequence[int]) -> Tokens:
    """Brackets of one type, and the end symbol, in the ids of two types: ( stays 0, ) is 2 and the end 4."""
    return tuple(2 * token for token in tokens)


def _one_type_of_two(_: Task, tokens: Sequence[int]) -> Tokens:
    """Back again, for words that have brackets of the first type only."""
    return tuple(token // 2 for token in tokens)


def _first_query(easy: Task, tokens: Sequence[int]) -> Tokens:
    return tuple(tokens[: easy.token_count])


REDUCTIONS: tuple[Reduction, ...] = (
    Reduction(
        "parity", "regular", "PARITY is the language @parity", _named("@parity"), lambda _, tokens: tuple(tokens), lambda said: said,
        lambda easy: {"length": easy["length"], "language": "@parity"}, same=True, twins=True,
    ),
    Reduction(
        "ones", "regular", "`ones` is the language 1*", _ones, lambda _, tokens: tuple(tokens), lambda said: said,
        lambda easy: {"length": easy["length"], "language": "1*", "alphabet": "01"}, same=True, twins=True,
    ),
    Reduction(
        "an-bn", "regular", "at one length a^n b^n is a single word", _one_word, lambda _, tokens: tuple(tokens), lambda said: said,
        lambda easy: None if (word := _an_bn(easy["length"])) is None else {"length": easy["length"], "language": word},
        at_each_length=True, twins=True,
    ),
    Reduction(
        "dyck", "regular", "Dyck-(2, 2) is the language @dyck-2-2, with an end symbol after it", _named("@dyck-2-2", 2),
        lambda _, tokens: tuple(tokens[:-1]), lambda said: said,
        lambda easy: {"length": easy["length"], "language": "@dyck-2-2"} if (easy["types"], easy["depth"]) == (2, 2) else None, same=True,
    ),
    Reduction(
        "dyck-1", "dyck-2", "one of the two types of brackets, with its tokens renamed", lambda hard: {"length": hard["length"]},
        _one_type_of_two, lambda said: said, lambda easy: {"length": easy["length"]}, renamed=_one_type,
    ),
    Reduction(
        "associative-recall", "mqar", "recall is the first query of many", _recall, _first_query,
        lambda said: said[0] if isinstance(said, tuple) else said,
        lambda easy: {
            "length": 2 * easy["length"], "symbols": easy["symbols"] or 2 * easy["length"], "labels": easy["labels"], **_around(easy),
        },
    ),
    Reduction(
        "eq-ncp", "copy", "a half, a separator and the half again is a copy",
        lambda hard: {"length": 2 * hard["length"], "symbols": hard["symbols"]},
        lambda easy, tokens: (*tokens, tokens[easy.length // 2 - 1]), lambda said: said,
        lambda easy: {"length": easy["length"] // 2, "symbols": easy["symbols"]},
    ),
)  # fmt: skip


def harder_tasks(task: Task) -> Iterator[tuple[Reduction, Task]]:
    """The tasks that a task reduces to, at its own size."""
    for one in REDUCTIONS:
        hard = one.harder(task.parameters) if one.easy == task.name else None
        if hard is not None:
            yield one, make_task(one.hard, **hard)


def twin_tasks(task: Task) -> Iterator[tuple[Reduction, Task]]:
    """The tasks that a task is under another name, token by token, where it is the harder one."""
    for one in REDUCTIONS:
        easy = one.easier(task.parameters) if one.twins and one.hard == task.name else None
        if easy is not None:
            yield one, make_task(one.easy, **easy)


def reduced(facts: Iterable[Fact]) -> Iterator[Fact]:
    """What is built for the harder task, for the easier one; and between two names of one task, either way."""
    for fact in facts:
        if fact.what is What.BUILT and fact.mode is Mode.ALONE:
            for one in REDUCTIONS:
                if one.hard == fact.task:
                    yield from _moved(fact, one, one.easy, one.easier(fact.parameters))
                elif one.twins and one.easy == fact.task:
                    yield from _moved(fact, one, one.hard, one.harder(fact.parameters))


def _moved(fact: Fact, one: Reduction, task: str, settings: Settings | None) -> Iterator[Fact]:
    if settings is not None:
        parameters = make_task(task, **settings).parameters
        every = fact.lengths.kind == "all" and not one.at_each_length
        yield fact.moved(
            f"{one.says} ({fact.task}, {fact.lengths})", task=task, parameters=parameters,
            lengths=fact.lengths if every else Lengths("one", parameters["length"]),
        )  # fmt: skip
