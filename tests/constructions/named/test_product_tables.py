"""Recall by DeltaProduct, against the oracle; the swap, the digits and the share are each needed."""

from __future__ import annotations

import math

import pytest

from separatrix.certificates.verify import verify
from separatrix.checker import check_text
from separatrix.constructions import build, construction
from separatrix.constructions.named.product_tables import table_of
from separatrix.errors import BadInput
from tests.constructions.named.running import all_right, every_input_right, share_right

NAMES = ("mqar/deltaproduct", "associative-recall/deltaproduct")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("arithmetic", ["float64", "float32"])
def test_labels_are_recalled(name: str, arithmetic: str) -> None:
    for chosen in ({"length": 12}, {"length": 6, "labels": 5}, {"length": 4, "symbols": 23, "labels": 3}, {"length": 2, "symbols": 2}):
        assert all_right(build(name, arithmetic=arithmetic, **chosen), 12), chosen


@pytest.mark.parametrize("name", NAMES)
def test_every_small_input_is_right_and_certified(name: str) -> None:
    built = build(name, length=4 if name.startswith("mqar") else 2)
    assert every_input_right(built)
    verdict = check_text(verify(built).to_json())
    assert (verdict.holds, verdict.strength, verdict.architecture) == (True, "exhaustive", "deltaproduct"), verdict.reason


@pytest.mark.parametrize("arithmetic", ["float64", "float32"])
def test_hundreds_of_pairs_do_not_wear_a_row_down(arithmetic: str) -> None:
    built = build("mqar/deltaproduct", length=512, arithmetic=arithmetic)
    assert share_right(built, built.task.sample(2, 2)) == share_right(built, built.task.adversarial("lone-label", 2, 2)) == 1


def test_without_the_swap_the_token_itself_is_shown() -> None:
    built = build("mqar/deltaproduct", length=12)
    built.model.state_dict()["layers.0.mixer.share"][0] = 0  # beta = 1: it forgets instead of swapping
    assert not all_right(built)


def test_a_share_of_1_forgets_the_other_keys_of_a_row() -> None:
    built = build("mqar/deltaproduct", length=12)
    weights, at = built.model.state_dict(), table_of(built.task, 0)  # type: ignore[arg-type]
    weights["layers.1.mixer.share"][:, at.stream["label"]] = 0
    weights["layers.1.mixer.norm.weight"].mul_(2.0**-20)
    assert not all_right(built)


def test_the_width_is_of_order_root_of_the_keys_and_as_built() -> None:
    for length in (16, 64, 256):
        built, sizes = build(NAMES[0], length=length).sizes(), construction(NAMES[0]).sizes({"length": length})
        assert sizes is not None
        assert (built["width"], built["state_bits"]) == (sizes["width"], sizes["state_bits"])
    few, many = (construction(NAMES[0]).sizes({"length": 1 << k})["width"] for k in (16, 22))  # type: ignore[index]
    assert math.log2(many / few) / 6 == pytest.approx(0.5, abs=0.005)


def test_a_narrow_stream_is_refused_with_the_least_width() -> None:
    with pytest.raises(BadInput, match=r"^mqar with 12 keys needs a stream of at least 25 numbers .*, found width = 24$"):
        build("mqar/deltaproduct", length=12, width=24)
