"""How many bits must a number have for index lookup?

[bhattamishra2024 Theorem 1] [bhattamishra2024 Appendix B.2]

    p    bits of a number in fixed point, sign included       f    of these, fractional ones
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from separatrix.studies.answer import Answer, by, decided
from separatrix.studies.panel import curves, side_by_side
from separatrix.studies.study import Cell, Row, concatenated

if TYPE_CHECKING:
    from separatrix.certificates.built import Built

QUESTION = "How many bits must a number have so that one attention layer reads any of N places exactly?"
PREDICTION = "The theorem allows O(log N) bits; floor rounding makes distant exponentials vanish, so the logit's range alone decides."
CITES = ("bhattamishra2024 Theorem 1", "bhattamishra2024 Appendix B.2")
CAPTION = (
    "First: share of right answers when weights built in float64 for N = 64 are rounded into fixed point with p bits and run there, over "
    "every place with complement symbols; f = 3 fractional bits. Second: the same weights in float64 with the inverse temperature "
    "multiplied by a factor; the threshold is at a share of 1/2. Third: the least p at which the construction derives constants of its "
    "own, by address and N; it was built and verified at p, and every format with p - 1 bits is refused."
)

N = 64
FRACTION = 3
ADDRESSES = ("binary", "code", "quadratic")
LENGTHS = (16, 64, 256, 1024)
FACTORS = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0)


TRAINS = False
CELLS: tuple[Cell, ...] = (
    *({"panel": "carried over", "address": address, "length": N} for address in ADDRESSES),
    *({"panel": "temperature", "address": address, "length": N} for address in ADDRESSES),
    *({"panel": "least", "address": address, "length": length} for address in ADDRESSES for length in LENGTHS),
)
rows = concatenated


def run(cell: Cell) -> list[Row]:
    """Accuracy by precision or temperature for rounded weights, or the least precision at one length."""
    return {"carried over": carried, "temperature": cooled, "least": least}[cell["panel"]](cell["address"], cell["length"])


def carried(address: str, length: int) -> list[Row]:
    """Weights built in float64, rounded into fixed:p,3."""
    from separatrix.constructions import build
    from separatrix.constructions.least_precision import carried_over

    exact = build("index-lookup", length=length, address=address)
    return [
        _row("carried over", carried_over(exact, f"fixed:{p},{FRACTION}"), address, length, p, FRACTION, 1.0)
        for p in range(FRACTION + 2, 21)
    ]


def cooled(address: str, length: int) -> list[Row]:
    """These weights with the inverse temperature multiplied, in float64: the effect of a blurred softmax."""
    import torch

    from separatrix.constructions import build

    cooled_rows = []
    for factor in FACTORS:
        built = build("index-lookup", length=length, address=address)
        with torch.no_grad():
            built.heads().query.mul_(factor)
        cooled_rows.append(_row("temperature", built, address, length, 64, None, factor))
    return cooled_rows


def least(address: str, length: int) -> list[Row]:
    """The least p and f that hold the construction, verified."""
    from separatrix.constructions.least_precision import least_fixed

    narrow = least_fixed("index-lookup", length=length, address=address)
    return [_row("least", narrow.built, address, length, narrow.p, narrow.f, 1.0)]


def _row(panel: str, built: Built, address: str, length: int, p: int, f: int | None, factor: float) -> Row:
    """Share of right answers over places with complement symbols, with the facts about the address."""
    from separatrix.certificates.evaluator import logits_of

    batch = built.task.cases("complement", 0, min(length, 100))
    right = logits_of(built.model, batch).argmax(axis=1) == batch.targets[batch.mask]
    k = built.heads().config.key_width
    return {
        "panel": panel, "address": address, "length": length, "k": k, "coherence": coherence(built),
        "eta": built.claim.facts["eta"] * factor, "factor": factor, "p": p, "f": f, "accuracy": float(right.mean()),
    }  # fmt: skip


def coherence(built: Built) -> float | None:
    """The largest product of two different addresses of signs, over k; None for other addresses."""
    from separatrix.constructions.parts.codes.codewords import coherence_of, weight_enumerator
    from separatrix.models.positions import SignAddress

    address = built.model.embedding.every_place()[0].address
    return float(coherence_of(weight_enumerator(address.generator.numpy()))) if isinstance(address, SignAddress) else None


def figure(rows: list[Row]) -> dict[str, Any]:
    """Accuracy against p, accuracy against the temperature, and least p against N."""
    carried, cooled, least = ([row for row in rows if row["panel"] == panel] for panel in ("carried over", "temperature", "least"))
    bits, share = ("p", "p, bits of a number"), ("accuracy", "share of right answers")
    return side_by_side(
        curves(carried, "Float64 weights rounded to p bits", bits, share, "address", linear="xy"),
        curves(cooled, "Inverse temperature multiplied", ("factor", "factor"), share, "address", linear="xy"),
        curves(least, "Least p by length", ("length", "N"), bits, "address", linear="y"),
    )


def answer(rows: list[Row]) -> Answer:
    """The least p by address at the smallest and the largest length."""
    least = by((row for row in rows if row["panel"] == "least"), "address")
    said, holds = [], bool(least)
    for (address,), some in least.items():
        a, b = some[0], some[-1]
        holds = holds and b["p"] - a["p"] <= 4 * math.log2(b["length"] / a["length"])
        bits = f"{a['p']}" if a["p"] == b["p"] else f"{a['p']} to {b['p']}"
        said.append(f"{bits} with {address} addresses")
    lengths = [row["length"] for some in least.values() for row in some]
    return decided(holds, f"From N = {min(lengths):,} to {max(lengths):,} a number needs this many bits: {', '.join(said)}.")
