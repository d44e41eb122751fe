"""The checker accepts what is true, and refuses every edit and every false claim, whoever sealed it."""

from __future__ import annotations

import copy
import json
import math
import random
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import separatrix.checker
from separatrix.certificates.verify import verify
from separatrix.checker import KINDS, Verdict, check_document, check_file, check_text, sealed
from separatrix.constructions import build
from tests.checker.kinds.forgery import at, edited, fuzzed, leaves, objects
from tests.checker.kinds.programs import HONEST, honest

ARITHMETICS = ["float32", "fixed:9,3", "nearest:27", "float:5,10", "float:8,7"]
FREE = {"construction", "cites", "program", "tokens", "cases", "task"}  # whose change may state another claim, and a true one


@pytest.mark.parametrize("name", HONEST)
def test_an_honest_certificate_is_accepted_with_a_sentence_and_a_strength(name: str) -> None:
    verdict = check_text(json.dumps(honest(name)))
    assert verdict.holds, verdict.reason
    assert verdict.readable
    assert verdict.strength == honest(name)["strength"]
    assert len(verdict.claim) > 40
    assert all({"kind", "text"} <= set(entry) for entry in verdict.evidence)


@pytest.mark.parametrize("arithmetic", ARITHMETICS)
def test_an_honest_certificate_is_accepted_in_every_arithmetic(arithmetic: str) -> None:
    certificate = verify(build("index-lookup", length=3, symbols=2, arithmetic=arithmetic))
    verdict = check_text(certificate.to_json())
    assert verdict.holds, verdict.reason
    assert verdict.strength == "proven"
    assert re.fullmatch(r"index lookup, N = 3, 2 symbols: right on every input, by at least (2|1\.9\d*); one layer, one head, width 5, "
                        + re.escape(arithmetic), verdict.claim)  # fmt: skip


def other(value: Any) -> list[Any]:
    """Different values of the same type, and of another."""
    if isinstance(value, bool):
        return [not value, int(value)]
    if isinstance(value, int):
        return [value + 1, value - 1, float(value), str(value)]
    if isinstance(value, float):
        return [value + 1, value / 2 + 100, str(value), float("1e300")]
    return [f"x{value}", value[:-1], None] if isinstance(value, str) and value else ["x", 0]


def weaker(path: tuple[Any, ...], old: Any, new: Any) -> bool:
    """A claim of 'at least so much' may be lowered, and a margin is half of what was measured, or a quarter."""
    return path[-1] in ("margin", "weight") and type(new) in (int, float) and 0 <= new <= 4 * old


def another_level(document: dict[str, Any], path: tuple[Any, ...], new: Any, sentence: str) -> bool:
    """Of a cross-entropy: more where the claim is 'at most', less where it is 'at least', or another N, which the sentence then names."""
    if document["kind"] != "cross-entropy":
        return False
    if path == ("excess",):
        return type(new) in (int, float) and bool(
            new >= document["excess"] if document["bound"] == "at-most" else 0 < new <= document["excess"]
        )
    return path[-1] == "length" and re.search(rf"(N = |\.\.){new}\b", sentence) is not None


@pytest.mark.parametrize("name", HONEST)
def test_every_edit_that_is_not_resealed_is_refused(name: str) -> None:
    document, refused = honest(name), 0
    for path in leaves(document):
        if path[0] == "cases" and path[1] > 3:
            continue
        for value in other(at(document, path))[:2]:
            verdict = check_document(edited(document, path, value))
            assert not verdict.holds, path
            refused += 1
    assert refused > 40


@pytest.mark.parametrize("name", [name for name in HONEST if name != "everywhere"])  # whose every check takes a second
def test_every_derived_field_is_derived_again(name: str) -> None:
    document, refused, elsewhere = honest(name), 0, 0
    for path in leaves(document):
        if path == ("digest",) or (path[0] == "cases" and path[1] > 2):
            continue
        for value in other(at(document, path)):
            verdict = check_document(sealed(edited(document, path, value)))
            true_too = path[0] in FREE or weaker(path, at(document, path), value) or another_level(document, path, value, verdict.claim)
            assert not verdict.holds or true_too, (path, value)
            assert (verdict.claim == "") == (not verdict.holds)
            refused += not verdict.holds
            elsewhere += verdict.holds
    assert refused > 60
    assert elsewhere < refused / 3


@pytest.mark.parametrize("name", HONEST)
def test_an_unknown_key_is_refused_in_every_object(name: str) -> None:
    document = honest(name)
    for path in objects(document):
        if path[:2] == ("claim", "parameters") or (path and path[0] == "cases" and path[1] > 2):
            continue
        whole = at(document, path) if path else document
        forged = sealed({**document, "note": 1}) if not path else sealed(edited(document, path, {**whole, "note": 1}))
        verdict = check_document(forged)
        assert not verdict.holds, path
        assert "note" in verdict.reason, (path, verdict.reason)


@pytest.mark.parametrize("name", HONEST)
def test_missing_and_emptied_fields_are_refused(name: str) -> None:
    document = honest(name)
    for key in document:
        if key not in ("digest", "schema", "version", "kind"):
            verdict = check_document(sealed({k: v for k, v in document.items() if k != key}))
            assert f"missing field {key!r}" in verdict.reason
        if isinstance(document[key], list | dict) and key != "lemmas" and not (key == "tests" and document["strength"] == "proven"):
            assert not check_document(sealed({**document, key: type(document[key])()})).holds, key


def test_repeated_keys_are_refused() -> None:
    text = json.dumps(honest("lookup"))
    verdict = check_text(text[:-1] + ', "strength": "proven"}')
    assert (verdict.holds, verdict.reason) == (False, "the key 'strength' is repeated")


