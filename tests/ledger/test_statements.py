"""The status of a statement is what the ledger holds of it."""

from __future__ import annotations

from separatrix.constructions import CONSTRUCTIONS
from separatrix.ledger.certified import certified
from separatrix.ledger.fact import What
from separatrix.ledger.ledger import all_facts
from separatrix.ledger.statements import certified_by_statement
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
