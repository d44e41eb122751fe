"""Certificates in a folder: what is one, what is none, and what its seal says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from separatrix.atlas.found import Found, Unread, find_certificates, read_certificate
from separatrix.checker import canonical, sealed
from separatrix.errors import BadInput


def test_a_folder_is_split_into_certificates_by_length_and_files_that_are_none(certificates: Path) -> None:
    found, unread = find_certificates(certificates)
    assert [one.file for one in found] == [
        "fooling.json",
        "index-lookup-all.json",
        "equality.json",
        "edited.json",
        "index-lookup-binary.json",
        "refuted.json",
        "index-lookup-quadratic.json",
    ]
    assert [one.file for one in unread] == ["broken.json", "rows.json"]
    assert unread[0].reason.startswith("not a JSON document")
    assert unread[1].reason == "unknown schema None: expected 'separatrix/certificate'"


def test_only_what_the_checker_accepts_holds(certificates: Path) -> None:
    found = {one.file: one for one in find_certificates(certificates)[0]}
    assert found["index-lookup-binary.json"].holds
    assert (found["index-lookup-binary.json"].verdict.strength, found["index-lookup-all.json"].verdict.strength) == ("tested", "exhaustive")
    assert "was edited" in found["edited.json"].verdict.reason
    assert "sizes.width" in found["refuted.json"].verdict.reason
    assert not any(found[name].holds for name in ("edited.json", "refuted.json", "fooling.json"))


def test_what_is_refused_is_shelved_under_no_statement(certificates: Path) -> None:
    found = read_certificate(certificates / "refuted.json")
    assert isinstance(found, Found)
    assert (found.document["cites"], found.cites) == ("bhattamishra2024 Theorem 1", "")


def test_a_certificate_tells_what_it_is_about(certificates: Path) -> None:
    found = read_certificate(certificates / "index-lookup-quadratic.json")
    assert isinstance(found, Found)
    assert (found.cites, found.subject, found.task, found.length) == ("bhattamishra2024 Theorem 1", "index-lookup", "index-lookup", 100)
    assert next(iter(found.settings.items())) == ("length", 100)
    assert found.settings["arithmetic"] == "float64"
    assert found.digest == json.loads((certificates / "index-lookup-quadratic.json").read_text())["digest"]


def test_a_certificate_of_another_kind_goes_by_its_kind(certificates: Path) -> None:
    found = read_certificate(certificates / "fooling.json")
    assert isinstance(found, Found)
    assert (found.cites, found.subject, found.task, found.length) == ("", "fooling-set", "", None)


def test_weights_beside_a_certificate_are_read_and_no_path_leads_out_of_the_folder(tmp_path: Path) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()
    (tmp_path / "secret").write_bytes(b"secret")
    (inside / "w.safetensors").write_bytes(b"weights")
    for name, expected in {"w.safetensors": ((("w.safetensors", b"weights")),), "../secret": (), "missing": ()}.items():
        (inside / "one.json").write_text(canonical(sealed({"schema": "separatrix/certificate", "version": 2, "weights": {"file": name}})))
        found = read_certificate(inside / "one.json")
        assert isinstance(found, Found)
        assert found.weights == expected


@pytest.mark.parametrize(("content", "reason"), [(b"\xff\xfe", "not UTF-8 text"), (b"[]", "expected a JSON object")])
def test_a_file_that_is_no_document_is_named_with_its_reason(tmp_path: Path, content: bytes, reason: str) -> None:
    (tmp_path / "one.json").write_bytes(content)
    found = read_certificate(tmp_path / "one.json")
    assert isinstance(found, Unread)
    assert reason in found.reason


REFUSED = [(b'{"a": 1, "a": 2}', "the key 'a' is repeated"), (b'{"schema": NaN}', "NaN is not a number")]


@pytest.mark.parametrize(("content", "reason"), REFUSED)
def test_a_document_that_the_checker_refuses_at_sight_is_refused_here(tmp_path: Path, content: bytes, reason: str) -> None:
    (tmp_path / "one.json").write_bytes(content)
    found = read_certificate(tmp_path / "one.json")
    assert isinstance(found, Found)
    assert (found.holds, found.verdict.reason, found.document) == (False, reason, {})


def test_a_folder_named_like_a_certificate_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "one.json").mkdir()
    found = read_certificate(tmp_path / "one.json")
    assert isinstance(found, Unread)
    assert "not a regular file" in found.reason


def test_a_missing_folder_is_refused_with_the_command_that_makes_one(tmp_path: Path) -> None:
    with pytest.raises(BadInput) as refusal:
        find_certificates(tmp_path / "nowhere")
    assert str(refusal.value) == (
        f"no folder of certificates at {str(tmp_path / 'nowhere')!r}: `separatrix verify --all --out build/` writes build/certificates"
    )
