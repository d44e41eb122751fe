"""Rows of studies as facts: both lengths, the mode of the run, and the number of the row itself."""

from __future__ import annotations

import json
from importlib.resources import files

import pytest

from separatrix.architectures import Architecture, Mode
from separatrix.ledger.fact import ACCURACY, Fact
from separatrix.ledger.learned import NATS, answers_counted, architecture_of, learned_facts
from separatrix.studies import study
from separatrix.tasks import make_task


def found(task: str, model: str, tested_at: int, mode: Mode = Mode.ALONE, **parameters: object) -> list[Fact]:
    return [
        fact
        for fact in learned_facts()
        if (fact.task, fact.more["model"], fact.more["tested_at"], fact.mode) == (task, model, tested_at, mode)
        and parameters.items() <= dict(fact.parameters).items()
    ]


@pytest.mark.parametrize(
    ("name", "architecture"),
    [
        ("lstm-1-4", Architecture.LSTM),  # narrower than any model with cost formulas
        ("lintf-2-64", Architecture.LINEAR_ATTENTION),
        ("mamba-1-12", Architecture.MAMBA),
        ("tf-1-8", Architecture.ONE_LAYER),
        ("tf-2-64", Architecture.TWO_LAYERS),
        ("tf-5-64", Architecture.THREE_LAYERS),
        ("hybrid-mamba-1-64+1", Architecture.HYBRID),
        ("stack", None),
    ],
)
def test_a_trained_model_has_the_architecture_of_its_name(name: str, architecture: Architecture | None) -> None:
    assert architecture_of(name) == architecture


def test_the_length_of_the_test_and_that_of_the_training_are_two_fields() -> None:
    at = {length: found("regular", "lstm-1-64", length, language="@s3") for length in (8, 16, 32)}
    assert {length: [fact.more["trained_at"] for fact in facts] for length, facts in at.items()} == {8: [8], 16: [8], 32: [8]}
    assert at[8][0].value == 1.0  # at the length of training it is right, and at four times that length it is not
    assert (at[32][0].value or 0) < 0.6


def test_a_run_with_a_chain_or_with_searches_is_credited_to_that_mode_only() -> None:
    alone, chain = (found("is-tree", "tf-2-64", 16, mode) for mode in (Mode.ALONE, Mode.CHAIN))
    assert {fact.parameters.get("thought") for fact in alone} == {None}
    assert {fact.parameters.get("thought") for fact in chain} == {"tour"}
    assert max(fact.value or 0 for fact in alone) < 0.6
    assert max(fact.value or 0 for fact in chain) > 0.99
    assert {fact.parameters["thought"] for fact in learned_facts() if fact.mode is Mode.RETRIEVAL} == {"search", "short"}


def test_every_number_is_that_of_the_row_whose_id_it_carries() -> None:
    places = (place for place in files("separatrix.studies").joinpath("data").iterdir() if place.name.endswith(".jsonl"))
    rows = {row["digest"]: row for place in places for row in map(json.loads, place.read_text("utf-8").splitlines())}
    met = set()
    for fact in learned_facts():
        row = rows[fact.evidence.key]
        assert (row["run"]["task"], row["run"]["model"], row["run"]["seed"]) == (fact.task, fact.more["model"], fact.more["seed"])
        length = row["run"]["task_parameters"]["length"]
        assert fact.more["trained_at"] == length
        one = row["test"] if row["test"].get("greedy") is None else {"accuracy": max(row["test"]["greedy"], row["test"]["accuracy"])}
        by_length = {ACCURACY: dict(row.get("tests") or [[length, one["accuracy"]]]), NATS: dict(row.get("nats") or [])}
        assert by_length[fact.quantity][fact.more["tested_at"]] == fact.value
        met.add((fact.quantity, bool(row.get("tests")), row["test"].get("greedy") is not None))
    assert len(met) >= 4  # one length and several, chains and not, accuracies and nats


def test_what_an_accuracy_counts_is_said() -> None:
    assert answers_counted(make_task("associative-recall", length=4)) == "right answers, one for each input"
    assert answers_counted(make_task("mqar", length=4)) == "inputs on which every answer is right"
    assert {fact.quantity for fact in learned_facts() if fact.task.endswith("-next") and fact.task != "dyck-next"} == {NATS}


def test_studies_that_read_the_rows_of_another_one_add_none() -> None:
    named = {fact.more["study"] for fact in learned_facts()}
    assert {"lookup-printed", "equality-one"} <= named
    assert {name for name in named if study(name).results_of} == set()
