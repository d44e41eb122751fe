"""Dynamic programs as data: what they compute, and which are refused with which reason."""

from __future__ import annotations

import signal
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pytest

from separatrix.errors import BadInput
from separatrix.tasks import make_task
from separatrix.tasks.programs import DynamicProgram, cell, entry
from separatrix.tasks.programs.as_data import as_data


@dataclass(frozen=True)
class Program(DynamicProgram):
    """Running sums, unless a test says otherwise."""

    name: ClassVar[str] = "program"

    def states(self) -> Any:
        return range(1, self.length + 1)

    def needs(self, i: int) -> Any:  # type: ignore[override]
        return {"before": cell(i - 1), "here": entry(i)}

    def transition(self, before: Any, here: Any) -> Any:  # type: ignore[override]
        return before + here


def test_the_values_are_those_of_the_recurrence() -> None:
    program = Program(4, symbols=9)
    assert program.values((3, 1, 4, 1, 9)) == [3, 4, 8, 9]
    assert program.answer((3, 1, 4, 1, 9)) == 9
    assert program.answer((3, 1, 4, 9, 9)) is None
    assert program.answer((3, 1, 4, 1, 8)) is None
    assert program.unrolled.values == (0, 32)
    assert program.unrolled.positions.tolist() == [[5, 1], [6, 2], [7, 3], [8, 4]]  # state 0 does not exist: the separator
    assert (program.unrolled.length, program.targets) == (10, 33)


@dataclass(frozen=True)
class Endless(Program):
    """Never says its first state."""

    def states(self) -> Any:
        while True:
            pass


def test_states_that_never_come_to_an_end_are_refused_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    """By seconds of work; a signal handler of the caller's is put back."""
    monkeypatch.setattr("separatrix.tasks.programs.unrolled.PATIENCE", 0.05)
    before = signal.getsignal(signal.SIGVTALRM)
    with pytest.raises(BadInput, match=r"^endless: states has not come to an end after 0\.05 s of work"):
        _ = Endless(3).unrolled
    assert signal.getsignal(signal.SIGVTALRM) is before
    assert signal.getitimer(signal.ITIMER_VIRTUAL) == (0.0, 0.0)


def test_a_prompt_and_its_chain_as_vectors() -> None:
    program = Program(2, symbols=5)
    assert program.vectors((3, 4, 5)) == ((3, 0, 0, 0, 0), (4, 0, 0, 0, 0), (0, 1, 0, 0, 0))
    assert program.chain_of_vectors((3, 4, 5)) == ((0, 2, 1, 3, 0), (0, 2, 2, 7, 0), (0, 3, 0, 0, 7), (0, 0, 0, 0, 0))
    with pytest.raises(BadInput, match=r"expected 2 symbols below 5 and \|, found \[3, 5, 5\]"):
        program.vectors((3, 5, 5))


def test_many_rows_at_once_are_the_rows_alone() -> None:
    for name, chosen in (("lis", {"length": 6}), ("edit-distance", {"length": 3, "second": 5, "border": "feng"})):
        task = make_task(name, **chosen)
        batch = task.sample(4, 50)
        together = task.unrolled.run(batch.tokens[:, :-1])
        assert together.tolist() == [task.values(batch.row(r)) for r in range(50)]


def test_the_border_of_the_public_data_is_another_distance() -> None:
    true, feng = (make_task("edit-distance", length=2, second=1, symbols=3, border=border) for border in ("true", "feng"))
    assert true.answer((0, 1, 1, 3)) == 2  # delete one letter
    assert feng.answer((0, 1, 1, 3)) == 1  # at the border it costs 1
    lengths = [(n, m) for n, m in ((6, 8), (12, 14), (16, 18), (20, 22))]
    assert [n * m + 2 * n + m + 4 for n, m in lengths] == [72, 210, 342, 506]  # the chains of the public data


class Repeats(Program):
    def states(self) -> Any:
        return [1, 2, 1]


class Ahead(Program):
    def needs(self, i: int) -> Any:  # type: ignore[override]
        return {"before": cell(i + 1), "here": entry(i)}


class Itself(Program):
    def needs(self, i: int) -> Any:  # type: ignore[override]
        return {"before": cell(i), "here": entry(i)}


class Knapsack(Program):
    """dp(i, w) needs dp(i - 1, w - w_i): where it reads depends on the input."""

    def states(self) -> Any:
        return [(i, w) for i in range(3) for w in range(3)]

    def needs(self, i: int, w: int) -> Any:  # type: ignore[override]
        return {"without": cell(i - 1, w), "within": cell(i - 1, w - entry(i))}


