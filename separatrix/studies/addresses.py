"""What does it cost to address one position among N?

[bhattamishra2024 Theorem 1; bhattamishra2024 Lemma 2]

    k    coordinates of an address          eta    inverse temperature, per coordinate where the address is one of signs
    b    bits of a symbol's code            width  b + 2k: the symbol, the queried address, the address of the place
"""

from __future__ import annotations

import math
from typing import Any

from separatrix.studies.answer import Answer, decided
from separatrix.studies.panel import curves, side_by_side
from separatrix.studies.study import Cell, Row, concatenated

QUESTION = "How wide must an address be, and how large a logit, to read one position among N?"
PREDICTION = "Almost orthogonal addresses have O(log N) coordinates; the binary digits, or the pair (i, i^2), need far fewer."
CITES = ("bhattamishra2024 Theorem 1", "bhattamishra2024 Lemma 2")
CAPTION = (
    "Index lookup over 64 symbols in float64; every row but those of Lemma 2 is the claim of weights that were built. The least weight is "
    "the smallest share of the attention that the queried place gets, over every place and every string: a bound composed from the "
    "addresses, not a sample; it is rounded down. The rows of Lemma 2 are its formulas at coherence 1/4 and at the threshold 2 ln 3N. "
    "Random signs of that length and one-hot vectors are stored as tables, so they stop early. Compare largest logits rather than "
    "eta, which multiplies the product of two addresses: up to k for signs, up to 1 for unit vectors."
)

SYMBOLS = 64
LENGTHS = tuple(10**power for power in range(2, 7))
ADDRESSES = ("binary", "quadratic", "code", "random", "one-hot")
STORED = ("random", "one-hot")  # addresses that need a table of N rows
LARGEST_TABLE = 1000
PAPER = "Lemma 2, as printed"


TRAINS = False
CELLS: tuple[Cell, ...] = tuple(
    {"length": N, "address": address} for N in LENGTHS for address in (*ADDRESSES, PAPER) if address not in STORED or N <= LARGEST_TABLE
)
rows = concatenated


def run(cell: Cell) -> list[Row]:
    """One address at one length, or the paper's own sizes."""
    N, address = cell["length"], cell["address"]
    return [printed(N) if address == PAPER else built(N, address)]


def built(N: int, address: str) -> Row:
    """Sizes of the weights and the constants of their claim."""
    from separatrix.constructions import build  # imports torch

    lookup = build("index-lookup", length=N, symbols=SYMBOLS, address=address)
    sizes, facts = lookup.sizes(), lookup.claim.facts
    k = lookup.heads().config.key_width
    return _row(N, address, k, sizes["width"], facts["eta"], facts["magnitude"], facts["share"], sizes["parameter_bits"])


def printed(N: int) -> Row:
    """The paper's own k and eta.

    [bhattamishra2024 Lemma 2; proof B.3]

    k = (8 / gamma^2) ln 2N at gamma = 1/4; eta = 2 ln 3N against a gap of 1/2 leaves N competitors of relative mass 1/(3N) each.
    """
    gamma, b = 1 / 4, (SYMBOLS - 1).bit_length()
    k, eta = math.ceil(8 / gamma**2 * math.log(2 * N)), 2 * math.log(3 * N)
    return _row(N, PAPER, k, b + 2 * k, eta, eta, 3 / 4, None)


def figure(rows: list[Row]) -> dict[str, Any]:
    """Width against N and largest logit against N."""
    return side_by_side(
        curves(rows, "Width of the stream", ("length", "N"), ("width", "coordinates"), "address"),
        curves(rows, "Largest logit", ("length", "N"), ("largest_logit", "magnitude"), "address"),
    )


def _row(N: int, address: str, k: int, width: int, eta: float, logit: float, share: float, parameter_bits: int | None) -> Row:
    return {
        "length": N,
        "address": address,
        "k": k,
        "width": width,
        "eta": round(eta, 4),
        "largest_logit": round(logit, 2),
        "least_weight": math.floor(share * 10**4) / 10**4,
        "parameter_bits": parameter_bits,
    }


def answer(rows: list[Row]) -> Answer:
    """Coordinates by address at the largest length, and whether those of the lemma grow as log N."""
    N = max(row["length"] for row in rows)
    k = {row["address"]: row["k"] for row in rows if row["length"] == N}
    logit = next(row["largest_logit"] for row in rows if (row["length"], row["address"]) == (N, "quadratic"))
    printed = [row["k"] / math.log(2 * row["length"]) for row in rows if row["address"] == PAPER]
    holds = max(printed) < 1.1 * min(printed) and k["quadratic"] < k["binary"] < k["code"] < k[PAPER]
    said = f"{k[PAPER]:,} coordinates by Lemma 2, {k['code']} with a code, {k['binary']} with binary digits and 2 as the pair (i, i^2)"
    return decided(holds, f"At N = {N:,} an address takes {said}, whose logits reach {logit:.0e}.")
