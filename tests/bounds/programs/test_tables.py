"""Which programs are regular, by counting all their tables."""

from __future__ import annotations

import math
from typing import Any

import pytest

from separatrix.bounds.programs.chain_facts import locality, regenerates
from separatrix.bounds.programs.widths import tables
from separatrix.errors import BadInput
from separatrix.tasks import make_task
from separatrix.tasks.programs.dynamic_program import DynamicProgram


def program(name: str, **chosen: Any) -> DynamicProgram:
    task = make_task(name, **chosen)
    assert isinstance(task, DynamicProgram)
    return task


def test_the_reversed_sum_is_regular() -> None:
    counted = tables(program("reverse-sum", length=5, symbols=4))
    assert (counted.inputs, counted.tables, counted.regular) == (1024, 1024, True)


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_subsequences_have_as_many_tables_as_there_are_orders(n: int) -> None:
    """log2 n! bits: the chain compares all pairs. Two inputs in the same order share their table."""
    counted = tables(program("lis", length=n, symbols=max(n, 3)))
    assert counted.tables == math.factorial(n)
    assert counted.alike is not None
    one, other = (program("lis", length=n, symbols=max(n, 3)).values((*entries, 0)) for entries in counted.alike)
    assert one == other


def test_the_edit_distance_has_few_tables() -> None:
    """1,367 tables of 65,536 inputs for two words of four letters out of four, on the border of the public data."""
    counted = tables(program("edit-distance", length=4, symbols=2, border="feng"))
    assert (counted.inputs, counted.tables, counted.regular) == (256, 128, False)
    assert tables(program("edit-distance", length=4, symbols=3, border="feng")).tables == 864


def test_an_automaton_that_copies_is_regular_and_rule_110_is_not() -> None:
    assert tables(program("cellular-automaton", length=6, rule=204)).regular
    assert not tables(program("cellular-automaton", length=6)).regular


def test_too_many_inputs_are_refused() -> None:
    with pytest.raises(BadInput, match="10,000,000,000 inputs are too many to run"):
        tables(program("reverse-sum", length=10))


def chains(task: DynamicProgram, count: int | None = None) -> list[list[tuple[int, ...]]]:
    prompts = [*task.inputs()] if count is None else [task.sample(0, count).row(r) for r in range(count)]
    return [[*task.vectors(tokens), *task.chain_of_vectors(tokens)[:-1]] for tokens in prompts]


def test_an_automaton_is_local_and_a_reversed_sum_is_not() -> None:
    """One row and its neighbours decide a cell, whatever came before; the last number added was read first."""
    for rows in (2, 4):
        task = program("cellular-automaton", length=5, rows=rows)
        assert locality(chains(task), 6) <= task.unrolled.least_window == 7
    task = program("reverse-sum", length=5, symbols=2)
    assert locality(chains(task), 6) == 2 * 5 + 1 - 1  # the fifth sum needs the first number
    assert task.unrolled.least_window == 10


def test_a_chain_regenerates_from_its_window_and_not_from_less() -> None:
    task = program("cellular-automaton", length=6, rows=3, rule=90)
    m = locality(chains(task), 7)
    assert regenerates(chains(task), 7, m)
    assert not regenerates(chains(task), 7, m - 1)
