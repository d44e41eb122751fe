"""What is impossible: the lower bounds of a task at one size as facts, each with the key of the statement that it is an instance of.

A bound on the state of recurrent models also holds with a chain of thought, if the answer is read after the whole input: what the model
holds at a cut inside the input decides everything that it does from there on.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Any

from separatrix.architectures import Architecture, Mode, Quantity
from separatrix.bounds.limits import bounds_for
from separatrix.bounds.lower import LowerBound
from separatrix.bounds.number_format import NumberFormat
from separatrix.bounds.reach import blind_pair
from separatrix.ledger.fact import Evidence, Fact, Lengths, What
from separatrix.ledger.learned import mode_of
from separatrix.tasks import Task, is_of_the_package, make_task, task_class

COUNTED = "bhattamishra2024 Theorem 2"
REACHES = (16, 16)  # the windows for which a pair of inputs is kept


def needed_facts(task: Task, numbers: NumberFormat) -> Iterator[Fact]:
    """Every bound for a task, with numbers of so many bits."""
    rows = bounds_for(task, numbers.bits, numbers.fraction)
    if is_of_the_package(task) and not any(row.architecture is Architecture.RECURRENT for row in rows):
        yield from counted_facts(task.name)
    for bound in rows:
        fact = bounded(task, numbers, bound)
        yield fact
        if bound.architecture is Architecture.RECURRENT and holds_with_a_chain(task):
            yield fact.moved("the same state, with a chain of thought after the input", mode=Mode.CHAIN)
    yield from beyond_reach(task)


def counted_facts(name: str) -> Iterator[Fact]:
    """The states that a recurrent model needs at the size at which they are counted for the page of a task; stored, and held by a law."""
    stored = counted().get(name)
    if stored is None:
        return
    fact = Fact(
        name, stored["parameters"], Architecture.RECURRENT, Mode.ALONE, "any", Lengths("one", stored["parameters"]["length"]), What.BELOW,
        Quantity.STATE_BITS, stored["bits"], "proven", Evidence("statement", COUNTED),
        more={
            "formula": f"ceil(log2 of the most classes of prefixes): {stored['method']}",
            "cites": COUNTED,
            "caveat": "For inputs of this length; zero error.",
            "tight": False,
            "deterministic_only": False,
            "counted_at": {setting: value for setting, value in task_class(name).counted_at.items() if setting != "length"},
        },
    )  # fmt: skip
    yield fact
    if holds_with_a_chain(make_task(name, **stored["parameters"])):
        yield fact.moved("the same state, with a chain of thought after the input", mode=Mode.CHAIN)


@cache
def counted() -> dict[str, dict[str, Any]]:
    """For each task the parameters at which its states are counted, the bits of the widest cut, and how they were counted."""
    place = files("separatrix.ledger").joinpath("data").joinpath("counted.json")
    found: dict[str, dict[str, Any]] = json.loads(place.read_text(encoding="utf-8"))
    return found


def bounded(task: Task, numbers: NumberFormat, bound: LowerBound) -> Fact:
    """One lower bound as a fact."""
    lengths = Lengths("all") if bound.architecture is Architecture.ONE_TRANSITION else Lengths("one", task.length)
    free = bound.quantity is Quantity.STATE_BITS  # bits are bits in any format
    return Fact(
        task.name, task.parameters, bound.architecture, bound.mode, "any" if free else numbers.name or f"{numbers.bits} bits", lengths,
        What.BELOW, bound.quantity, bound.value, "proven", statement(bound),
        more={
            "formula": bound.formula,
            "cites": bound.cites,
            "caveat": bound.caveat,
            "tight": bound.tight,
            "deterministic_only": bound.deterministic_only,
            "witness": bound.witness.document(),
        },
    )  # fmt: skip


def statement(bound: LowerBound) -> Evidence:
    """The statement that a bound is an instance of; outside the papers the argument itself."""
    return Evidence("statement", bound.cites or bound.witness.proof)


def holds_with_a_chain(task: Task) -> bool:
    """Whether a model may think between the input and its answer."""
    return task.scored_at_end and not task.random_target


def beyond_reach(task: Task, stack: tuple[int, ...] = REACHES) -> Iterator[Fact]:
    """What windows cannot do: a pair of inputs that they cannot tell apart."""
    if not answers_at_once(task):
        return
    pair = blind_pair(task, stack)
    if pair is None:
        return
    far = pair.position - max(i for i, (a, b) in enumerate(zip(*pair.inputs, strict=True)) if a != b and i <= pair.position)
    digest = pair.certificate()["digest"] if pair.certifiable else None
    evidence = Evidence("statement", "what a stack of windows sees") if digest is None else Evidence("certificate", digest)
    yield Fact(
        task.name, task.parameters, Architecture.WINDOW, Mode.ALONE, "any", Lengths("one", task.length), What.BELOW, Quantity.REACH,
        far + 1, "proven", evidence,
        more={
            "formula": f"the answer changes with a token {far} before it",
            "cites": "",
            "caveat": "Whatever the width, the precision and the weights; L layers that see w tokens each see L (w - 1) + 1.",
            "tight": False,
            "deterministic_only": False,
        },
    )  # fmt: skip


def answers_at_once(task: Task) -> bool:
    """Whether the task is one whose answer is due at a token of its input, by a model that writes nothing first."""
    return is_of_the_package(task) and not task.random_target and mode_of(task) is Mode.ALONE
