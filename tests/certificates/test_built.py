"""The sizes of a built model, where tensors of several kinds hold integers."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch

from separatrix.certificates.built import sizes
from separatrix.constructions import build
from separatrix.models.config import PlaceConfig
from separatrix.models.model import Model


@pytest.mark.parametrize(("pointers", "bits"), [((1, 2), 2), ((1, 1), 1), ((9, 0, 3), 4)])
def test_pointers_beside_a_register_file_have_the_bits_of_the_largest_pointer(pointers: tuple[int, ...], bits: int) -> None:
    plain = build("index-lookup/recurrent", length=2, symbols=2).model
    bare = PlaceConfig("one-hot", dims=plain.config.width, extent=0, projected=False)
    place = replace(bare, pointers=len(pointers))
    without, pointing = (Model(replace(plain.config, embedding=replace(plain.config.embedding, number_address=p))) for p in (bare, place))
    assert pointing.embedding.number is not None
    pointing.embedding.number.pointers = torch.tensor(pointers)
    assert sizes(pointing)["parameter_bits"] == sizes(without)["parameter_bits"] + bits * len(pointers)
