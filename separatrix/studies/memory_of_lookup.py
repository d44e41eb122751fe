"""Does index lookup need memory that grows with the input?

[bhattamishra2024 Theorem 3; bhattamishra2024 Theorem 1]

The widest cut of the state profile is after the N symbols and before the index: |S|^N prefixes that all differ.
"""

from __future__ import annotations

import math
from typing import Any

from separatrix.bits import ceil_log2
from separatrix.bounds.families.index_lookup import index_lookup_profile
from separatrix.studies.answer import Answer, decided
from separatrix.studies.panel import bars, curves, side_by_side
from separatrix.studies.study import Cell, Row, concatenated

QUESTION = "How much must a model remember to look up one symbol among N?"
PREDICTION = "Any recurrent model needs at least N bits of state (N log2 |S| exactly); one attention layer does it with width O(log N)."
CITES = ("bhattamishra2024 Theorem 3", "bhattamishra2024 Theorem 1")
CAPTION = (
    "State and weights are different things, and the curves count different things. The recurrent curve is what any correct model has to "
    "carry across the cut before the index arrives, whatever its weights are; it is exact, as a lower bound and as a count that suffices. "
    "The Transformer's curves count what is stored once, before anything is read; it still has all N symbols in view when it answers. "
    "With every generated position vector in a table the stored weights never cross the recurrent curve. "
    "The widths compare like with like: coordinates of 64 bits."
)

SYMBOLS = 64
SMALL = 16  # the profile after each token is drawn at this length
LENGTHS = tuple(2**power for power in range(4, 21))

AFTER_EACH = "bits of state any recurrent model needs after t tokens"
STATE = "bits of state any recurrent model needs"
STORED = "parameter bits stored in the built Transformer"
TABULATED = "the same, every position vector in a table"
LEAST_WIDTH = "least width of any recurrent model"
BUILT_WIDTH = "width of the built Transformer"


TRAINS = False
CELLS: tuple[Cell, ...] = ({"panel": "tokens", "length": SMALL}, *({"panel": "sizes", "length": length} for length in LENGTHS))
rows = concatenated


def run(cell: Cell) -> list[Row]:
    """The profile at a small length, or sizes at one length."""
    if cell["panel"] == "sizes":
        return sizes_at(cell["length"])
    profile = index_lookup_profile(cell["length"], SYMBOLS)
    return [_row("tokens", cell["length"], t, AFTER_EACH, bits) for t, bits in enumerate(profile.bits_at)]


def sizes_at(length: int) -> list[Row]:
    """What a recurrent model needs and what the built Transformer has, at one length."""
    from separatrix.constructions import build  # imports torch

    state = ceil_log2(SYMBOLS**length)  # the widest cut of the closed form; the profile itself would list N numbers of up to 6 N bits
    built = build("index-lookup", length=length, symbols=SYMBOLS).sizes()
    p = built["precision_bits"]
    return [
        _row("bits", length, length, STATE, state),
        _row("bits", length, length, STORED, built["parameter_bits"]),
        _row("bits", length, length, TABULATED, built["representation_bits"]),
        _row("width", length, length, LEAST_WIDTH, -(-state // p)),  # m p >= state, so m = ceil(state / p)
        _row("width", length, length, BUILT_WIDTH, built["width"]),
    ]


def figure(rows: list[Row]) -> dict[str, Any]:
    """The profile after each token; bits against N; widths against N."""
    tokens, bits, width = ([row for row in rows if row["panel"] == panel] for panel in ("tokens", "bits", "width"))
    profile = f"State after each token, N = {tokens[0]['length']}"
    return side_by_side(
        bars(tokens, profile, ("tokens", "t: symbols read, then the index"), ("value", "bits any recurrent model needs")),
        curves(bits, "Bits, as N grows", ("length", "N"), ("value", "bits"), "counts"),
        curves(width, "Width, as N grows", ("length", "N"), ("value", "coordinates of 64 bits"), "counts"),
    )


def _row(panel: str, length: int, tokens: int, counts: str, value: int) -> Row:
    return {"panel": panel, "length": length, "tokens": tokens, "counts": counts, "value": value}


def answer(rows: list[Row]) -> Answer:
    """Bits and widths at the largest length."""
    N = max(row["length"] for row in rows)
    at = {row["counts"]: row["value"] for row in rows if row["length"] == N}
    needed = {row["length"]: row["value"] for row in rows if row["counts"] == STATE}
    crossed = min(row["length"] for row in rows if row["counts"] == STORED and row["value"] < needed[row["length"]])
    said = f"At N = {N:,} any recurrent model needs {at[STATE]:,} bits of state; the built Transformer is {at[BUILT_WIDTH]} wide"
    return decided(at[STATE] >= N and at[BUILT_WIDTH] < 8 * math.log2(N), f"{said} and stores less than that from N = {crossed:,} on.")
