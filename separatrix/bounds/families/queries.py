"""Queries to n numbers from [n]: before the query a recurrent model must know the sequence, or how often each number occurred.

[wen2024 Theorem 4.6; the lower bound, for Index and Counting]

A chain of thought does not help: what the model holds at the end of the prompt decides everything that it writes from there on, so the
state at that point is a message from which every query can be answered. Searching the prompt does help: the text is then read again.

Notation   n  numbers      t  numbers read so far
"""

from __future__ import annotations

from math import comb

from separatrix.bounds.families.closed_form import ClosedForm, TaskBounds, at_least, exact, listable
from separatrix.bounds.states.profile import StateProfile, ceil_log2

CITES = "wen2024 Theorem 4.6"
CAVEAT = "Zero error on every input, whatever chain of thought is written after the prompt; a model that may search the prompt needs less."


def index_profile(length: int) -> StateProfile:
    """`<s>`, n numbers and a place: sequences that differ at place k need two states until k is asked."""
    at_least("index", 2, "length", length)
    listable("index", length, length * ceil_log2(length))
    return exact([1, *(length**t for t in range(length + 1)), length], "closed form: n^t, then n")


def counting_profile(length: int) -> StateProfile:
    """`<s>`, n numbers, q and t: what matters is how often each number occurred, C(n + t - 1, t) ways; then the count of q."""
    at_least("counting", 2, "length", length)
    listable("counting", length, 2 * length)
    return exact(
        [1, *(comb(length + t - 1, t) for t in range(length + 1)), length + 1, 2], "closed form: C(n + t - 1, t), then n + 1, then 2"
    )


INDEX = TaskBounds(
    ClosedForm(
        "ceil(n log2 n) bits",
        CITES,
        CAVEAT,
        lambda task: index_profile(task.length),
        lambda task: (task.length**task.length,) * 2,
    )
)
COUNTING = TaskBounds(
    ClosedForm(
        "ceil(log2 C(2n - 1, n)) bits",
        CITES,
        CAVEAT,
        lambda task: counting_profile(task.length),
        lambda task: (comb(2 * task.length - 1, task.length),) * 2,
    )
)
