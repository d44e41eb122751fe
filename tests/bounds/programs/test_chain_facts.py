"""What is seen of chains by running them: lengths, locality, and inputs with one chain."""

from __future__ import annotations

import pytest

from separatrix.bounds.programs.chain_facts import chain_facts
from separatrix.cli import main
from separatrix.tasks import make_task
from tests.cli.calling import answer


def test_a_reversed_sum_is_regular_and_reads_to_the_other_end_of_its_input() -> None:
    """The last sum needs the first number: 2 n tokens back."""
    facts = chain_facts(make_task("reverse-sum", length=5, symbols=3))
    assert facts is not None
    assert (facts.inputs, facts.chains, facts.regular, facts.longest, facts.locality) == (243, 243, True, 12, 10)


def test_a_subsequence_is_not_regular_and_two_inputs_show_it() -> None:
    task = make_task("lis", length=4, symbols=4, compact=True)
    facts = chain_facts(task)
    assert facts is not None
    assert (facts.chains, facts.regular) == (15, False)  # the Bell number
    assert facts.alike is not None
    one, other = facts.alike
    assert one != other
    assert task.values(one) == task.values(other)  # type: ignore[attr-defined]


@pytest.mark.parametrize("rows", [3, 6])
def test_an_automaton_is_local_however_many_rows_it_has(rows: int) -> None:
    facts = chain_facts(make_task("cellular-automaton", length=6, rows=rows))
    assert facts is not None
    assert facts.locality == 8


def test_where_some_inputs_are_drawn_nothing_is_claimed_about_all() -> None:
    facts = chain_facts(make_task("arithmetic", length=4))
    assert facts is not None
    assert not facts.every
    assert facts.regular is None
    assert chain_facts(make_task("parity", length=4)) is None
    assert chain_facts(make_task("arithmetic", length=4, order="reverse-expansion")) is None


def test_what_is_drawn_is_not_the_first_few_of_all() -> None:
    """4096 inputs of 35 tokens are too many to run all; a window of 10 tokens is enough for every one."""
    facts = chain_facts(make_task("edit-distance-local", length=3))
    assert facts is not None
    assert (facts.inputs, facts.every) == (64, False)
    assert 8 <= facts.locality <= 10


def test_the_audit_prints_it(capsys: pytest.CaptureFixture[str]) -> None:
    chain = answer(capsys, "audit", "lis", "--length", "3", "--set", "symbols=2", "--count", "20")["chain"]
    assert (chain["inputs"], chain["chains"], chain["regular"]) == (8, 5, False)
    assert len(chain["alike"]) == 2
    assert main(["audit", "reverse-sum", "--length", "3", "--set", "symbols=2", "--count", "20"]) == 0
    assert "regular: every input has a chain of its own" in capsys.readouterr().out
    assert "chain" not in answer(capsys, "audit", "parity", "--length", "4", "--count", "20")
