"""From accuracy to bits: what a model's answers prove that its state still holds.

[bhattamishra2024 Theorem 3]

Notation   n  answers that one input holds, uniform and independent      s  values of each      a  share of right answers

A state from which each answer is given with accuracy a_i holds at least sum_i (log2 s - h(1 - a_i) - (1 - a_i) log2(s - 1)) bits
about them: Fano's inequality for every answer, and independent answers add up. The term is convex, so a single average accuracy a
proves n of its terms. At the accuracy of a guess, 1/s, and below it is 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log2, sqrt
from typing import Any

from separatrix.errors import BadInput
from separatrix.tasks import Task
from separatrix.tasks.capabilities import Interviewed

Z95 = 1.959963984540054  # of a two-sided interval of 95 %


@dataclass(frozen=True)
class Retained:
    """Bits that answers prove, with an interval of 95 % or more."""

    bits: float
    low: float
    high: float

    @property
    def interval(self) -> list[float]:
        """The ends of the confidence interval, in bits."""
        return [self.low, self.high]


def fano_bits(accuracy: float, values: int) -> float:
    """What one answer of this accuracy among equally likely values proves."""
    if not 0 <= accuracy <= 1 or values < 2:
        raise BadInput(f"an accuracy must lie in [0, 1] and answers have at least two values, found {accuracy} and {values}")
    if accuracy <= 1 / values:
        return 0.0
    wrong = 1 - accuracy
    entropy = 0.0 if wrong == 0 else -wrong * log2(wrong) - accuracy * log2(accuracy)
    return max(0.0, log2(values) - entropy - wrong * log2(values - 1))


def wilson(right: float, count: int) -> tuple[float, float]:
    """The interval of a share that Wilson's score test does not reject at 5 %."""
    if count < 1:
        raise BadInput(f"an interval needs at least one observation, found {count}")
    share, z2 = right / count, Z95 * Z95
    middle, half = share + z2 / (2 * count), Z95 * sqrt(share * (1 - share) / count + z2 / (4 * count * count))
    return (max(0.0, (middle - half) / (1 + z2 / count)), min(1.0, (middle + half) / (1 + z2 / count)))


def retained(right: Sequence[int], count: int, values: int) -> Retained:
    """Bits in all, from how often each answer was right in `count` inputs; the interval adds up those of the single answers."""
    bounds = [wilson(hits, count) for hits in right]
    return Retained(
        sum(fano_bits(hits / count, values) for hits in right),
        sum(fano_bits(low, values) for low, _ in bounds),
        sum(fano_bits(high, values) for _, high in bounds),
    )


def retained_on_average(task: Task, accuracy: float, examples: int | None = None) -> Retained:
    """Bits retained, from one stored accuracy; without the number of examples there is no interval but the number itself."""
    answers, values = answers_of(task)
    low, high = (accuracy, accuracy) if examples is None else wilson(accuracy * examples, examples)
    return Retained(*(answers * fano_bits(share, values) for share in (accuracy, low, high)))


def answers_of(task: Task) -> tuple[int, int]:
    """How many independent answers an input of the task holds, and out of how many values."""
    if not isinstance(task, Interviewed):
        raise BadInput(f"{task.name}: its inputs do not hold independent uniform answers, so accuracies do not add up to bits")
    return task.independent_answers


def reread(task: Task, row: dict[str, Any]) -> dict[str, Any]:
    """A stored row `{"model", "length", "accuracy"}` as bits, beside the bits that a correct model needs there."""
    at = task.at(int(row["length"]))
    answers, values = answers_of(at)
    bits = retained_on_average(at, float(row["accuracy"]), row.get("examples"))
    return {
        "model": row.get("model", ""),
        "length": at.length,
        "accuracy": float(row["accuracy"]),
        "bits": bits.bits,
        "interval": bits.interval,
        "needed": answers * log2(values),
        "state_bits": row.get("state_bits"),
    }
