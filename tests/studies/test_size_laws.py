"""Laws of sizes: what they say of models that can still be built, and what they refuse."""

from __future__ import annotations

from dataclasses import replace

import pytest

from separatrix.constructions import build
from separatrix.errors import BadInput
from separatrix.models.chain_operations import operations
from separatrix.studies.size_laws import SizeLaw, full_blocks


def configs(name: str, lengths: tuple[int, ...]) -> SizeLaw:
    return SizeLaw(
        {N: build(name, length=N).model.config for N in lengths}, name.endswith(("linear", "sparse")) and "arithmetic" not in name
    )


@pytest.mark.parametrize(
    ("name", "lengths", "beyond"),
    [
        ("reverse-sum/linear", (25, 50, 100, 200), 700),
        ("reverse-sum/sparse", (25, 50, 100, 200), 700),
        ("lis/linear", (10, 13, 17, 24), 37),
        ("edit-distance/sparse", (4, 6, 9, 12), 20),
        ("arithmetic/sparse", (2, 4, 8, 12), 20),
        ("lis/standard", (10, 13, 17, 24), 50),
    ],
)
def test_a_law_says_what_is_built_beyond_it(name: str, lengths: tuple[int, ...], beyond: int) -> None:
    found, built = configs(name, lengths).config(beyond), build(name, length=beyond).model.config
    assert found == built
    assert operations(found, found.length) == operations(built, built.length)


def test_a_configuration_off_the_line_is_refused() -> None:
    law = configs("reverse-sum/linear", (25, 50, 100, 200))
    bent = {**law.built, 100: replace(law.built[100], width=law.built[100].width + 1)}
    with pytest.raises(BadInput, match="sizes at N = 100 are not on the line through those at N = 25 and N = 200"):
        SizeLaw(bent, True).length_for(1000)
    longer = {**law.built, 200: replace(law.built[200], length=500)}
    with pytest.raises(BadInput, match="tokens at N = 200 is not on the parabola"):
        SizeLaw(longer, True).length_for(1000)


def test_blocks_are_full_where_the_last_one_begins() -> None:
    assert [L for L in range(2, 18) if full_blocks(L)] == [3, 4, 7, 8, 9, 13, 14, 15, 16]
