"""Other attention in place of softmax, on built weights."""

from __future__ import annotations

import pytest
import torch

from separatrix.constructions import build
from separatrix.errors import BadInput
from separatrix.models.mixers.attention import MultiHeadAttention
from separatrix.refuters.other_attention import OtherAttention
from separatrix.studies.attention_replaced import figure, replaced, run, shares_right


def shares(way: str) -> torch.Tensor:
    """What one head of four equal queries makes of logits 1 3 3 2, the last place invisible to the first query."""
    built = build("index-lookup", length=8)
    head = built.heads()
    assert isinstance(head, MultiHeadAttention)
    q, k = torch.ones(1, 1, 2, 1), torch.tensor([1.0, 3.0, 3.0, 2.0])[None, None, :, None]
    visible = torch.tensor([[True, False, True, True], [True] * 4])[None, None]
    return OtherAttention(head, way)._shares(q, k, visible)[0, 0]


def test_hard_attention_takes_the_first_largest_logit_that_it_sees() -> None:
    assert shares("hard").tolist() == [[0, 0, 1, 0], [0, 1, 0, 0]]


def test_uniform_attention_shares_alike_among_what_it_sees() -> None:
    assert torch.allclose(shares("uniform"), torch.tensor([[1 / 3, 0, 1 / 3, 1 / 3], [1 / 4] * 4]))


def test_the_k_largest_share_by_softmax_and_of_equals_the_first_are_taken() -> None:
    e = torch.e
    assert torch.allclose(shares("top-2"), torch.tensor([[0, 0, e / (e + 1), 1 / (e + 1)], [0, 1 / 2, 1 / 2, 0]]))
    assert torch.equal(shares("top-1"), shares("hard").to(torch.float32))
    assert torch.allclose(
        shares("top-9"),
        torch.tensor([1.0, 3.0, 3.0, 2.0]).masked_fill(torch.tensor([[False, True, False, False], [False] * 4]), -torch.inf).softmax(1),
    )


def test_linear_attention_multiplies_features_without_exponentials() -> None:
    phi = torch.tensor([2.0, 4.0, 4.0, 3.0])  # elu(x) + 1
    assert torch.allclose(shares("linear"), torch.stack([phi * torch.tensor([1, 0, 1, 1]) / 9, phi / 13]))


def test_lookup_stands_under_hard_attention_and_equality_does_not() -> None:
    lookup, equality = (
        {row["attention"]: row for row in run({"construction": name, "length": 8, "settings": {}})} for name in ("index-lookup", "equality")
    )
    assert [lookup[way]["worst"] for way in ("softmax", "top-2", "hard")] == [100.0] * 3
    assert lookup["uniform"]["worst"] < 50
    assert equality["softmax"]["worst"] == 100.0
    assert equality["hard"]["worst"] == 0.0
    assert len(figure([*lookup.values(), *equality.values()])["data"]["values"]) == 12


def test_the_built_model_stays_as_it_is() -> None:
    built = build("index-lookup", length=8)
    replaced(built.model, "uniform")
    assert set(shares_right(built, built.model).values()) == {1.0}


def test_what_is_no_attention_is_refused() -> None:
    built = build("index-lookup", length=8)
    with pytest.raises(BadInput, match="expected hard, uniform, linear, annealed or top-k, found 'top-0'"):
        replaced(built.model, "top-0")
    exact = build("index-lookup", length=8, arithmetic="fixed:16,6")
    with pytest.raises(BadInput, match="expected a native float"):
        replaced(exact.model, "hard")
