"""How many bits does the whole model take, and how do they grow with N?

[bhattamishra2024 Appendix A(2)] [bhattamishra2024 Remark 6] [bhattamishra2024 Appendix A(3)]

    stored          every parameter at the bits of a number, and the generator of the addresses; without the rows of the keys of nearest
                    neighbour, where a token stands for each vector of a grid: in the theorem vectors are inputs
    tabulated       the same with the embedding of every position and of every index token written out
    one-hot width   of the same construction with one-hot positions: a compiler that encodes every categorical variable so, as Tracr does
                    (Lindner et al. 2023), needs at least that
"""

from __future__ import annotations

import math
from typing import Any

from separatrix.studies.answer import Answer, decided
from separatrix.studies.panel import curves, side_by_side
from separatrix.studies.study import Cell, Row, concatenated

QUESTION = "How does the size of the whole model, embeddings included, grow with N?"
PREDICTION = "O((log N)^3) bits when embeddings are generated and not stored."
CITES = (
    "bhattamishra2024 Appendix A(2)",
    "bhattamishra2024 Theorem 1",
    "bhattamishra2024 Remark 6",
    "bhattamishra2024 Theorem 7",
    "bhattamishra2024 Appendix A(3)",
)
CAPTION = (
    "Index lookup over 64 symbols, Equality of bits and nearest neighbour on a grid, float64. Stored bits count "
    "every parameter and the matrix that generates the addresses; tabulated "
    "bits also write out the embedding of each position and index token, which grows like N. The power is the slope of log(stored bits) "
    "against log(log2 N) by least squares over all lengths; the claim is an upper bound. The precision is that of float64 at every "
    "length; benchmarks/sizes.py has the same at the least precision. One-hot width is that of the same model with one-hot positions."
)

LENGTHS = tuple(2**e for e in range(4, 21, 2))
ADDRESSES = ("binary", "code", "quadratic")
TWO_LAYERS = ("equality", "nearest-neighbor")
SHORTER = tuple(2**e for e in range(4, 15, 2))


TRAINS = False
CELLS: tuple[Cell, ...] = (
    *({"construction": "index-lookup", "address": address, "lengths": list(LENGTHS)} for address in ADDRESSES),
    *({"construction": name, "address": "binary", "lengths": list(SHORTER)} for name in TWO_LAYERS),
)
rows = concatenated


def run(cell: Cell) -> list[Row]:
    """Bits by length for one address, with the fitted power of log N."""
    from separatrix.constructions import build, construction

    name, address = cell["construction"], cell["address"]
    built = [(N, build(name, length=N, address=address)) for N in cell["lengths"]]
    slope = fitted_power([math.log2(N) for N, _ in built], [one.generated_bits for _, one in built])
    power = round(slope, 2) + 0.0  # no negative zero
    one_hot = {N: construction(name).sizes({"length": N}, {"address": "one-hot"}) for N in cell["lengths"]}
    return [
        {
            "construction": name,
            "address": address,
            "length": N,
            "width": one.sizes()["width"],
            "one_hot_width": None if (other := one_hot[N]) is None else other.width,
            "stored_bits": one.generated_bits,
            "tabulated_bits": one.sizes()["representation_bits"],
            "power_of_log_N": power,
            "claimed_power": 3,
        }
        for N, one in built
    ]


def fitted_power(xs: list[float], ys: list[float]) -> float:
    """The slope of log y against log x by least squares."""
    u, v = [math.log(x) for x in xs], [math.log(y) for y in ys]
    mean_u, mean_v = sum(u) / len(u), sum(v) / len(v)
    return sum((a - mean_u) * (b - mean_v) for a, b in zip(u, v, strict=True)) / sum((a - mean_u) ** 2 for a in u)


def figure(rows: list[Row]) -> dict[str, Any]:
    """Stored and tabulated bits against N."""
    named = [{**row, "curve": f"{_model(row)}: stored, (log N)^{row['power_of_log_N']}", "model": _model(row)} for row in rows]
    return side_by_side(
        curves(named, "Bits stored", ("length", "N"), ("stored_bits", "bits"), "curve"),
        curves(named, "Bits with every embedding tabulated", ("length", "N"), ("tabulated_bits", "bits"), "model"),
    )


def _model(row: Row) -> str:
    return f"{row['construction']}, {row['address']}"


def answer(rows: list[Row]) -> Answer:
    """The powers beside the claim."""
    powers = {_model(row): row["power_of_log_N"] for row in rows}
    claimed = max(row["claimed_power"] for row in rows)
    said = ", ".join(f"{power:g} ({model})" for model, power in powers.items())
    N = max(row["length"] for row in rows)
    return decided(
        max(powers.values()) <= claimed, f"Up to N = {N:,} stored bits grow as powers of log N: {said}; the paper's bound has {claimed}."
    )
