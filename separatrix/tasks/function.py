"""Any Python function of a tuple of symbols as a task.

    # palindrome.py
    def palindrome(word: tuple[str, ...]) -> bool:        separatrix sample function --length 5 --set function=palindrome.py:palindrome
        return word == word[::-1]

The function gets N symbols of the alphabet, as text, and returns True, False or a number 0 .. classes - 1, or None outside the promise.
It must be deterministic: called again, on strings in another order, it must give the same answers.
Words are uniform over the strings inside the promise, so a rare answer is rare here too; a task that needs its own sampler is a class.
Draws: c + N t is symbol c of try number t; the first string inside the promise is the example.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from separatrix.errors import BadInput
from separatrix.naming import load
from separatrix.tasks.drawing.counter import integers
from separatrix.tasks.languages.automata import alphabet_of
from separatrix.tasks.task import Batch, Leak, Task, need_examples, read_at_end, sized

CALLED_TWICE = 64  # strings on which the function is called again when the task is created
TRIES = 1000  # strings drawn before the promise counts as too rare


@dataclass(frozen=True)
class Function(Task):
    """Strings of N symbols and the function's value, read at the last symbol."""

    function: str
    alphabet: str = "01"
    classes: int = 2

    name = "function"
    title = "Any function"
    about = "Boolean functions"
    cites = "bhattamishra2024 Theorem 2"
    tokens = "N"
    known_leaks = (Leak("Examples are uniform over all words, so a rare answer is rare: always giving the other one is nearly right."),)
    stand_ins = sized(function="separatrix.tasks.function:palindrome")
    drawn_at = sized(length=7)
    counted_at = sized(length=10)
    audited_at = sized(length=8)  # longer palindromes are too rare to be drawn
    enumerated_at = sized(length=5)
    bounded_up_to = 1 << 16  # it is called on whole inputs

    def __post_init__(self) -> None:
        super().__post_init__()
        alphabet_of(self.alphabet, "function")
        if self.classes < 1:
            raise BadInput(f"function: classes must be at least 1, found {self.classes}")
        if not callable(self.called):
            raise BadInput(f"function: {self.function!r} is not a function but {type(self.called).__name__}")
        probes = integers(self.key(0), np.arange(CALLED_TWICE), np.arange(self.length), len(self.alphabet)).tolist()
        first = [self.answer(word) for word in probes]
        again = [self.answer(word) for word in reversed(probes)][::-1]
        for word, before, after in zip(probes, first, again, strict=True):
            if before != after:
                raise BadInput(f"function {self.function} is not deterministic: {before} and then {after} on {self._shown(word)}")

    @functools.cached_property
    def called(self) -> Callable[[tuple[str, ...]], Any]:
        """The user's function. Loading it runs the user's code."""
        function: Callable[[tuple[str, ...]], Any] = load(self.function)
        return function

    @property
    def token_count(self) -> int:
        return self.length

    @property
    def scored_at_end(self) -> bool:
        return True

    @property
    def spelling(self) -> tuple[str, ...]:
        return tuple(self.alphabet)

    @property
    def vocabulary(self) -> int:
        return len(self.alphabet)

    @property
    def targets(self) -> int:
        return self.classes

    def answer(self, tokens: Sequence[int]) -> int | None:
        if not all(0 <= symbol < len(self.alphabet) for symbol in tokens):
            return None
        try:
            value = self.called(tuple(self.alphabet[symbol] for symbol in tokens))
        except Exception as error:
            raise BadInput(
                f"function {self.function} raised {type(error).__name__} on {self._shown(tokens)}: {_one_line(error)}"
            ) from error
        if value is None:
            return None
        if not isinstance(value, bool | int | np.bool_ | np.integer) or not 0 <= value < self.classes:
            expected = f"True, False, None or a number 0..{self.classes - 1}"
            raise BadInput(f"function {self.function} must return {expected}, found {value!r:.60} on {self._shown(tokens)}")
        return int(value)

    def sample(self, seed: int, count: int, start: int = 0) -> Batch:
        need_examples(seed, count, start)
        key, examples = self.key(seed), np.arange(start, start + count)
        tokens, labels = np.zeros((count, self.length), dtype=np.int64), np.zeros(count, dtype=np.int64)
        missing = np.arange(count)
        for attempt in range(TRIES):
            if len(missing) == 0:
                break
            draws = np.arange(self.length) + self.length * attempt
            tokens[missing] = integers(key, examples[missing], draws, len(self.alphabet))
            answers = [self.answer(word) for word in tokens[missing].tolist()]
            labels[missing] = [answer or 0 for answer in answers]
            missing = missing[[answer is None for answer in answers]]
        if len(missing):
            raise BadInput(
                f"function {self.function} has no answer on {TRIES} random strings of length {self.length}: its promise is too rare"
            )
        return read_at_end(tokens, np.full(count, self.length), labels)

    def _shown(self, word: Sequence[int]) -> str:
        text = "".join(self.alphabet[symbol] for symbol in word)
        return repr(text if len(text) <= 40 else text[:37] + "...")


def palindrome(word: tuple[str, ...]) -> bool:
    """Whether a word reads the same backwards: the example function of this task."""
    return word == word[::-1]


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())[:120]
