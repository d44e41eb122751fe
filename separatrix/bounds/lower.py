"""`LowerBound`: the least number that a correct model needs, and the object that proves it.

[bhattamishra2024 Theorem 2; bhattamishra2024 Theorem 4]

A witness is a named argument and, if there is one, an object that the checker judges on its own: the counted profile of a task, or a
fooling set. At sizes too large to count, the object belongs to the same task at a small size.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from separatrix.architectures import Architecture, Mode, Quantity
from separatrix.bits import ceil_log2
from separatrix.bounds.protocols.one_layer import least_width, least_width_times_heads
from separatrix.tasks import Task, is_of_the_package, task_at

CERTIFIED = 1 << 16  # strings of a task that a certificate lists or counts
ANY_SPLIT = "For every way to split p bits into integer and fractional ones."
PROTOCOL = "ceil(log2 s) + H (2p + 2f + 2 ceil(log2(N+1)) + m (p+f)) + 1"


@dataclass(frozen=True)
class CountedProfile:
    """The residual functions of a task at one size, counted prefix by prefix."""

    task: Task
    kind = "state-profile"

    def certificate(self) -> dict[str, Any]:
        """The sealed document of this profile."""
        from separatrix.bounds.question import question_for
        from separatrix.bounds.witnesses import certify_profile

        return certify_profile(question_for(self.task))


@dataclass(frozen=True)
class FoolingInputs:
    """Inputs with one answer that no two-party protocol may treat the same; Alice holds the positions `alice`, from 0."""

    task: Task
    alice: tuple[int, ...]
    inputs: tuple[tuple[int, ...], ...]
    kind = "fooling-set"

    def certificate(self) -> dict[str, Any]:
        """The sealed document of this fooling set."""
        from separatrix.bounds.question import question_for
        from separatrix.bounds.witnesses import certify_fooling_set

        bob = [i for i in range(len(self.task.alphabets())) if i not in self.alice]
        pairs = [(tuple(x[i] for i in self.alice), tuple(x[i] for i in bob)) for x in self.inputs]
        value = self.task.answer(self.inputs[0])
        assert isinstance(value, int)
        return certify_fooling_set(question_for(self.task), self.alice, pairs, value)


class Certifiable(Protocol):
    """An object that the checker judges: a counted profile, a fooling set, counted chains."""

    @property
    def task(self) -> Task:
        """At whose size it is shown."""

    @property
    def kind(self) -> str:
        """The kind of certificate that states this witness."""

    def certificate(self) -> dict[str, Any]:
        """The sealed document."""


@dataclass(frozen=True)
class Witness:
    """Why a bound holds: the argument, and, if there is one, the object that shows it at the size of `shown.task`."""

    proof: str
    shown: Certifiable | None = None

    def document(self) -> dict[str, Any]:
        """The witness as JSON."""
        if self.shown is None:
            return {"proof": self.proof, "kind": None, "task": None, "parameters": None}
        return {
            "proof": self.proof,
            "kind": self.shown.kind,
            "task": self.shown.task.name,
            "parameters": self.shown.task.parameters,
        }


@dataclass(frozen=True)
class LowerBound:
    """A correct model of this architecture needs at least `value` of this quantity.

    `tight`: this much also suffices. `deterministic_only`: random bits and a small error beat it. `cites` is empty outside the papers.
    """

    architecture: Architecture
    quantity: Quantity
    value: int
    formula: str
    cites: str
    tight: bool
    caveat: str
    deterministic_only: bool
    witness: Witness
    mode: Mode = Mode.ALONE  # of the models that it is about

    @property
    def key(self) -> tuple[Architecture, Mode, Quantity]:
        """Architecture, mode and quantity: bounds with the same key can be compared."""
        return self.architecture, self.mode, self.quantity

    def binds(self, size: int) -> bool:
        """Whether a model with this much of the quantity is refuted."""
        return size < self.value


@dataclass(frozen=True)
class Precision:
    """Numbers of p bits, f of them fractional; `fraction` None is every split."""

    bits: int
    fraction: int | None = None

    @property
    def f(self) -> int:
        """The fractional bits for which a bound on one layer is weakest."""
        return self.bits - 1 if self.fraction is None else self.fraction


@dataclass(frozen=True)
class OneLayerNeed:
    """The bits that two parties must exchange for a task; a one-layer model, which is a protocol, must be wide enough for them."""

    tokens: int
    symbols: int  # ids that the token read out may have
    bits: int
    formula: str
    cites: str
    caveat: str
    deterministic_only: bool
    witness: Witness


def state_bounds(
    lower: int, upper: int, p: int, formula: str, cites: str, caveat: str, deterministic_only: bool, witness: Witness
) -> Iterator[LowerBound]:
    """Bits of state for a number of states, and the width that holds them in numbers of p bits."""
    bits, tight = ceil_log2(lower), ceil_log2(lower) == ceil_log2(upper)
    for quantity, value, text in (
        (Quantity.STATE_BITS, bits, formula),
        (Quantity.WIDTH, -(-bits // p), "ceil(state bits / p)"),
    ):
        yield LowerBound(Architecture.RECURRENT, quantity, value, text, cites, tight, caveat, deterministic_only, witness)


def printed_width(
    bits: int, formula: str, cites: str, precision: Precision, exact: LowerBound, caveat: str = "One bit for each symbol or label."
) -> LowerBound:
    """A recurrent width as printed in a paper, beside the exact one."""
    value = -(-bits // precision.bits)
    tight = exact.tight and value == exact.value
    text = f"{formula}, as printed"
    return LowerBound(Architecture.RECURRENT, Quantity.WIDTH, value, text, cites, tight, caveat, exact.deterministic_only, exact.witness)


def one_layer_bounds(need: OneLayerNeed, precision: Precision) -> Iterator[LowerBound]:
    """The least width of one layer whose protocol has the bits that two parties need.

    [bhattamishra2024 Theorem 4]
    """
    p, f, N, s = precision.bits, precision.f, need.tokens, need.symbols
    caveat = f"{ANY_SPLIT} {need.caveat}" if precision.fraction is None else need.caveat
    for quantity, value, counted in (
        (Quantity.WIDTH_ONE_HEAD, least_width(need.bits, p, f, N, 1, s), "m"),
        (Quantity.WIDTH_TIMES_HEADS, least_width_times_heads(need.bits, p, f, N, s), "m H"),
    ):
        formula = f"least {counted} with {PROTOCOL} >= {need.formula}"
        yield LowerBound(Architecture.ONE_LAYER, quantity, value, formula, need.cites, False, caveat, need.deterministic_only, need.witness)


def string_count(task: Task, most: int) -> int | None:
    """The number of strings over a task's alphabets, ignoring the promise; None above `most`."""
    count = 1
    for alphabet in task.alphabets():
        count *= len(alphabet)
        if count > most:
            return None
    return count


def at_a_small_size(task: Task) -> Task:
    """The task itself if a certificate can list its strings, else the same task at its enumerated size."""
    if string_count(task, CERTIFIED) is not None or not is_of_the_package(task):
        return task
    return task_at(task.name, task.enumerated_at)


def certificates(bounds: Iterable[LowerBound]) -> dict[str, dict[str, Any]]:
    """The witnesses of bounds as sealed documents, each once, by the name of its file."""
    written: dict[str, dict[str, Any]] = {}
    for bound in bounds:
        name = certificate_name(bound.witness.document())
        if name is not None and name not in written:
            assert bound.witness.shown is not None
            written[name] = bound.witness.shown.certificate()
    return written


def certificate_name(witness: Mapping[str, Any] | None) -> str | None:
    """The file of a witness: the kind, the task and the size at which it is shown; None if the proof has no object."""
    if witness is None or witness["kind"] is None:
        return None
    return f"{witness['kind']}-{witness['task']}-{witness['parameters']['length']}.json"
