"""Languages that count are impossible for updates that keep an order, at all lengths, with the certificate that `decide` writes."""

from __future__ import annotations

import pytest

from separatrix.architectures import Architecture
from separatrix.certificates.period import period_certificate
from separatrix.checker import check_document
from separatrix.ledger.decided import decided_facts, language_of
from separatrix.ledger.fact import What
from separatrix.tasks import make_task
from separatrix.tasks.languages.given import given_language
from separatrix.tasks.languages.periods import period

MONOTONE = {Architecture.MAMBA, Architecture.MAMBA2, Architecture.LINEAR_ATTENTION}


@pytest.mark.parametrize(
    ("language", "refuted"),
    [
        ("@parity", MONOTONE | {Architecture.RETNET}),
        ("@s3", MONOTONE | {Architecture.RETNET}),
        ("(aa)*", MONOTONE),  # in step with the length: positions may decide it
        ("(ab)*", set()),  # star-free
        ("@dyck-2-2", set()),
    ],
)
def test_a_language_that_counts_is_impossible_where_the_update_keeps_an_order(language: str, refuted: set[Architecture]) -> None:
    facts = [*decided_facts(make_task("regular", length=8, language=language))]
    assert {fact.architecture for fact in facts} == refuted
    assert {(fact.what, fact.lengths.kind) for fact in facts} <= {(What.IMPOSSIBLE, "all")}
    assert all("length" not in fact.parameters for fact in facts)


def test_the_certificate_that_a_fact_names_is_accepted_by_the_checker() -> None:
    given = given_language("@s3")
    found = period(given.automaton)
    document = period_certificate(given.automaton, (found.x, found.u, found.y), found.p, None, given.expression)
    verdict = check_document(document)
    assert verdict.holds, verdict.reason
    named = {fact.evidence.key for fact in decided_facts(make_task("regular", length=8, language="@s3")) if fact.strength == "proven"}
    assert named == {document["digest"]}
    assert verdict.strength == "proven"


def test_a_task_that_is_a_language_under_another_name_has_its_facts() -> None:
    parity, under_another_name = make_task("parity", length=8), make_task("regular", length=8, language="@parity")
    assert {fact.architecture for fact in decided_facts(parity)} == {fact.architecture for fact in decided_facts(under_another_name)}
    assert language_of(make_task("associative-recall", length=4)) is None
    assert language_of(make_task("dyck", length=8, types=3)) is None
