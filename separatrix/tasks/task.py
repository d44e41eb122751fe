"""`Task`: oracle, sampler, enumeration and scoring. What only some tasks can do is in `capabilities.py`."""

from __future__ import annotations

import itertools
import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from types import MappingProxyType
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from separatrix.errors import BadInput
from separatrix.parameters import need_length
from separatrix.tasks.batch import Answer, Batch, Integers, ask_at_end, blank, need_examples, pad_after, read_at_end, read_next
from separatrix.tasks.drawing.counter import stream_key

__all__ = [
    "Answer",
    "Batch",
    "Decision",
    "Integers",
    "Leak",
    "Settings",
    "Task",
    "ask_at_end",
    "blank",
    "need_examples",
    "need_length",
    "pad_after",
    "read_at_end",
    "read_next",
    "sized",
]

Settings = Mapping[str, Any]  # parameters of a task by name
MOST_INPUTS = 10**18  # above this nothing is enumerated, so the exact number does not matter


@dataclass(frozen=True)
class Leak:
    """A way to be right without solving the task, and the audit's shortcuts that show it."""

    says: str
    shown_by: tuple[str, ...] = ()


def sized(**settings: Any) -> Settings:
    """A field for the parameters at which a task is drawn, counted or tested."""
    return MappingProxyType(settings)


class Facts:
    """What a task says about itself, for lists, pages and laws: class attributes, none of them a parameter; most have a default."""

    name: ClassVar[str]
    tokens: ClassVar[str]  # the number of tokens as a readable formula: "N + 1"
    title: ClassVar[str] = ""  # the name as a heading
    cites: ClassVar[str] = ""  # the statement it comes from, such as "bhattamishra2024 Theorem 1"; empty outside the four papers
    about: ClassVar[str] = "other"  # the kind of question, for lists: retrieval, comparison, languages, ..
    source: ClassVar[str] = ""  # its source in words, if it has no statement in the papers
    length_means: ClassVar[str] = "symbols"  # what N counts
    least_length: ClassVar[int] = 1
    even_because: ClassVar[str] = ""  # why N must be even; empty if any N will do
    total: ClassVar[bool] = False  # whether every string over the alphabets has an answer
    families: ClassVar[tuple[str, ...]] = ()  # adversarial families of verification cases
    position_kinds: ClassVar[tuple[str, ...]] = ()  # those of them that, at count = N, ask about every position once
    random_target: ClassVar[bool] = False  # whether the target is a draw, so that no model is always right
    known_leaks: ClassVar[tuple[Leak, ...]] = ()
    extensions: ClassVar[tuple[str, ...]] = ()  # parameters that are not written at their default: keys and claims stay as they were

    stand_ins: ClassVar[Settings] = sized()  # for parameters that have no default, where a page or a law needs some
    drawn_at: ClassVar[Settings] = sized(length=8)  # small enough to read an example
    counted_at: ClassVar[Settings] = sized(length=12)  # where the states of a recurrent model are counted
    audited_at: ClassVar[Settings] = sized(length=20)  # where the data are audited
    bounded_at: ClassVar[Settings] = sized(length=1000)  # where bounds are evaluated
    bounded_up_to: ClassVar[int] = 1 << 20  # the longest N whose bounds take seconds: states are counted as exact integers
    enumerated_at: ClassVar[Settings] = sized(length=4)  # where every string over the vocabulary is tested
    sampled_at: ClassVar[tuple[Settings, ...]] = ()  # further settings at which samples are compared with the oracle


