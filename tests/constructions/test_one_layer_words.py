"""One layer, softmax or linear, is right on every word of its length for functions of a count, and softmax for a^n b^n."""

from __future__ import annotations

from typing import Any

import pytest

from separatrix.certificates.verify import verify
from separatrix.checker import check_text
from separatrix.constructions import build
from separatrix.errors import BadInput
from tests.constructions.named.running import batches, every_input_right, share_right

COUNTS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("parity", {}), ("ones", {}), ("regular", {"language": "@mod-3"}), ("regular", {"language": "0*10*10*"}),
)  # fmt: skip
LENGTHS = (1, 2, 5, 8)


@pytest.mark.parametrize("by", ["one-layer", "linear-attention"])
@pytest.mark.parametrize("arithmetic", ["float64", "float32"])
def test_every_word_is_right_by_a_count(by: str, arithmetic: str) -> None:
    for task, settings in COUNTS:
        for length in LENGTHS:
            built = build(f"{task}/{by}", length=length, arithmetic=arithmetic, **settings)
            assert every_input_right(built), (task, length)
            assert (len(built.model.config.layers), built.model.config.width) == (1, 1)


@pytest.mark.parametrize("length", [2, 4, 8, 10])
def test_every_word_is_right_by_two_heads(length: int) -> None:
    for arithmetic in ("float64", "float32"):
        assert every_input_right(build("an-bn/one-layer", length=length, arithmetic=arithmetic))


def test_long_words_are_right_and_the_checker_names_the_architecture() -> None:
    for name, architecture in (("parity/one-layer", "transformer-1-layer"), ("parity/linear-attention", "linear-attention")):
        assert share_of_long_words(name) == 1.0
        verdict = check_text(verify(build(name, length=6)).to_json())
        assert (verdict.holds, verdict.architecture) == (True, architecture), verdict
    assert share_of_long_words("an-bn/one-layer") == 1.0


def share_of_long_words(name: str) -> float:
    built = build(name, length=100)
    return min(share_right(built, batch) for batch in batches(built, 50))


def test_without_its_last_step_a_count_is_wrong_on_some_word() -> None:
    built = build("parity/one-layer", length=6)
    built.model.state_dict()["layers.0.feedforward.outer"][:, -2:] = 0
    assert not every_input_right(built)


def test_attention_that_is_too_soft_is_wrong_on_some_word() -> None:
    built = build("an-bn/one-layer", length=8)
    built.model.state_dict()["layers.0.mixer.query"].mul_(0.1)
    assert not every_input_right(built)


def test_what_a_format_cannot_add_up_is_refused() -> None:
    with pytest.raises(BadInput, match="adds up 2,000 units"):
        build("parity/one-layer", length=1000, arithmetic="float32")
    with pytest.raises(BadInput, match="all matter"):
        build("regular/one-layer", length=6, language="(ab)*")
    with pytest.raises(BadInput, match="expected an even N"):
        build("an-bn/one-layer", length=7)
    with pytest.raises(BadInput, match="not a native float"):
        build("ones/one-layer", length=6, arithmetic="fixed:12,6")
