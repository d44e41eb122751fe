"""Theorem cards: one for each statement and construction, whatever the certificates are."""

from __future__ import annotations

from pathlib import Path

import pytest

from separatrix.atlas.found import find_certificates
from separatrix.atlas.page import Section
from separatrix.atlas.theorems import Entry, theorems
from separatrix.papers import statement


@pytest.fixture(scope="module")
def section(certificates: Path) -> Section:
    return theorems(*find_certificates(certificates))


def entries(section: Section) -> dict[str, Entry]:
    return {entry.certificate.file: entry for card in section.content["cards"] for entry in card.entries}


def test_certificates_of_one_statement_share_a_card_and_strangers_come_last(section: Section) -> None:
    lookup, fooling = section.content["cards"]
    assert (lookup.title, lookup.cites, len(lookup.entries)) == ("Index lookup", "bhattamishra2024 Theorem 1", 5)
    assert lookup.says == statement("bhattamishra2024 Theorem 1").says
    assert (fooling.title, fooling.cites, fooling.says, fooling.bound, fooling.demonstration) == ("Fooling set", "", "", None, None)


def test_the_bound_beside_index_lookup_is_the_recurrent_one(section: Section) -> None:
    bound = section.content["cards"][0].bound
    assert bound is not None
    assert (bound.task, bound.cites) == ("index-lookup", "bhattamishra2024 Theorem 3")


def test_sizes_and_evidence_are_those_of_the_certificate(section: Section) -> None:
    entry = entries(section)["index-lookup-binary.json"]
    sizes = entry.certificate.document["sizes"]
    assert entry.shape == ("1 layer", "1 head", "width 18")  # by hand: 6 bits of the symbol, twice 6 of the address
    assert entry.bits == (
        (64, "per number"),
        (sizes["parameter_bits"], "stored"),
        (sizes["representation_bits"], "with positions"),
    )
    assert entry.evidence[0][0] == "proven"
    assert entry.evidence[0][1].startswith("least attention weight on p, over every p: 0.75")
    assert ("tested", "20 random inputs") in entry.evidence
    assert dict(entry.settings) == {"length": 64, "symbols": 64, "address": "binary", "arithmetic": "float64"}


def test_all_inputs_of_a_small_size_are_exhaustive_evidence(section: Section) -> None:
    entry = entries(section)["index-lookup-all.json"]
    assert ("exhaustive", "324 all inputs") in entry.evidence  # 3^4 strings, 4 places each


def test_the_verdict_is_holds_refuted_or_edited(section: Section) -> None:
    verdicts = {file: entry.verdict for file, entry in entries(section).items()}
    assert verdicts == {
        "index-lookup-all.json": "holds",
        "index-lookup-binary.json": "holds",
        "index-lookup-quadratic.json": "holds",
        "fooling.json": "holds",
        "edited.json": "edited",
        "refuted.json": "refuted",
    }


def test_every_certificate_is_copied_word_for_word(section: Section, certificates: Path) -> None:
    for file in entries(section):
        assert section.files[f"certificates/{file}"] == (certificates / file).read_bytes()
    assert len(section.files) == 6