def test_a_document_of_version_1_is_refused_in_one_line() -> None:
    for version in (1, 1.0):
        verdict = check_document(sealed({**honest("lookup"), "version": version}))
        assert (verdict.holds, verdict.readable) == (False, False)
    assert check_document(sealed({**honest("lookup"), "version": 1})).reason == (
        "a certificate of version 1 is no longer read: write it again with `separatrix verify`"
    )


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "3", "null", '{"schema": "other"}', '{"schema": "separatrix/certificate", "version": 99}',
     '{"schema": "separatrix/certificate", "version": true}', "\x00"],
)  # fmt: skip
def test_what_is_no_certificate_is_unreadable(text: str) -> None:
    verdict = check_text(text)
    assert (verdict.holds, verdict.readable, verdict.claim, verdict.strength) == (False, False, "", "")


def nested(depth: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize("value", [math.inf, -math.inf, math.nan, {1, 2}, b"x", {1: 0, "1": 0}, "\ud800", nested(100_000)])
def test_a_document_that_json_does_not_have_is_unreadable(value: Any) -> None:
    document = copy.deepcopy(honest("lookup"))
    document["claim"]["parameters"]["note"] = value
    verdict = check_document(document)
    assert not verdict.holds
    assert not verdict.readable
    assert verdict.reason.startswith(("not a JSON document: ", "nested too deeply"))


@pytest.mark.parametrize("kind", ["construction", "tested-cases", "", None, 7, ["program"], "../program"])
def test_an_unknown_kind_is_refused(kind: Any) -> None:
    verdict = check_document(sealed({**honest("lookup"), "kind": kind}))
    assert not verdict.holds
    assert verdict.reason.startswith("unknown kind of certificate")


def test_there_is_a_judge_for_every_kind_of_the_page() -> None:
    page = (Path(__file__).parents[2] / "docs" / "certificates.md").read_text()
    for kind in KINDS:
        assert f"| `{kind}` |" in page


def test_a_truncated_certificate_is_unreadable() -> None:
    text = json.dumps(honest("lookup"))
    for cut in random.Random(0).sample(range(len(text)), 30):
        assert not check_text(text[:cut]).readable


@pytest.mark.parametrize("name", ["lookup", "cases", "counterexample", "collision"])
def test_fuzzed_texts_neither_crash_nor_pass(name: str) -> None:
    for text in fuzzed(json.dumps(honest(name)), name, 500):
        assert not check_text(text).holds


JUNK: list[Any] = [None, -1, 0, 10**30, 1.5, "", "x", [], {}, [[]], {"a": 1}, True, -(10**18), "\ud800", 10**4000, [None], 1e308]


@pytest.mark.parametrize("name", ["lookup", "exact", "registers", "cases", "counterexample", "collision"])
def test_garbage_under_a_fresh_seal_neither_crashes_nor_passes(name: str) -> None:
    document, rng = honest(name), random.Random(name)
    met = 0
    for _ in range(250):
        path: tuple[Any, ...] = ()
        value: Any = document
        while isinstance(value, dict | list) and value and (not path or rng.random() < 0.85):
            path = (*path, rng.choice(list(value)) if isinstance(value, dict) else rng.randrange(len(value)))
            value = at(document, path)
        junk = rng.choice(JUNK)
        if path[0] == "digest" or path == ("lemmas",) or (type(junk) is type(value) and junk == value):
            continue
        try:
            forged = sealed(edited(document, path, junk))
        except (UnicodeEncodeError, ValueError):
            continue
        verdict = check_document(forged)
        assert not verdict.holds or path[0] in FREE or weaker(path, value, junk), (path, junk)
        assert "malformed content" not in verdict.reason, (path, junk, verdict.reason)  # every refusal was thought of
        met += 1
    assert met > 150


def test_larger_weights_lie_beside_the_certificate(tmp_path: Path) -> None:
    certificate = verify(build("index-lookup", length=300, address="one-hot"))
    certificate.write(tmp_path / "c.json")
    verdict = check_file(tmp_path / "c.json")
    assert verdict.holds, verdict.reason
    beside = tmp_path / certificate.document["weights"]["file"]
    raw = beside.read_bytes()
    beside.write_bytes(raw[:-1] + bytes([raw[-1] ^ 1]))
    assert check_file(tmp_path / "c.json").reason == "weights: the hash does not match the bytes"
    beside.unlink()
    assert not check_file(tmp_path / "c.json").readable
    assert "beside the certificate" in check_document(certificate.document).reason


def test_whatever_goes_wrong_inside_is_a_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> None:
        raise KeyError("nobody thought of this\nin two lines")

    monkeypatch.setattr(separatrix.checker, "digest_of_json", broken)
    assert check_document(honest("lookup")) == Verdict(False, True, r"malformed content: KeyError: 'nobody thought of this\nin two lines'")


def test_the_checker_runs_without_torch_and_without_the_other_rooms(tmp_path: Path) -> None:
    (tmp_path / "c.json").write_text(json.dumps(honest("lookup")))
    code = """
import sys
allowed = ("separatrix", "separatrix.checker")
class Block:
    def find_spec(self, name, path=None, target=None):
        room = name.split(".")[:2]
        if room[0] in ("torch", "safetensors", "click", "rich", "numba") or (room[0] == "separatrix" and ".".join(room) not in allowed):
            raise ImportError(f"{name} is blocked")
sys.meta_path.insert(0, Block())
from separatrix.checker import check_file
verdict = check_file(sys.argv[1])
print(verdict.holds, verdict.reason)
"""
    run = subprocess.run([sys.executable, "-c", code, str(tmp_path / "c.json")], capture_output=True, text=True, check=True)
    assert run.stdout == "True every derived field was recomputed and agrees\n"
