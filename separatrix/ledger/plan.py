"""A task at a length against models: what each carries, what the task needs, and what follows, from the ledger alone.

provably not   less can cross some cut than must, the stack cannot see far enough, or one layer is too narrow; whatever the weights are
built          there are weights of this architecture, with the strength of their certificate; `declared` where none has this size
open           neither, or only cited; with the question that is left and the next command
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from separatrix.architectures import Architecture, Mode, Quantity
from separatrix.bits import ceil_log2
from separatrix.bounds.limits import bounds_for
from separatrix.bounds.lower import LowerBound, certificate_name
from separatrix.bounds.number_format import NumberFormat
from separatrix.bounds.planning import (
    Candidate,
    Need,
    largest_length,
    longest_tried,
    need_by_length,
    need_of,
    reference_models,
    tightest,
    width_for,
    worth,
)
from separatrix.bounds.reach import BlindPair, blind_pair
from separatrix.constructions import construction
from separatrix.ledger.built import built_at
from separatrix.ledger.cited import cited_facts
from separatrix.ledger.decided import decided_facts
from separatrix.ledger.fact import STRENGTHS, Fact
from separatrix.ledger.inclusions import HALVES, upwards
from separatrix.ledger.needed import answers_at_once
from separatrix.ledger.reductions import harder_tasks, twin_tasks
from separatrix.models.cost_formulas import SIZED, SizedModel
from separatrix.records.task_choices import command_of
from separatrix.tasks import Task
from separatrix.tasks.capabilities import HoldsVectors

NOT, BUILT, OPEN = "provably not", "built", "open"
RANK = {BUILT: 0, OPEN: 1, NOT: 2}
HYBRID = "hybrid-"  # before the kind of the recurrent layers, in the name of a model and of a construction


@dataclass(frozen=True)
class PlanRow:
    """One architecture at one size."""

    architecture: str
    name: str
    state_bits: int | None  # None for a construction whose declaration does not say
    carried_bits: int | None  # at the cut with the least room
    cut: int  # tokens before it
    least_bits: int | None
    verdict: str
    why: str  # what refutes it, or what is not known
    built: Mapping[str, Any] | None
    strength: str
    operations: int | None
    step_bytes: int | None  # weights and state that one token reads
    least_width: int | None
    largest_length: int | None  # None: no length up to `tried` is refuted, or nothing is known
    unlimited: bool  # no length up to `tried` is refuted
    tried: int
    need: Need
    next: str
    fits: bool | None = None  # the budget; None without one
    empirical: Mapping[str, Any] | None = None
    pair: BlindPair | None = None
    cites: str = ""

    @property
    def kind(self) -> str:
        """The verdict without what is said besides."""
        return next(kind for kind in RANK if self.verdict.startswith(kind))

    @property
    def gap(self) -> float | None:
        """The most that can cross over the least that must."""
        return self.carried_bits / self.least_bits if self.least_bits and self.carried_bits is not None else None

    def document(self) -> dict[str, Any]:
        """The row as JSON."""
        bound = self.need.bound
        certificate = certificate_name(bound.witness.document()) if bound else None
        return {
            "architecture": self.architecture,
            "size": self.name,
            "state_bits": self.state_bits,
            "state_bytes": None if self.state_bits is None else -(-self.state_bits // 8),
            "carried_bits": self.carried_bits,
            "least_bits": self.least_bits,
            "verdict": self.verdict,
            "strength": self.strength,
            "why": self.why,
            "gap": self.gap,
            "built": dict(self.built) if self.built is not None else None,
            "flops_per_token": self.operations,
            "bytes_per_token": self.step_bytes,
            "least_width": self.least_width,
            "largest_length": self.largest_length,
            "serves_at_least": self.tried if self.unlimited else self.largest_length,
            "cut": self.cut,
            "fits": self.fits,
            "formula": self.need.formula,
            "tight": self.need.tight,
            "deterministic_only": self.need.deterministic_only,
            "witness": bound.witness.document() if bound else None,
            "certificate": certificate if self.pair is None else pair_name(self.pair) if self.pair.certifiable else None,
            "cites": self.cites or self.need.cites,
            "empirical": dict(self.empirical) if self.empirical is not None else None,
            "next": self.next,
        }


@dataclass(frozen=True)
class Plan:
    """Every row for one task: built first, then open, then refuted; the cheapest first."""

    task: Task
    numbers: NumberFormat
    accuracy: float
    need: Need
    rows: tuple[PlanRow, ...] = ()


def plan(
    task: Task,
    numbers: NumberFormat,
    candidates: Sequence[Candidate] | None = None,
    accuracy: float = 1.0,
    empirical: Mapping[str, Mapping[str, Any]] | None = None,
    reference: Sequence[Candidate] | None = None,
    budget: int | None = None,  # bytes of state
) -> Plan:
    """A row for each of the candidates; without them, for each architecture at its reference size, and for what is built."""
    need = need_of(task, numbers, accuracy)
    facts = [*built_for(task, numbers)]
    known, shaped = best_by_row(facts), {fact.more["shape"]: fact for fact in facts if fact.more["shape"] and not fact.inherited}
    built = known if candidates is None else {}  # what is built has a shape of its own, not that of a model that was asked about
    chosen = candidates if candidates is not None else reference_models(task) if reference is None else reference
    asked = Asked(task, numbers, accuracy, need, need_by_length(task, numbers, accuracy), budget, known, shaped)
    rows = [_row(asked, one, built, (empirical or {}).get(one.architecture)) for one in chosen]
    if candidates is None:
        met = {kind_of(one) for one in chosen}
        if not any(row.built is not None for row in rows if row.architecture.startswith(HYBRID)):
            met.discard(Architecture.HYBRID)  # one of another kind is built: it has a row of its own
        rows += [_built_row(asked, kind, fact) for kind, fact in built.items() if kind not in met and not kind.startswith(HYBRID)]
    return Plan(task, numbers, accuracy, need, tuple(sorted(rows, key=_order)))


@dataclass(frozen=True)
class Asked:
    """What every row of a plan is about."""

    task: Task
    numbers: NumberFormat
    accuracy: float
    need: Need
    by_length: Callable[[int], int | None]
    budget: int | None
    known: Mapping[str, Fact]  # what is built of each architecture, in any shape
    shaped: Mapping[str, Fact]  # what is built in the shape of a model by name


def built_for(task: Task, numbers: NumberFormat) -> Iterator[Fact]:
    """What can be built for a task in these numbers, directly, by a harder task or a twin, and in every architecture that contains it."""
    direct = [*built_at(task, numbers)]
    for reduction, harder in (*harder_tasks(task), *twin_tasks(task)):
        direct += [fact.moved(reduction.says, task=task.name, parameters=task.parameters) for fact in built_at(harder, numbers)]
    for fact in direct:
        yield fact
        yield from upwards(fact)


def best_by_row(facts: Iterable[Fact]) -> dict[str, Fact]:
    """For each row of a plan the strongest of what is built, its own before inherited, then the narrowest."""
    best: dict[str, Fact] = {}
    for fact in sorted(facts, key=_strongest):
        best.setdefault(row_of(fact), fact)
        if fact.more["kind"] in SIZED and fact.mode is Mode.ALONE:
            best.setdefault(fact.more["kind"], fact)  # relu-rnn and selective-rnn, which the ledger calls recurrent
        if row_of(fact) == Architecture.HYBRID:
            for kind in recurrent_halves(fact):
                best.setdefault(f"{HYBRID}{kind}", fact)
    return best


def recurrent_halves(fact: Fact) -> tuple[str, ...]:
    """The kinds of recurrent layers with which something built as a hybrid is built: of its own name, or of what it came from."""
    name = str(fact.more["construction"])
    origin = construction(name).architecture
    if origin is Architecture.ONE_LAYER:
        return tuple(str(half) for half in HALVES)  # whatever is below attention may rest
    if origin is not Architecture.HYBRID:
        return (str(origin), *(["gated-deltanet"] if origin is Architecture.DELTANET else []))
    return (name.rpartition(f"/{HYBRID}")[2] if f"/{HYBRID}" in name else "linear-rnn",)


def row_of(fact: Fact) -> str:
    """Where a plan shows what is built: the row of its architecture; with a chain of thought or retrieval it has a row of its own, and so
    has attention whose tokens read later ones, which no causal model has."""
    transformer = (Architecture.ONE_LAYER, Architecture.TWO_LAYERS, Architecture.THREE_LAYERS)
    kind = "transformer" if fact.architecture in transformer else str(fact.architecture)
    kind = f"{kind}, no mask" if fact.more["sees_all"] else kind
    return kind if fact.mode is Mode.ALONE else f"{kind}, {fact.mode}"


def kind_of(candidate: Candidate) -> str:
    """The architecture of a candidate, as the ledger names it; hybrids are one."""
    return Architecture.HYBRID if candidate.architecture.startswith("hybrid-") else candidate.architecture


def _row(asked: Asked, candidate: Candidate, built: Mapping[str, Fact], empirical: Mapping[str, Any] | None) -> PlanRow:
    task, need, p = asked.task, asked.need, asked.numbers.bits
    token_bits, last = ceil_log2(task.vocabulary), max(0, task.token_count - 1)
    cut, needed = tightest(need, candidate, p, token_bits, task.token_count)
    carried, state = worth(candidate, cut, p, token_bits), candidate.state_bits(last, p)
    refuted = refutation(asked, candidate, carried, needed)
    made = asked.shaped.get(candidate.name) or built.get(candidate.architecture)
    operations, stored = candidate.operations(last), candidate.parameters(task.token_count)
    longest, every = largest_length(task, candidate, asked.by_length, p)
    if refuted is not None and every:
        longest, every = None, False  # refuted by another argument than counting, which was not tried at other lengths
    verdict, strength = built_verdict(made, candidate.name) if made is not None else open_verdict(task, candidate)
    least = width_for(candidate, needed, cut, p, token_bits)
    if refuted is not None:
        verdict, strength = NOT, "proven"
        why = refuted.why + instead(refuted, candidate, least, longest)
    else:
        why = "" if made is not None else _question(asked, candidate, needed) + never_at_all_lengths(task, candidate)
    return PlanRow(
        architecture=candidate.architecture,
        name=candidate.name,
        state_bits=state,
        carried_bits=carried,
        cut=cut,
        least_bits=needed,
        verdict=verdict,
        why=why,
        built=built_document(made),
        strength=strength,
        operations=operations,
        step_bytes=None if stored is None else -(-(stored * p + state) // 8),
        least_width=least,
        largest_length=longest,
        unlimited=every,
        tried=longest_tried(task),
        need=need,
        next=_next(asked, candidate, refuted, made),
        fits=None if asked.budget is None else state <= 8 * asked.budget,
        empirical=empirical,
        pair=refuted.pair if refuted is not None else None,
        cites=refuted.cites if refuted is not None else "",
    )


@dataclass(frozen=True)
class Refutation:
    """Why no weights of a model do it, and the pair of inputs that shows it, if there is one."""

    why: str
    cites: str = ""
    pair: BlindPair | None = None
    bound: LowerBound | None = None


def refutation(asked: Asked, candidate: Candidate, carried: int, needed: int | None) -> Refutation | None:
    """The first argument that refutes a model, whatever its weights; None if none does."""
    if needed is not None and carried < needed:
        return Refutation(f"{carried:,} bits can cross a cut that {needed:,} must cross", asked.need.cites)
    if asked.accuracy < 1:
        return None  # what follows is about zero error
    seen = candidate.sees()
    if seen is not None and answers_at_once(asked.task):
        pair = blind_pair(asked.task, seen)
        if pair is not None:
            chain = ", unless it writes a chain first" if isinstance(asked.task, HoldsVectors) else ""
            return Refutation(f"it sees {pair.reach + 1:,} tokens; two inputs that are equal on them need two answers{chain}", "", pair)
    return too_narrow(asked, candidate)


def too_narrow(asked: Asked, candidate: Candidate) -> Refutation | None:
    """One layer of attention against the bits that two parties must exchange; for fixed-point numbers, as the theorem has them."""
    width, numbers = candidate.one_layer(), asked.numbers
    if width is None or (numbers.name is not None and numbers.fraction is None):
        return None
    rows = bounds_for(asked.task, numbers.bits, numbers.fraction)
    of_one_layer = [row for row in rows if row.key == (Architecture.ONE_LAYER, Mode.ALONE, Quantity.WIDTH_TIMES_HEADS)]
    bound = max(of_one_layer, key=lambda row: row.value, default=None)
    if bound is None or not bound.binds(width):
        return None
    return Refutation(f"one layer with width x heads = {width:,} is too narrow: at least {bound.value:,}", bound.cites, bound=bound)


def built_verdict(fact: Fact, row: str) -> tuple[str, str]:
    """Built, with its shape if that is not the row's own, and its strength; without a certificate at this size, where there is one."""
    sizes, best = fact.more["sizes"], fact.more["certified"]
    own = row in (fact.more["shape"], fact.more["construction"])
    made = BUILT if own else f"{BUILT} in {shape_of(sizes)}"
    if fact.strength != "declared":
        return f"{made} ({fact.strength})", fact.strength
    elsewhere = "no certificate yet" if best is None else f"{best['strength']} at N = {best['length']:,}{best['differs']}"
    return f"{made} (declared; {elsewhere})", "declared"


