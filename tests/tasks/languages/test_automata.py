from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import pytest

from separatrix.errors import BadInput
from separatrix.tasks.languages.automata import Automaton, from_document, from_file, from_json, minimal, numbered

EVEN: dict[str, Any] = {
    "alphabet": ["0", "1"],
    "start": "even",
    "accepting": ["even"],
    "moves": {"even": {"0": "even", "1": "odd"}, "odd": {"0": "odd", "1": "even"}},
}


def words(symbols: int, longest: int) -> list[tuple[int, ...]]:
    return [word for n in range(longest + 1) for word in itertools.product(range(symbols), repeat=n)]


def test_states_that_no_word_tells_apart_become_one() -> None:
    rows = {0: (1, 2), 1: (3, 4), 2: (4, 3), 3: (3, 3), 4: (4, 4)}  # accepts words that begin with aa, bb; states 3 and 4 differ
    same = {0: (1, 2), 1: (3, 4), 2: (3, 4), 3: (3, 3), 4: (4, 4)}  # accepts ?a...; states 1 and 2 are alike
    assert minimal(numbered(("a", "b"), rows, 0, {3})).states == 5
    assert minimal(numbered(("a", "b"), same, 0, {3})).states == 4


def test_a_minimal_automaton_accepts_the_same_words() -> None:
    rows = {0: (1, 2), 1: (3, 4), 2: (3, 4), 3: (0, 3), 4: (4, 2)}
    before = numbered(("a", "b"), rows, 0, {1, 2, 3})
    after = minimal(before)
    assert all(before.accepts(word) == after.accepts(word) for word in words(2, 8))


def test_one_language_has_one_minimal_automaton() -> None:
    renamed = {"a": (0, 1), "b": (1, 0)}
    order = {"alphabet": ["0", "1"], "start": "x", "accepting": ["x"], "moves": {"y": {"1": "x", "0": "y"}, "x": {"1": "y", "0": "x"}}}
    assert from_document(EVEN, "one") == from_document(order, "other") == Automaton(("0", "1"), tuple(renamed.values()), frozenset({0}))


def test_unreachable_states_are_dropped() -> None:
    assert numbered(("a",), {0: (0,), 1: (0,)}, 0, {0, 1}) == Automaton(("a",), ((0,),), frozenset({0}))


def test_a_move_that_is_left_out_rejects_for_good() -> None:
    only_ab = {"alphabet": ["a", "b"], "start": "s", "accepting": ["s"], "moves": {"s": {"a": "t"}, "t": {"b": "s"}}}
    automaton_read = from_document(only_ab, "(ab)*")
    assert automaton_read.states == 3
    assert [word for word in words(2, 4) if automaton_read.accepts(word)] == [(), (0, 1), (0, 1, 0, 1)]


def test_an_automaton_survives_its_document(tmp_path: Path) -> None:
    even = from_document(EVEN, "here")
    path = tmp_path / "even.json"
    path.write_text(json.dumps(even.document()))
    assert from_file(path) == even


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"start": "none"}, "start 'none' is not among the states 'even', 'odd'"),
        ({"accepting": "even"}, "accepting must be a list of the states 'even', 'odd', found 'even'"),
        ({"accepting": ["out"]}, "accepting must be a list of the states 'even', 'odd', found ['out']"),
        ({"alphabet": ["0", "0"]}, "the alphabet contains '0' twice"),
        ({"alphabet": []}, "the alphabet must be symbols without blanks, written 'ab' or as a list, found []"),
        ({"alphabet": ["0", "1 "]}, "the alphabet must be symbols without blanks, written 'ab' or as a list, found ['0', '1 ']"),
        ({"moves": {}}, 'moves must be an object of states, each an object {symbol: state}, such as {"q": {"a": "q"}}'),
        ({"moves": {"even": {"2": "even"}}}, "state 'even' moves on '2', which is not in the alphabet '0', '1'"),
        ({"moves": {"even": {"1": "odd"}}}, "state 'even' moves on '1' to 'odd', which is not a state"),
        ({"note": "x"}, "expected an object with alphabet, start, accepting, moves, found alphabet, start, accepting, moves, note"),
    ],
)
def test_a_faulty_document_is_refused_in_one_line(change: dict[str, Any], message: str) -> None:
    with pytest.raises(BadInput) as caught:
        from_document({**EVEN, **change}, "even.json")
    assert str(caught.value) == f"automaton even.json: {message}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "not JSON: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"),
        ('{"start": 1, "start": 2}', "not JSON: 'start' appears twice"),
        ("[1]", "expected an object with alphabet, start, accepting, moves, found list"),
    ],
)
def test_text_that_is_no_automaton_is_refused(text: str, message: str) -> None:
    with pytest.raises(BadInput) as caught:
        from_json(text, "given")
    assert str(caught.value) == f"automaton given: {message}"


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"automaton .*none\.json: cannot read the file \(FileNotFoundError\)"):
        from_file(tmp_path / "none.json")
