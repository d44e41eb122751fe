"""A recurrent model beside the automaton of its language, on all pairs of states that they reach together: right at all lengths, or not.

The state of a model is compared byte by byte. Where finitely many pairs are reached, all words of all lengths lead to one of them; if in
each of them the model gives the automaton's answer when the word ends, it does so on every word. This is a statement about the model run
token by token in the floats of this machine, in the batches in which states are stepped here, not about a parallel scan or real numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch

from separatrix.errors import BadInput
from separatrix.models.model import State
from separatrix.tasks.languages.automata import Automaton

MOST = 20_000  # pairs


@dataclass(frozen=True)
class Simulation:
    """How it went: pairs of states, the least margin of a right answer, and a shortest word with a wrong one, if there is any."""

    pairs: int
    margin: float
    wrong: tuple[int, ...] | None = None
    complete: bool = True  # False if there are more pairs than are looked at

    @property
    def holds(self) -> bool:
        """Whether every word of every length is answered rightly."""
        return self.complete and self.wrong is None


def simulate(model: Any, automaton: Automaton, end: int | None, most: int = MOST) -> Simulation:
    """Step the model from all states at once, letter by letter; the answer is read after the token `end`, or after every letter."""
    if not hasattr(model, "step") or not hasattr(model, "initial_state"):
        raise BadInput("expected a model that reads one token at a time")
    with torch.no_grad():
        return _simulate(model, automaton, end, most)


def _simulate(model: Any, automaton: Automaton, end: int | None, most: int) -> Simulation:
    accepting = automaton.accepting
    states, places = model.initial_state(1), [0]
    words: list[tuple[int, ...]] = [()]  # one for each row
    met, margin = {(*_keys(states), 0)}, float("inf")
    while places:
        if end is not None:
            _, logits = model.step(states, torch.full((len(places),), end))
            lead, wrong = _judged(logits, [q in accepting for q in places])
            margin = min(margin, lead)
            if wrong is not None:
                return Simulation(len(met), lead, words[wrong])
        following, longer, further = [], [], []
        for letter in range(len(automaton.alphabet)):
            after, logits = model.step(states, torch.full((len(places),), letter))
            reached = [automaton.moves[q][letter] for q in places]
            if end is None:
                lead, wrong = _judged(logits, [q in accepting for q in reached])
                margin = min(margin, lead)
                if wrong is not None:
                    return Simulation(len(met), lead, (*words[wrong], letter))
            pairs = list(zip(_keys(after), reached, strict=True))
            fresh = [row for row, pair in enumerate(pairs) if pair not in met and pair not in pairs[:row]]
            met.update(pairs)
            if fresh:
                following.append(after.of_rows(fresh))
                longer += [(*words[row], letter) for row in fresh]
                further += [reached[row] for row in fresh]
        if len(met) > most:
            return Simulation(len(met), margin, None, complete=False)
        words, places = longer, further
        if following:
            states = _together(following)
    return Simulation(len(met), margin)


def _together(states: list[State]) -> State:
    """The rows of several states after the same number of tokens."""
    layers = zip(*(state.layers for state in states), strict=True)
    return State(states[0].clock, tuple(tuple(map(torch.cat, zip(*parts, strict=True))) for parts in layers))


def _keys(state: Any) -> list[bytes]:
    """The bytes of the state of each row."""
    tensors = [t.reshape(len(t), -1).contiguous() for layer in state.layers for t in layer]
    if not tensors:
        return [b""]  # without layers there is one row, the first
    return [b"".join(t[row].numpy().tobytes() for t in tensors) for row in range(len(tensors[0]))]


def _judged(logits: torch.Tensor, members: list[bool]) -> tuple[float, int | None]:
    """The least lead of the right answer, and the first row where it is not positive."""
    right = torch.tensor(members).long()[:, None]
    lead = (logits.gather(1, right) - logits.gather(1, 1 - right))[:, 0]
    wrong = (~(lead > 0)).nonzero()
    return float(lead.min()), int(wrong[0, 0]) if len(wrong) else None