def shape_of(sizes: Mapping[str, Any]) -> str:
    """Layers and width, where they are known: a map of weights may widen a model."""
    layers = "1 layer" if sizes["layers"] == 1 else f"{sizes['layers']} layers"
    return f"{layers} of width {sizes['width']:,}" if "width" in sizes else f"{layers}, wider than what it is mapped from"


def open_verdict(task: Task, candidate: Candidate) -> tuple[str, str]:
    """Open; what is only cited is named and decides nothing."""
    cited = [fact.evidence.key for fact in cited_facts(task) if fact.architecture == kind_of(candidate)]
    return (f"{OPEN} (cited: {', '.join(cited)})", "cited") if cited else (OPEN, "")


def never_at_all_lengths(task: Task, candidate: Candidate) -> str:
    """What is impossible for one model at all lengths, which decides nothing at one; empty if nothing is."""
    found = [fact for fact in decided_facts(task) if fact.architecture == kind_of(candidate)]
    return f"; no one model of this kind does it at all lengths ({found[0].strength})" if found else ""


def built_document(fact: Fact | None) -> dict[str, Any] | None:
    """What is built, with its sizes, and how it came to this architecture."""
    if fact is None:
        return None
    about = fact.more
    return {
        "construction": about["construction"], "task": fact.task, "settings": about["settings"], "arithmetic": about["arithmetic"],
        **about["sizes"], "strength": fact.strength, "evidence": fact.evidence.document(), "from": list(fact.steps),
    }  # fmt: skip


