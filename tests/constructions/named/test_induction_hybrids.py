"""Recall by a linear RNN below one head of attention, against the oracle; the least format, and what each half does."""

from __future__ import annotations

import pytest
import torch

from separatrix.certificates.verify import verify
from separatrix.checker import check_text
from separatrix.constructions import build, construction
from separatrix.constructions.least_precision import carried_over
from separatrix.errors import BadInput
from tests.constructions.named.running import all_right, every_input_right, share_right

NAMES = ("mqar/hybrid-linear-rnn", "associative-recall/hybrid-linear-rnn")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("arithmetic", ["float64", "float32"])
def test_labels_are_recalled(name: str, arithmetic: str) -> None:
    for chosen in ({"length": 12}, {"length": 6, "labels": 5}, {"length": 4, "symbols": 23, "labels": 3}, {"length": 2, "symbols": 2}):
        assert all_right(build(name, arithmetic=arithmetic, **chosen), 12), chosen


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("arithmetic", ["float64", "float32", "fixed:2,0", "fixed:6,2", "nearest:9", "float:4,3", "float:8,7"])
def test_every_small_input_is_right_and_certified(name: str, arithmetic: str) -> None:
    built = build(name, length=4 if name.startswith("mqar") else 2, arithmetic=arithmetic)
    verdict = check_text(verify(built).to_json())
    assert (verdict.holds, verdict.strength, verdict.architecture) == (True, "exhaustive", "hybrid"), verdict.reason
    if arithmetic.startswith("float"):
        assert every_input_right(built)


def test_hundreds_of_pairs_of_thousands_of_keys() -> None:
    built = build(NAMES[0], length=512, symbols=4096, arithmetic="float32")
    assert share_right(built, built.task.sample(2, 2)) == share_right(built, built.task.adversarial("lone-label", 2, 2)) == 1


def test_one_bit_less_is_refused_and_wrong() -> None:
    """32 keys have 5 bits, so that scores are 5, 3, .. and fixed:4,0 clamps at 7, fixed:3,0 at 3."""
    built = build(NAMES[0], length=32, arithmetic="fixed:4,0")
    batch = built.task.sample(1, 40)
    assert share_right(built, batch) == 1
    with pytest.raises(BadInput, match=r"integers from -4 to 4: expected fixed:4,0 or more, found fixed:3,0$"):
        build(NAMES[0], length=32, arithmetic="fixed:3,0")
    assert share_right(carried_over(built, "fixed:3,0"), batch) < 1


@pytest.mark.parametrize("part", ["layers.0.mixer.transition", "layers.0.mixer.out", "layers.1.mixer.query", "layers.1.mixer.value"])
def test_every_part_is_needed(part: str) -> None:
    built = build(NAMES[0], length=12)
    with torch.no_grad():
        built.model.state_dict()[part].zero_()
    assert not all_right(built)


def test_the_width_grows_like_the_bits_of_a_key_and_the_recurrence_not_with_the_pairs() -> None:
    for length in (16, 64, 256):
        built, sizes = build(NAMES[0], length=length), construction(NAMES[0]).sizes({"length": length})
        assert sizes is not None
        assert (built.sizes()["width"], built.sizes()["state_bits"]) == (sizes["width"], sizes["state_bits"])
        assert built.claim.facts["recurrent bits"] == 64 * 2 * (length - 1).bit_length()


def test_a_narrow_stream_is_refused_with_the_least_width() -> None:
    with pytest.raises(BadInput, match=r"^mqar with 12 keys needs a stream of at least 10 numbers .*, found width = 9$"):
        build(NAMES[0], length=12, width=9)
