"""Lines of the public chain-of-thought data: written, read back, and refused where they are not what they claim."""

from __future__ import annotations

from typing import Any

import pytest

from separatrix.errors import BadInput
from separatrix.tasks import make_task
from separatrix.tasks.arithmetic import Arithmetic

SETTINGS: list[tuple[str, dict[str, Any]]] = [
    ("lis", {"length": 6, "symbols": 20}),
    ("edit-distance", {"length": 3, "second": 5, "border": "feng"}),
    ("arithmetic", {"length": 4}),
]


@pytest.mark.parametrize(("name", "chosen"), SETTINGS)
def test_a_line_reads_back(name: str, chosen: dict[str, Any]) -> None:
    task = make_task(name, **chosen)
    batch = task.sample(1, 20)
    for r in range(20):
        line = task.benchmark_line(batch.row(r))
        assert line is not None
        assert task.read_benchmark(line) == batch.row(r)


def test_lines_by_hand() -> None:
    lis = make_task("lis", length=3, symbols=4)
    assert lis.benchmark_line((2, 0, 3, 4)) == "6 4 7 <sep> 1 1 2 <sep> 2"
    edit = make_task("edit-distance", length=2, second=2, border="feng")
    assert edit.benchmark_line((0, 1, 1, 1, 4)) == "a b | b b <sep> 3 4 , 1 3 , <sep> 3"
    arithmetic = make_task("arithmetic", length=2)
    assert arithmetic.benchmark_line(arithmetic.read("= 2 * ( 3 + 4 ) =")) == "2 * ( 3 + 4 ) = 2 * 7 = 3"


@pytest.mark.parametrize(("length", "words"), [(40, 83), (110, 223)])
def test_chains_of_subsequences_have_the_lengths_of_the_paper(length: int, words: int) -> None:
    task = make_task("lis", length=length, symbols=250)
    line = task.benchmark_line(task.sample(0, 1).row(0))
    assert line is not None
    assert len(line.split()) == words


@pytest.mark.parametrize(("length", "words"), [(6, 72), (12, 210)])
def test_chains_of_the_edit_distance_have_the_lengths_of_the_paper(length: int, words: int) -> None:
    task = make_task("edit-distance", length=length, second=length + 2, border="feng")
    line = task.benchmark_line(task.sample(0, 1).row(0))
    assert line is not None
    assert len(line.split()) == words


def test_a_wrong_line_is_refused() -> None:
    lis = make_task("lis", length=3, symbols=4)
    with pytest.raises(BadInput, match="the chain of this line is not that of the program"):
        lis.read_benchmark("6 4 7 <sep> 1 1 1 <sep> 1")
    with pytest.raises(BadInput, match="not an input of these sizes"):
        lis.read_benchmark("6 4 <sep> 1 1 <sep> 1")
    with pytest.raises(BadInput, match="modulo 11 is 3, found 4"):
        make_task("arithmetic", length=2).read_benchmark("2 * ( 3 + 4 ) = 2 * 7 = 4")


# -- arithmetic in the order of the public data --------------------------------------------------------------------------------------


def test_expanded_chains_carry_out_one_operation_after_the_other() -> None:
    """Every line has one operator less than the line before and the same value, by the solver that knows no chain."""
    task = Arithmetic(5, prime=7, order="reverse-expansion")
    batch, chains = task.sample(3, 40), task.drawn_chains(3, 40)
    assert chains is not None
    for r, lines in enumerate(task.histories(3, 40)):
        assert task.text(batch.row(r)) == f"= {task.text(lines[0])} ="
        assert chains[r] == (*task.read(" = ".join(map(task.text, lines[1:]))), task.stop)
        for operators, line in zip(range(5, 0, -1), lines, strict=False):
            assert Arithmetic(operators, prime=7).answer((task.sign("="), *line, task.sign("="))) == batch.answer(r)
        assert lines[-1] == [batch.answer(r)]


def test_the_chain_is_not_a_function_of_the_expression() -> None:
    """With three operators two thirds of the chains are leftmost; some expressions occur with two chains."""
    task = Arithmetic(3, prime=2, order="reverse-expansion")
    batch, chains = task.sample(0, 3000), task.drawn_chains(0, 3000)
    assert chains is not None
    assert task.chain(batch.row(0)) is None
    leftmost = Arithmetic(3, prime=2)
    assert 0.55 < sum(chains[r] == leftmost.chain(batch.row(r)) for r in range(3000)) / 3000 < 0.75
    met: dict[tuple[int, ...], set[tuple[int, ...]]] = {}
    for r in range(3000):
        met.setdefault(batch.row(r), set()).add(chains[r])
    assert max(map(len, met.values())) > 1


def test_drawn_chains_do_not_depend_on_the_batch_and_their_lines_read_back() -> None:
    task = Arithmetic(4, order="reverse-expansion")
    chains = task.drawn_chains(1, 20)
    assert chains is not None
    assert task.drawn_chains(1, 5, start=15) == chains[15:]
    batch = task.sample(1, 20)
    for r in range(20):
        assert task.read_benchmark(task.line_with_chain(batch.row(r), chains[r])) == batch.row(r)
