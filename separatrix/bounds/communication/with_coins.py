"""A task as a dialogue with public coins and an error: what one message needs, what a protocol sends, and how often it is wrong.

[bhattamishra2024 Fact 3; the randomised half] [bhattamishra2024 Fact 1; the randomised half, for one message]
[bhattamishra2024 Remark 9]

The error is allowed on every input. It is counted on the hardest ones, fresh for each run: for index lookup any, for Intersects half of
them disjoint, for Equality two halves that differ in one place. Equality has no bound here: its message grows as log N.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from separatrix.bounds.communication.dialogues import Transcript, equality_by_sending, equality_with_random_weights
from separatrix.bounds.communication.randomised import disjointness_with_coins, index_with_coins, one_message_bits
from separatrix.errors import BadInput
from separatrix.tasks import Task
from separatrix.tasks.equality import Equality
from separatrix.tasks.index_lookup import IndexLookup
from separatrix.tasks.intersects import Intersects

RUNS = 4000
Run = Callable[[int, float, Random, int], tuple[Transcript, int]]  # bits of Alice, error, inputs, seed of the coins: and the truth


@dataclass(frozen=True)
class WithCoins:
    """A protocol that was run on hard inputs."""

    bits: int  # that Alice holds
    error: float  # allowed on every input
    least: int | None  # bits of one message, whatever the protocol; None where no bound is known here
    sent: float  # by Alice, in the mean
    runs: int
    wrong: int


def with_coins(task: Task, error: float, runs: int = RUNS) -> WithCoins:
    """Run the protocol of a task."""
    if not 0 <= error < 0.5:
        raise BadInput(f"--error expects a number from 0 on and below 1/2, found {error}")
    symbols = getattr(task, "symbols", 2)
    if not isinstance(task, IndexLookup | Intersects | Equality) or symbols != 2:
        raise BadInput(
            f"--error: protocols with coins are here for index-lookup (--set symbols=2), intersects and equality, found {task.name}"
        )
    N = task.length if isinstance(task, IndexLookup) else task.length // 2
    run: Run = _index if isinstance(task, IndexLookup) else _disjointness if isinstance(task, Intersects) else _equality
    inputs = Random(1)
    outcomes = [run(N, error, inputs, seed) for seed in range(runs)]
    return WithCoins(
        N,
        error,
        None if isinstance(task, Equality) else one_message_bits(N, error),
        sum(len(transcript.messages[0].bits) for transcript, _ in outcomes) / runs,
        runs,
        sum(transcript.answer != truth for transcript, truth in outcomes),
    )


def _index(N: int, error: float, inputs: Random, seed: int) -> tuple[Transcript, int]:
    a, i = _bits(N, inputs), inputs.randrange(N)
    return index_with_coins(a, i, error, seed), a[i]


def _disjointness(N: int, error: float, inputs: Random, seed: int) -> tuple[Transcript, int]:
    a = _bits(N, inputs)
    b = [bit & (1 - x) for bit, x in zip(_bits(N, inputs), a, strict=True)]
    if inputs.getrandbits(1):
        place = inputs.randrange(N)
        a[place] = b[place] = 1
    return disjointness_with_coins(a, b, error, seed), int(any(x & y for x, y in zip(a, b, strict=True)))


def _equality(N: int, error: float, inputs: Random, seed: int) -> tuple[Transcript, int]:
    a = _bits(N, inputs)
    b, place = [*a], inputs.randrange(N)
    b[place] ^= 1
    if not error:
        return equality_by_sending(a, b), 0
    return equality_with_random_weights(a, b, math.ceil(-math.log2(error)), seed), 0


def _bits(N: int, inputs: Random) -> list[int]:
    return [inputs.getrandbits(1) for _ in range(N)]
