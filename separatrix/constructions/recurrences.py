"""Recurrences of a linear unit on a form of the stream: delay it, or add it up over time.

[wen2024 Lemma B.20] [wen2024 Lemma B.21]

The unit is h_t = A h_(t-1) + B x_t from h_0 = 0, the same at every step: no gate, no reset, no latch. A recurrence consists of some
registers of h, with a block of A, its input through B, and its output.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from separatrix.constructions.forms import Array, Form
from separatrix.constructions.known import Known
from separatrix.errors import BadInput


@dataclass(frozen=True, eq=False)
class Recurrence:
    """Registers h with h_t = transition h_(t-1) + takes source_t, of which `gives` h_t is written into a slot."""

    name: str
    source: Form
    transition: Array  # [registers, registers]
    takes: Array  # [registers, rows of the source]
    gives: Array  # [outputs, registers]
    reach: int  # how many past values one output adds up; 0 for all of them
    within: tuple[float, float] | None = None  # where its outputs lie, if that is more than the sums of values say

    @property
    def registers(self) -> int:
        """The number of registers."""
        return len(self.transition)

    def known(self, source: Known, length: int) -> Known:
        """What is known of its outputs: sums of at most `reach` values, and 0 before the first token."""
        if self.within is not None:
            if source.error.any():
                raise BadInput(f"{self.name}: expected exact values, found values that are off by {source.error.max():.3g}")
            least, most = self.within
            return Known(np.full(len(self.gives), least), np.full(len(self.gives), most), np.zeros(len(self.gives)))
        terms, copies = self.reach or length, len(self.gives) // len(source.low)
        low, high = terms * np.minimum(source.low, 0), terms * np.maximum(source.high, 0)
        return Known(np.tile(low, copies), np.tile(high, copies), np.tile(terms * source.error, copies))


def delay(source: Form, k: int) -> Recurrence:
    """x_(t-k), and 0 before that. The registers hold x_t, .., x_(t-k): k + 1 of them, as h_t contains the current input."""
    past = history(source, k)
    return Recurrence("delay", source, past.transition, past.takes, past.gives[-source.rows :], reach=1)


def history(source: Form, k: int) -> Recurrence:
    """x_(t-1), .., x_(t-k), one below the other."""
    if k < 1:
        raise BadInput(f"a delay must be at least 1, found {k}")
    m, every = source.rows, np.eye((k + 1) * source.rows)
    return Recurrence("history", source, _shifting(m, k + 1), every[:, :m], every[m:], reach=1)


def running_sum(source: Form) -> Recurrence:
    """The running sum x_1 + .. + x_t."""
    eye = np.eye(source.rows)
    return Recurrence("running sum", source, eye, eye, eye, reach=0)


def integer_sum(source: Form, within: tuple[float, float], base: float = 1.0) -> Recurrence:
    """h_t = base h_(t-1) + x_t of integers; that it stays within an interval is the caller's argument."""
    eye = np.eye(source.rows)
    return Recurrence("sum of integers", source, base * eye, eye, eye, reach=0, within=within)


def window_sum(source: Form, k: int) -> Recurrence:
    """x_(t-k+1) + .. + x_t: a running sum minus the value that leaves the window of k."""
    if k < 1:
        raise BadInput(f"a window must hold at least 1 value, found {k}")
    m, eye = source.rows, np.eye(source.rows)
    transition = np.zeros(((k + 1) * m, (k + 1) * m))
    transition[: k * m, : k * m] = _shifting(m, k)  # x_t, .., x_(t-k+1)
    transition[k * m :, k * m :] = eye
    transition[k * m :, (k - 1) * m : k * m] = -eye  # the value that was k - 1 steps old one step ago
    takes = np.concatenate([np.eye(k * m, m), eye])
    gives = np.concatenate([np.zeros((m, k * m)), eye], axis=1)
    return Recurrence("window sum", source, transition, takes, gives, reach=k)


def _shifting(m: int, count: int) -> Array:
    """`count` registers of m numbers, each of which takes over the content of the one before."""
    transition = np.zeros((count * m, count * m))
    transition[m:, : (count - 1) * m] = np.eye((count - 1) * m)
    return transition
