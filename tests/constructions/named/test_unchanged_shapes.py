"""Recall inside the models that are trained by name: their very shape, 64 keys, and no more."""

from __future__ import annotations

import pytest
import torch

import separatrix as sx
from separatrix.constructions import build
from separatrix.errors import BadInput
from separatrix.models.inclusions import as_hybrid
from separatrix.models.model import Model
from tests.constructions.named.running import all_right, batches, share_right

BY = ("deltanet", "gated-deltanet", "mamba2", "mamba")


@pytest.mark.parametrize("by", BY)
@pytest.mark.parametrize("arithmetic", ["float64", "float32"])
def test_all_64_keys_are_recalled(by: str, arithmetic: str) -> None:
    full = build(f"mqar/{by}-2-64", length=64, arithmetic=arithmetic)
    assert all(share_right(full, batch) == 1 for batch in batches(full, 8))
    assert all_right(build(f"mqar/{by}-2-64", length=6, symbols=64, labels=8, arithmetic=arithmetic), 10)


@pytest.mark.parametrize("by", BY)
def test_64_pairs_fill_every_row(by: str) -> None:
    full = build(f"mqar/{by}-2-64", length=128, symbols=64, arithmetic="float32")
    assert full.task.pairs == full.task.keys == 64  # type: ignore[attr-defined]
    assert all(share_right(full, batch) == 1 for batch in batches(full, 4))


@pytest.mark.parametrize("by", BY)
def test_the_shape_is_that_of_the_model_which_is_trained(by: str) -> None:
    built = build(f"mqar/{by}-2-64", length=64, arithmetic="float32")
    trained = sx.model(f"{by}-2-64", vocabulary=built.task.vocabulary, targets=built.task.targets)
    assert {name: t.shape for name, t in trained.state_dict().items()} == {name: t.shape for name, t in built.model.state_dict().items()}
    assert isinstance(trained, Model)
    assert trained.config.layers == built.model.config.layers
    trained.load_state_dict(built.model.state_dict())  # the weights run in the trained model itself
    batch = built.task.sample(3, 10)
    with torch.no_grad():
        assert torch.equal(trained(torch.from_numpy(batch.tokens)), built.model(torch.from_numpy(batch.tokens)))


@pytest.mark.parametrize("by", BY)
def test_the_other_half_of_a_hybrid_may_rest(by: str) -> None:
    built = build(f"mqar/{by}-2-64", length=12)
    tokens = torch.from_numpy(built.task.sample(1, 6).tokens)
    with torch.no_grad():
        assert torch.equal(as_hybrid(built.model, heads=4)(tokens), built.model(tokens))


@pytest.mark.parametrize("by", BY)
def test_one_key_more_is_refused_and_one_key_twice_fails(by: str) -> None:
    with pytest.raises(BadInput, match=rf"^mqar/{by}-2-64 holds up to 64 keys and 8 labels, found 65 and 2: mqar/{by} builds as wide"):
        build(f"mqar/{by}-2-64", length=4, symbols=65)
    built = build(f"mqar/{by}-2-64", length=16)
    with torch.no_grad():
        built.model.embedding.table[1] = built.model.embedding.table[0]
    assert not all_right(built)
