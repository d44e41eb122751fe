"""A fact names what it is about."""

from __future__ import annotations

from dataclasses import replace

import pytest

from separatrix.architectures import Architecture
from separatrix.ledger.fact import Fact
from separatrix.ledger.ledger import all_facts, facts_of
from separatrix.ledger.subject import WHICH, subject_of, subject_words
from separatrix.tasks import task_class


@pytest.fixture(scope="module")
def lookup() -> Fact:
    return next(fact for fact in facts_of("index-lookup") if fact.architecture is Architecture.ONE_LAYER)


@pytest.mark.parametrize(
    ("task", "parameters", "said"),
    [
        ("index-lookup", {"length": 16, "symbols": 64}, ""),
        ("index-lookup", {"length": 16, "symbols": 2}, "symbols = 2"),
        ("index-lookup", {"length": 16, "symbols": 2, "distribution": "training"}, "symbols = 2"),  # which inputs are drawn
        ("regular", {"length": 8, "language": "(ab)*"}, "language = (ab)*"),  # the stand-in of the page is no default
        ("regular", {"language": "(ab)*"}, "language = (ab)*"),  # about all lengths
        ("circuit", {"length": 4, "circuit": "recurrent-mod-3"}, "circuit = recurrent-mod-3"),
        ("mqar", {"length": 16, "symbols": None}, ""),  # as many keys as 16 has by default
        ("mqar", {"length": 16, "symbols": 64}, "symbols = 64"),
    ],
)
def test_what_is_not_at_its_default_is_said(lookup: Fact, task: str, parameters: dict[str, object], said: str) -> None:
    assert subject_words(replace(lookup, task=task, parameters=parameters)) == said


def test_an_automaton_is_told_by_its_states(lookup: Fact) -> None:
    written = '{"alphabet":["0","1"],"start":"e","accepting":["%s"],"moves":{"e":{"0":"e","1":"o"},"o":{"0":"o","1":"e"}}}'
    fact = replace(lookup, task="regular", parameters={"language": written % "o"})
    assert subject_of(fact) == (("language", "an automaton of 2 states"),)
    assert subject_of(replace(fact, parameters={"language": written % "e"})) == (("language", "@parity"),)  # it has a name


def test_every_fact_about_one_language_machine_circuit_or_function_names_it() -> None:
    met = 0
    for fact in all_facts():
        which = [name for name in WHICH if name in task_class(fact.task).__dataclass_fields__]
        for name in which:
            assert name in dict(subject_of(fact)), fact
            met += 1
    assert met > 100
