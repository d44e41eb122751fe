"""Certificates in a folder: what is one, what is none, and what its seal says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from separatrix.atlas.reading.certificates import CertificateFile, RefusedFile, find_certificates, read_certificate, weights_beside
from separatrix.errors import BadInput


def test_a_folder_is_split_into_accepted_certificates_by_length_and_refused_files(certificates: Path) -> None:
    accepted, refused = find_certificates(certificates)
    assert [one.file for one in accepted] == [
        "fooling.json",
        "index-lookup-all.json",
        "equality.json",
        "<i>named&.json",
        "index-lookup-binary.json",
        "index-lookup-quadratic.json",
    ]
    reasons = {one.file: one.reason for one in refused}
    assert set(reasons) == {"broken.json", "edited.json", "hostile.json", "refuted.json", "rows.json"}
    assert reasons["broken.json"].startswith("not a JSON document")
    assert reasons["rows.json"] == "unknown schema None: expected 'separatrix/certificate'"
    assert "was edited" in reasons["edited.json"]
    assert "sizes.width" in reasons["refuted.json"]
    strengths = {one.file: one.verdict.strength for one in accepted}
    assert (strengths["index-lookup-binary.json"], strengths["index-lookup-all.json"]) == ("proven", "proven")


def test_a_certificate_tells_what_it_is_about(certificates: Path) -> None:
    certificate = read_certificate(certificates / "index-lookup-quadratic.json")
    assert isinstance(certificate, CertificateFile)
    assert (certificate.cites, certificate.subject, certificate.task, certificate.length) == (
        "bhattamishra2024 Theorem 1",
        "index-lookup",
        "index-lookup",
        100,
    )
    assert next(iter(certificate.settings.items())) == ("length", 100)
    assert certificate.settings["arithmetic"] == "float64"
    assert certificate.digest == json.loads((certificates / "index-lookup-quadratic.json").read_text())["digest"]


def test_a_certificate_of_another_kind_goes_by_its_kind(certificates: Path) -> None:
    certificate = read_certificate(certificates / "fooling.json")
    assert isinstance(certificate, CertificateFile)
    assert (certificate.cites, certificate.subject, certificate.task, certificate.length) == (
        "bhattamishra2024 Fact 4",
        "fooling-set",
        "equality",
        4,
    )


def test_weights_beside_a_certificate_are_read_and_no_path_leads_out_of_the_folder(tmp_path: Path) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()
    (tmp_path / "secret").write_bytes(b"secret")
    (inside / "w.safetensors").write_bytes(b"weights")
    for name, expected in {"w.safetensors": ((("w.safetensors", b"weights")),), "../secret": (), "missing": ()}.items():
        assert weights_beside(inside / "one.json", {"weights": {"file": name}}) == expected


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"\xff\xfe", "not UTF-8 text"),
        (b"[]", "expected a JSON object"),
        (b'{"a": 1, "a": 2}', "the key 'a' is repeated"),
        (b'{"schema": NaN}', "NaN is not a number"),
    ],
)
def test_a_file_that_is_no_document_is_named_with_its_reason(tmp_path: Path, content: bytes, reason: str) -> None:
    (tmp_path / "one.json").write_bytes(content)
    refused = read_certificate(tmp_path / "one.json")
    assert isinstance(refused, RefusedFile)
    assert reason in refused.reason


def test_a_folder_named_like_a_certificate_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "one.json").mkdir()
    refused = read_certificate(tmp_path / "one.json")
    assert isinstance(refused, RefusedFile)
    assert "Is a directory" in refused.reason


def test_a_missing_folder_is_refused_with_the_command_that_makes_one(tmp_path: Path) -> None:
    with pytest.raises(BadInput) as refusal:
        find_certificates(tmp_path / "nowhere")
    assert str(refusal.value) == (
        f"no folder of certificates at {str(tmp_path / 'nowhere')!r}: `separatrix verify --all --out build/` writes build/certificates"
    )


def test_each_file_is_announced_before_it_is_checked(tmp_path: Path) -> None:
    for name in ("b.json", "a.json", "notes.txt"):
        (tmp_path / name).write_text("{}")
    told: list[str] = []
    accepted, refused = find_certificates(tmp_path, told.append)
    assert told == ["checking certificate 1 of 2: a.json", "checking certificate 2 of 2: b.json"]
    assert (accepted, [one.file for one in refused]) == ((), ["a.json", "b.json"])
