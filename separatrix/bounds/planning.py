"""What a plan asks of a task and of a model: the bits that must cross some cut, and those that can.

[bhattamishra2024 Theorem 2]

The least bits are those of zero error, or for an accuracy below 1 those of the ceiling over the task's own distribution, which random
bits do not change. The candidates are given by the caller: this room asks no model and needs no torch.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Protocol

from separatrix.architectures import Architecture, Quantity
from separatrix.bits import ceil_log2
from separatrix.bounds.families import known_bounds
from separatrix.bounds.limits import bounds_for, task_ceiling, task_profile
from separatrix.bounds.lower import LowerBound, string_count
from separatrix.bounds.number_format import NumberFormat
from separatrix.bounds.reach import reach_of
from separatrix.errors import BadInput
from separatrix.models.cost_formulas import SIZED, WIDTHS, SizedModel, sized_model
from separatrix.models.state_at_cut import least_width
from separatrix.tasks import Task

LISTED = 10**7  # bits of a profile whose every cut is compared; of a larger one only the widest
COUNTED = 1 << 12  # strings up to which a task without a closed form is counted
LONGEST = 1 << 15  # lengths that are tried


class Candidate(Protocol):
    """A model of some size, as far as a plan asks about it."""

    @property
    def architecture(self) -> str:
        """The architecture whose bounds apply to this model."""

    @property
    def name(self) -> str:
        """Its size, as `separatrix state` takes it."""

    @property
    def place(self) -> str:
        """Where weights of it are, or would be, as `separatrix attack` takes it."""

    def state_bits(self, tokens: int, bits: int) -> int:
        """Bits of the tensors that cross the cut after so many tokens, with numbers of `bits` bits."""

    def carried_bits(self, tokens: int, bits: int, token_bits: int) -> int:
        """The most that they can be worth; must not fall as the tokens grow in number."""

    def operations(self, tokens: int) -> int | None:
        """Operations of the token after so many others; None if unknown."""

    def parameters(self, length: int) -> int | None:
        """Stored numbers, for inputs of at most `length` tokens; None if unknown."""

    def sees(self) -> tuple[int, ...] | None:
        """The tokens that each layer sees, itself included; None if some layer sees all of them, or what it has made of them."""

    def one_layer(self) -> int | None:
        """Heads times the width of their values, of a model that is one layer of softmax attention; None of any other."""


@dataclass(frozen=True)
class Need:
    """The least bits that must cross some cut, and why; None where nothing is known."""

    bits: int | None
    formula: str
    cites: str = ""
    tight: bool = False
    deterministic_only: bool = False
    bound: LowerBound | None = None
    by_cut: tuple[int, ...] = ()  # after each number of tokens, where the whole profile is small enough to list


def reference_models(task: Task, layers: int = 2, width: int = 64) -> list[SizedModel]:
    """Every architecture with cost formulas at one size, for the alphabets of a task."""
    return [sized_model(architecture, layers, width, task.vocabulary, task.targets) for architecture in SIZED]


def need_of(task: Task, numbers: NumberFormat, accuracy: float = 1.0) -> Need:
    """The least bits for zero error, by theorem or counted; for an accuracy below 1 through the ceiling."""
    if not 0 < accuracy <= 1:  # nan is neither
        raise BadInput(f"accuracy must lie in (0, 1], found {accuracy}")
    if accuracy < 1:
        try:
            ceiling = task_ceiling(task, accuracy=accuracy)
        except BadInput as error:
            return Need(None, f"no ceiling on accuracy: {error}")
        return Need(ceiling.bits, f"least bits whose ceiling reaches {accuracy:g}: {ceiling.method}", "bhattamishra2024 Theorem 2")
    rows = bounds_for(task, numbers.bits, numbers.fraction)
    state = [row for row in rows if (row.architecture, row.quantity) == (Architecture.RECURRENT, Quantity.STATE_BITS)]
    if not state:
        return Need(None, "no lower bound is known, and too many inputs to count")
    bound = state[0]
    return Need(bound.value, bound.formula, bound.cites, bound.tight, bound.deterministic_only, bound, by_cut(task, bound.value))


def tightest(need: Need, candidate: Candidate, p: int, token_bits: int, tokens: int) -> tuple[int, int | None]:
    """The cut at which least room is left, and the bits needed there; without a listed profile the widest need before the last token."""
    if not need.by_cut:
        return max(0, tokens - 1), need.bits
    room = [worth(candidate, t, p, token_bits) - bits for t, bits in enumerate(need.by_cut)]
    refuted = [t for t, left in enumerate(room) if left < 0]
    cut = min(refuted, key=lambda t: room[t]) if refuted else max(range(len(room)), key=lambda t: (need.by_cut[t], -room[t]))
    return cut, need.by_cut[cut]


def worth(candidate: Candidate, tokens: int, p: int, token_bits: int) -> int:
    """The most that the state is worth after so many tokens: never more than its own bits, nor than the tokens that the stack sees."""
    most = min(candidate.carried_bits(tokens, p, token_bits), candidate.state_bits(tokens, p))
    seen = candidate.sees()
    return most if seen is None else min(most, min(tokens, reach_of(seen)) * token_bits)


def by_cut(task: Task, bits: int) -> tuple[int, ...]:
    """The bits needed after each number of tokens, where the whole profile is small."""
    if task.token_count * max(1, bits) > LISTED:
        return ()
    form = known_bounds(task).form
    if form is not None:
        return tuple(form.profile(task).bits_at)
    try:
        return tuple(task_profile(task).bits_at) if string_count(task, COUNTED) is not None else ()
    except BadInput:
        return ()


def need_by_length(task: Task, numbers: NumberFormat, accuracy: float) -> Callable[[int], int | None]:
    """The least bits at other lengths of the task; None where no closed form says so."""
    form = known_bounds(task).form

    @cache
    def needed(length: int) -> int | None:
        if accuracy < 1:
            return need_of(task.at(length), numbers, accuracy).bits
        return None if form is None else ceil_log2(form.least_states(task.at(length)))

    return needed


def longest_tried(task: Task) -> int:
    """The length beyond which no larger one is looked for: the one that is asked about, at least."""
    return max(LONGEST, task.length)


def largest_length(task: Task, candidate: Candidate, needed: Callable[[int], int | None], p: int) -> tuple[int | None, bool]:
    """The largest length that what is carried does not refute; whether even the longest tried is not refuted."""
    step = 2 if task.even_because else 1
    least = -(-task.least_length // step)

    def fits(steps: int) -> bool | None:
        other, bits = task.at(step * steps), needed(step * steps)
        return None if bits is None else worth(candidate, other.token_count - 1, p, ceil_log2(other.vocabulary)) >= bits

    if needed(task.length) is None:
        return None, False
    if not fits(least):
        return 0, False
    low, high = least, 2 * least
    while fits(high):
        low, high = high, 2 * high
        if high * step > longest_tried(task):
            return None, True
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low * step, False


def width_for(candidate: Candidate, needed: int | None, cut: int, p: int, token_bits: int) -> int | None:
    """The least width at which as many layers of the architecture have room; None where none has, or where sizes are fixed."""
    if not isinstance(candidate, SizedModel) or needed is None:
        return None
    layers, model = len(candidate.mixers), candidate

    def of_width(width: int) -> SizedModel:
        return sized_model(model.architecture, layers, width, model.vocabulary, model.targets)

    return least_width(lambda width: of_width(width).cuts(cut), needed, p, token_bits, WIDTHS)
