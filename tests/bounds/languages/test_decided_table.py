from __future__ import annotations

import json

from separatrix.bounds.languages.decided_table import counts, decided
from separatrix.checker import check_document


def test_the_languages_of_at_most_two_states() -> None:
    found, lines = counts(decided(2))
    assert found["languages"] == 26
    assert found["built by mamba"] == 12
    assert found["impossible for monotone stacks"] == 14
    assert found["open for mamba"] == 0
    certificates = [json.loads(json.dumps(line["certificate"])) for line in lines if "certificate" in line]
    assert all(check_document(certificate).holds for certificate in certificates)
    assert all((line["mamba"] is None) == ("certificate" in line) for line in lines)
