"""Poison: what nobody sees may be overwritten, and what is seen may not."""

from __future__ import annotations

import pytest

from separatrix.certificates.built import Built
from separatrix.checker import check_document, sealed
from separatrix.constructions import build
from separatrix.errors import BadInput
from separatrix.refuters.poison import certified, poison


@pytest.fixture(scope="module")
def sums() -> Built:
    return build("reverse-sum/sparse", length=60, block=16)


def test_of_sixty_numbers_forty_three_are_not_seen_where_the_chain_begins(sums: Built) -> None:
    """By hand: blocks end at 16, 32 and 48, and the separator, token 61, sees the last 16 tokens, from 46 on."""
    tokens = sums.task.sample(0, 1).row(0)
    found = poison(sums, tokens)
    assert found.hidden == tuple(j for j in range(1, 46) if j not in (16, 32))
    assert found.places - len(found.hidden) == 17
    assert found.bits == 17 * (4 + 64 * 38)  # an id below 11; then keys and values of two heads, 2 x (3 + 16) numbers
    verdict = check_document(certified(sums, tokens, found))
    assert verdict.holds, verdict.reason
    assert verdict.strength == "proven"
    assert "does not depend on what it holds of 43 of the 60 tokens" in verdict.claim


def test_every_place_that_is_seen_is_refused_as_hidden(sums: Built) -> None:
    tokens = sums.task.sample(0, 1).row(0)
    found = poison(sums, tokens)
    document = certified(sums, tokens, found)
    for place in (16, 32, 46, 59):
        lie = {**document, "hidden": sorted({*found.hidden, place})}
        verdict = check_document(sealed({key: value for key, value in lie.items() if key != "digest"}))
        assert not verdict.holds
        assert f"sees place {place} in layer" in verdict.reason


def test_what_sees_everything_or_carries_a_state_has_nothing_to_hide() -> None:
    with pytest.raises(BadInput, match="every one of the first 5 tokens of the input is seen"):
        poison(*of("lis/standard", 5))
    with pytest.raises(BadInput, match="a layer of linear-attention may carry anything"):
        poison(*of("lis/linear", 5))
    with pytest.raises(BadInput, match="expected a program that writes a chain"):
        poison(*of("index-lookup", 5))
    with pytest.raises(BadInput, match="poison is tried in float64"):
        poison(*of("reverse-sum/sparse", 5, block=3, arithmetic="fixed:60,24"))


def of(name: str, length: int, **chosen: object) -> tuple[Built, tuple[int, ...]]:
    built = build(name, length=length, **chosen)
    return built, built.task.sample(0, 1).row(0)
