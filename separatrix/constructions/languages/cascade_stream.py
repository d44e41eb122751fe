"""A cascade of coordinates as one-hot blocks of a stream: what the weights of every architecture for star-free languages share.

Notation   s_k   coordinate k after the tokens before this one        e_k   (token, s_1, .., s_(k-1)), what coordinate k sees

The stream holds a one-hot block for each of e_1, .., e_(K+1). Level k reads e_k and writes e_(k+1) = (e_k, s_k); the read-out sees the last
block. Where a layer needs the token before, a block for each of e_1, .., e_K says what stood there, with one place more for nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from separatrix.certificates.claim import Claim
from separatrix.certificates.construction import Construction, Settings, Sizes
from separatrix.errors import BadInput
from separatrix.models.config import EmbeddingConfig, LayerConfig, ModelConfig, Norm, ReadoutConfig
from separatrix.tasks.languages.automata import Automaton
from separatrix.tasks.languages.cascades import Cascade, Coordinate, seen_by, serial, with_end
from separatrix.tasks.languages.flips import KEPT, flip_or_reset
from separatrix.tasks.languages.periods import TooLarge
from separatrix.tasks.languages.stack_cascade import star_free_cascade
from separatrix.tasks.recognition import END
from separatrix.tasks.regular import Regular
from separatrix.tasks.state_tracking import StateTracking

if TYPE_CHECKING:
    from separatrix.certificates.built import Built
    from separatrix.models.model import Model

Array = npt.NDArray[np.float64]
LanguageTask = Regular | StateTracking
EPSILON = 1e-5  # of a layer norm
MOST = 4096  # numbers of the stream
BITS = {"float32": 32, "float64": 64}


def automaton_read(task: LanguageTask) -> Automaton:
    """The automaton over the tokens of the task: the letters, and for recognition the end symbol."""
    return task.automaton if isinstance(task, StateTracking) else with_end(task.automaton, END)


def answers_of(task: LanguageTask) -> tuple[int, ...]:
    """The target in each state: the state itself, or whether it accepts."""
    states = range(task.automaton.states)
    return (*states,) if isinstance(task, StateTracking) else tuple(int(q in task.automaton.accepting) for q in states)


@lru_cache(maxsize=64)
def cascade_of(read: Automaton) -> Cascade:
    """The cascade of an automaton over tokens, one coordinate a layer."""
    try:
        found = serial(star_free_cascade(read))
    except TooLarge as error:
        raise BadInput("regular: the language has too many words that act differently, or its cascade too many states") from error
    if found.layers:
        return found
    kept = Coordinate(1, 0, {((), a): (0,) for a in range(len(found.automaton.alphabet))})  # one state: a model has at least one layer
    return Cascade(found.automaton, ((kept,),), {(0,): 0})


def flips_of(read: Automaton) -> Cascade:
    """The cascade of bits that keep, reset or flip, of an automaton over tokens, one bit a layer; BadInput where none is found."""
    found = _flips(read)
    if isinstance(found, str):
        raise BadInput(found)
    return found


@lru_cache(maxsize=64)
def _flips(read: Automaton) -> Cascade | str:
    """The cascade, or why there is none: a search that fails is not made twice."""
    try:
        found = flip_or_reset(read)
    except TooLarge:
        return "the cascade of the language has too many states"
    except BadInput as error:
        return str(error)
    if found.layers:
        return found
    kept = Coordinate(2, 0, {((), a): KEPT for a in range(len(found.automaton.alphabet))})  # one state: a model has at least one layer
    return Cascade(found.automaton, ((kept,),), {(0,): 0})


class CascadeStream:
    """Where the blocks stand. `more` has so many further numbers for each level; the last number of the stream is `one`."""

    def __init__(self, cascade: Cascade, more: Callable[[CascadeStream, int], int] = lambda stream, level: 0) -> None:  # noqa: ARG005
        self.cascade = cascade
        self.seen = [seen_by(cascade, number) for number in range(len(cascade.layers) + 1)]
        starts = np.cumsum([0, *map(len, self.seen)])
        self.places = [{e: int(start) + i for i, e in enumerate(seen)} for start, seen in zip(starts, self.seen, strict=False)]
        ends = np.cumsum([int(starts[-1]), *(more(self, level) for level in self.levels)])
        self.more = [slice(int(start), int(end)) for start, end in pairwise(ends)]
        self.width = int(ends[-1]) + 1
        self.one = self.width - 1

    @property
    def levels(self) -> range:
        return range(len(self.cascade.layers))

    def coordinate(self, level: int) -> Coordinate:
        """The coordinate of a level."""
        (coordinate,) = self.cascade.layers[level]
        return coordinate

    def resets(self, level: int) -> dict[int, int | None]:
        """By the place of e_k, the value to which the coordinate is reset, or None if it is kept."""
        coordinate = self.coordinate(level)
        return {place: coordinate.resets(e) for e, place in self.places[level].items()}

    def pairs(self, level: int) -> list[tuple[int, int, int]]:
        """The place of e_k, a value i of the coordinate, and the place of (e_k, i) in the next block, for all that occur."""
        values, above = self.coordinate(level).values, self.places[level + 1]
        return [
            (place, i, above[(*z, i), a]) for (z, a), place in self.places[level].items() for i in range(values) if ((*z, i), a) in above
        ]

    def norm(self, ones: int) -> dict[str, Array]:
        """A layer norm that returns what it gets, if that is so many ones and else zeros, with a 1 at `one`."""
        mean = ones / self.width
        weight, bias = np.full(self.width, np.sqrt(mean - mean**2 + EPSILON)), np.full(self.width, mean)
        weight[self.one], bias[self.one] = 0.0, 1.0
        return {"weight": weight, "bias": bias}

    def read_out(self, questions: Sequence[Sequence[int]]) -> Array:
        """For each question, which has an answer in every state, 1 for the answer after each (token, values before it)."""
        starts = np.cumsum([0, *(max(2, max(answers) + 1) for answers in questions)])
        weight = np.zeros((int(starts[-1]), self.width))
        for (values, token), place in self.places[-1].items():
            state = self.cascade.automaton.moves[self.cascade.state_of[values]][token]
            for start, answers in zip(starts, questions, strict=False):
                weight[start + answers[state], place] = 1.0
        return weight

    def model(
        self,
        layers: Sequence[LayerConfig],
        tensors: dict[str, Array],
        questions: Sequence[Sequence[int]],
        arithmetic: str,
        length: int,
        name: str,
        norm: Norm = "none",
    ) -> Model:
        """The model of these layers: one-hot tokens, with `one` unless a norm makes it, and the answers."""
        from separatrix.constructions.compiler import model_of

        tokens = len(self.cascade.automaton.alphabet)
        table = np.eye(tokens, self.width)
        if norm == "none":
            table[:, self.one] = 1.0
        tensors = {"embedding.table": table, **tensors}
        weight = self.read_out(questions)
        tensors |= {"readout.weight": weight, "readout.bias": np.zeros(len(weight))}
        config = ModelConfig(
            embedding=EmbeddingConfig(tokens),
            layers=tuple(layers),
            readout=ReadoutConfig(len(weight), norm=norm),
            width=self.width,
            arithmetic=arithmetic,
            length=length,
        )
        return model_of(config, tensors, name)


def stream_of(
    task: LanguageTask,
    arithmetic: str,
    by: str,
    more: Callable[[CascadeStream, int], int] = lambda stream, level: 0,  # noqa: ARG005
) -> CascadeStream:
    """The blocks of a language, refused where the format cannot forget, or the stream is too wide."""
    if arithmetic not in BITS:
        raise BadInput(f"{task.name}/{by}: expected float32 or float64, in which what is forgotten is 0, found {arithmetic}")
    stream = CascadeStream(cascade_of(automaton_read(task)), more)
    if stream.width > MOST:
        raise BadInput(f"{task.name}/{by}: the language needs a stream of {stream.width} numbers, at most {MOST} are built")
    return stream


def recognising(task: LanguageTask, model: Model, by: str, sizes: Sizes, arithmetic: str) -> Built:
    """The program of these weights, with its claim."""
    from separatrix.certificates.built import Built
    from separatrix.certificates.program import Program
    from separatrix.constructions.compiler import read_as

    facts = {"states": float(task.automaton.states), "state bits": float(sizes["state_bits"])}
    claim = Claim(f"{task.name}/{by}", "", task.name, task.parameters, {}, arithmetic, facts)
    return Built(Program(model, read_as(task)), claim, task)


def tracking(recognition: Construction, by: str, *quick: Settings) -> Construction:
    """The declaration of the same weights with the state itself as the answer, after every symbol."""
    return replace(recognition, name=f"{StateTracking.name}/{by}", computes=StateTracking, quick=quick)
