"""One layer against any function that can be counted: exact ranks, and a row that says when it excludes nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from separatrix.architectures import Architecture, Quantity
from separatrix.bounds.communication.splits import one_layer_need
from separatrix.bounds.limits import bounds_for
from separatrix.bounds.lower import Precision
from separatrix.tasks import Task, make_task

INNER = """
def inner(bits):
    n = len(bits) // 2
    return sum(a == b == "1" for a, b in zip(bits[:n], bits[n:])) % 2

def neighbours(bits):
    return sum(a == b == "1" for a, b in zip(bits[::2], bits[1::2])) % 2

def promised(bits):
    return inner(bits) if bits[0] == "1" else None
"""


@pytest.fixture
def own(tmp_path: Path) -> Path:
    (tmp_path / "own.py").write_text(INNER, encoding="utf-8")
    return tmp_path / "own.py"


def task(own: Path, name: str, length: int) -> Task:
    return make_task("function", length=length, function=f"{own}:{name}")


@pytest.mark.parametrize(("name", "split"), [("inner", "the first half"), ("neighbours", "every second token")])
def test_the_inner_product_has_all_ranks_but_one_over_the_split_that_it_is_about(own: Path, name: str, split: str) -> None:
    need = one_layer_need(task(own, name, 12), Precision(8))
    assert need is not None
    assert (need.tokens, need.symbols, need.bits) == (12, 2, 6)
    assert need.formula == f"6 bits, log2 of the rank 63 where one party holds {split}"  # 2^6 - 1: the zero row
    # ceil(log2 s) + (2p + 2f + 2 ceil(log2 13) + (p + f)) + 1 with p = 8, f = 7
    assert "One head of width 1 may send 55 bits, so nothing is excluded" in need.caveat


def test_an_own_function_has_a_row_for_one_layer_and_a_promise_or_a_long_input_has_none(own: Path) -> None:
    rows = [row for row in bounds_for(task(own, "inner", 8), 32) if row.architecture is Architecture.ONE_LAYER]
    assert [(row.quantity, row.value) for row in rows] == [(Quantity.WIDTH_ONE_HEAD, 1), (Quantity.WIDTH_TIMES_HEADS, 1)]
    assert one_layer_need(task(own, "promised", 8), Precision(8)) is None
    assert one_layer_need(task(own, "inner", 16), Precision(8)) is None
