"""RetNet looks up, copies and compares by a table of places that fade, against the oracle; what each trick does is needed."""

from __future__ import annotations

import math
from typing import Any

import pytest
import torch

from separatrix.certificates.verify import verify
from separatrix.checker import check_text
from separatrix.constructions import build, construction
from separatrix.constructions.named.retention import TURN, heads_for, layout, pairs_for
from separatrix.errors import BadInput
from tests.constructions.named.running import all_right, every_input_right, share_right

NAMES = [f"{task}/retnet" for task in ("index-lookup", "copy", "equality", "intersects")]


def chosen(name: str, length: int, symbols: int) -> dict[str, Any]:
    """Intersects is about bits."""
    return {"length": length} | ({} if name.startswith("intersects") else {"symbols": symbols})


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("arithmetic", ["float64", "float32"])
def test_all_places_are_found_all_at_once_and_token_by_token(name: str, arithmetic: str) -> None:
    for length, symbols in ((2, 2), (26, 5), (90, 2)):
        assert all_right(build(name, arithmetic=arithmetic, **chosen(name, length, symbols)), 12), (length, symbols)


@pytest.mark.parametrize("name", NAMES)
def test_every_small_input_is_right_and_certified(name: str) -> None:
    built = build(name, **chosen(name, 4, 3))
    assert every_input_right(built)
    verdict = check_text(verify(built).to_json())
    assert (verdict.holds, verdict.strength, verdict.architecture) == (True, "exhaustive", "retnet"), verdict.reason


@pytest.mark.parametrize("arithmetic", ["float64", "float32"])
def test_a_thousand_tokens_do_not_fade_away(arithmetic: str) -> None:
    """(31/32)^1024 = 2^-47: float32 takes a second head, which fades half as fast."""
    built = build("index-lookup/retnet", length=1024, symbols=2, arithmetic=arithmetic)
    assert built.model.config.layers[1].mixer.heads == {"float64": 1, "float32": 2}[arithmetic]  # type: ignore[union-attr]
    assert share_right(built, built.task.adversarial("complement", 1, 8)) == 1


@pytest.mark.parametrize("part", ["slot", "bucket", "code"])
@pytest.mark.parametrize("name", NAMES)
def test_every_part_of_the_address_is_needed(name: str, part: str) -> None:
    built = build(name, **chosen(name, 40, 4))
    place = layout(built.task, 0, "float64").stream[part]  # type: ignore[arg-type]
    first = place.stop - 2 if part == "slot" else place.start  # of the fast pairs a lag of one slot may turn the wrong place away
    with torch.no_grad():
        for table in (built.model.embedding.table, built.model.state_dict()["embedding.places.0.address.table"]):
            if part == "code":
                table[:, first] = 0
            else:
                table[:, first] += table[:, first + 1]
                table[:, first + 1] = 0
    assert not all_right(built, 60)


def test_a_query_that_is_not_turned_back_reads_with_the_wrong_sign() -> None:
    built = build("copy/retnet", length=40, symbols=2)
    query = built.model.state_dict()["layers.1.mixer.query"]
    at = layout(built.task, 0, "float64")  # type: ignore[arg-type]
    query[: at.pairs] = query[: at.pairs].abs().gt(0).to(query.dtype)
    query[at.pairs :] = 0
    assert not all_right(built, 60)


def test_values_that_are_too_small_drown_in_the_norm() -> None:
    built = build("index-lookup/retnet", length=256, symbols=2)
    built.model.state_dict()["layers.1.mixer.value"].mul_(2.0**-30)
    assert not all_right(built, 60)


def test_one_head_less_overflows_or_drowns_in_float32() -> None:
    """2^47 lost bits leave no room: squares of K beyond 2^127."""
    assert heads_for(1024, "float32") == 2
    assert heads_for(1 << 20, "float64") - heads_for(1 << 18, "float64") == 2  # each head fades half as fast as the one before


def test_slow_pairs_are_enough_and_no_more_than_needed() -> None:
    for slots, turn in ((4, 1.0), (9, TURN / 8), (32, TURN / 32)):
        pairs = pairs_for(slots, turn)
        assert 10000 ** -((pairs - slots) / pairs) <= turn
        assert pairs == slots or 10000 ** -((pairs - 2 - pairs // 64 - slots) / pairs) > turn


@pytest.mark.parametrize("name", NAMES)
def test_the_width_is_of_order_sqrt_n_and_as_built(name: str) -> None:
    for length in (16, 64, 256):
        built, sizes = build(name, **chosen(name, length, 2)).sizes(), construction(name).sizes(chosen(name, length, 2))
        assert sizes is not None
        assert (built["width"], built["state_bits"]) == (sizes["width"], sizes["state_bits"])
    few, many = (layout(construction(name).task_at(**chosen(name, 1 << k, 2)), 0, "float64").stream.width for k in (16, 24))  # type: ignore[arg-type]
    assert math.log2(many / few) / 8 == pytest.approx(0.5, abs=0.005)


def test_flags_that_would_cancel_are_refused() -> None:
    assert construction("equality/retnet").sizes({"length": 41000}) is not None
    with pytest.raises(BadInput, match=r"^RetNet turns every pair by more than 1/10000 a token, found .* expected fewer places$"):
        build("equality/retnet", length=60000)
