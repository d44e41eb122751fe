"""Certificates of programs: the plan is the checker's, and the sentence says what was run."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from separatrix.certificates.verify import verify
from separatrix.checker import Budget, check_document, plan, replay, sealed
from separatrix.checker.kinds import program
from separatrix.constructions import build
from tests.checker.kinds.forgery import edited, reason
from tests.checker.kinds.programs import Tensors, consistent, forged, honest

Document = dict[str, Any]


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        (("sizes", "width"), 7, "sizes.width: the certificate says 7, recomputation gives 5"),
        (("sizes", "parameter_bits"), 1, "sizes.parameter_bits"),
        (("sizes", "state_bits"), 3, "sizes.state_bits: the certificate says 3, recomputation gives None"),
        (("tests", 0, "margin"), 5.0, "tests.all.margin: the certificate says at least 5.0, recomputation gives 1.99"),
        (("tests", 0, "margin"), -1.0, "tests.all.margin"),
        (("tests", 0, "decisions"), "0" * 64, "tests.all.decisions"),
        (("tests", 0, "count"), 25, "tests.all.count"),
        (("tests", 0, "distinct"), 23, "tests.all.distinct"),
        (("tests", 0, "family"), "random", "tests: expected the families all"),
        (("strength",), "author", "strength: the certificate says 'author', recomputation gives 'exhaustive'"),
        (("strength",), "tested", "strength: the certificate says 'tested', recomputation gives 'exhaustive'"),
        (("claim", "task"), "no-such-task", "no spec for the task 'no-such-task'"),
        (("claim", "parameters", "length"), 4, "the model's vocabulary"),
        (("claim", "parameters", "symbols"), 3, "the model's vocabulary"),
        (("program", "decoder", "kind"), "positions", "decoder.kind: the certificate says 'positions', recomputation gives 'position'"),
        (("program", "model", "readout", "targets"), 3, "the model's targets"),
        (("program", "model", "embedding", "plain"), 3, "the model's vocabulary"),
        (("weights", "sha256"), "0" * 64, "weights: the hash does not match the bytes"),
        (("construction",), "x" * 201, "construction: expected at most 200 printable ASCII characters"),
        (("construction",), "index\u2011lookup", "construction: expected at most 200 printable ASCII characters"),
    ],
)
def test_a_resealed_false_claim_is_refused_with_its_reason(path: tuple[Any, ...], value: Any, words: str) -> None:
    assert words in reason(sealed(edited(honest("lookup"), path, value)))


def test_weights_that_compute_something_else_are_refused_with_a_case() -> None:
    def turned(w: Tensors) -> None:
        w["readout.weight"] *= -1

    assert "of all: the program says [" in reason(forged(honest("exact"), turned))
    built = build("index-lookup", length=3, symbols=2)
    with torch.no_grad():
        built.model.readout.weight *= -1
    certificate = verify(built)
    assert not certificate.holds
    assert certificate.document["kind"] == "counterexample"
    assert check_document(certificate.document).strength == "proven"


def test_the_sentence_names_task_sizes_coverage_and_model() -> None:
    assert check_document(honest("lookup")).claim == (
        "index lookup, N = 3, 2 symbols: right on every input, by at least 1.99999; one layer, one head, width 5, float64"
    )
    assert check_document(sealed({**honest("registers"), "proof": None, "strength": "exhaustive"})).claim == (
        "index lookup, N = 3, 2 symbols: right on all 24 inputs; one layer, 3 bits of state, width 6, float32"
    )
    document = consistent(honest("everywhere"))  # claims no proof
    tested, least = check_document(document), min(row["distinct"] for row in document["tests"])
    assert tested.claim.startswith(f"multi-query recall, N = 8, 8 keys, 2 labels: right on {least:,} distinct cases ")


def test_tested_says_which_error_rate_it_excludes() -> None:
    verdict = check_document(consistent(honest("everywhere")))
    assert verdict.strength == "tested"
    for entry in verdict.evidence:
        if entry["kind"] == "cases":
            k = entry["distinct"]
            assert entry["excludes"] == 1 - 2 ** (-60 / k)
            assert (1 - entry["excludes"]) ** k * 2**40 == pytest.approx(2**-20)  # even after 2^40 tries
            assert "excludes error rates above " in entry["text"]


def test_floats_name_their_hypothesis_and_exact_formats_have_none() -> None:
    kinds = {name: [entry["kind"] for entry in check_document(honest(name)).evidence] for name in ("lookup", "exact")}
    assert "hypothesis" in kinds["lookup"]
    assert "hypothesis" not in kinds["exact"]


def test_the_margin_in_the_evidence_is_what_every_program_has() -> None:
    (entry,) = [entry for entry in check_document(honest("lookup")).evidence if entry["kind"] == "cases"]
    assert 1.999999 < entry["margin"] < 2.0  # two, less the error of the arithmetic
    assert [entry["margin"] for entry in check_document(honest("exact")).evidence if entry["kind"] == "cases"] == [1.0]


def test_the_budget_is_that_of_the_whole_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    document = honest("everywhere")
    verdict = check_document(document, budget=Budget(1.0))
    assert (verdict.holds, verdict.readable) == (False, False)
    assert "above the budget of 1 s and 0.1 GB: --budget " in verdict.reason
    monkeypatch.setattr(program, "load", None)  # nothing is loaded before
    assert "above the budget" in check_document(document, budget=Budget(1.0)).reason


def test_a_small_plan_is_run_whole_and_counts_follow_from_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """With less work to spend, the same claim is tested with fewer cases, and never fewer than three."""
    monkeypatch.setattr(plan, "WORK", 1)
    monkeypatch.setattr("separatrix.certificates.verify.find", lambda *_: (None, ()))  # as for a program that no rule proves
    document = verify(build("index-lookup", length=3, symbols=2)).document
    assert document["strength"] == "tested"
    assert all(row["count"] >= 3 for row in document["tests"])
    verdict = check_document(document)
    assert verdict.holds, verdict.reason
    assert verdict.strength == "tested"
    monkeypatch.undo()
    assert "tests: expected the families all, found [" in reason(document)


def test_every_family_of_the_task_is_run() -> None:
    document = honest("everywhere")
    families = [row["family"] for row in document["tests"]]
    assert families == ["random", "extremes", "near-constant", "lone-label"]
    for wrong in (document["tests"][:1], document["tests"][::-1], [*document["tests"], document["tests"][0]], [7]):
        assert "tests: expected the families random, extremes, near-constant, lone-label" in reason(sealed({**document, "tests": wrong}))


def test_shown_margins_are_never_above_the_exact_ones() -> None:
    from fractions import Fraction

    third = Fraction(1, 3) + Fraction(1, 10**30)
    assert Fraction(program.shown_margin(third)) <= third
    assert program.shown_margin(Fraction(1, 2)) == 0.5
    assert Fraction(program.shown_margin(Fraction(2**200 + 1, 2**199))) <= Fraction(2**200 + 1, 2**199)
    assert np.isfinite(program.shown_margin(0.1))


def test_a_proven_program_says_by_which_rule_and_on_what_it_rests() -> None:
    verdict = check_document(honest("lookup"))
    assert verdict.strength == "proven"
    proof = next(entry for entry in verdict.evidence if entry["kind"] == "proof")
    assert proof["text"] == "by the rule lookup the right answer leads by at least 1.99999 on every input"
    assert (proof["rule"], 1.9999 < proof["margin"] <= 2) == ("lookup", True)
    shown = [entry["text"] for entry in verdict.evidence if entry["kind"] == "shown"]
    assert "in inputs of 4 tokens a head of layer 1 gives the queried place at least 0.7565 of its weight" in shown
    assert any(entry["kind"] == "cases" for entry in verdict.evidence)  # the plan runs all the same


def test_a_program_may_claim_less_than_could_be_proven() -> None:
    verdict = check_document(sealed({**honest("lookup"), "proof": None, "strength": "exhaustive"}))
    assert verdict.holds, verdict.reason
    assert verdict.strength == "exhaustive"
    assert not any(entry["kind"] == "proof" for entry in verdict.evidence)


def test_proven_is_refused_where_the_proof_does_not_hold() -> None:
    def colder(w: Tensors) -> None:
        w["layers.0.mixer.query"] *= 0.2

    document = sealed({**forged({**honest("lookup"), "lemmas": []}, colder), "proof": honest("lookup")["proof"], "strength": "proven"})
    assert "proof: lookup: the read-out: symbol" in reason(document)


def test_a_proven_program_has_no_tests_or_those_of_the_plan() -> None:
    document = verify(build("index-lookup", length=3, symbols=2)).document
    assert (document["strength"], document["tests"]) == ("proven", [])
    verdict, tested = check_document(document), check_document(honest("lookup"))
    assert verdict.holds, verdict.reason
    assert verdict.claim == tested.claim
    assert not any(entry["kind"] == "cases" for entry in verdict.evidence)
    assert any(entry["kind"] == "cases" for entry in tested.evidence)
    assert "tests: expected the families all" in reason(sealed({**document, "tests": honest("everywhere")["tests"]}))
    assert "tests: expected the families all, found []" in reason(sealed({**document, "proof": None, "strength": "exhaustive"}))


def test_replaying_a_proof_loads_nothing_that_draws_cases(tmp_path: Path) -> None:
    file, drawing = tmp_path / "proven.json", {"separatrix.checker.plan", "separatrix.checker.cases", "separatrix.checker.specs.words"}
    for name, settings in (("index-lookup", {"length": 3, "symbols": 2}), ("parity/recurrent", {"length": 6})):
        file.write_text(json.dumps(verify(build(name, **settings)).document))
        code = f"import sys; from separatrix.checker import check_file; v = check_file({str(file)!r}); print(v.strength, *sys.modules)"
        said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
        assert said[0] == "proven"
        assert not drawing & {*said}
        assert not any(module.startswith("separatrix.checker.kinds.testing") for module in said)


def test_lemmas_and_rules_have_what_the_cases_leave(monkeypatch: pytest.MonkeyPatch) -> None:
    """One budget: whatever comes after the cases knows how much they cost."""
    given: list[Budget] = []
    for module, step in ((program, "lemmas_of"), (replay, "replay")):
        honestly = getattr(module, step)
        monkeypatch.setattr(module, step, lambda *a, honestly=honestly: given.append(a[-1]) or honestly(*a))
    assert check_document(honest("lookup"), budget=Budget(10.0, spent=5)).holds
    assert len(given) == 2
    assert min(budget.spent for budget in given) >= 5 + 24 * plan.OVERHEAD  # 24 inputs were run


def test_a_program_that_searches_says_whose_results_it_was_given() -> None:
    searching = verify(build("index/retrieval", length=4)).document
    said = [entry["text"] for entry in check_document(searching).evidence if entry["kind"] == "hypothesis"]
    assert any("retrieved tokens are those of the task's own searches" in text for text in said)
    chained = verify(build("index/transformer", length=4)).document
    assert not any("retrieved" in entry["text"] for entry in check_document(chained).evidence)
