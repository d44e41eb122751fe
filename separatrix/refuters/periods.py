"""A failing word for a model inside the monotone barrier, on a language that counts: where one block more changes nothing any more.

The model reads x u u u .. until its state after x u^n is, byte for byte, that after x u^(n + 1). From there on it gives one answer to all
x u^i y, and the language does not: one of p words is a counterexample. A stack of monotone coordinates gets there after at most N(u)
blocks, usually after a few; whether it does within the length that is tried is seen, not assumed: sound for every recurrent model.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import torch

from separatrix.models.mixers.mixer import Recurrence
from separatrix.models.model import Model
from separatrix.tasks.languages.automata import Automaton
from separatrix.tasks.languages.gallery import named_language
from separatrix.tasks.languages.periods import Period
from separatrix.tasks.parity import Parity
from separatrix.tasks.recognition import Recognition
from separatrix.tasks.regular import Regular

LONGEST = 20_000  # symbols that are read


@dataclass(frozen=True)
class StoodStill:
    """After how many blocks the state did not change any more, or a block more was not noticed, and a word that is answered wrongly."""

    blocks: int
    word: tuple[int, ...]


def stands_still(model: Any, automaton: Automaton, witness: Period, end: int | None = None, longest: int = LONGEST) -> StoodStill | None:
    """The counterexample, or None if the state still changes after `longest` symbols; the answer is read after y, or after `end`."""
    with torch.no_grad():
        state, _ = _read(model, model.initial_state(1), witness.x)
        blocks = 0
        while True:
            after, _ = _read(model, state, witness.u)
            if _same(state, after):
                break
            state, blocks = after, blocks + 1
            if blocks * len(witness.u) > longest:
                return None
        for i in range(1, witness.p + 1):
            _, logits = _read(model, state, (*witness.u * i, *witness.y, *(() if end is None else (end,))))
            word = witness.word(blocks + i)
            if bool(logits[0].argmax()) != automaton.accepts(word):
                return StoodStill(blocks, word)
    raise AssertionError("one answer was right for all words of a period on which membership changes")


def first_failure(model: Any, automaton: Automaton, witness: Period, end: int, shortest: int, longest: int) -> StoodStill | None:
    """The first of the words x u^i y of at least `shortest` symbols that the model answers wrongly, within `longest` symbols of blocks.

    Sooner than `stands_still`, and as certain: once the state stands still, one of the next p words is wrong.
    """
    with torch.no_grad():
        state, _ = _read(model, model.initial_state(1), witness.x)
        for i in range(longest // len(witness.u) + 1):
            word = witness.word(i)
            if len(word) >= max(1, shortest):
                _, logits = _read(model, state, (*witness.y, end))
                if bool(logits[0].argmax()) != automaton.accepts(word):
                    return StoodStill(i, word)
            state, _ = _read(model, state, witness.u)
    return None


def steps_alike(model: Model) -> bool:
    """Whether every layer has the same step at every token, and no position enters the embedding."""
    mixers = [layer.mixer for layer in model.each_layer() if layer.mixer is not None]
    return bool(mixers) and all(isinstance(mixer, Recurrence) for mixer in mixers) and not model.config.embedding.places


def automaton_of(task: Recognition) -> Automaton | None:
    """The automaton of a language that has a small one: a regular language, or PARITY."""
    if isinstance(task, Regular):
        return task.automaton
    return named_language("parity") if isinstance(task, Parity) else None


def reading(model: Model, tokens: int) -> Model:
    """These weights, declared to read at least so many tokens: nothing else depends on that where every step is alike."""
    if not 0 < model.config.length < tokens:
        return model
    longer = Model(replace(model.config, length=tokens)).to(next(model.parameters()).dtype)
    longer.load_state_dict(model.state_dict())
    return longer.eval()


def _read(model: Any, state: Any, word: tuple[int, ...]) -> tuple[Any, Any]:
    logits = None
    for symbol in word:
        state, logits = model.step(state, torch.tensor([symbol]))
    return state, logits


def _same(one: Any, other: Any) -> bool:
    """Whether two states are equal bit for bit; -0 is not 0."""
    pairs = ((a, b) for x, y in zip(one.layers, other.layers, strict=True) for a, b in zip(x, y, strict=True))
    return all(a.numpy().tobytes() == b.numpy().tobytes() for a, b in pairs)
