"""The examples of each training step: a function of the seed and the step number, so that resuming needs no record of the data."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from separatrix.certificates.evaluator import rows_of
from separatrix.tasks import Batch, Task
from separatrix.tasks.drawing.counter import stream_key, words
from separatrix.tasks.task import Integers
from separatrix.training.examples import examples


def batches(task: Task, batch: int, count: int, seed: int) -> Callable[[int], Batch]:
    """The batch of each step: fresh examples, or a finite set of `count`, reordered in every epoch."""
    if not count:
        return lambda step: examples(task, seed, batch, start=step * batch)
    finite = examples(task, seed, count)

    @lru_cache(maxsize=2)  # a batch may span two epochs
    def order(epoch: int) -> Integers:
        return permutation(count, epoch, seed)

    def of_step(step: int) -> Batch:
        numbers = np.arange(step * batch, (step + 1) * batch)
        chosen = [order(int(epoch))[place] for epoch, place in zip(numbers // count, numbers % count, strict=True)]
        return rows_of(finite, np.array(chosen))

    return of_step


def permutation(examples: int, epoch: int, seed: int) -> Integers:
    """The order of an epoch: the examples sorted by a counter hash of (seed, epoch, example)."""
    key = stream_key("epochs", {"examples": examples}, seed)
    order: Integers = words(key, [epoch], np.arange(examples))[0].argsort(kind="stable")
    return order
