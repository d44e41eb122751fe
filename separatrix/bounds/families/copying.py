"""Copy: at the separator the whole word is still to be predicted, so nothing may be forgotten.

Notation   N  symbols      s  alphabet size      j  symbols of the copy read so far
"""

from __future__ import annotations

from separatrix.bits import ceil_log2
from separatrix.bounds.accuracy.ceiling import whole_strings
from separatrix.bounds.families.closed_form import ClosedForm, TaskBounds, at_least, exact, listable
from separatrix.bounds.lower import at_a_small_size
from separatrix.bounds.states.profile import StateProfile
from separatrix.tasks import Task
from separatrix.tasks.copying import Copy
from separatrix.tasks.index_lookup import IndexLookup


def copy_profile(length: int, symbols: int = 64) -> StateProfile:
    """Two words that differ for the first time at place i lead to two answers after the same i - 1 symbols of the copy."""
    at_least("copy", 1, "length", length)
    at_least("copy", 2, "symbols", symbols)
    listable("copy", 2 * length, length * ceil_log2(symbols))
    word = [symbols**t for t in range(length + 1)]
    rest = [symbols ** (length - j) for j in range(length)]  # after the separator, and after j symbols of the copy
    return exact(word + rest, "closed form: s^t up to the separator, then s^r with r symbols still to be predicted")


def _as_index_lookup(task: Copy) -> Task:
    """A model that copies a word, with the copy fed back, answers for any place of it: index lookup."""
    return at_a_small_size(IndexLookup(task.length, task.symbols))


COPY = TaskBounds(
    ClosedForm(
        "ceil(N log2 s) bits",
        "",
        "Outside the four papers. Zero error on every word, state at the separator; random bits do not help.",
        lambda task: copy_profile(task.length, task.symbols),
        lambda task: (task.symbols**task.length,) * 2,
        counted_as=_as_index_lookup,
    ),
    ceiling=lambda task, state_bits: whole_strings(task.symbols, task.length, state_bits, attained=True),
)
