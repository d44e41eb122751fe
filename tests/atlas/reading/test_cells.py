"""What a cell of the map says: facts of the ledger in words, each with the id of its evidence."""

from __future__ import annotations

from typing import Any

import pytest

from separatrix.architectures import Architecture, Mode, Quantity
from separatrix.atlas.reading.cells import BUILT, OPEN, Cell
from separatrix.ledger.cells import CellFacts
from separatrix.ledger.fact import ACCURACY, Evidence, Fact, Lengths, What
from separatrix.ledger.learned import ANSWERS, CHAINS


def learned(model: str, trained_at: int, tested_at: int, value: float, mode: Mode = Mode.ALONE) -> Fact:
    more = {"model": model, "trained_at": trained_at, "tested_at": tested_at, "metric": ANSWERS if mode is Mode.ALONE else CHAINS}
    return Fact(
        "parity", {}, Architecture.LSTM, mode, "float32", Lengths("one", tested_at), What.LEARNED, ACCURACY, value, "measured",
        Evidence("row", f"{model} {tested_at}"), more=more,
    )  # fmt: skip


def bound(value: int, tight: bool = False, quantity: Quantity = Quantity.STATE_BITS) -> Fact:
    return Fact(
        "parity", {}, Architecture.LSTM, Mode.ALONE, "any", Lengths("one", 1000), What.BELOW, quantity, value, "proven",
        Evidence("statement", "a theorem"), more={"tight": tight},
    )  # fmt: skip


def built(value: int, N: int = 1000, strength: Any = "tested", mode: Mode = Mode.ALONE, steps: tuple[str, ...] = ()) -> Fact:
    return Fact(
        "parity", {}, Architecture.LSTM, mode, "float64", Lengths("one", N), What.BUILT, Quantity.STATE_BITS, value, strength,
        Evidence("certificate", f"{value} {N} {strength} {mode}"), steps,
    )  # fmt: skip


def cell(*facts: Fact) -> Cell:
    return Cell(CellFacts("parity", Architecture.LSTM, facts), 1000)


@pytest.mark.parametrize(
    ("results", "said"),
    [
        ((("a", 10, 10, 1.0), ("b", 20, 20, 0.96), ("c", 100, 100, 0.04)), "learned to 96 % (b, N = 20)"),  # the longest that was learned
        ((("a", 20, 20, 0.96), ("b", 20, 20, 0.9996)), "learned to 99.9 % (b, N = 20)"),
        ((("a", 100, 100, 0.04), ("b", 20, 20, 0.5), ("c", 50, 50, 0.3)), "trained to 50 % (b, N = 20)"),  # nowhere learned: the best
        ((("a", 8, 8, 1.0), ("a", 8, 32, 0.54)), "learned to 100 % (a, N = 8)"),
        ((("a", 8, 32, 0.97),), "learned to 97 % (a, N = 32, trained at 8)"),  # both lengths where they differ
    ],
)
def test_a_cell_names_the_longest_test_that_was_learned_or_else_the_best_result(results: Any, said: str) -> None:
    (line, _) = cell(*(learned(*result) for result in results)).lines
    assert line.text == said
    assert line.evidence == f"{line.fact.more['model']} {line.fact.more['tested_at']}"  # type: ignore[union-attr]


def test_a_run_with_a_chain_speaks_for_that_mode_alone() -> None:
    lines = cell(learned("a", 16, 16, 0.99, Mode.CHAIN), learned("b", 16, 16, 0.5)).lines
    assert [line.text for line in lines] == [
        "trained to 50 % (b, N = 16)",
        "with a chain of thought: learned to 99 % of answers after chains of its own (a, N = 16)",
        "open",
    ]


def test_a_cell_without_facts_is_open_and_asks() -> None:
    assert [line.status for line in cell().lines] == [OPEN]
    assert cell().question.startswith("Can it be done at all")
    assert cell(bound(600)).lines[-1].text == "open above that"


def test_what_is_built_elsewhere_is_inherited_and_says_from_where() -> None:
    own, moved = built(9, strength="tested"), built(5, strength="proven", steps=("from a one-layer Transformer, one idle layer",))
    assert cell(moved).lines[0].text == "built, 5 bits of state, N = 1,000; from a one-layer Transformer, one idle layer"
    assert cell(moved).known.kind == "inherited"
    assert cell(moved, own).lines[0].fact == own  # its own before what it inherits
    assert [line.strength for line in cell(moved, own).lines if line.status == BUILT] == ["tested"]


def test_the_question_is_not_asked_where_need_and_build_meet() -> None:
    assert cell(bound(188, tight=True), built(188)).question == ""
    assert cell(bound(188), built(188)).question == ""
    assert cell(bound(32), built(188)).question == "What is the least? 32 bits of state is needed, and 188 is built."
    assert cell(bound(32), built(188, N=5)).question == "Is 32 bits of state enough?"  # another length says nothing here


def test_a_bound_that_every_model_meets_is_none() -> None:
    assert cell(bound(1)).lines[0].status == OPEN
