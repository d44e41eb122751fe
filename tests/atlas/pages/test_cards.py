"""Theorem cards: one for each statement and construction, whatever the certificates are."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from separatrix.atlas.pages.cards import Card, CertificateLine, cards, check_line, entry
from separatrix.atlas.pages.theorems import theorems
from separatrix.atlas.reading.certificates import CertificateFile, find_certificates
from separatrix.atlas.reading.material import Material, Records
from separatrix.certificates.verify import verify
from separatrix.checker import Verdict
from separatrix.constructions import build
from separatrix.papers import statement


@pytest.fixture(scope="module")
def shown_cards(certificates: Path, records: Records) -> list[Card]:
    return cards(Material(*find_certificates(certificates), (), records))


@pytest.fixture(scope="module")
def entries(shown_cards: list[Card]) -> dict[str, CertificateLine]:
    return {entry.certificate.file: entry for card in shown_cards for entry in card.entries}


def test_certificates_of_one_statement_share_a_card_and_strangers_come_last(shown_cards: list[Card]) -> None:
    stranger, lookup, equality, fooling = shown_cards
    assert (stranger.cites, len(stranger.entries), stranger.demonstration) == (lookup.cites, 1, None)  # a name that we do not know
    assert (lookup.title, lookup.cites, len(lookup.entries)) == ("Index lookup", "bhattamishra2024 Theorem 1", 3)
    assert (equality.title, equality.cites, len(equality.entries)) == ("Equality", "bhattamishra2024 Theorem 6", 1)
    assert lookup.says == statement("bhattamishra2024 Theorem 1").says
    assert (fooling.title, fooling.cites, fooling.demonstration) == ("Fooling set", "bhattamishra2024 Fact 4", None)


def test_the_bound_beside_index_lookup_is_the_recurrent_one(shown_cards: list[Card]) -> None:
    bound = shown_cards[0].bound
    assert bound is not None
    assert (bound.formula, bound.cites) == ("ceil(N log2 s) bits", "bhattamishra2024 Theorem 3")


def test_sizes_and_evidence_are_those_of_the_certificate(entries: dict[str, CertificateLine]) -> None:
    found = entries["index-lookup-binary.json"]
    sizes = found.certificate.document["sizes"]
    assert found.shape == ("1 layer", "1 head", "width 18")  # by hand: 6 bits of the symbol, twice 6 of the address
    assert found.bits == (
        (64, "per number"),
        (sizes["parameter_bits"], "stored"),
        (sizes["representation_bits"], "with positions"),
    )
    proof = next(text for tag, text in found.evidence if tag == "proof")
    assert proof.startswith("by the rule lookup the right answer leads by at least 1.99")
    assert found.margin == pytest.approx(2, abs=1e-3)
    assert dict(found.settings) == {"length": 64, "symbols": 64, "arithmetic": "float64"}
    assert (found.strength, found.claim) == ("proven", found.certificate.verdict.claim)


def test_several_layers_and_heads_are_counted_in_the_plural(entries: dict[str, CertificateLine]) -> None:
    assert entries["equality.json"].shape[:2] == ("2 layers", "2 heads")


def test_a_proven_bound_is_shown_with_its_value(entries: dict[str, CertificateLine]) -> None:
    (lemma,) = [text for tag, text in entries["index-lookup-binary.json"].evidence if tag == "lemma"]
    assert "at least 0.75 of its weight, for every place" in lemma


def test_all_inputs_of_a_small_size_are_exhaustive_evidence(tmp_path: Path) -> None:
    verify(build("parity/soft-attention", length=6)).write(tmp_path / "parity.json")
    ((certificate,), _) = find_certificates(tmp_path)
    assert [text for tag, text in entry(certificate).evidence if tag == "exhaustive"] == ["all 64 inputs"]


def test_a_card_has_only_what_the_checker_accepts(entries: dict[str, CertificateLine]) -> None:
    assert set(entries) == {
        "index-lookup-all.json",
        "index-lookup-binary.json",
        "index-lookup-quadratic.json",
        "equality.json",
        "fooling.json",
        "<i>named&.json",
    }


def test_a_file_name_with_a_blank_is_quoted_in_the_line_that_checks_it(certificates: Path, records: Records, tmp_path: Path) -> None:
    (tmp_path / "my own.json").write_bytes((certificates / "fooling.json").read_bytes())
    (one,) = cards(Material(*find_certificates(tmp_path), (), records))
    assert one.entries[0].check == "separatrix check 'certificates/my own.json.gz'"


def test_weights_beside_a_certificate_are_unpacked_before_it_is_checked() -> None:
    one = CertificateFile("my own.json", b"", {}, Verdict(True, True, ""), (("w.safetensors", b"weights"),))
    unpack = "gunzip -kf certificates/w.safetensors.gz"
    assert check_line(one) == f"{unpack} && separatrix check 'certificates/my own.json.gz'"
    section = theorems([], (one,), ())
    assert gzip.decompress(section.files["certificates/w.safetensors.gz"]) == b"weights"
    assert set(section.files) == {"certificates/w.safetensors.gz", "certificates/my own.json.gz"}