def pair_name(pair: BlindPair) -> str:
    """The file of a pair's certificate."""
    return f"{pair.kind}-{pair.task.name}-{pair.task.length}-{'-'.join(map(str, pair.stack))}.json"


def pair_certificates(result: Plan) -> dict[str, dict[str, Any]]:
    """The certificates of the pairs that refute rows, by the name of their file."""
    pairs = [row.pair for row in result.rows if row.pair is not None and row.pair.certifiable]
    return {pair_name(pair): pair.certificate() for pair in pairs}


def _built_row(asked: Asked, kind: str, fact: Fact) -> PlanRow:
    """What is built of an architecture that has no reference size: its state is that of its declaration."""
    state = fact.more["sizes"].get("state_bits")
    verdict, strength = built_verdict(fact, fact.more["construction"])
    return PlanRow(
        architecture=kind,
        name=fact.more["construction"],
        state_bits=state,
        carried_bits=state,
        cut=0,
        least_bits=asked.need.bits,
        verdict=verdict,
        why="",
        built=built_document(fact),
        strength=strength,
        operations=None,
        step_bytes=None,
        least_width=None,
        largest_length=None,
        unlimited=False,
        tried=longest_tried(asked.task),
        need=asked.need,
        next=fact.more["command"],
        fits=None if asked.budget is None or state is None else state <= 8 * asked.budget,
    )


