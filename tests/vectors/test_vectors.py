"""The checker agrees with the conformance vectors, and the vectors can tell checkers apart."""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import asdict
from functools import cache
from typing import Any

import pytest

from separatrix.checker import KINDS, check_file
from tests.vectors import conform

LEAST = 120


@cache
def results() -> list[dict[str, Any]]:
    return [{"file": vector["file"], **asdict(check_file(conform.DOCUMENTS / vector["file"]))} for vector in conform.vectors()]


def test_the_checker_conforms_and_no_vector_is_refused_by_an_accident() -> None:
    """An exception inside, or a budget, is no judgement of a lie."""
    assert list(conform.differences(results())) == []
    reasons = [result["reason"] for result in results() if not result["holds"]]
    assert not [reason for reason in reasons if "malformed content" in reason or "budget" in reason]


def test_there_are_enough_vectors_of_every_kind() -> None:
    vectors = conform.vectors()
    assert len(vectors) >= LEAST
    assert sorted(path.name for path in conform.DOCUMENTS.iterdir()) == sorted(vector["file"] for vector in vectors)
    assert len({(vector["kind"], vector["about"]) for vector in vectors}) == len(vectors)
    honest, lies = (Counter(vector["kind"] for vector in vectors if vector["holds"] is holds) for holds in (True, False))
    assert set(honest) == set(lies) == set(KINDS)
    assert min(lies.values()) >= 9
    assert {vector.get("strength") for vector in vectors} == {None, "proven", "exhaustive", "tested", "author"}


def test_a_checker_that_differs_is_told_where() -> None:
    agreeing = [dict(vector) for vector in conform.vectors()]
    assert list(conform.differences(agreeing)) == []
    honest = next(vector for vector in conform.vectors() if vector["holds"])
    changed = [{**result, "strength": "author"} if result["file"] == honest["file"] else result for result in agreeing]
    (line,) = conform.differences(changed)
    assert line.startswith(f"{honest['file']} ({honest['about']}): strength: expected '{honest['strength']}', found 'author'")
    credulous = [{**result, "holds": True} for result in agreeing]
    assert len(list(conform.differences(credulous))) == sum(not vector["holds"] for vector in conform.vectors())
    (missing,) = conform.differences(agreeing[1:])
    assert missing.endswith("no result")


@pytest.mark.parametrize(
    ("command", "code", "says"),
    [
        ([], 2, "expected the command of a checker"),
        ([sys.executable, "-c", "print('fine')"], 2, "expected one JSON document"),
        ([sys.executable, "-c", "print('{\"results\": []}')"], 1, "no result"),
    ],
    ids=["no command", "no JSON", "nothing said"],
)
def test_the_script_runs_any_command(command: list[str], code: int, says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert conform.main(command) == code
    assert says in capsys.readouterr().out
