"""Lookups, copies and comparisons by a table of places, against the oracle; what each part of the address does is needed."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from separatrix.certificates.verify import verify
from separatrix.checker import check_text
from separatrix.constructions import build, construction
from separatrix.constructions.named.placed_tables import layout
from separatrix.constructions.named.table_mixers import BY
from separatrix.errors import BadInput
from tests.constructions.named.running import all_right, every_input_right

LOOKUPS = [f"{task}/{by}" for task in ("index-lookup", "copy") for by in BY]
COMPARISONS = [f"{task}/{by}" for task in ("equality", "intersects") for by in BY]
NAMES = LOOKUPS + COMPARISONS
NEEDED = [(name, part) for name in NAMES for part in ("slot", "bucket", "code")]
NEEDED += [(name, "reads") for name in NAMES if not name.startswith("index-lookup")]  # an index has no bits that it could write


def chosen(name: str, length: int, symbols: int) -> dict[str, Any]:
    """Intersects is about bits."""
    return {"length": length} | ({} if name.startswith("intersects") else {"symbols": symbols})


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("arithmetic", ["float64", "float32"])
def test_all_places_are_found_all_at_once_and_token_by_token(name: str, arithmetic: str) -> None:
    for length, symbols in ((2, 2), (26, 5), (40, 2)):
        assert all_right(build(name, arithmetic=arithmetic, **chosen(name, length, symbols)), 24), (length, symbols)


@pytest.mark.parametrize("name", NAMES)
def test_every_small_input_is_right_and_certified(name: str) -> None:
    built = build(name, **chosen(name, 4, 3))
    assert every_input_right(built)
    verdict = check_text(verify(built).to_json())
    assert (verdict.holds, verdict.strength) == (True, "proven" if name in LOOKUPS else "exhaustive"), verdict.reason


@pytest.mark.parametrize(("name", "part"), NEEDED)
def test_every_part_of_the_address_is_needed(name: str, part: str) -> None:
    """Two slots or buckets taken for one, readers that write, and a bit that is not shown."""
    built = build(name, **chosen(name, 40, 4))
    by = name.partition("/")[2]
    at = layout(built.task, by, 16 if by == "mamba" else 0, 0)  # type: ignore[arg-type]
    first = at.stream[part].start
    with torch.no_grad():
        for table in (built.model.embedding.table, built.model.state_dict()["embedding.places.0.address.table"]):
            if part in ("slot", "bucket"):
                table[:, first] += table[:, first + 1]
                table[:, first + 1] = 0
            else:
                table[:, first] = 0
    assert not all_right(built, 60)


@pytest.mark.parametrize("name", NAMES)
def test_the_width_grows_with_the_root_of_the_length_and_for_mamba_with_the_length(name: str) -> None:
    few, many = (construction(name).sizes(chosen(name, n, 2))["width"] for n in (1 << 16, 1 << 24))  # type: ignore[index]
    assert many / few == pytest.approx(256 if name.endswith("/mamba") else 16, rel=0.02)


@pytest.mark.parametrize("name", NAMES)
def test_what_is_built_is_as_wide_as_the_formula_says(name: str) -> None:
    for length in (16, 64, 256, 1024):
        built, sizes = build(name, **chosen(name, length, 2)).sizes(), construction(name).sizes(chosen(name, length, 2))
        assert sizes is not None
        assert (built["width"], built["state_bits"]) == (sizes["width"], sizes["state_bits"])


def test_a_narrow_stream_is_refused_with_the_least_width() -> None:
    least = construction("copy/mamba2").sizes({"length": 30})["width"]  # type: ignore[index]
    with pytest.raises(BadInput, match=f"^copy, N = 30 needs a stream of at least {least} numbers .*, found width = {least - 1}$"):
        build("copy/mamba2", length=30, width=least - 1)


def test_a_lookup_takes_less_than_twice_the_bits_of_the_bound() -> None:
    for by in BY:
        assert 256 <= build(f"index-lookup/{by}", length=256, symbols=2).claim.facts["bits held"] < 1.2 * 256


@pytest.mark.parametrize("name", ["copy/mamba", "mqar/mamba"])
def test_a_negative_number_of_slots_is_refused(name: str) -> None:
    with pytest.raises(BadInput, match=r"^a table needs at least 1 slot, or 0 for as many as make the narrowest stream, found state = -3$"):
        build(name, length=8, state=-3)
