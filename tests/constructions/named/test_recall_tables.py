"""Recall by tables in matrix states, against the oracle; each bit of the address and of the label is needed."""

from __future__ import annotations

import pytest
import torch

from separatrix.certificates.verify import verify
from separatrix.checker import check_text
from separatrix.constructions import build, construction
from separatrix.constructions.named.streams import split
from separatrix.errors import BadInput
from tests.constructions.named.running import all_right, every_input_right

BY = ("deltanet", "gated-deltanet", "mamba2", "mamba")
NAMES = [f"{task}/{by}" for task in ("mqar", "associative-recall") for by in BY]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("arithmetic", ["float64", "float32"])
def test_labels_are_recalled_all_at_once_and_token_by_token(name: str, arithmetic: str) -> None:
    for chosen in ({"length": 22}, {"length": 4, "symbols": 40, "labels": 5}):
        assert all_right(build(name, arithmetic=arithmetic, **chosen), 20), chosen


@pytest.mark.parametrize("name", NAMES)
def test_every_small_input_is_right_and_certified(name: str) -> None:
    built = build(name, length=4 if name.startswith("mqar") else 2, labels=3)
    assert every_input_right(built)
    verdict = check_text(verify(built).to_json())
    assert (verdict.holds, verdict.strength) == (True, "proven"), verdict.reason


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("arithmetic", ["float64", "float32"])
def test_filler_means_nothing_and_an_absent_key_is_none(name: str, arithmetic: str) -> None:
    for chosen in ({"filler": 15}, {"absent": True}, {"filler": 15, "absent": True, "symbols": 13, "labels": 5}):
        built = build(name, length=12, arithmetic=arithmetic, **chosen)
        assert all_right(built, 20), chosen
        drawn = built.task.sample(7, 20)
        assert bool((drawn.targets[drawn.mask] == built.task.labels).any()) == ("absent" in chosen)
    built = build(name, length=4 if name.startswith("mqar") else 2, symbols=3, filler=1, absent=True, arithmetic=arithmetic)
    assert every_input_right(built)


def test_an_absent_key_needs_a_code_that_no_label_has() -> None:
    built = build("mqar/mamba2", length=12, absent=True)
    keys = built.task.keys
    with torch.no_grad():
        built.model.embedding.table[keys] = built.model.embedding.table[keys + 2]  # label 0 has the code of `none`
    assert not all_right(built)


@pytest.mark.parametrize("name", NAMES)
def test_no_slot_and_no_bucket_can_be_spared(name: str) -> None:
    """Two slots, or two buckets, taken for one mix up the labels of two keys."""
    for part in ("slot", "bucket"):
        built = build(name, length=20, symbols=24)
        table = built.model.embedding.table.detach()
        keys = built.task.keys
        first = int((table[0] != 0).nonzero()[0 if part == "slot" else 1])  # key 0 stands in the first slot of the first bucket
        other = first + 1
        with torch.no_grad():
            table[:keys, first] += table[:keys, other]
            table[:keys, other] = 0
        assert not all_right(built, 80), part


@pytest.mark.parametrize("name", NAMES)
def test_no_bit_of_a_label_can_be_spared(name: str) -> None:
    built = build(name, length=8, labels=4)
    with torch.no_grad():
        built.model.embedding.table[-1] = built.model.embedding.table[-2]
    assert not all_right(built)


@pytest.mark.parametrize(
    ("name", "least"), [("mqar/mamba2", 8 + 8 + 1), ("mqar/gated-deltanet", 8 + 8 + 2), ("mqar/deltanet", 8 + 2 * 8 + 2)]
)
def test_a_stream_that_is_too_narrow_is_refused_with_the_least_that_is_not(name: str, least: int) -> None:
    wide = build(name, length=64, width=least + 5)  # 64 keys: 8 slots of 8 buckets, a bit, and one or two flags
    assert wide.sizes()["width"] == least + 5
    assert all_right(wide, 10)
    assert construction(name).sizes({"length": 64})["width"] <= least  # type: ignore[index]
    narrowest = construction(name).sizes({"length": 64})["width"]  # type: ignore[index]
    with pytest.raises(
        BadInput, match=f"^mqar with 64 keys needs a stream of at least {narrowest} numbers .*, found width = {narrowest - 1}$"
    ):
        build(name, length=64, width=narrowest - 1)


@pytest.mark.parametrize("name", NAMES)
def test_formats_without_these_functions_are_refused(name: str) -> None:
    for arithmetic in ("bfloat16", "fixed:24,8"):
        with pytest.raises(BadInput, match=f"expected the arithmetic float64 or float32, found {arithmetic}"):
            build(name, length=8, arithmetic=arithmetic)


@pytest.mark.parametrize(("keys", "slot", "bucket"), [(1, 1, 1), (2, 1, 1), (64, 1, 1), (65, 1, 1), (512, 1, 2), (1000, 1, 7), (37, 3, 1)])
def test_the_split_into_slots_and_buckets_is_the_cheapest(keys: int, slot: int, bucket: int) -> None:
    m, w = split(keys, slot, bucket)
    assert m * w >= keys
    assert slot * m + bucket * w == min(slot * a + bucket * -(-keys // a) for a in range(1, keys + 1))


def test_width_grows_with_the_root_of_the_keys_and_for_mamba_with_the_keys() -> None:
    widths = {by: [construction(f"mqar/{by}").sizes({"length": n})["width"] for n in (1 << 12, 1 << 16)] for by in BY}  # type: ignore[index]
    for by in ("deltanet", "gated-deltanet", "mamba2"):
        assert 15.5 < widths[by][1] / widths[by][0] * 4 < 16.5, by  # 2^4 times as many: 4 times as wide
    assert widths["mamba"] == [16 + n // 16 + 1 for n in (1 << 12, 1 << 16)]


def test_repeated_keys_are_beyond_an_additive_table() -> None:
    """A key that comes with two labels leaves both: the table does not overwrite, as its docstring says."""
    built = build("mqar/mamba2", length=4, labels=2)
    S = built.task.keys
    said = built.model(torch.tensor([[0, S + 1, 0, S, 0]]), at=-1)
    assert int(said.argmax()) == 1  # the bit that was written first is still there
