"""PARITY by two softmax layers: every length up to N by the same weights, and scales that are needed."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from separatrix.certificates.verify import trial, verify
from separatrix.checker import check_text
from separatrix.constructions import build
from separatrix.errors import BadInput

FAMILIES = [{"kind": kind, "seed": 3, "count": 60} for kind in ("random", "one-symbol")]


@pytest.mark.parametrize(("N", "arithmetic"), [(8, "float64"), (32, "float32"), (128, "float64")])
@torch.no_grad()
def test_every_count_of_every_length_up_to_n_is_right(N: int, arithmetic: str) -> None:
    """What the model computes depends on the bits by their number alone, up to which token stands where: all counts, shuffled."""
    model, rng, least = build("parity/soft-attention", length=N, arithmetic=arithmetic).model, np.random.default_rng(0), 1.0
    for n in range(1, N + 1, 1 if N < 100 else 7):
        rows = np.array([[*rng.permutation([1] * k + [0] * (n - k)), 2] for k in range(n + 1)])
        logits = model(torch.from_numpy(rows), at=-1)
        assert logits.argmax(dim=-1).tolist() == [1 - k % 2 for k in range(n + 1)], n
        read = model.layers[1].mixer(model.layers[0](model.numbers.enter(model.embedding(torch.from_numpy(rows)))))[:, -1]
        least = min(least, float((read.abs().amax(dim=-1) - 0.5).abs().min()))
    assert least > 0.38  # a share of 0.9 on the place that equals the count: 0.4 away from 1/2


def test_the_width_is_nine_at_every_length_and_the_largest_weight_grows() -> None:
    for N in (4, 400):
        built = build("parity/soft-attention", length=N)
        assert (built.sizes()["width"], built.sizes()["layers"], built.sizes()["heads"]) == (9, 2, 1)
        assert float(built.heads(1).query.data.abs().max()) == 2 * 3 * (N + 1)


def test_the_certificate_of_all_words_of_ten_bits_holds() -> None:
    verdict = check_text(verify(build("parity/soft-attention", length=10)).to_json())
    assert (verdict.holds, verdict.strength) == (True, "exhaustive"), verdict.reason


def test_a_scale_that_does_not_grow_is_not_enough() -> None:
    """With the query of a hundredth of the length the count is lost; with that of twice the length nothing is."""
    for share, holds in ((0.01, False), (2.0, True)):
        built = build("parity/soft-attention", length=60)
        built.heads(1).query.data.mul_(share)
        assert trial(built, FAMILIES).holds == holds


@pytest.mark.parametrize(("arithmetic", "length"), [("float32", 200), ("bfloat16", 4), ("fixed:40,20", 10), ("float64", 100_000)])
def test_a_format_that_blurs_the_places_is_refused(arithmetic: str, length: int) -> None:
    with pytest.raises(BadInput, match=r"^parity: .* moves the logits of"):
        build("parity/soft-attention", length=length, arithmetic=arithmetic)
