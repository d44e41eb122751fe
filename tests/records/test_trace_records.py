"""Inputs to choose from: valid, small, and the interesting ones among them."""

from __future__ import annotations

from separatrix.parameters import parameters
from separatrix.records.trace_records import MOST, SHOWN, families, spread
from separatrix.tasks import TASKS, make_task, task_class
from separatrix.tasks.index_lookup import IndexLookup


def test_index_lookup_asks_one_string_about_every_place() -> None:
    drawn, _ = families(IndexLookup(5, 4))
    assert [label for label, _ in drawn.inputs] == ["1", "2", "3", "4", "5"]
    assert len({tokens[:-1] for _, tokens in drawn.inputs}) == 1
    assert [tokens[-1] for _, tokens in drawn.inputs] == [4, 5, 6, 7, 8]  # the index token p is |S| + p - 1


def test_the_adversarial_strings_differ_from_the_answer_in_every_bit_elsewhere() -> None:
    task = IndexLookup(5, 4)
    _, adverse = families(task)
    for place, (_, tokens) in enumerate(adverse.inputs):
        answer = task.answer(tokens)
        assert isinstance(answer, int)
        assert tokens[place] == answer
        assert {tokens[other] for other in range(5) if other != place} == {3 - answer}  # 0 and 3, 1 and 2 differ in both bits


def test_every_task_that_needs_no_more_than_a_length_offers_valid_inputs() -> None:
    names = [name for name in TASKS if [p.name for p in parameters(task_class(name)).values() if p.required] == ["length"]]
    assert {"index-lookup", "dyck", "equality"} <= set(names)
    for name in names:
        task = make_task(name, length=8)
        for family in families(task):
            assert 0 < len(family.inputs) <= max(SHOWN, 8)
            for _, tokens in family.inputs:
                assert task.answer(tokens) is not None, (name, tokens)


def test_of_many_inputs_a_page_draws_a_few_with_the_first_and_the_last() -> None:
    many = tuple((str(p), (p,)) for p in range(1, 32))
    assert [label for label, _ in spread(many)] == [str(p) for p in range(1, 32, 2)]
    assert [*spread(many[:MOST])] == [*many[:MOST]]