class Weights(Program):
    def needs(self, i: int, weights: Any) -> Any:  # type: ignore[override]
        return {"before": cell(i - 1), "here": entry(weights[i])}


class Compares(Program):
    def needs(self, i: int) -> Any:  # type: ignore[override]
        return {"before": cell(i - 1), "here": entry(i if entry(i) > entry(1) else 1)}


class Doubles(Program):
    def transition(self, before: Any, here: Any) -> Any:  # type: ignore[override]
        return before * before + here


class Unknown(Program):
    def transition(self, before: Any, there: Any) -> Any:  # type: ignore[override]
        return before + there


class Branches(Program):
    def transition(self, before: Any, here: Any) -> Any:  # type: ignore[override]
        return before if before > here else here


class Clash(Program):
    def needs(self, i: int) -> Any:  # type: ignore[override]
        return {"i": cell(i - 1), "here": entry(i)}


class Halves(Program):
    def states(self) -> Any:
        return [0.5, 1]


class Bare(Program):
    def needs(self, i: int) -> Any:  # type: ignore[override]
        return {"before": i - 1, "here": entry(i)}


class Constant(Program):
    def needs(self, i: int) -> Any:  # type: ignore[override]  # noqa: ARG002
        return {}


class Fails(Program):
    def states(self) -> Any:
        return [1 // 0]


class Misspells(Program):
    def transition(self, before: Any, here: Any) -> Any:  # type: ignore[override]
        return before.plus(here)


class Silent(Program):
    def transition(self, before: Any, here: Any) -> Any:  # type: ignore[override]
        before + here


class Half(Program):
    def transition(self, before: Any, here: Any) -> Any:  # type: ignore[override]  # noqa: ARG002
        return 0.5


class Wider(Program):
    def needs(self, i: int) -> Any:  # type: ignore[override]
        return {"before": cell(i - 1, 0), "here": entry(i)}


REFUSED = [
    (Silent, r"^silent: transition returns nothing: expected an expression"),
    (Half, r"^half: transition: expected an expression or an integer, found 0.5"),
    (Wider, r"the state \(1,\) needs cell\(0, 0\), but states have 1 coordinates"),
    (Fails, r"fails: states fails with ZeroDivisionError: integer division or modulo by zero"),
    (Misspells, r"misspells: transition: it fails with AttributeError: 'Value' object has no attribute 'plus'"),
    (Repeats, r"the state \(1,\) appears twice"),
    (Ahead, r"the state \(1,\) needs cell\(2,\), which does not come before it"),
    (Itself, r"needs cell\(1,\), which does not come before it"),
    (
        Knapsack,
        r"entry\(0\) is used as a number: the dependences of a state must follow from the state alone, not from values of the input",
    ),
    (Weights, r"needs\(i, weights\) takes the coordinates of a state and nothing else, found states of 1 coordinates: a dependence must"),
    (Compares, r"entry\(1\) is used as a number"),
    (Doubles, r"the value of the state \(7,\) is not bounded: it may reach 1.*e\+"),
    (Unknown, r"transition has a parameter 'there': expected some of i, before, here"),
    (Branches, r"a condition is not known when the weights are built: expected where"),
    (Clash, r"'i' names both a coordinate of a state and something that it needs"),
    (Halves, r"a state is a tuple of integers, found 0.5"),
    (Bare, r"needs\(1,\): expected cell\(..\) or entry\(..\) for 'before', found 0"),
    (Constant, r"no state needs anything"),
]


@pytest.mark.parametrize(("kind", "why"), REFUSED, ids=lambda value: getattr(value, "__name__", ""))
def test_what_is_not_a_program_of_bounded_dependence_is_refused(kind: type[Program], why: str) -> None:
    with pytest.raises(BadInput, match=why):
        _ = kind(10, symbols=3).unrolled


def test_as_data_it_draws_and_answers_the_same_under_another_name() -> None:
    program, data = make_task("lis", length=4), as_data(make_task("lis", length=4))
    tokens = data.sample(1, 5).row(3)
    assert data.answer(tokens) == program.answer(tokens)
    assert (data.name, data.label) == ("dynamic-program", "lis")
    assert set(data.parameters) == {"entries", "symbols", "states", "positions", "transition", "read_out"}
    assert data.parameters["transition"][-1][0] == "where"
    assert not np.array_equal(data.sample(1, 5).tokens, program.sample(1, 5).tokens)  # the data are its parameters, and draw other cases


def test_a_program_without_a_name_is_called_after_its_class() -> None:
    class MatrixChain(DynamicProgram):
        pass

    class LongChain(MatrixChain):
        pass

    assert MatrixChain.name == "matrix-chain"
    assert LongChain.name == "long-chain"
