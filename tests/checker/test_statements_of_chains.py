"""Statements of the second paper as predicates: every construction satisfies the one that it cites, none that is about another."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from separatrix.certificates.verify import verify
from separatrix.checker import check_text
from separatrix.checker.specs import Spec, spec_of
from separatrix.checker.statements import UPPER, Shape, shape_of, why_not
from separatrix.constructions import CONSTRUCTIONS, build, construction
from separatrix.models.saved import describe

CITING = [name for name in CONSTRUCTIONS if construction(name).cites.startswith("wen2024")]


def facts(name: str, **settings: object) -> tuple[Spec, Shape, str]:
    built = build(name, **(settings or construction(name).quick[0]))  # type: ignore[arg-type]
    task = spec_of(built.task.name, json.loads(json.dumps(built.task.parameters)))
    return task, shape_of(describe(built.model), built.model.numbers.format.bits), built.claim.cites


@pytest.mark.parametrize("name", CITING)
def test_a_construction_is_an_instance_of_what_it_cites_and_of_nothing_larger(name: str) -> None:
    task, shape, cites = facts(name)
    assert why_not(cites, task, shape) == ""
    for changed in (
        replace(shape, layers=50),
        replace(shape, heads=50),
        replace(shape, width=10**5),
        replace(shape, hidden=10**6),
        replace(shape, precision=10**4),
        replace(shape, parts=shape.parts | {"lstm"}),
    ):
        assert why_not(cites, task, changed).startswith(cites)


def test_every_statement_is_met_with_every_task_of_its_own() -> None:
    met = {(construction(name).cites, construction(name).computes.name) for name in CITING}
    assert met == {(key, name) for key in UPPER for name in UPPER[key] if key.startswith("wen2024")}
    assert len(CITING) == 22  # all 12 query systems, four of trees, four of machines and two of circuits


def test_a_hybrid_has_one_layer_that_attends() -> None:
    task, shape, cites = facts("index/hybrid")
    assert why_not(cites, task, replace(shape, attending=2)) == "wen2024 Theorem 5.6 is about 1 layer that attends, found 2"
    assert "is about softmax attention" in why_not("wen2024 Theorem 4.6", task, shape)


@pytest.mark.parametrize("name", [name for name in CITING if "/hybrid" in name])
def test_a_hybrid_ends_in_the_layer_that_attends(name: str) -> None:
    """[wen2024 Definition 5.5]: one more layer after it, of whatever kind, and the model is no instance."""
    for settings in construction(name).quick:
        built = build(name, **settings)
        model = describe(built.model)
        task, shape, cites = facts(name, **settings)
        assert why_not(cites, task, shape) == ""
        longer = {**model, "layers": [*model["layers"], {**model["layers"][-1], "mixer": None}]}
        found = why_not(cites, task, shape_of(longer, shape.precision))
        assert found == f"{cites} is about a model that ends in the layer that attends, found another layer after it"


def test_a_statement_is_about_one_way_to_answer() -> None:
    tour, shape, _ = facts("is-tree/transformer")
    found = why_not("wen2024 Theorem 5.7", tour, shape)
    assert found == "wen2024 Theorem 5.7 is about programs that answer with thought=lists, found thought=tour"
    lists, hybrid, _ = facts("is-tree/hybrid")
    assert "thought=tour, found thought=lists" in why_not("wen2024 Theorem 4.7", lists, hybrid)


def test_circuits_and_recurrent_models_are_told_apart() -> None:
    plain, shape, _ = facts("circuit/transformer")
    assert why_not("wen2024 Theorem 4.8", plain, shape) == "wen2024 Theorem 4.8 is about recurrent models, found a circuit without state"
    recurrent, shape, _ = facts("circuit/transformer/recurrent")
    assert "found a recurrent one" in why_not("wen2024 Theorem B.30", recurrent, shape)


def test_a_certificate_cites_the_theorem_and_a_false_citation_is_refused() -> None:
    from separatrix.checker import check_document, sealed

    certificate = verify(build("is-tree/hybrid", length=4))
    assert check_text(certificate.to_json()).holds
    document = json.loads(certificate.to_json())
    assert document["cites"] == "wen2024 Theorem 5.7"
    document["cites"] = "wen2024 Theorem 4.7"
    verdict = check_document(sealed({key: value for key, value in document.items() if key != "digest"}))
    assert (verdict.holds, verdict.reason.startswith("cites: wen2024 Theorem 4.7")) == (False, True), verdict.reason
