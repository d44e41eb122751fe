"""`Task`: oracle, sampler, enumeration and scoring, and the facts that a task carries about itself."""

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
from separatrix.tasks.batch import Answer, Batch, Integers, ask_at_end, blank, need_examples, pad_after, read_at_end, read_next
from separatrix.tasks.drawing.counter import stream_key

__all__ = [
    "Answer",
    "Batch",
    "Decision",
    "Integers",
    "Leak",
    "Search",
    "Settings",
    "Task",
    "ask_at_end",
    "blank",
    "chain_of",
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


@dataclass(frozen=True)
class Search:
    """The tokens around a search; the token after `end` is its result, which a model is given (tasks/searching.py)."""

    start: int
    end: int


def sized(**settings: Any) -> Settings:
    """A field for the parameters at which a task is drawn, counted or tested."""
    return MappingProxyType(settings)


@dataclass(frozen=True)
class Task(ABC):
    """A task is a frozen dataclass whose fields are its parameters; `length` is the paper's N.

    The truth is `answer`, plain slow Python. `sample` is vectorised and tested against it.
    A task has a name, a formula for its tokens, `vocabulary`, `targets`, `answer` and `sample`; everything else has a default.
    """

    length: int

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
    known_leaks: ClassVar[tuple[Leak, ...]] = ()

    stand_ins: ClassVar[Settings] = sized()  # for parameters that have no default, where a page or a law needs some
    drawn_at: ClassVar[Settings] = sized(length=8)  # small enough to read an example
    counted_at: ClassVar[Settings] = sized(length=12)  # where the states of a recurrent model are counted
    audited_at: ClassVar[Settings] = sized(length=20)  # where the data are audited
    bounded_at: ClassVar[Settings] = sized(length=1000)  # where bounds are evaluated
    enumerated_at: ClassVar[Settings] = sized(length=4)  # where every string over the vocabulary is tested
    sampled_at: ClassVar[tuple[Settings, ...]] = ()  # further settings at which samples are compared with the oracle

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

    def second(self, tokens: Sequence[int]) -> Answer | None:  # noqa: ARG002
        """The answer computed independently of `answer`, for inputs inside the promise; see `has_second`."""
        return None

    def second_answer(self, tokens: Sequence[int]) -> Answer | None:
        """What the second solver says; a task with a parameter `second` overrides this instead."""
        return self.second(tokens)

    @property
    def has_second(self) -> bool:
        """Whether the task has a second solver."""
        return type(self).second is not Task.second or type(self).second_answer is not Task.second_answer

    def chain(self, tokens: Sequence[int]) -> tuple[int, ...] | None:  # noqa: ARG002
        """The tokens that a chain of thought writes after these, up to and with `stop`; None for a task without a chain."""
        return None

    def drawn_chains(self, seed: int, count: int, start: int = 0) -> list[tuple[int, ...]] | None:  # noqa: ARG002
        """The chains of drawn examples, of a task whose chain is no function of its input; None for any other task."""
        return None

    @property
    def stop(self) -> int | None:
        """The token that ends a chain."""
        return None

    @property
    def chain_limit(self) -> int:
        """The most tokens of a chain; 0 for a task without one."""
        return 0

    @property
    def answer_steps(self) -> int:
        """About how many steps one call of the oracle takes, of those that look at one token: whoever asks it about all inputs adds up."""
        return self.token_count

    @property
    def tokens_read(self) -> int:
        """The most tokens that a model reads: the input, and the chain but for its stop token."""
        return self.token_count + max(0, self.chain_limit - 1)

    @property
    def search(self) -> Search | None:
        """The tokens of a search, if chains search; `spelling` is then the text that is searched."""
        return None

    def as_vectors(self, prompts: Integers) -> tuple[Integers, Integers] | None:  # noqa: ARG002
        """Inputs [rows, tokens] for a model that reads integer vectors and rounds what it writes: the prompts as vectors
        [rows, tokens, integers], and the chains after them, up to and with the zero vector. None for any other task."""
        return None

    def benchmark_line(self, tokens: Sequence[int]) -> str | None:  # noqa: ARG002
        """The example with its chain as one line of the public chain-of-thought data; None for a task that those do not have."""
        return None

    def line_with_chain(self, tokens: Sequence[int], chain: Sequence[int]) -> str | None:  # noqa: ARG002
        """The same line with a chain that came with the draw."""
        return None

    def read_benchmark(self, line: str) -> tuple[int, ...] | None:  # noqa: ARG002
        """The tokens of the input of such a line; its chain must be the one that `benchmark_line` writes."""
        return None

    def prompt_of(self, read: Sequence[Any]) -> list[Any]:
        """The input, as ids, from what a model reads of it: ids, or vectors."""
        return list(read)

    def asked(self, batch: Batch) -> Integers:
        """For each scored position, row by row, the position (from 1) that it asks about; by default the position itself."""
        return np.nonzero(batch.mask)[1] + 1

    @property
    def independent_answers(self) -> tuple[int, int] | None:
        """How many independent uniform answers an input of full length holds, and out of how many values; None if it is not like that."""
        return None

    def interview(self, seed: int, count: int) -> Batch | None:  # noqa: ARG002
        """`count` inputs, each asked about every answer that it holds; None if the task cannot ask.

        One row asks for one answer, or for all in order; rows of one input stand together and differ in the question alone. In every
        place each value occurs equally often, as far as `count` allows, so that a guess is right exactly as often as chance.
        """
        return None

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
        """Everything that defines the task besides its name."""
        return asdict(self)

    def key(self, seed: int) -> int:
        """The key of this task's random words under a seed."""
        return stream_key(self.name, self.parameters, seed)

    def at(self, length: int) -> Self:
        """The same task at another length."""
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


def chain_of(task: Task, tokens: Sequence[int]) -> tuple[int, ...] | None:
    """The chain of a task, if it has one; refuses a chain that does not end with its only stop token."""
    chain = task.chain(tokens)
    if chain is None:
        return None
    if task.stop is None:
        raise BadInput(f"{task.name}: a chain needs a stop token, but the task has none")
    if not chain or chain[-1] != task.stop or task.stop in chain[:-1]:
        raise BadInput(
            f"{task.name}: a chain must end with the stop token {task.stop} and contain it nowhere else, found {list(chain)!r:.80}"
        )
    return tuple(chain)


def need_length(name: str, length: int, least: int = 1) -> None:
    """Refuse a length that is too small for the task."""
    if length < least:
        raise BadInput(f"{name}: length N must be at least {least}, found {length}")
