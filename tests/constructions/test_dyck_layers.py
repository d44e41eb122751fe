"""Brackets by attention: all short words, long ones at any depth, every prefix by the same weights, and scales that are needed."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
import torch

from separatrix.certificates.verify import trial, verify
from separatrix.checker import check_text
from separatrix.constructions import build
from separatrix.errors import BadInput

DYCK = [{"kind": kind, "seed": 3, "count": 40} for kind in ("random", "single-change", "too-deep")]
NEXT = [{"kind": "random", "seed": 3, "count": 40}]


@pytest.mark.parametrize("depth", [1, 2, 3])
@torch.no_grad()
def test_all_words_up_to_six_brackets_are_recognised_by_the_weights_of_six(depth: int) -> None:
    built = build("dyck/three-layer", length=6, depth=depth)
    for n in range(1, 7):
        words = torch.tensor([*product(range(4), repeat=n)])
        assert built.model(words, at=-1).argmax(dim=-1).tolist() == [built.task.answer(word) for word in words.tolist()], n


@torch.no_grad()
def test_all_words_of_2dyck_up_to_six_brackets_by_the_weights_of_eight() -> None:
    built = build("dyck-2/soft-attention", length=8)
    for n in range(1, 7):
        words = torch.tensor([[*word, 4] for word in product(range(4), repeat=n)])
        assert built.model(words, at=-1).argmax(dim=-1).tolist() == [built.task.answer(word) for word in words.tolist()], n
    assert trial(
        build("dyck-2/soft-attention", length=200), [{"kind": kind, "seed": 2, "count": 40} for kind in ("random", "one-symbol")]
    ).holds


@pytest.mark.parametrize(("types", "depth"), [(1, 100), (2, 2), (2, 100), (5, 3)])
def test_two_hundred_brackets_of_any_depth(types: int, depth: int) -> None:
    assert trial(build("dyck/three-layer", length=200, types=types, depth=depth), DYCK).holds
    assert trial(build("dyck-next/two-layer", length=200, types=types, depth=depth), NEXT).holds


@pytest.mark.parametrize(
    ("name", "least"), [(name, "exhaustive") for name in ("dyck/three-layer", "dyck-next/two-layer", "dyck-2/soft-attention")]
)
def test_the_certificate_of_all_short_words_holds(name: str, least: str) -> None:
    verdict = check_text(verify(build(name, length=6)).to_json())
    assert (verdict.holds, verdict.strength) == (True, least), verdict.reason


def test_the_width_depends_on_the_bits_of_a_type_alone() -> None:
    for types, b in ((1, 1), (2, 1), (5, 3)):
        for length, depth in ((6, 1), (100, 50)):
            three = build("dyck/three-layer", length=length, types=types, depth=depth).sizes()
            two = build("dyck-next/two-layer", length=length, types=types, depth=depth).sizes()
            assert (three["layers"], three["width"], two["layers"], two["width"]) == (3, 3 * b + 13, 2, 3 * b + 10)


def test_both_are_causal_so_prefixes_come_for_free() -> None:
    built = build("dyck-next/two-layer", length=40, depth=20)
    assert built.model.causal
    batch = built.task.sample(0, 20)
    with torch.no_grad():
        said = built.model(torch.from_numpy(batch.tokens[:, :17])).argmax(dim=-1).numpy()
    assert np.array_equal(said, batch.targets[:, :17])  # of a prefix that is not closed yet


@pytest.mark.parametrize(("name", "families"), [("dyck/three-layer", DYCK), ("dyck-next/two-layer", NEXT)])
def test_a_depth_that_costs_less_than_places_do_is_refuted(name: str, families: list[dict[str, object]]) -> None:
    built = build(name, length=60, depth=30)
    heads = built.heads(1)
    heads.query.data[0].div_(100)  # G in the query, against eta in the key
    assert not trial(built, families).holds


@pytest.mark.parametrize("name", ["dyck/three-layer", "dyck-next/two-layer"])
def test_formats_that_blur_the_depth_are_refused(name: str) -> None:
    for arithmetic, length in (("float32", 100), ("bfloat16", 4), ("fixed:40,10", 4)):
        with pytest.raises(BadInput, match=f"{arithmetic} moves the logits of {length} brackets by up to"):
            build(name, length=length, arithmetic=arithmetic)
    with pytest.raises(BadInput, match="needs more than 2000 hidden units"):
        build(name, length=8192, depth=4000)
