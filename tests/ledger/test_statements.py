"""The status of a statement is what the ledger holds of it."""

from __future__ import annotations

import pytest

import separatrix.ledger.statements as held
from separatrix.constructions import CONSTRUCTIONS
from separatrix.ledger.certified import PREDICTOR, certified
from separatrix.ledger.fact import What
from separatrix.ledger.ledger import all_facts
from separatrix.ledger.statements import built_with, certified_by_statement, held_statements
from separatrix.papers import statements

THEOREMS = ("theorem", "proposition")


def test_what_weights_are_certified_for_is_built_or_says_what_is_missing() -> None:
    status = {one.key: one.status for one in statements()}
    found = certified_by_statement()
    assert len(found) >= 25
    for key in found:
        assert status[key] in ("built", "bounded", "partly"), key  # a bound beside weights is the stronger word
    index = [one for one in certified() if one.construction in CONSTRUCTIONS]
    assert sum(sum(counted.values()) for counted in found.values()) <= len(index)


def test_a_theorem_that_is_called_built_has_a_certificate_of_the_code_that_cites_it() -> None:
    modules = {CONSTRUCTIONS[one.construction].partition(":")[0] for one in certified() if one.construction in CONSTRUCTIONS}
    named = [one for one in statements() if one.status == "built" and one.kind in THEOREMS]
    assert len(named) >= 15
    folders = {name.rpartition(".")[0] for name in modules}  # a part of a construction stands beside it
    for one in named:
        assert one.key in certified_by_statement() or folders & {code.rpartition(".")[0] for code in one.code}, one.key


def test_what_a_bound_names_is_bounded_and_what_is_open_is_named_by_none() -> None:
    status = {one.key: one.status for one in statements()}
    bounds = {fact.more["cites"] for fact in all_facts() if fact.what in (What.BELOW, What.IMPOSSIBLE) and fact.more.get("cites")}
    assert len(bounds) >= 15
    assert {key: status[key] for key in bounds if status[key] not in ("bounded", "partly")} == {}


def test_the_status_built_rests_on_certificates(monkeypatch: pytest.MonkeyPatch) -> None:
    printed = {one.key: one for one in held_statements()}
    assert [one.key for one in printed.values() if one.status == "built" and not built_with(one)] == []
    assert built_with(printed["hahn2020 Remark 9"]) == (PREDICTOR,)
    assert "index-lookup" in built_with(printed["bhattamishra2024 Lemma 2"])  # its addresses are the weights' own
    assert printed["bhattamishra2024 Lemma 3"].status == "implemented"  # no weights are made with it
    changed = [one.key for one in statements() if printed[one.key].status != one.status]
    assert all(printed[key].status == "implemented" for key in changed)
    monkeypatch.setattr(held, "certified", lambda: ())
    monkeypatch.setattr(held, "built_facts", lambda: iter(()))
    held._made_with.cache_clear()
    try:
        assert "built" not in {one.status for one in held_statements()}
    finally:
        held._made_with.cache_clear()