@dataclass(frozen=True)
class Task(Facts, ABC):
    """A task is a frozen dataclass whose fields are its parameters; `length` is the paper's N.

    The truth is `answer`, plain slow Python. `sample` is vectorised and tested against it.
    A task has a name, a formula for its tokens, `vocabulary`, `targets`, `answer` and `sample`; everything else has a default.
    """

    length: int

    def __post_init__(self) -> None:
        need_length(self.name, self.length, self.least_length)
        if self.even_because and self.length % 2:
            raise BadInput(f"{self.name}: length N must be even, {self.even_because}, found {self.length}")

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
        """The oracle: the right answer for these tokens; None outside the promise."""

    @abstractmethod
    def sample(self, seed: int, count: int, start: int = 0) -> Batch:
        """Examples start .. start + count - 1 of a seed; each is a function of (task, parameters, seed, its number)."""

    @property
    def token_count(self) -> int:
        """Tokens of the longest input; by default by the formula, or measured on a sample if the formula has other letters."""
        formula = re.fullmatch(r"(?:(\d+) )?N(?: ([+-]) (\d+))?", self.tokens)
        if formula is None:
            return int(self.sample(0, 256).tokens.shape[1])
        factor, sign, constant = formula.groups()
        return int(factor or 1) * self.length + int(f"{sign or '+'}{constant or 0}")

    @property
    def scored_at_end(self) -> bool:
        """Whether only the last token is scored; by default read off an example."""
        mask = self.sample(0, 1).mask[0]
        return bool(mask[-1] and mask.sum() == 1)

    @property
    def answer_steps(self) -> int:
        """About how many steps one call of the oracle takes, of those that look at one token: whoever asks it about all inputs adds up."""
        return self.token_count

    def alphabets(self) -> tuple[Sequence[int], ...]:
        """The ids that may stand at each token of an input of full length."""
        return (range(self.vocabulary),) * self.token_count

    def inputs(self) -> Iterator[tuple[int, ...]]:
        """Every valid input of full length; meant for small sizes."""
        return (tokens for tokens in itertools.product(*self.alphabets()) if self.answer(tokens) is not None)

    @property
    def input_count(self) -> int:
        """How many inputs `inputs` yields; 0 if unknown or above 10^18."""
        if not self.total:
            return 0
        count = 1
        for alphabet in self.alphabets():
            count *= len(alphabet)
            if count > MOST_INPUTS:
                return 0
        return count

    @property
    def case_kinds(self) -> tuple[str, ...]:
        """The families of verification cases that `cases` knows."""
        return ("random", *self.families)

    def cases(self, kind: str, seed: int, count: int) -> Batch:
        """Verification cases: `random`, or one of the task's adversarial families (`case_kinds`)."""
        if kind not in self.case_kinds:
            raise BadInput(f"{self.name} has no cases {kind!r}: expected one of {', '.join(self.case_kinds)}")
        need_examples(seed, count, 0)
        return self.sample(seed, count) if kind == "random" else self.adversarial(kind, seed, count)

    def adversarial(self, kind: str, seed: int, count: int) -> Batch:
        """Cases of one of `families`."""
        raise NotImplementedError(f"{self.name} lists the family {kind!r} but does not draw it")

    @property
    def spelling(self) -> tuple[str, ...]:
        """The text of each id; empty if ids are written as numbers."""
        return ()

    def text(self, tokens: Sequence[int]) -> str:
        """An input as text."""
        spelling = self.spelling
        return " ".join(spelling[t] if spelling else str(t) for t in tokens)

    def read(self, text: str) -> tuple[int, ...]:
        """The tokens of a text; the inverse of `text`."""
        return tuple(self._id(word) for word in text.split())

    def target_text(self, target: int) -> str:
        """One output as text."""
        return str(target)

    def score(self, predictions: Integers, batch: Batch) -> float:
        """Share of rows in which every scored position is right."""
        right = (predictions == batch.targets) | ~batch.mask
        return float(right.all(axis=1).mean())

    @property
    def parameters(self) -> dict[str, Any]:
        """Everything that defines the task besides its name; extensions where they are chosen."""
        return {name: value for name, value in asdict(self).items() if name not in self.extensions or value != getattr(type(self), name)}

    def key(self, seed: int) -> int:
        """The key of this task's random words under a seed."""
        return stream_key(self.name, self.parameters, seed)

    def at(self, length: int) -> Self:
        """A copy of the task at another length."""
        return replace(self, length=length)

    def _id(self, word: str) -> int:
        if self.spelling:
            if word not in self.spelling:
                raise BadInput(f"{self.name}: expected one of {' '.join(self.spelling)}, found {word!r}")
            return self.spelling.index(word)
        try:
            token = int(word)
        except ValueError as error:
            raise BadInput(f"{self.name}: expected a token id, found {word!r}") from error
        if not 0 <= token < self.vocabulary:
            raise BadInput(f"{self.name}: token {token} lies outside 0..{self.vocabulary - 1}")
        return token


class Decision(Task):
    """A task whose answer is yes (1) or no (0) after the last token."""

    @property
    def targets(self) -> int:
        return 2

    @property
    def scored_at_end(self) -> bool:
        return True

    def labelled(self, tokens: Integers, labels: npt.NDArray[np.integer | np.bool_]) -> Batch:
        """A batch of rows of full length, each with its label at the end."""
        return read_at_end(tokens, np.full(len(tokens), tokens.shape[1]), labels.astype(np.int64))
