"""Queries to n numbers from [n]: before the query a recurrent model must know the sequence, or how often each number occurred.

[wen2024 Theorem 4.6; the lower bound] [wen2024 Theorem 4.7; the lower bound]
[wen2024 Claim 3; the message is the state at the end of Alice's part]

A chain of thought does not help: what the model holds at the end of the prompt decides everything that it writes from there on, so the
state at that point is a message from which every query can be answered. Searching the prompt does help: the text is then read again.

Recall, c-grams and IsTree have no closed form here; prompts that all need their own state are counted instead (communication/prompts.py):
h places 1 .. h, each behind c - 1 of its kind followed by any of the numbers h + 1 .. n, and the graphs of a message.

Notation   n  numbers, or vertices      t  numbers read so far      c  length of a gram, 2 for recall      h  floor(n / c)
"""

from __future__ import annotations

from collections.abc import Iterator
from math import comb

from separatrix.bits import ceil_log2
from separatrix.bounds.families.closed_form import ClosedForm, TaskBounds, at_least, exact, listable
from separatrix.bounds.lower import CERTIFIED, CountedProfile, LowerBound, Precision, Witness, at_a_small_size, state_bounds, string_count
from separatrix.bounds.states.profile import StateProfile
from separatrix.tasks.grams import Grams
from separatrix.tasks.is_tree import IsTree

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


def grams_told_apart(length: int, gram: int) -> int:
    """(n - h)^h: behind each of h places any of n - h numbers, each of which some query asks for."""
    h = length // gram
    return int(max(1, length - h) ** h)


def graphs_told_apart(length: int) -> int:
    """2^(n - 3): whether leaves k and k + 1 hang on one centre, for each k; the edge between them asks for it."""
    return 1 << max(0, length - 3)


def _grams(task: Grams, precision: Precision, _: tuple[LowerBound, ...]) -> Iterator[LowerBound]:
    if string_count(task, CERTIFIED) is not None:  # a count says more
        return iter(())
    h = "floor(n/2)" if task.gram == 2 else f"floor(n/{task.gram})"
    states, most = grams_told_apart(task.length, task.gram), task.length**task.length
    formula = f"ceil(h log2(n - h)) bits with h = {h}"
    witness = Witness("prompts: h places, each followed by any of n - h numbers", CountedProfile(at_a_small_size(task)))
    return state_bounds(states, max(states + 1, most), precision.bits, formula, CITES, CAVEAT, False, witness)


def _is_tree(task: IsTree, precision: Precision, _: tuple[LowerBound, ...]) -> Iterator[LowerBound]:
    if task.m != task.length - 1 or string_count(task, CERTIFIED) is not None:  # the graphs of a message have n - 1 edges
        return iter(())
    states = graphs_told_apart(task.length)
    witness = Witness("prompts: the graphs of a message of n - 2 bits, and the edge k ~ k + 1", CountedProfile(_small_graph()))
    return state_bounds(states, task.length**task.length, precision.bits, "n - 3 bits", "wen2024 Theorem 4.7", CAVEAT, False, witness)


def _small_graph() -> IsTree:
    """The largest task whose strings a certificate can list: 4 vertices and 3 edges."""
    return IsTree(4)


RECALL_NEXT = C_GRAM = TaskBounds(None, _grams)
IS_TREE = TaskBounds(None, _is_tree)
