from __future__ import annotations

from pathlib import Path

import pytest

from separatrix.errors import BadInput
from separatrix.tasks.languages.given import from_att, given_language
from separatrix.tasks.languages.regular_expression import automaton

AB_STAR = "0\t1\ta\ta\n1\t0\tb\tb\n0\n"  # the first line begins at the start; a missing arc rejects


def test_att_text_of_a_language() -> None:
    assert from_att(AB_STAR, "here") == automaton("(ab)*")


def test_att_files_and_json_files(tmp_path: Path) -> None:
    path = tmp_path / "ab.att"
    path.write_text(AB_STAR)
    assert given_language(str(path)).automaton == automaton("(ab)*")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("0 1 a b\n1\n", "found a transducer"),
        ("0 1 a\n0 0 a\n1\n", "two arcs with 'a'"),
        ("", "at least one arc"),
        ("0 1 a a 1 2\n", "line 1: expected an arc"),
    ],
)
def test_other_att_text_is_refused(text: str, reason: str) -> None:
    with pytest.raises(BadInput, match=reason):
        from_att(text, "here")


def test_the_automaton_of_a_group_moves_points() -> None:
    given = given_language("group:c3")
    assert given.automaton.moves == ((1,), (2,), (0,))
    assert given.group is not None
    assert given.expression is None
    assert given_language("(ab)*").expression == "(ab)*"
