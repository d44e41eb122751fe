"""The second checker judges the house's documents as the house does, and refuses what was changed in them."""

from __future__ import annotations

import base64
import hashlib
import json
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from flint import arb

from recheck.__main__ import check, main
from recheck.numbers import arithmetic
from recheck.verdicts import Uncovered
from recheck.witnesses import KINDS
from tests.recheck.forging import verdict

FOLDER = Path(__file__).parents[1] / "vectors" / "documents"
INDEX = {entry["file"]: entry for entry in json.loads((FOLDER.parent / "index.json").read_text())["vectors"]}
ENUMERATED = (*KINDS, "languages")
HONEST = [
    "program-honest-automaton.json",
    "program-honest-automaton-of-gates.json",
    "program-honest-lookup.json",
    "program-honest-lookup-quadratic.json",
    "program-honest-lookup-fixed-point.json",
    "program-honest-index-lookup-length-3-symbols-2-arithmetic-nearest-25.json",
    "program-honest-equality-fixed-point.json",
    "program-honest-hard-attention.json",
    "program-honest-copy-length-2-symbols-2.json",
    "program-honest-dyck-one-layer-length-4.json",
    "program-honest-intersects-length-4.json",
    "program-honest-registers.json",
    "program-honest-every-position.json",
    "program-honest-associative-recall-recurrent-length-2.json",
]
AUTOMATON = "program-honest-automaton.json"
LOOKUP = "program-honest-lookup-fixed-point.json"
TESTED = "program-honest-what-the-lie-weights-need-not-fit-their-format-was-ma.json"  # proven, and with tests


def read(name: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads((FOLDER / name).read_text())
    return document


@pytest.mark.parametrize("name", HONEST)
def test_programs_that_the_house_accepts_hold_with_the_same_strength(name: str) -> None:
    result = check(FOLDER / name)
    assert (result["covered"], result["holds"], result["reason"]) == (True, True, "")
    assert result["strength"] == INDEX[name]["strength"]


def test_witnesses_that_the_house_accepts_hold() -> None:
    honest = [entry["file"] for entry in INDEX.values() if entry["kind"] in ENUMERATED and entry["holds"]]
    assert len(honest) >= 20
    assert {name for name in honest if check(FOLDER / name)["holds"] is not True} == set()


def test_of_the_lies_about_witnesses_only_those_in_fields_that_are_named_unjudged_pass() -> None:
    lies = [entry["file"] for entry in INDEX.values() if entry["kind"] in ENUMERATED and not entry["holds"]]
    results = [check(FOLDER / name) for name in lies]
    assert sum(result["holds"] is False for result in results) >= 130
    assert [result["file"] for result in results if result["holds"] and not result["unjudged"]] == []


def flipped(document: dict[str, Any], tensor: str) -> None:
    """Another weight, under its own hash."""
    raw = bytearray(base64.b64decode(document["weights"]["base64"]))
    (length,) = struct.unpack("<Q", raw[:8])
    at = 8 + length + json.loads(raw[8 : 8 + length])[tensor]["data_offsets"][0]
    (old,) = struct.unpack_from("<d", raw, at)
    struct.pack_into("<d", raw, at, 0.0 if old else 1.0)
    document["weights"] = {"base64": base64.b64encode(raw).decode(), "sha256": hashlib.sha256(raw).hexdigest()}


def another_move(document: dict[str, Any]) -> None:
    moves = document["proof"]["moves"]
    moves[1][0] = moves[1][0] % (len(moves) - 1) + 1


def another_box(document: dict[str, Any]) -> None:
    document["proof"]["low"][1][0] ^= 1


def fewer_moves(document: dict[str, Any]) -> None:
    document["proof"]["moves"][1].pop()


def another_language(document: dict[str, Any]) -> None:
    document["claim"]["parameters"]["language"] = "(ab|b)*"


@pytest.mark.parametrize(
    "change",
    [another_move, another_box, fewer_moves, another_language, lambda document: flipped(document, "layers.0.mixer.back")],
    ids=["move", "box", "missing move", "language", "weight"],
)
def test_a_changed_simulation_is_refused(change: Callable[[dict[str, Any]], None], tmp_path: Path) -> None:
    document = read(AUTOMATON)
    assert verdict(document, tmp_path)["holds"] is True
    change(document)
    result = verdict(document, tmp_path)
    assert result["holds"] is False, result


def test_a_box_of_floats_that_the_model_leaves_does_not_hold(tmp_path: Path) -> None:
    document = read("program-honest-automaton-of-gates.json")
    proof = document["proof"]
    proof["low"][1] = [number + 3 for number in proof["low"][1]]
    proof["high"][1] = [number + 3 for number in proof["high"][1]]
    assert verdict(document, tmp_path)["holds"] is False


def test_a_changed_weight_of_a_lookup_is_refused(tmp_path: Path) -> None:
    document = read(LOOKUP)
    flipped(document, "readout.weight")
    assert verdict(document, tmp_path)["holds"] is False


@pytest.mark.parametrize(("name", "value"), [("margin", 1000.0), ("count", 7), ("decisions", "0" * 64)])
def test_a_changed_test_is_refused(name: str, value: object, tmp_path: Path) -> None:
    document = read(TESTED)
    document["tests"][0][name] = value
    assert verdict(document, tmp_path)["holds"] is False


@pytest.mark.parametrize("cites", ["bhattamishra2024 Theorem 6", "bhattamishra2024 Theorem 3"], ids=["another task", "a lower bound"])
def test_a_statement_about_something_else_is_refused(cites: str, tmp_path: Path) -> None:
    assert verdict({**read(LOOKUP), "cites": cites}, tmp_path)["holds"] is False


def test_a_document_that_was_not_sealed_again_is_refused(tmp_path: Path) -> None:
    document = read(LOOKUP)
    path = tmp_path / "document.json"
    path.write_text(json.dumps({**document, "construction": "another"}))
    assert check(path)["holds"] is False


def test_a_kind_that_is_not_covered_has_no_verdict() -> None:
    result = check(FOLDER / "cases-honest-the-author-s-cases.json")
    assert (result["covered"], result["holds"]) == (False, None)


def test_the_command_prints_one_document_and_its_exit_code_is_the_verdict(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(FOLDER / AUTOMATON)]) == 0
    (result,) = json.loads(capsys.readouterr().out)["results"]
    assert (result["holds"], result["strength"]) == (True, "proven")
    assert main([str(FOLDER / "program-any-digest-will-do.json")]) == 1


def test_a_ball_around_zero_keeps_its_radius_through_a_linear_map() -> None:
    numbers: Any = arithmetic("float64")
    (found,) = numbers.linear([arb(0, 1), arb(2)], [[(0, arb(3)), (1, arb(1))]])
    assert all(found.contains(value) for value in (-1, 5))


def test_roundings_that_say_nothing_are_not_covered() -> None:
    numbers: Any = arithmetic("float64")
    with pytest.raises(Uncovered):
        numbers.softmax([arb(0), arb(2) ** 60])
    with pytest.raises(Uncovered):
        numbers.off(arb(1), 1 << 53)


def test_nothing_of_the_package_is_imported() -> None:
    sources = (Path(__file__).parents[2] / "recheck").glob("*.py")
    assert [path.name for path in sources if "import separatrix" in (text := path.read_text()) or "from separatrix" in text] == []
