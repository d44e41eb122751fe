"""What commands say is so: parameters that matter, what an accuracy counts, singular and plural, alphabets, strengths."""

from __future__ import annotations

import re

import pytest

from separatrix.bounds.number_format import NumberFormat
from separatrix.cli import main
from separatrix.ledger.plan import plan
from separatrix.studies.retained import retained_by_architecture
from separatrix.tasks import make_task
from tests.cli.calling import answer, refusal


def lines(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    assert main([*arguments]) == 0
    return capsys.readouterr().out.splitlines()


@pytest.mark.parametrize(("task", "said"), [("mqar", "labels = 2"), ("associative-recall", "labels = 2"), ("index-lookup", "symbols = 64")])
def test_the_header_of_a_plan_names_every_parameter_with_its_default(capsys: pytest.CaptureFixture[str], task: str, said: str) -> None:
    assert said in lines(capsys, "plan", task, "--length", "8", "--model", "lstm-1-16")[0]


@pytest.mark.parametrize(
    ("task", "counts"), [("mqar", "inputs on which every answer is right"), ("associative-recall", "right answers, one for each input")]
)
def test_a_plan_for_an_accuracy_says_what_that_counts(capsys: pytest.CaptureFixture[str], task: str, counts: str) -> None:
    assert counts in lines(capsys, "plan", task, "--length", "8", "--model", "lstm-1-16", "--accuracy", "0.9")[0]
    assert answer(capsys, "plan", task, "--length", "8", "--model", "lstm-1-16")["accuracy_counts"] == counts


def test_a_machine_is_named_by_its_first_line_where_its_claim_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    said = lines(capsys, "verify", "turing-machine/linear-rnn", "--length", "3", "--set", "machine=examples/ends.toml")
    assert said[-2].startswith("exhaustive: turing-machine (length = 3, machine = # A Turing machine of one's own")
    assert not any("moves" in line for line in said)


def test_what_trained_models_retained_stands_beside_what_the_task_holds() -> None:
    for kept in retained_by_architecture().values():
        assert 0 <= kept["bits"] <= kept["holds"] + 1e-9


def test_no_more_can_cross_than_the_state_has() -> None:
    for name, length in (("index-lookup", 50), ("parity", 64), ("copy", 30)):
        task = make_task(name, length=length)
        for row in plan(task, NumberFormat(16)).rows:
            if row.carried_bits is not None and row.state_bits is not None:
                assert row.carried_bits <= row.state_bits or row.cut == task.token_count, row


def test_a_row_that_another_argument_refutes_claims_no_largest_length() -> None:
    for row in plan(make_task("parity", length=200), NumberFormat(32)).rows:
        if row.kind == "provably not":
            assert not row.unlimited, row


@pytest.mark.parametrize("bad", ["nan", "0", "-1", "1.5"])
def test_an_accuracy_that_is_none_is_refused(capsys: pytest.CaptureFixture[str], bad: str) -> None:
    assert "accuracy must lie in (0, 1]" in refusal(capsys, "plan", "parity", "--length", "4", "--accuracy", bad)


@pytest.mark.parametrize("length", ["0", str(10**26)])
def test_lengths_of_nothing_and_of_everything_are_refused(capsys: pytest.CaptureFixture[str], length: str) -> None:
    assert "length" in refusal(capsys, "plan", "parity", "--length", length)


def test_a_language_prints_its_alphabet_its_states_at_each_cut_and_sentences_that_make_sense(capsys: pytest.CaptureFixture[str]) -> None:
    said = lines(capsys, "language", "[^a]b", "--length", "4")
    assert said[2].split() == ["alphabet", "(--alphabet", "adds", "symbols)", "a", "b"]
    (cut,) = [line for line in said if line.startswith("at N = 4: ")]
    assert len(re.findall(r" \d+", cut.partition("symbols:")[2])) == 5  # after 0, 1, .. 4 symbols
    for language in ("a*", "(aa)*", "(ab)*", "@parity"):
        text = " | ".join(lines(capsys, "language", language, "--length", "8"))
        assert not re.search(r"\b1 (states|bits|elements|symbols|inputs)\b", text), language
        assert "fewer than 0" not in text
        assert "fewer than 1 " not in text


def test_numbers_of_one_are_singular(capsys: pytest.CaptureFixture[str]) -> None:
    for command in (
        ["profile", "parity", "--length", "1"],
        ["bounds", "parity", "--length", "1"],
        ["communication", "equality", "--length", "2"],
    ):
        assert [line for line in lines(capsys, *command) if re.search(r"\b1 (states|bits|inputs|pairs)\b", line)] == [], command


def test_facts_about_one_length_and_about_all_are_told_apart(capsys: pytest.CaptureFixture[str]) -> None:
    facts = answer(capsys, "facts", "parity")["facts"]
    kinds = {(fact["what"].split()[0], fact["lengths"]["kind"]) for fact in facts}
    assert {("impossible", "all"), ("built", "all"), ("built", "one"), ("learned", "one")} <= kinds
    assert all(fact["lengths"]["N"] is None for fact in facts if fact["lengths"]["kind"] == "all")
