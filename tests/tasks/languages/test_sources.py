"""Probabilistic automata from a file."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from separatrix.errors import BadInput
from separatrix.tasks.languages.sources import from_document, source_file

THREE: dict[str, Any] = {  # a, then any number of b, then a or the end; c is never reached
    "alphabet": ["a", "b"],
    "start": "1",
    "moves": {"1": {"a": ["2", 3]}, "2": {"b": ["2", 1], "a": ["3", 1]}, "3": {"a": ["1", 1]}, "4": {"a": ["4", 1]}},
    "end": {"2": 2, "3": 1},
}


def test_states_are_numbered_as_they_are_met_and_shares_are_probabilities() -> None:
    source = from_document(THREE, "here")
    assert source.states == 3
    assert source.moves == ((1, None), (2, 1), (0, None))
    assert [source.law(q) for q in range(3)] == [(1, 0, 0), (0.25, 0.25, 0.5), (0.5, 0, 0.5)]


def test_the_optimum_is_that_of_the_states_that_are_alive() -> None:
    source = from_document(THREE, "here")
    assert source.alive(1) == (0, 1, 0)
    assert source.alive(2) == (0, 0.5, 0.5)
    assert source.optimum(2) == pytest.approx(0.5 * (1.5 * math.log(2)) + 0.5 * math.log(2))


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"start": "9"}, "here: the state '9' has no moves"),
        ({"alphabet": ["a", "a"]}, "here: expected an alphabet of different symbols"),
        ({"moves": []}, "here: expected a table of moves for each state"),
        ({"moves": {"1": {"a": ["8", 1]}}, "end": {}}, "here: state '1', symbol 'a': expected a state that has moves, and a share"),
        ({"moves": {"1": {"z": ["1", 1]}}, "end": {}}, "here: state '1' moves by 'z', which is not in the alphabet"),
        ({"moves": {"1": {"a": ["1", 0.5]}}, "end": {}}, "here: state '1', symbol 'a': expected a share, an integer of at least 0"),
        ({"moves": {"1": {}}, "end": {}}, "here: nothing can follow in state '1', not even the end"),
        ({"end": {"7": 1}}, "here: the state '7' has no moves"),
    ],
)
def test_what_is_no_source_is_refused(change: dict[str, Any], says: str) -> None:
    with pytest.raises(BadInput) as refusal:
        from_document({**THREE, **change}, "here")
    assert says in str(refusal.value)


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    (tmp_path / "s.json").write_text("{")
    with pytest.raises(BadInput, match="cannot read a source"):
        source_file(tmp_path / "s.json")
    with pytest.raises(BadInput, match="cannot read a source"):
        source_file(tmp_path / "none.json")
    (tmp_path / "s.json").write_text(json.dumps([1]))
    with pytest.raises(BadInput, match="expected alphabet, start, moves and end"):
        source_file(tmp_path / "s.json")


def test_a_length_that_no_string_has_is_refused() -> None:
    once = {"alphabet": ["a"], "start": "1", "moves": {"1": {"a": ["2", 1]}, "2": {}}, "end": {"2": 1}}
    with pytest.raises(BadInput, match="no string of the source has more than 1 symbols"):
        from_document(once, "here").optimum(2)