def instead(refuted: Refutation, candidate: Candidate, width: int | None, length: int | None) -> str:
    """What would have to be true for yes: another size, at which this argument says nothing."""
    if candidate.sees() is not None:
        return "; yes needs a layer that sees further, or more layers"
    if refuted.bound is not None:
        return "; yes needs that much, or a second layer"
    larger = "more state" if width is None else f"a width of at least {width:,}"
    return f"; yes needs {larger}" + (f", or an N of at most {length:,}" if length else "")


def _question(asked: Asked, candidate: Candidate, needed: int | None) -> str:
    """What would have to be true for yes, and what for no."""
    made = asked.known.get(candidate.architecture)
    if made is not None:
        shape = f"{made.more['construction']}: {shape_of(made.more['sizes'])}"
        return f"weights of this architecture are built in another shape ({shape}): yes needs them in this one"
    if needed is None:
        return "no lower bound and no weights are known: yes needs weights, no needs a bound"
    return "what can cross is enough: yes needs weights that use it, no needs an argument beyond counting"


def _next(asked: Asked, candidate: Candidate, refuted: Refutation | None, made: Fact | None) -> str:
    task = asked.task
    if refuted is not None and refuted.pair is not None and refuted.pair.certifiable:
        option = "model" if isinstance(candidate, SizedModel) else "config"
        return f"{command_of('plan', task)} --{option} {shlex.quote(candidate.name)} --out pair"
    if refuted is not None:
        return command_of("bounds", task)
    if made is not None:
        return str(made.more["command"])
    if candidate.architecture.startswith(HYBRID):
        return _on(candidate.name, "train", task)
    if isinstance(candidate, SizedModel):
        model = f"{candidate.architecture}-{len(candidate.mixers)}"
        return command_of("frontier", task).replace("--length", "--lengths") + f" --models {model} --target 0.99"
    known = asked.known.get(candidate.architecture)
    return _on(candidate.place, "attack", task) if known is None else str(known.more["command"])


def _on(model: str, verb: str, task: Task) -> str:
    """A command on a model and a task."""
    return command_of(verb, task).replace(f" {verb} ", f" {verb} {shlex.quote(model)} ", 1)


def _strongest(fact: Fact) -> tuple[bool, int, int]:
    return fact.inherited, STRENGTHS.index(fact.strength), fact.more["sizes"].get("width", 0)


def _order(row: PlanRow) -> tuple[int, bool, float, int, str]:
    cost = float("inf") if row.operations is None else row.operations
    return RANK[row.kind], row.fits is False, cost, row.state_bits or 0, row.architecture
