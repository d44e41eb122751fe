"""Lines of the public chain-of-thought data: written, read back, and refused where they are not what they claim."""

from __future__ import annotations

from typing import Any

import pytest

from separatrix.errors import BadInput
from separatrix.tasks import make_task

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
