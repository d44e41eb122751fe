"""Two inputs that agree with a restriction and need two answers: by the task's automaton, by the grammar of brackets, or by trying."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.random import Generator

from separatrix.checker.specs import names, spec_of
from separatrix.checker.specs.forms.automaton import Automaton
from separatrix.tasks import Task, is_of_the_package
from separatrix.tasks.dyck_languages import DyckLanguage

TRIED = 400  # inputs, where there is no automaton
Input = tuple[int, ...]
Restriction = Sequence[int | None]


class Completions:
    """The inputs of a task, of one length, with some tokens fixed."""

    def __init__(self, task: Task, seed: int = 0) -> None:
        self.task, self.seed = task, seed
        self.alphabets = tuple(tuple(alphabet) for alphabet in task.alphabets())
        known = is_of_the_package(task) and task.name in names()
        form = spec_of(task.name, _plain(task.parameters)).form() if known else None
        self.form = form if isinstance(form, Automaton) else None

    def pair(self, fixed: Restriction) -> tuple[Input, Input] | None:
        """Two completions with two answers, close to each other where that is easy; None if there are none, or none was found."""
        if isinstance(self.task, DyckLanguage):
            return self._matched(self.task.types, fixed)
        return self._tried(fixed) if self.form is None else self._walked(self.form, fixed)

    def _options(self, fixed: Restriction) -> list[tuple[int, ...]]:
        return [alphabet if token is None else (token,) for alphabet, token in zip(self.alphabets, fixed, strict=True)]

    def _walked(self, form: Automaton, fixed: Restriction) -> tuple[Input, Input] | None:
        """A word to every state that completions reach, token by token."""
        words: dict[Any, Input] = {form.start: ()}
        for tokens in self._options(fixed):
            after: dict[Any, Input] = {}
            for state, word in words.items():
                for token in tokens:
                    after.setdefault(form.step(state, token), (*word, token))
            words = after
        by_answer: dict[int, Input] = {}
        for state, word in words.items():
            by_answer.setdefault(form.answer(state), word)
        found = list(by_answer.values())
        return (found[0], found[1]) if len(found) > 1 else None

    def _matched(self, types: int, fixed: Restriction) -> tuple[Input, Input] | None:
        """A matched word, and the same with another bracket at one free place, which is not: its partner is missing or of another type."""
        rng, (*options, end) = np.random.default_rng(self.seed), self._options(fixed)
        free = [place for place, tokens in enumerate(options) if len(tokens) > 1]
        word = matched_word(options, types, rng) if free else None
        if word is None:
            return None
        place = int(rng.choice(free))
        other = int(rng.choice([token for token in options[place] if token != word[place]]))
        return (*word, *end), (*word[:place], other, *word[place + 1 :], *end)

    def _tried(self, fixed: Restriction) -> tuple[Input, Input] | None:
        """Random completions, each beside one that differs at a single place."""
        rng, options = np.random.default_rng(self.seed), self._options(fixed)
        free = [place for place, tokens in enumerate(options) if len(tokens) > 1]
        met: dict[Any, Input] = {}
        for _ in range(TRIED if free else 1):
            x = [int(rng.choice(tokens)) for tokens in options]
            for place in (None, *rng.permutation(free)[:1].tolist()):
                y = list(x)
                if place is not None:
                    y[place] = int(rng.choice([token for token in options[place] if token != x[place]]))
                answer = self.task.answer(y)
                if answer is not None:
                    met.setdefault(answer, tuple(y))
            if len(met) > 1:
                first, second, *_ = met.values()
                return first, second
        return None


def _plain(parameters: dict[str, Any]) -> dict[str, Any]:
    return {key: list(value) if isinstance(value, tuple) else value for key, value in parameters.items()}


Options = Sequence[Sequence[int]]  # of every place, the tokens that it may have; type a opens as a and closes as types + a


def matched_word(options: Options, types: int, draw: Generator) -> tuple[int, ...] | None:
    """A matched word with a token of every place's options, its partners drawn at random; None if there is none."""
    ends = _ends(options, types)
    n = len(options)
    if not ends[0] >> n & 1:
        return None
    word, segments = [0] * n, [(0, n)]
    while segments:
        first, end = segments.pop()
        if first == end:
            continue
        partners = [k for k in _closing(options, types, first, ends) if ends[k + 1] >> end & 1]
        k = partners[int(draw.integers(len(partners)))]
        kinds = _kinds(options, types, first, k)
        kind = kinds[int(draw.integers(len(kinds)))]
        word[first], word[k] = kind, types + kind
        segments += [(first + 1, k), (k + 1, end)]
    return tuple(word)


def _ends(options: Options, types: int) -> list[int]:
    """For every place, and the one after the last, where a matched segment that begins there may end."""
    n = len(options)
    ends = [0] * n + [1 << n]
    for i in reversed(range(n)):
        ends[i] = 1 << i
        for k in _closing(options, types, i, ends):
            ends[i] |= ends[k + 1]
    return ends


def _closing(options: Options, types: int, first: int, ends: Sequence[int]) -> Iterator[int]:
    """The places that may close the bracket at `first`: what lies between is matched."""
    for k in range(first + 1, len(options), 2):
        if ends[first + 1] >> k & 1 and _kinds(options, types, first, k):
            yield k


def _kinds(options: Options, types: int, first: int, k: int) -> list[int]:
    """The types that two places may share as partners."""
    return [kind for kind in range(types) if kind in options[first] and types + kind in options[k]]
