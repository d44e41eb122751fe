"""A short campaign, and what makes a long one worth its time: false documents that the second implementation must object to."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from typing import Any

import pytest

from separatrix.checker import KINDS, STRENGTHS, Verdict, check_document, sealed
from tests.checker.kinds.programs import tensors_of, with_weights
from tests.fuzz import campaign as of_campaign
from tests.fuzz.campaign import campaign, forgeries
from tests.fuzz.corpus import corpus
from tests.fuzz.mutations import MUTATIONS
from tests.fuzz.repair import repaired
from tests.fuzz.triage import OBJECTIONS, objection

Document = dict[str, Any]


def test_no_forgery_of_a_short_campaign_is_false_and_none_meets_an_exception() -> None:
    tally = campaign(seed=0, first=0, count=240)
    assert sum(tally.counts.values()) == 240
    assert tally.alarms == []
    assert tally.total("accepted") > 10  # otherwise nothing was tried
    assert tally.total("refused") > 60


def test_every_kind_has_an_honest_seed_and_a_second_implementation() -> None:
    assert {document["kind"] for document in corpus().values()} == set(KINDS) == set(OBJECTIONS)
    for name, document in corpus().items():
        verdict = check_document(document)
        assert verdict.holds, f"{name}: {verdict.reason}"
        assert objection(document, verdict) == "", name


def test_a_forgery_is_a_function_of_the_seed_and_its_number() -> None:
    some = [document for _, _, document, _ in forgeries(3, 40, 6)]
    assert some == [document for _, _, document, _ in forgeries(3, 40, 6)]
    assert some[2:] == [document for _, _, document, _ in forgeries(3, 42, 4)]
    assert some != [document for _, _, document, _ in forgeries(4, 40, 6)]


def test_what_the_liar_heard_is_what_the_checker_says() -> None:
    heard = [(check_document(document), verdict) for _, _, document, verdict in forgeries(6, 0, 40) if verdict is not None]
    assert len(heard) > 20
    for again, verdict in heard:
        assert (again.holds, again.reason, again.strength) == (verdict.holds, verdict.reason, verdict.strength)


def test_every_mutation_changes_documents() -> None:
    changed = {mutation.__name__: 0 for mutation in MUTATIONS}
    seeds = list(corpus().values())
    for mutation in MUTATIONS:
        for number in range(24):
            document = seeds[number % len(seeds)]
            try:
                changed[mutation.__name__] += mutation(copy.deepcopy(document), random.Random(number), seeds) != document
            except (ValueError, TypeError):
                continue
    assert min(changed.values()) >= 3, changed


def test_the_repair_puts_a_disputed_field_right() -> None:
    document = corpus()["machine"]
    assert repaired({**document, "state_bits": 7, "strings": 1}) == document
    program = corpus()["lookup"]
    assert check_document(repaired({**program, "sizes": {**program["sizes"], "width": 99}, "tests": []})).holds


def test_a_document_that_cannot_be_sealed_is_judged_as_it_stands() -> None:
    endless = {**corpus()["machine"], "state_bits": float("inf")}
    assert repaired(endless) == endless
    assert not check_document(endless).holds


# -- the second implementation objects to what is false --------------------------------------------------------------------------------


def turned(name: str) -> Callable[[Document], Document]:
    """The read-out of a program with its sign turned."""

    def change(document: Document) -> Document:
        tensors = tensors_of(document)
        tensors[name] = -tensors[name]
        return with_weights(document, tensors)

    return change


def fields(**changed: Any) -> Callable[[Document], Document]:
    return lambda document: {**document, **changed}


def first_output_changed(document: Document) -> Document:
    outputs = list(document["automaton"]["outputs"])
    return {**document, "automaton": {**document["automaton"], "outputs": [1 - outputs[0], *outputs[1:]]}}


def one_input_that_is_right(document: Document) -> Document:
    inputs = [document["x"], document["y"], *document["crossed"]]
    right = next(x for x, due in zip(inputs, document["expected"], strict=True) if due == document["said"])
    return {**document, "x": right, "y": right, "crossed": [right, right]}


FALSE: list[tuple[str, Callable[[Document], Document]]] = [
    ("lookup", turned("readout.weight")),
    ("equality, fixed point", turned("readout.weight")),
    ("registers", turned("readout.weight")),
    ("lookup", lambda d: {**d, "sizes": {**d["sizes"], "parameter_bits": 1}}),
    ("the author's cases", turned("readout.weight")),
    ("counterexample of a model", turned("readout.weight")),
    ("counterexample of a model", lambda d: {**d, "expected": d["said"]}),
    ("collision of a model", one_input_that_is_right),
    ("fooling set", lambda d: {**d, "pairs": [*d["pairs"], d["pairs"][0]]}),
    ("fooling set", fields(value=0)),
    ("largest fooling set", lambda d: {**d, "pairs": d["pairs"][:1]}),
    ("profile", fields(classes=[1, 2, 4, 8, 8, 4, 2])),
    ("profile", fields(bits=9)),
    ("machine", first_output_changed),
    ("machine", fields(state_bits=1)),
    ("collision", fields(prefixes=[[0, 0, 0], [0, 0, 1]])),
    ("collision", fields(prefixes=[[0, 0, 0], [0, 0, 0]])),
]  # fmt: skip


@pytest.mark.parametrize("case", range(len(FALSE)))
def test_a_false_document_meets_an_objection(case: int) -> None:
    name, change = FALSE[case]
    honest = corpus()[name]
    lie = sealed(change(copy.deepcopy(honest)))
    believed = Verdict(True, True, "", check_document(honest).claim, STRENGTHS[0] if "tests" not in lie else lie["strength"])
    assert objection(lie, believed) != ""


def test_a_checker_that_runs_nothing_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Weights turned at random and a judge who believes them: alarms, and not only because something cannot be read."""
    few = {name: seed for name, seed in corpus().items() if name in ("lookup", "lookup, fixed point", "equality", "registers")}
    monkeypatch.setattr(of_campaign, "corpus", lambda: few)

    def blind(document: Document) -> Verdict:
        return Verdict(True, True, "", "", "exhaustive") if document.get("kind") == "program" else Verdict(False, True, "")

    alarms = [alarm["why"] for alarm in campaign(seed=1, first=0, count=120, judge=blind).alarms]
    assert sum("fresh cases" in why for why in alarms) >= 3, alarms


def test_a_checker_that_stumbles_is_noticed() -> None:
    stumbling = Verdict(False, True, "malformed content: KeyError: 'x'")
    tally = campaign(seed=1, first=0, count=5, judge=lambda _: stumbling)
    assert tally.total("exception") == 5 - tally.total("unchanged") >= 4
