"""1* and a^n b^n by one hard head: all words up to 12 symbols by the weights of 12."""

from __future__ import annotations

from itertools import product

import pytest
import torch

from separatrix.certificates.verify import verify
from separatrix.checker import check_text
from separatrix.constructions import build
from separatrix.errors import BadInput


@pytest.mark.parametrize("name", ["ones/hard-attention", "an-bn/hard-attention"])
@pytest.mark.parametrize("arithmetic", ["float64", "fixed:9,1"])
@torch.no_grad()
def test_all_words_up_to_twelve_symbols_are_decided(name: str, arithmetic: str) -> None:
    built = build(name, length=12, arithmetic=arithmetic)
    for n in range(13):
        words = torch.tensor([[*word, 2] for word in product(range(2), repeat=n)])
        answers = [built.task.answer(word) for word in words.tolist()]
        assert built.model(words, at=-1).argmax(dim=-1).tolist() == answers, n


@pytest.mark.parametrize("name", ["ones/hard-attention", "an-bn/hard-attention"])
def test_the_certificate_of_all_words_of_ten_symbols_holds(name: str) -> None:
    verdict = check_text(verify(build(name, length=10)).to_json())
    assert (verdict.holds, verdict.strength) == (True, "exhaustive"), verdict.reason
    assert "one layer, one head" in verdict.claim


def test_a_head_that_prefers_other_symbols_is_refuted() -> None:
    for name, key in (("ones/hard-attention", "key"), ("an-bn/hard-attention", "query")):
        built = build(name, length=8)
        getattr(built.heads(), key).data.neg_()
        assert not verify(built).holds


@pytest.mark.parametrize(("name", "arithmetic"), [("ones/hard-attention", "fixed:4,3"), ("an-bn/hard-attention", "fixed:9,0")])
def test_a_format_without_its_numbers_is_refused(name: str, arithmetic: str) -> None:
    with pytest.raises(BadInput):
        build(name, length=12, arithmetic=arithmetic)
    with pytest.raises(BadInput, match="an-bn: fixed:9,1 does not hold halves up to 132"):
        build("an-bn/hard-attention", length=32, arithmetic="fixed:9,1")
