"""Recall inside the models that are trained by name: their very shape, as many keys as their first layer carries, and no more."""

from __future__ import annotations

import pytest
import torch

import separatrix as sx
from separatrix.constructions import build
from separatrix.constructions.named.unchanged_shapes import Table
from separatrix.errors import BadInput
from separatrix.models.inclusions import as_hybrid
from separatrix.models.model import Model
from tests.constructions.named.running import all_right, batches, share_right

BY = ("deltanet", "gated-deltanet", "mamba2", "mamba")


KEYS = {"deltanet": 1024, "gated-deltanet": 1024, "mamba2": 8192, "mamba": 1536}  # rows x columns: 64 x 16, 64 x 128, 16 x 96


@pytest.mark.parametrize("by", BY)
@pytest.mark.parametrize("arithmetic", ["float64", "float32"])
def test_keys_of_all_rows_and_columns_are_recalled(by: str, arithmetic: str) -> None:
    full = build(f"mqar/{by}-2-64", length=64, symbols=KEYS[by], arithmetic=arithmetic)
    assert all(share_right(full, batch) == 1 for batch in batches(full, 8))
    assert all_right(build(f"mqar/{by}-2-64", length=6, symbols=64, labels=8, arithmetic=arithmetic), 10)


@pytest.mark.parametrize("by", BY)
def test_keys_that_share_a_row_or_a_column_are_told_apart(by: str) -> None:
    """128 pairs of 128 keys: all slots, of two buckets and more."""
    full = build(f"mqar/{by}-2-64", length=256, symbols=128, arithmetic="float32")
    assert full.task.pairs == full.task.keys == 128  # type: ignore[attr-defined]
    assert all(share_right(full, batch) == 1 for batch in batches(full, 2))


@pytest.mark.parametrize("by", [*BY[:2], BY[3], pytest.param(BY[2], marks=pytest.mark.slow)])
def test_as_many_pairs_as_keys_fill_every_cell(by: str) -> None:
    full = build(f"mqar/{by}-2-64", length=2 * KEYS[by], symbols=KEYS[by], arithmetic="float32")
    assert all(share_right(full, batch) == 1 for batch in batches(full, 2))


@pytest.mark.parametrize("by", BY)
@pytest.mark.parametrize("part", ["slot", "slot2", "bucket", "bucket2", "code"])
def test_every_digit_is_needed(by: str, part: str) -> None:
    """Two values of a digit taken for one, or a bit that is not shown."""
    built = build(f"mqar/{by}-2-64", length=48, symbols=KEYS[by])
    place = Table(by, 1).stream[part]
    with torch.no_grad():
        table = built.model.embedding.table
        if part == "code":
            table[:, place] = 0
        else:
            table[:, place] = table[:, place].sum(dim=1, keepdim=True) * torch.eye(1, place.stop - place.start, dtype=table.dtype)
    assert not all(share_right(built, batch) == 1 for batch in batches(built, 40))


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
    most, found = f"{KEYS[by]:,}", f"{KEYS[by] + 1:,}"
    with pytest.raises(
        BadInput, match=rf"^mqar/{by}-2-64 holds up to {most} keys with 2 labels, found {found} and 2: mqar/{by} builds as wide"
    ):
        build(f"mqar/{by}-2-64", length=4, symbols=KEYS[by] + 1)
    with pytest.raises(BadInput, match=r"keys with 8 labels, found 4 and 9: "):
        build(f"mqar/{by}-2-64", length=4, labels=9)
    built = build(f"mqar/{by}-2-64", length=16)
    with torch.no_grad():
        built.model.embedding.table[1] = built.model.embedding.table[0]
    assert not all_right(built)
