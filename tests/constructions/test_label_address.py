"""The paper's own nearest neighbour: right with its constants repaired, wrong with the printed one, and wide."""

from __future__ import annotations

import pytest
import torch

from separatrix.certificates.evaluator import logits_of
from separatrix.constructions import build
from separatrix.constructions.bhattamishra2024.label_address import orthogonal_signs
from separatrix.errors import BadInput
from separatrix.models.positions import SignAddress
from tests.constructions.test_nearest_neighbor import MODES, NONE, errors, wrong

NAME = "nearest-neighbor/label-address"


@pytest.mark.parametrize(
    ("N", "gamma", "dimension", "arithmetic"),
    [(2, 0.3, 6, "float64"), (20, 0.1, 6, "float64"), (24, 0.001, 14, "float64"), (12, 0.01, 10, "float32"), (12, 0.1, 6, "fixed:24,8"),
     (8, 0.3, 6, "nearest:41")],
)  # fmt: skip
def test_with_its_constants_repaired_it_reads_the_nearest_label(N: int, gamma: float, dimension: int, arithmetic: str) -> None:
    built = build(NAME, length=N, dimension=dimension, gamma=gamma, arithmetic=arithmetic)
    assert errors(built) == NONE
    assert built.claim.facts["share"] >= 0.9
    assert built.sizes()["width"] == dimension + 2 + 2 * built.claim.facts["k"]


def test_with_the_printed_scale_of_layer_2_every_answer_is_wrong() -> None:
    # asking with T_s / k instead of T_s / sqrt(k): wherever the nearest vector's label stands alone, another one is said
    built = build(NAME, length=20, dimension=6)
    with torch.no_grad():
        built.model.each_layer()[1].mixer.query /= built.claim.facts["k"] ** 0.5
    assert {mode: wrong(built, built.task.cases(mode, 0, 100)) for mode in MODES[1:]} == dict.fromkeys(MODES[1:], 100)


def test_without_its_own_address_a_query_would_find_itself() -> None:
    built = build(NAME, length=8, dimension=6)
    with torch.no_grad():
        built.model.each_layer()[0].mixer.query[7 : 7 + int(built.claim.facts["k"])] = 0.0  # the rows of -10 T(2k-1)
        x = built.model.embedding(torch.from_numpy(built.task.cases("far", 0, 20).tokens))
        read = built.heads(0).inside(x, None)["attention"]
    assert (read[:, 0, -1].argmax(dim=-1) == 14).all()


def test_the_printed_dimension_is_fifty_million_where_orthogonal_signs_take_256() -> None:
    # (8 / (gamma/100)^2) ln 4N at gamma = 0.1, N = 100
    facts = build(NAME, length=100, dimension=6).claim.facts
    assert round(facts["k as printed"], -6) == 48_000_000
    assert facts["k"] == 256


def test_the_addresses_are_orthogonal() -> None:
    for N in (2, 3, 16, 100):
        address = orthogonal_signs(N)
        assert address.stored is not None
        T = SignAddress(torch.from_numpy(address.stored))(torch.arange(1, N + 1), torch.float64)
        assert torch.equal(T @ T.T, T.shape[1] * torch.eye(N, dtype=torch.float64))


@pytest.mark.parametrize(
    ("arithmetic", "message"),
    [
        ("bfloat16", "rounding in bfloat16 may change a difference of logits by"),
        ("fixed:14,4", "logits of layer 1 reach 3178, more than fixed:14,4 holds"),  # 14 eta, eta = ln(18 N) / (4/5 * 0.1 * 20/64)
        ("fixed:20,3", "is not representable in fixed:20,3"),
    ],
)
def test_what_cannot_work_is_refused_with_the_reason(arithmetic: str, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        build(NAME, length=16, dimension=6, arithmetic=arithmetic)


def test_the_steps_of_the_proof_tell_what_happened() -> None:
    built = build(NAME, length=3, dimension=6, gamma=0.3)
    steps = built.explain(built.task.read("x63 y0 x1 y1 x0"))
    assert [step.title for step in steps] == ["compare", "address", "read", "decide"]
    assert (steps[0].values["reads pair"], steps[2].values["reads pair"]) == (2, 2)
    assert steps[0].values["weight on itself"] < 1e-6
    assert steps[3].values == {"says": "y1", "expected": "y1"}
    with pytest.raises(BadInput, match="must lead by gamma"):
        built.explain(built.task.read("x1 y0 x2 y1 x0"))
    assert {*logits_of(built.model, built.task.sample(0, 5)).ravel().tolist()} == {-1.0, 1.0}
