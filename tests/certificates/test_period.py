from __future__ import annotations

import pytest

from separatrix.certificates.period import MonotoneStack, period_certificate
from separatrix.checker import check_document
from separatrix.tasks.languages.gallery import GALLERY
from separatrix.tasks.languages.periods import blocks_until_still, period


@pytest.mark.parametrize("name", [name for name in GALLERY if period(GALLERY[name].automaton()) is not None and name != "s5"])
def test_every_language_of_the_gallery_that_counts_has_a_certificate(name: str) -> None:
    automaton = GALLERY[name].automaton()
    witness = period(automaton)
    assert witness is not None
    stack = MonotoneStack(2, "float32", (4, 4))
    document = period_certificate(automaton, (witness.x, witness.u, witness.y), witness.p, stack)
    verdict = check_document(document)
    assert verdict.holds, verdict.reason
    assert verdict.strength == "proven"
    assert document["blocks"] == blocks_until_still(2, 2**32, len(witness.u), (4, 4))


def test_a_stack_without_windows_sees_one_token() -> None:
    assert MonotoneStack(2, 5).document == {"layers": 2, "numbers": 5, "windows": [1, 1]}
    assert MonotoneStack(2, 5).blocks(1) == 8
