"""How local a chain is: the least m such that every token written follows from the last m tokens and its place.

[yang2024 Definition 5.3]

The condition is asked of written tokens only; what is given needs no reason. It is tested on sequences: m is exact where they are all that
a task has, and a lower bound where they are a sample.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from separatrix.errors import BadInput


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
