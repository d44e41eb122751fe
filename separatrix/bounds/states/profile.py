"""How many states a recurrent model must distinguish after each token.

[bhattamishra2024 Theorem 2]

Any model that reads tokens one by one, with any transition and read-out at every step and a clock for free, is right on every string
iff its state separates the residual functions of the prefixes: max over t of ceil(log2 classes[t]) bits are needed, and they suffice.
The paper states the first half, and asks what holds if the transition may change from step to step [bhattamishra2024 Question 3].

    >>> state_profile(lambda x: x[:2] == x[2:], alphabet="01", length=4).classes
    (1, 2, 4, 3, 2)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import log2
from typing import Any

import numpy as np
from numpy.typing import NDArray

from separatrix.bits import ceil_log2
from separatrix.bounds.states.answers import Answer, Oracle, alphabets_of, tabulate, tabulate_oracle
from separatrix.bounds.states.residuals import largest_domain_class, merged, residuals

LISTED_DIGITS = 100_000  # a document lists the counts up to this many digits in total, beyond that only their logarithms


@dataclass(frozen=True)
class StateProfile:
    """States after t = 0..tokens tokens: at least `classes_lower[t]`, and `classes_upper` is attained by one automaton at all t.

    The two differ only for promise tasks, where prefixes with different sets of valid suffixes may or may not share a state.
    Lower: the most residual functions that are defined on the same suffixes. Upper: a merging of compatible prefixes that exists.
    """

    classes_lower: tuple[int, ...]
    classes_upper: tuple[int, ...]
    method: str

    @property
    def classes(self) -> tuple[int, ...]:
        """The states every correct model needs after each token: the lower counts."""
        return self.classes_lower

    @property
    def exact(self) -> bool:
        """Whether the lower counts are also enough."""
        return self.classes_lower == self.classes_upper

    @property
    def bits_at(self) -> tuple[int, ...]:
        """Bits of state after each token: ceil(log2 classes[t])."""
        return tuple(ceil_log2(count) for count in self.classes)

    @property
    def bits(self) -> int:
        """The least state bits of a correct model: those of the widest cut."""
        return max(self.bits_at)

    @property
    def bits_upper(self) -> int:
        """State bits that are enough."""
        return max(ceil_log2(count) for count in self.classes_upper)

    @property
    def bits_text(self) -> str:
        """The bits of state as text: `6`, or `2..3` if necessary and sufficient bits differ."""
        return str(self.bits) if self.bits == self.bits_upper else f"{self.bits}..{self.bits_upper}"

    @property
    def widest(self) -> int:
        """The first t at which the most states are needed."""
        return self.classes.index(max(self.classes))

    def document(self) -> dict[str, Any]:
        """The profile as JSON. Counts of more than 100,000 digits in all are null, and only their logarithms are listed."""
        lower, upper = self.classes_lower, self.classes_upper
        listed = sum(count.bit_length() for count in (*lower, *upper)) / log2(10) <= LISTED_DIGITS
        return {
            "classes": list(lower) if listed else None,
            "classes_lower": list(lower) if listed else None,
            "classes_upper": list(upper) if listed else None,
            "log2_classes_lower": [round(log2(count), 3) for count in lower],
            "log2_classes_upper": [round(log2(count), 3) for count in upper],
            "bits": self.bits,
            "bits_upper": self.bits_upper,
            "method": self.method,
        }


def state_profile(answer: Answer, alphabet: str | Iterable[Any], length: int) -> StateProfile:
    """The profile of any function of a tuple of `length` symbols; None means outside the promise.

    [bhattamishra2024 Theorem 2]

    `alphabet` is a string, a sequence of symbols, or one of these per position. The answer is read after the last token.
    """
    table = tabulate(answer, alphabets_of(alphabet, length))
    return profile_of_table(table.codes, table.sizes)


def profile_of_oracle(oracle: Oracle, alphabet: str | Iterable[Any], length: int) -> StateProfile:
    """The profile of a vectorised oracle, for up to 10^9 strings.

    The oracle gets an int64 array [rows, length] of symbol indices into each position's alphabet, read-only, and returns one
    whole number per row; a negative one means outside the promise.
    """
    sizes = tuple(len(symbols) for symbols in alphabets_of(alphabet, length))
    return profile_of_table(tabulate_oracle(oracle, sizes), sizes)


def profile_of_table(table: NDArray[np.integer[Any]], sizes: Sequence[int]) -> StateProfile:
    """The profile of a table of answers in row-major order, sizes[i] symbols at position i; negative = outside the promise."""
    shared = residuals(table, sizes)
    if not shared.partial:
        return StateProfile(shared.widths, shared.widths, "counted: every residual function of every prefix")
    return StateProfile(
        largest_domain_class(shared),
        merged(shared).widths,
        "counted: lower = residuals with one set of valid suffixes, upper = compatible residuals merged first fit",
    )
