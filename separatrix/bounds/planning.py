"""A task at a length against every architecture: what each carries, what the task needs, and what follows.

[bhattamishra2024 Theorem 2]

    provably not         less can cross some cut than must, whatever the weights are
    built and verified   there are weights of this architecture: `separatrix verify NAME` runs them
    open                 neither; the gap is the most that can cross over the least that must

The least bits are those of zero error, or for an accuracy below 1 those of the ceiling over the task's own distribution, which random
bits do not change. The candidates and the constructions are given by the caller: this room asks no model and needs no torch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal, Protocol

from separatrix.architectures import Architecture, Quantity
from separatrix.bits import ceil_log2
from separatrix.bounds.families import known_bounds
from separatrix.bounds.limits import bounds_for, task_ceiling, task_profile
from separatrix.bounds.lower import LowerBound, string_count
from separatrix.bounds.table import Declaration, NumberFormat, certificate_name, least_built
from separatrix.bounds.table import Row as BoundRow
from separatrix.errors import BadInput
from separatrix.models.cuts import least_width
from separatrix.models.zoo import WIDTHS, ZOO, ZooModel, zoo_model
from separatrix.tasks import Task

Verdict = Literal["provably not", "built and verified", "open"]
LISTED = 10**7  # bits of a profile whose every cut is compared; of a larger one only the widest
COUNTED = 1 << 12  # strings up to which a task without a closed form is counted
LONGEST = 1 << 15  # lengths that are tried
ROWS = {  # where a plan shows what is built of an architecture; others are rows of their own
    Architecture.HYBRID: "hybrid-linear-rnn",
    **dict.fromkeys((Architecture.ONE_LAYER, Architecture.TWO_LAYERS, Architecture.THREE_LAYERS), "transformer"),
}


class Candidate(Protocol):
    """A model of some size, as far as a plan asks about it."""

    @property
    def architecture(self) -> str:
        """Its kind."""

    @property
    def name(self) -> str:
        """Its size, as `separatrix state` takes it."""

    def state_bits(self, tokens: int, bits: int) -> int:
        """Bits of the tensors that cross the cut after so many tokens, with numbers of `bits` bits."""

    def carried_bits(self, tokens: int, bits: int, token_bits: int) -> int:
        """The most that they can be worth; must not fall as the tokens grow in number."""

    def operations(self, tokens: int) -> int | None:
        """Operations of the token after so many others; None if unknown."""

    def parameters(self, length: int) -> int | None:
        """Stored numbers, for inputs of at most `length` tokens; None if unknown."""


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


@dataclass(frozen=True)
class PlanRow:
    """One architecture at one size."""

    architecture: str
    name: str
    state_bits: int | None  # None for a construction whose declaration does not say
    carried_bits: int | None  # at the cut with the least room
    cut: int  # tokens before it
    least_bits: int | None
    verdict: Verdict
    built: Mapping[str, Any] | None
    operations: int | None
    step_bytes: int | None  # weights and state that one token reads
    least_width: int | None
    largest_length: int | None  # None: no length up to LONGEST is refuted, or nothing is known
    unlimited: bool  # no length up to LONGEST is refuted
    need: Need
    empirical: Mapping[str, Any] | None = None

    @property
    def gap(self) -> float | None:
        """The most that can cross over the least that must."""
        return self.carried_bits / self.least_bits if self.least_bits and self.carried_bits is not None else None

    def document(self) -> dict[str, Any]:
        """The row as JSON."""
        bound = self.need.bound
        return {
            "architecture": self.architecture,
            "size": self.name,
            "state_bits": self.state_bits,
            "carried_bits": self.carried_bits,
            "least_bits": self.least_bits,
            "verdict": self.verdict,
            "gap": self.gap,
            "built": dict(self.built) if self.built is not None else None,
            "flops_per_token": self.operations,
            "bytes_per_token": self.step_bytes,
            "least_width": self.least_width,
            "largest_length": self.largest_length,
            "serves_at_least": LONGEST if self.unlimited else self.largest_length,
            "cut": self.cut,
            "formula": self.need.formula,
            "tight": self.need.tight,
            "deterministic_only": self.need.deterministic_only,
            "witness": bound.witness.document() if bound else None,
            "certificate": certificate_name(BoundRow(bound.architecture, bound.quantity, bound, None)) if bound else None,
            "cites": self.need.cites,
            "empirical": dict(self.empirical) if self.empirical is not None else None,
        }


@dataclass(frozen=True)
class Plan:
    """Every row for one task, cheapest first."""

    task: Task
    numbers: NumberFormat
    accuracy: float
    need: Need
    rows: tuple[PlanRow, ...] = field(default=())


def plan(
    task: Task,
    numbers: NumberFormat,
    declarations: Iterable[Declaration],
    candidates: Sequence[Candidate] | None = None,
    accuracy: float = 1.0,
    empirical: Mapping[str, Mapping[str, Any]] | None = None,
    reference: Sequence[Candidate] | None = None,
) -> Plan:
    """A row for each of the candidates; without them, for each architecture at its reference size, and for what is built."""
    need, built = need_of(task, numbers, accuracy), built_for(task, numbers, declarations)
    chosen = candidates if candidates is not None else reference_models(task) if reference is None else reference
    serves = _need_by_length(task, numbers, accuracy)
    rows = [_row(task, numbers, need, candidate, built if candidates is None else {}, serves, empirical or {}) for candidate in chosen]
    if candidates is None:
        met = {row.architecture for row in rows}
        rows += [_built_row(kind, made, need) for kind, made in built.items() if kind not in met]
    return Plan(task, numbers, accuracy, need, tuple(sorted(rows, key=_cost)))


def reference_models(task: Task, layers: int = 2, width: int = 64) -> list[ZooModel]:
    """Every architecture of the zoo at one size, for the alphabets of a task."""
    return [zoo_model(architecture, layers, width, task.vocabulary, task.targets) for architecture in ZOO]


def need_of(task: Task, numbers: NumberFormat, accuracy: float = 1.0) -> Need:
    """The least bits for zero error, by theorem or counted; for an accuracy below 1 through the ceiling."""
    if accuracy < 1:
        try:
            ceiling = task_ceiling(task, accuracy=accuracy)
        except BadInput as error:
            if not accuracy > 0:
                raise
            return Need(None, f"no ceiling on accuracy: {error}")
        return Need(ceiling.bits, f"least bits whose ceiling reaches {accuracy:g}: {ceiling.method}", "bhattamishra2024 Theorem 2")
    if accuracy > 1:
        raise BadInput(f"accuracy must lie in (0, 1], found {accuracy}")
    rows = bounds_for(task, numbers.bits, numbers.fraction)
    state = [row for row in rows if (row.architecture, row.quantity) == (Architecture.RECURRENT, Quantity.STATE_BITS)]
    if not state:
        return Need(None, "no lower bound is known, and too many inputs to count")
    bound = state[0]
    return Need(bound.value, bound.formula, bound.cites, bound.tight, bound.deterministic_only, bound, _by_cut(task, bound.value))


def built_for(task: Task, numbers: NumberFormat, declarations: Iterable[Declaration]) -> dict[str, dict[str, Any]]:
    """For each architecture of a plan the narrowest construction in these numbers, with its sizes."""
    listed = {declaration.name: declaration for declaration in declarations if declaration.task == task.name}
    found: dict[str, dict[str, Any]] = {}
    for (architecture, quantity), least in least_built(task, numbers, listed.values()).items():
        kind = ROWS.get(architecture, str(architecture))
        if quantity != Quantity.WIDTH or (kind in found and found[kind]["width"] <= least.value):
            continue
        settings = dict(least.settings)
        sizes = listed[least.name].sizes(task.parameters, settings, least.arithmetic)
        assert sizes is not None  # it was built a moment ago
        found[kind] = {"construction": least.name, "settings": settings, "arithmetic": least.arithmetic, **sizes}
    return found


def _built_row(kind: str, made: Mapping[str, Any], need: Need) -> PlanRow:
    """What is built of an architecture that has no reference size: its state is that of its declaration."""
    state = made.get("state_bits")
    return PlanRow(
        architecture=kind,
        name=made["construction"],
        state_bits=state,
        carried_bits=state,
        cut=0,
        least_bits=need.bits,
        verdict="built and verified",
        built=made,
        operations=None,
        step_bytes=None,
        least_width=None,
        largest_length=None,
        unlimited=False,
        need=need,
    )


def _row(
    task: Task,
    numbers: NumberFormat,
    need: Need,
    candidate: Candidate,
    built: Mapping[str, Mapping[str, Any]],
    serves: Callable[[int], int | None],
    empirical: Mapping[str, Mapping[str, Any]],
) -> PlanRow:
    p, token_bits, last = numbers.bits, ceil_log2(task.vocabulary), task.token_count - 1
    cut, needed = _tightest(need, candidate, p, token_bits, task.token_count)
    carried = candidate.carried_bits(cut, p, token_bits)
    refuted, made = needed is not None and carried < needed, built.get(candidate.architecture)
    verdict: Verdict = "provably not" if refuted else "built and verified" if made is not None else "open"
    operations, stored = candidate.operations(last), candidate.parameters(task.token_count)
    state = candidate.state_bits(last, p)
    longest, every = _largest_length(task, candidate, serves, p)
    return PlanRow(
        architecture=candidate.architecture,
        name=candidate.name,
        state_bits=state,
        carried_bits=carried,
        cut=cut,
        least_bits=needed,
        verdict=verdict,
        built=made,
        operations=operations,
        step_bytes=None if stored is None else -(-(stored * p + state) // 8),
        least_width=_width(candidate, needed, cut, p, token_bits),
        largest_length=longest,
        unlimited=every,
        need=need,
        empirical=empirical.get(candidate.architecture),
    )


def _tightest(need: Need, candidate: Candidate, p: int, token_bits: int, tokens: int) -> tuple[int, int | None]:
    """The cut at which least room is left, and the bits needed there; without a listed profile the widest need and the last cut."""
    if not need.by_cut:
        return tokens, need.bits
    room = [candidate.carried_bits(t, p, token_bits) - bits for t, bits in enumerate(need.by_cut)]
    refuted = [t for t, left in enumerate(room) if left < 0]
    cut = min(refuted, key=lambda t: room[t]) if refuted else max(range(len(room)), key=lambda t: (need.by_cut[t], -room[t]))
    return cut, need.by_cut[cut]


def _by_cut(task: Task, bits: int) -> tuple[int, ...]:
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


def _need_by_length(task: Task, numbers: NumberFormat, accuracy: float) -> Callable[[int], int | None]:
    """The least bits at other lengths of the task; None where no closed form says so."""
    form = known_bounds(task).form

    @cache
    def needed(length: int) -> int | None:
        if accuracy < 1:
            return need_of(task.at(length), numbers, accuracy).bits
        return None if form is None else ceil_log2(form.least_states(task.at(length)))

    return needed


def _largest_length(task: Task, candidate: Candidate, needed: Callable[[int], int | None], p: int) -> tuple[int | None, bool]:
    """The largest length that what is carried does not refute; whether even the longest tried is not refuted."""
    step = 2 if task.even_because else 1
    least = -(-task.least_length // step)

    def fits(steps: int) -> bool | None:
        other, bits = task.at(step * steps), needed(step * steps)
        return None if bits is None else candidate.carried_bits(other.token_count, p, ceil_log2(other.vocabulary)) >= bits

    if needed(task.length) is None:
        return None, False
    if not fits(least):
        return 0, False
    low, high = least, 2 * least
    while fits(high):
        low, high = high, 2 * high
        if high * step > LONGEST:
            return None, True
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low * step, False


def _width(candidate: Candidate, needed: int | None, cut: int, p: int, token_bits: int) -> int | None:
    """The least width at which as many layers of the architecture have room; None where none has, or where sizes are fixed."""
    if not isinstance(candidate, ZooModel) or needed is None:
        return None
    layers, model = len(candidate.mixers), candidate

    def of_width(width: int) -> ZooModel:
        return zoo_model(model.architecture, layers, width, model.vocabulary, model.targets)

    return least_width(lambda width: of_width(width).cuts(cut), needed, p, token_bits, WIDTHS)


def _cost(row: PlanRow) -> tuple[float, int, str]:
    return (float("inf") if row.operations is None else row.operations, row.state_bits or 0, row.architecture)
