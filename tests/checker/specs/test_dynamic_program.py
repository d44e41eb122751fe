"""Dynamic programs as data: the checker runs what the task runs, and refuses what is not a program."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

import numpy as np
import pytest

from separatrix.certificates.verify import verify
from separatrix.checker import check_document, sealed
from separatrix.checker.cases import drawn, families
from separatrix.checker.seal import Refused
from separatrix.checker.specs import spec_of
from separatrix.constructions.yang2024.dynamic_programs import standard
from separatrix.tasks import make_task
from separatrix.tasks.programs.as_data import as_data
from separatrix.tasks.programs.dynamic_program import DynamicProgram

PROGRAMS: list[tuple[str, dict[str, Any]]] = [
    ("lis", {"length": 4, "symbols": 5}),
    ("edit-distance", {"length": 2, "second": 3}),
    ("cellular-automaton", {"length": 4}),
    ("reverse-sum", {"length": 5}),
]


def data(name: str, **chosen: Any) -> dict[str, Any]:
    """The parameters of a program as data, read back from JSON."""
    task = make_task(name, **chosen)
    assert isinstance(task, DynamicProgram)
    parameters: dict[str, Any] = json.loads(json.dumps(as_data(task).parameters))
    return parameters


@pytest.mark.parametrize(("name", "chosen"), PROGRAMS)
def test_the_data_run_as_the_program_does(name: str, chosen: dict[str, Any]) -> None:
    program = make_task(name, **chosen)
    assert isinstance(program, DynamicProgram)
    task, second = as_data(program), spec_of("dynamic-program", data(name, **chosen))
    assert (second.tokens, second.vectors) == (program.unrolled.length, program.vector_width)
    for family in families(second):
        cases = [*drawn(second, family, 5, 8)]
        read, written = task.as_vectors(np.stack([tokens for tokens, _ in cases]))
        for r, (tokens, wanted) in enumerate(cases):
            assert [*wanted.values()] == [task.answer(tokens.tolist())]
            assert second.as_read(tokens).tolist() == read[r].tolist()
            assert [[*vector] for vector in second.chain(tokens.tolist())] == written[r].tolist()


WRONG: list[tuple[str, Any, str]] = [
    ("entries", 0, r"entries: expected 1\.\."),
    ("symbols", 1, r"symbols: expected 2\.\."),
    ("states", [], "number of states"),
    ("states", [[1], [1], [2]], "expected different states, and positions for each"),
    ("states", [[1], [2]], "expected different states, and positions for each"),
    ("states", [[1], [2], [True]], "states: expected rows of 1 integers"),
    ("states", [[1], [2], [3, 4]], "states: expected rows of 1 integers"),
    ("positions", [[4, 3], [6, 2], [6, 1]], "state 2 reads a state that does not come before it"),
    ("positions", [[4, 0], [5, 2], [6, 1]], "positions: expected rows of 2 integers 1"),
    ("positions", [[], [], []], "width of positions"),
    ("transition", [], "nodes of transition"),
    ("transition", [["sum", 0, 1]], "node 0 is not an operation on earlier nodes"),
    ("transition", [["read", 2]], "node 0 is not an operation"),
    ("transition", [["coordinate", 1]], "node 0 is not an operation"),
    ("transition", [["value"]], "node 0 is not an operation"),
    ("transition", [["read", 0], ["open", 0, 0]], "node 1 is not an operation"),
    ("transition", [["constant", 1 << 60]], "node 0 is not an operation"),
    ("transition", [["constant", 1.5]], "node 0 is not an operation"),
    ("transition", [["read", 0], ["table", 0, 0, []]], "node 1 is not an operation"),
    ("transition", [["read", 0], ["where", 0, 0]], "node 1 is not an operation"),
    ("transition", ["read"], "node 0 is not an operation"),
    ("read_out", [["read", 0]], "read_out: node 0 is not an operation"),
]


@pytest.mark.parametrize(("field", "value", "reason"), WRONG)
def test_what_is_not_a_program_is_refused(field: str, value: Any, reason: str) -> None:
    honest = data("reverse-sum", length=3)
    spec_of("dynamic-program", honest)
    with pytest.raises(Refused, match=reason):
        spec_of("dynamic-program", {**honest, field: value})


def test_values_that_grow_without_bound_are_refused_when_they_occur() -> None:
    growing = {**data("reverse-sum", length=3), "transition": [["constant", 1 << 40], ["product", 0, 0]]}
    second = spec_of("dynamic-program", growing)
    with pytest.raises(Refused, match=r"beyond 2\^53"):
        second.answer((0, 0, 0, 10))


def test_weights_of_one_program_do_not_show_another() -> None:
    program = make_task("reverse-sum", length=3, symbols=3)
    assert isinstance(program, DynamicProgram)
    document = verify(standard(as_data(program))).document
    assert check_document(document).strength == "exhaustive"
    lie = deepcopy(document)
    lie.pop("digest")
    lie["claim"]["parameters"]["transition"].append(["opposite", len(lie["claim"]["parameters"]["transition"]) - 1])
    verdict = check_document(sealed(lie))
    assert not verdict.holds
    assert "the program says" in verdict.reason
