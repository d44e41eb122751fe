"""Copying, built twice: by one head that looks N places back, and by registers that hold every symbol."""

from __future__ import annotations

import pytest

from separatrix.certificates.verify import trial, verify
from separatrix.checker import check_text
from separatrix.constructions import build
from separatrix.errors import BadInput
from separatrix.tasks.copying import Copy

FAMILIES = [{"kind": kind, "seed": 3, "count": 40} for kind in ("random", "two-symbols", "lone-symbol")]


@pytest.mark.parametrize("name", ["copy", "copy/recurrent"])
def test_every_word_of_three_symbols_is_copied_and_the_certificate_holds(name: str) -> None:
    certificate = verify(build(name, length=3, symbols=3))
    verdict = check_text(certificate.to_json())
    assert (verdict.holds, verdict.strength) == (True, "proven"), verdict.reason
    assert verdict.claim.startswith("copying, N = 3, 3 symbols: right on every input, by at least 1.99999; one layer")


@pytest.mark.parametrize(("address", "width"), [("binary", 6 + 2 * 6), ("quadratic", 6 + 2 * 2)])
def test_the_width_is_a_code_and_two_addresses_of_2n_places(address: str, width: int) -> None:
    built = build("copy", length=32, address=address)  # 64 symbols: 6 bits; 64 places: 6 digits, or (i, i^2)
    assert (built.sizes()["layers"], built.sizes()["heads"], built.sizes()["width"]) == (1, 1, width)
    assert built.model.causal
    assert trial(built, FAMILIES).holds


def test_a_blunter_head_reads_other_places() -> None:
    built = build("copy", length=32)
    built.heads().query.data.mul_(0.2)
    assert not trial(built, FAMILIES).holds


def test_the_registers_hold_all_symbols_and_nothing_else() -> None:
    built = build("copy/recurrent", length=20, symbols=4)
    assert built.sizes()["state_bits"] == 2 * 20
    assert trial(built, FAMILIES).holds
    task = Copy(20, 4)
    assert task.answer(task.sample(0, 1).row(0)) == task.second(task.sample(0, 1).row(0))


def test_a_format_that_cannot_hold_it_is_refused() -> None:
    with pytest.raises(BadInput):
        build("copy", length=32, address="quadratic", arithmetic="fixed:8,4")
