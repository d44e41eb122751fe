"""A stored verdict speaks of the bytes it was reached on, and of nothing else; certificates are made once."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from separatrix.certificates.certificate import Certificate
from separatrix.certificates.verify import verify
from separatrix.checker import Verdict, canonical, check_file, sealed
from separatrix.constructions import build
from separatrix.records import record, verdicts, verified
from separatrix.records.verdicts import judge

SIZES: dict[str, Any] = {"length": 4, "symbols": 3}


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))


@pytest.fixture(scope="module")
def certificate() -> Certificate:
    return verify(build("index-lookup", **SIZES))


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that the checker really ran on."""
    seen: list[str] = []

    def counted(path: Path) -> Verdict:
        seen.append(path.name)
        return check_file(path)

    monkeypatch.setattr(verdicts, "check_file", counted)
    return seen


def test_a_verdict_is_reached_once_for_the_same_bytes_under_any_name(tmp_path: Path, certificate: Certificate, runs: list[str]) -> None:
    store = tmp_path / "verdicts"
    certificate.write(tmp_path / "one.json")
    certificate.write(tmp_path / "two.json")
    first, reused = judge(tmp_path / "one.json", store)
    assert (first.holds, first.strength, reused) == (True, "proven", False)
    assert judge(tmp_path / "one.json", store) == (first, True)
    assert judge(tmp_path / "two.json", store) == (first, True)
    assert judge(tmp_path / "two.json", None) == (first, False)
    assert runs == ["one.json", "two.json"]


def test_an_edited_certificate_is_judged_and_refused_every_time(tmp_path: Path, certificate: Certificate, runs: list[str]) -> None:
    path, store = tmp_path / "one.json", tmp_path / "verdicts"
    certificate.write(path)
    judge(path, store)
    path.write_text(canonical(narrower(certificate)))
    for _ in range(2):
        verdict, reused = judge(path, store)
        assert (verdict.holds, verdict.reason, reused) == (False, check_file(path).reason, False)
    assert len(runs) == 3


def narrower(certificate: Certificate) -> dict[str, Any]:
    """A false claim, sealed."""
    return sealed({**certificate.document, "sizes": {**certificate.document["sizes"], "width": 1}})


def test_weights_beside_a_certificate_are_part_of_what_was_judged(tmp_path: Path, certificate: Certificate) -> None:
    document = json.loads(certificate.to_json())
    weights = tmp_path / "w.safetensors"
    weights.write_bytes(base64.b64decode(document["weights"].pop("base64")))
    document["weights"]["file"] = weights.name
    path, store = tmp_path / "one.json", tmp_path / "verdicts"
    path.write_text(canonical(sealed(document)))
    assert judge(path, store)[0].holds
    assert judge(path, store)[1]
    content = bytearray(weights.read_bytes())
    content[-1] ^= 1
    weights.write_bytes(bytes(content))
    verdict, reused = judge(path, store)
    assert (verdict.holds, reused) == (False, False)
    weights.unlink()
    verdict, reused = judge(path, store)
    assert (verdict.holds, reused) == (False, False)


def test_another_checker_judges_again(tmp_path: Path, certificate: Certificate, runs: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    certificate.write(tmp_path / "one.json")
    judge(tmp_path / "one.json", tmp_path / "verdicts")
    monkeypatch.setattr(verdicts, "checker_version", lambda: "another")
    assert judge(tmp_path / "one.json", tmp_path / "verdicts")[1] is False
    assert len(runs) == 2


def test_a_verdict_that_was_edited_or_came_with_the_folder_is_not_believed(
    tmp_path: Path, certificate: Certificate, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path, store = tmp_path / "one.json", tmp_path / "verdicts"
    path.write_text(canonical(narrower(certificate)))
    certificate.write(tmp_path / "good.json")
    judge(tmp_path / "good.json", store)
    (stored,) = store.iterdir()
    forged = json.loads(stored.read_text())
    forged["bytes"] = verdicts.bound_to(path)
    verdicts.place_of(forged["bytes"], store).write_text(json.dumps(forged))
    assert not judge(path, store)[0].holds
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("another")))
    assert judge(tmp_path / "good.json", store)[1] is False  # a folder from somewhere else


def name_of(certificate: Certificate) -> str:
    return str(certificate.document["digest"])[:8]


def test_a_construction_is_verified_once_and_again_when_anything_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = verified.verified("index-lookup", SIZES, tmp_path, name_of)
    assert (first.reused, first.holds, first.verdict.strength) == (False, True, "proven")
    again = verified.verified("index-lookup", SIZES, tmp_path, name_of)
    assert again == verified.Verified(first.path, True, first.verdict, first.unproven, True)
    assert again.document == json.loads(first.path.read_text())
    assert not verified.verified("index-lookup", SIZES, tmp_path, name_of, fresh=True).reused
    assert not verified.verified("index-lookup", {**SIZES, "length": 5}, tmp_path, name_of).reused
    monkeypatch.setattr(verified, "code_version", lambda: "another")
    assert not verified.verified("index-lookup", SIZES, tmp_path, name_of).reused


def test_a_certificate_that_was_edited_or_deleted_is_made_again(tmp_path: Path) -> None:
    first = verified.verified("index-lookup", SIZES, tmp_path, name_of)
    sound = first.path.read_bytes()
    for spoil in (lambda: first.path.write_bytes(sound.replace(b"proven", b"tested")), first.path.unlink):
        spoil()
        again = verified.verified("index-lookup", SIZES, tmp_path, name_of)
        assert (again.reused, again.verdict.holds) == (False, True)
        assert first.path.read_bytes() == sound


def test_a_certificate_of_earlier_code_gives_way_unless_somebody_touched_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = tmp_path / "certificates" / "theirs.json"
    first = verified.verified("index-lookup", SIZES, tmp_path, lambda _: "first")
    other.write_text("{}")
    monkeypatch.setattr(verified, "code_version", lambda: "second")
    second = verified.verified("index-lookup", SIZES, tmp_path, lambda _: "second")
    assert sorted(path.name for path in other.parent.iterdir()) == ["second.json", "theirs.json"]
    second.path.write_text(second.path.read_text() + " ")
    monkeypatch.setattr(verified, "code_version", lambda: "third")
    verified.verified("index-lookup", SIZES, tmp_path, lambda _: "third")
    assert sorted(path.name for path in other.parent.iterdir()) == ["second.json", "theirs.json", "third.json"]
    assert not first.path.exists()


def test_data_beside_the_code_are_part_of_its_digest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "separatrix"
    for name in ("tasks/one.py", "studies/data/rows.jsonl", "papers/one.toml", "atlas/page.py", "cli/verify.py", "bits.py"):
        (package / name).parent.mkdir(parents=True, exist_ok=True)
        (package / name).write_text("1")
    monkeypatch.setattr(record, "files", lambda _: package)

    def digest() -> str:
        record.code_digest.cache_clear()
        record.package_digest.cache_clear()
        return record.code_digest()

    try:
        seen = {digest()}
        for name in ("tasks/one.py", "studies/data/rows.jsonl", "papers/one.toml", "bits.py"):
            (package / name).write_text("2")
            assert digest() not in seen, name
            seen.add(digest())
        for name in ("atlas/page.py", "cli/verify.py"):  # these only display
            (package / name).write_text("2")
            assert digest() in seen, name
    finally:
        record.code_digest.cache_clear()
        record.package_digest.cache_clear()
