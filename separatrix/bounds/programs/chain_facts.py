"""What can be seen of a task's chains by running them: how long they are, how local, and whether every input has one of its own.

[yang2024 Definition 5.3] [yang2024 Definition 4.3]

Every input is run where they are few: then m is exact, and regularity is decided. Else some are drawn: then m is at least so large, and
two inputs with one chain may still be found.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from separatrix.errors import BadInput
from separatrix.tasks import Task
from separatrix.tasks.capabilities import chain_of, vectors_of

FEW = 4096  # inputs that are all run
DRAWN = 64  # of more
TOKENS = 40_000  # of all sequences together
Tokens = tuple[int, ...]


@dataclass(frozen=True)
class ChainFacts:
    """What was measured on the chains that were run."""

    inputs: int
    every: bool  # whether these are all inputs of this size
    longest: int  # tokens of input and chain
    locality: int  # the least m such that every token written follows from the last m tokens and its place
    chains: int
    alike: tuple[Tokens, Tokens] | None  # two inputs with one chain

    @property
    def regular(self) -> bool | None:
        """Whether every input has a chain of its own; None where none was seen twice and not all were run."""
        return False if self.alike else True if self.every else None


def chain_facts(task: Task, seed: int = 0) -> ChainFacts | None:
    """The facts about a task's chains; None for a task without chains that follow from its inputs."""
    drawn = task.sample(seed, DRAWN)
    first = _sequence(task, drawn.row(0))
    if first is None:
        return None
    most = max(2, TOKENS // len(first))
    every = 0 < task.input_count <= min(FEW, most)
    inputs = [*task.inputs()] if every else [*dict.fromkeys(drawn.row(r) for r in range(min(DRAWN, most)))]
    groups: dict[int, list[tuple[Hashable, ...]]] = {}
    met: dict[Hashable, Tokens] = {}
    alike: tuple[Tokens, Tokens] | None = None
    for tokens in inputs:
        sequence = _sequence(task, tokens)
        assert sequence is not None, "either all inputs of a task have chains or none has"
        groups.setdefault(len(tokens), []).append(sequence)
        other = met.setdefault(sequence[len(tokens) :], tokens)
        if other != tokens and alike is None:
            alike = other, tokens
    m = max(locality(sequences, prompt) for prompt, sequences in groups.items())
    longest = max(len(sequence) for sequences in groups.values() for sequence in sequences)
    return ChainFacts(len(inputs), every, longest, m, len(met), alike)


def _sequence(task: Task, tokens: Tokens) -> tuple[Hashable, ...] | None:
    """Input and chain, token by token; without the zero vector at the end of a program's chain."""
    vectors = vectors_of(task, np.array([tokens]))
    if vectors is not None:
        read, written = vectors
        return tuple(vector.tobytes() for vector in (*read[0], *written[0, :-1]))
    chain = chain_of(task, tokens)
    return None if chain is None else (*tokens, *chain)


def locality(sequences: Sequence[Sequence[Hashable]], prompt: int) -> int:
    """The least m, for sequences that begin with a prompt of so many tokens."""
    if not sequences or any(len(sequence) <= prompt for sequence in sequences):
        raise BadInput(f"locality: expected sequences longer than their prompt of {prompt} tokens")
    low, high = 0, max(map(len, sequences))  # what follows from m tokens also follows from more
    if not regenerates(sequences, prompt, high):
        raise BadInput("locality: two sequences agree up to some token and differ there, so the chain is not a function of its prompt")
    while high > low:
        middle = (low + high) // 2
        low, high = (low, middle) if regenerates(sequences, prompt, middle) else (middle + 1, high)
    return low


def regenerates(sequences: Sequence[Sequence[Hashable]], prompt: int, m: int) -> bool:
    """Whether the last m tokens and the place determine every token after the prompt."""
    known: dict[tuple[int, tuple[Hashable, ...]], Hashable] = {}
    for sequence in sequences:
        for i in range(prompt, len(sequence)):
            if known.setdefault((i, tuple(sequence[max(0, i - m) : i])), sequence[i]) != sequence[i]:
                return False
    return True
