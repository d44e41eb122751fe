"""The tables of docs/architectures.md are what `benchmarks/shapes.py` prints, and its numbers of layers and keys what is declared."""

from __future__ import annotations

from benchmarks import shapes
from separatrix.constructions import construction
from separatrix.constructions.named.recall_cells import Registers
from separatrix.constructions.named.retention import heads_for
from separatrix.constructions.named.unchanged_shapes import Table
from tests.docs.reading import ROOT

PAGE = (ROOT / "docs" / "architectures.md").read_text("utf-8")


def test_the_table_of_widths_is_that_of_the_benchmark() -> None:
    lines = shapes.page()
    assert len(lines) > 50
    assert "\n".join(lines) in PAGE


def test_what_shapes_carry_is_what_they_are_built_for() -> None:
    allowed = {row["what"].split()[2].rstrip(":"): row["peer"] for row in shapes.shapes_of_the_zoo()}
    for by in shapes.BY:
        shape = f"{by}-2-64"
        assert f"| {shape} | {Table(by, 1).keys:,} | {allowed[shape]:,} |" in PAGE


def test_numbers_in_prose() -> None:
    sizes = construction("mqar/lstm").sizes({"length": 8192})
    assert sizes is not None
    assert f"{sizes['layers']} of width {sizes['width']}" in PAGE
    assert round(Registers("lstm", 1, 8192, 2).weights / 1e6) == 630
    assert construction("mqar/gru").sizes({"length": 8192}) is None
    hybrid = construction("mqar/hybrid-linear-rnn").sizes({"length": 8192})
    assert hybrid is not None
    assert f"({hybrid['width']} numbers at N = 8,192)" in PAGE
    assert (heads_for(873, "float32"), heads_for(874, "float32")) == (1, 2)
