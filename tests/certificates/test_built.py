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


def test_the_size_as_the_paper_counts_it_has_no_table_of_positions_and_none_of_input_vectors() -> None:
    lookup = build("index-lookup", length=16)
    assert lookup.generated_bits == lookup.sizes()["parameter_bits"] < lookup.sizes()["representation_bits"]
    nearest = build("nearest-neighbor", length=8, dimension=4, gamma=0.5)
    rows = nearest.model.embedding.table[: 2**4]  # a token for each vector
    assert nearest.generated_bits == nearest.sizes()["parameter_bits"] - 64 * rows.numel()
    assert build("mqar", length=8).generated_bits == build("mqar", length=8).sizes()["parameter_bits"]  # its keys are symbols
