"""Recall by linear attention in two layers, against the oracle."""

from __future__ import annotations

import pytest
import torch

from separatrix.certificates.verify import verify
from separatrix.checker import check_text
from separatrix.constructions import build, construction
from separatrix.constructions.named.recall_sums import layout
from separatrix.errors import BadInput
from tests.constructions.named.running import all_right, every_input_right, logits

NAMES = ("mqar/linear-attention", "associative-recall/linear-attention")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("arithmetic", ["float64", "float32"])
def test_labels_are_recalled(name: str, arithmetic: str) -> None:
    for chosen in ({"length": 2}, {"length": 22}, {"length": 6, "symbols": 50, "labels": 5}):
        built = build(name, arithmetic=arithmetic, **chosen)
        assert all_right(built, 20), chosen
        assert bool(torch.isfinite(logits(built, built.task.sample(0, 5).tokens)).all())  # nothing is divided by 0, at any token


@pytest.mark.parametrize("name", NAMES)
def test_every_small_input_is_right_and_certified(name: str) -> None:
    built = build(name, length=4 if name.startswith("mqar") else 2, labels=3)
    assert every_input_right(built)
    verdict = check_text(verify(built).to_json())
    assert (verdict.holds, verdict.strength) == (True, "proven"), verdict.reason


@pytest.mark.parametrize("part", ["pair", "place", "part", "writes", "second"])
def test_what_a_position_shows_is_needed(part: str) -> None:
    """Each kind of digit, that only pairs write, and the sink, whose lack divides by 0 or by too little."""
    built = build("mqar/linear-attention", length=24)
    at = layout(built.task, 0)  # type: ignore[arg-type]
    table = built.model.state_dict()["embedding.places.0.address.table"]
    column = at.stream[part].stop - 1
    table[:, column] = 1 - table[:, column] if part == "writes" else 0
    assert not all_right(built, 20)


def test_the_width_grows_with_the_root_of_the_pairs_and_their_logarithm() -> None:
    widths = [construction("mqar/linear-attention").sizes({"length": n})["width"] for n in (1 << 12, 1 << 20)]  # type: ignore[index]
    assert 14 < widths[1] / widths[0] < 24  # 2^8 times as many: 16 times as wide, times sqrt(20 / 12) for the bits of a number


def test_a_narrow_stream_is_refused_with_the_least_width() -> None:
    least = construction("mqar/linear-attention").sizes({"length": 30})["width"]  # type: ignore[index]
    with pytest.raises(BadInput, match=rf"^mqar with 30 keys needs a stream of at least {least} numbers .*, found width = {least - 1}$"):
        build("mqar/linear-attention", length=30, width=least - 1)
