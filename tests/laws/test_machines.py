"""Every task that an automaton decides has a built machine with exactly the bits that its states need."""

from __future__ import annotations

from typing import Any

import pytest

from separatrix.architectures import Architecture, Quantity
from separatrix.bounds.number_format import number_format
from separatrix.checker.specs import names, spec_of
from separatrix.checker.specs.forms.automaton import Automaton
from separatrix.constructions import constructions
from separatrix.ledger.bounds_table import bounds_table
from separatrix.tasks import make_task
from separatrix.tasks.languages.gallery import GALLERY
from separatrix.tasks.state_tracking import StateTracking
from tests.checker.specs.settings import SMALL, both

DECLARED = [declared for declared in constructions() if declared.architecture == Architecture.ONE_TRANSITION]
LEAST = 2  # bits of a number format
MET: list[tuple[str, dict[str, Any]]] = [
    ("parity", {"length": 20}),
    ("dyck", {"length": 20}),
    ("dyck", {"length": 20, "types": 1, "depth": 5}),
    ("dyck", {"length": 20, "types": 3, "depth": 3}),
    *(("regular", {"length": 20, "language": f"@{name}"}) for name in GALLERY),
]


def test_every_task_with_a_small_automaton_has_a_machine() -> None:
    with_automaton = {name for name, chosen in SMALL if isinstance(both(name, chosen)[1].form(), Automaton)}
    asked_for_itself = {StateTracking.name}  # a linear read-out of one number cannot tell every state in the bits of the state
    tables = {"latest-recall", "associative-recall"}  # thousands of states, which no number of few bits is built for
    assert with_automaton - tables == {declared.task for declared in DECLARED} - asked_for_itself == {name for name, _ in MET}
    assert with_automaton <= names()


@pytest.mark.parametrize(("name", "chosen"), MET, ids=str)
def test_a_machine_has_the_bits_that_the_states_of_its_automaton_need(name: str, chosen: dict[str, Any]) -> None:
    task = make_task(name, **chosen)
    rows = {row.architecture: row for row in bounds_table(task, number_format("64"), DECLARED) if row.quantity == Quantity.STATE_BITS}
    built = rows[Architecture.ONE_TRANSITION].built
    assert built is not None
    assert built.more["construction"] == f"{name}/recurrent"
    at_length = rows[Architecture.RECURRENT].bound
    assert at_length is not None
    assert at_length.value <= built.value
    of_all_lengths = rows[Architecture.ONE_TRANSITION].bound
    needed = at_length.value if of_all_lengths is None else of_all_lengths.value  # one length may need less than all together
    assert built.value == max(LEAST, needed)
    form = spec_of(name, dict(task.parameters)).form()
    assert isinstance(form, Automaton)
