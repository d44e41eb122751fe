"""How many bits must a number have for index lookup?

[bhattamishra2024 Theorem 1] [bhattamishra2024 Appendix B.2]

    p    bits of a number in fixed point, sign included       f    of these, fractional ones
"""

from __future__ import annotations

from typing import Any

from separatrix.studies.panel import curves, side_by_side
from separatrix.studies.study import Row

QUESTION = "How many bits must a number have so that one attention layer reads any of N places exactly?"
PREDICTION = "The theorem allows O(log N) bits; floor rounding makes distant exponentials vanish, so the logit's range alone decides."
CITES = ("bhattamishra2024 Theorem 1", "bhattamishra2024 Appendix B.2")
CAPTION = (
    "First: share of right answers when weights built in float64 for N = 64 are rounded into fixed point with p bits and run there, over "
    "every place with complement symbols; f = 3 fractional bits. Second: the least p at which the construction derives constants of its "
    "own, by address and N; it was built and verified at p, and every format with p - 1 bits is refused."
)

N = 64
FRACTION = 3
ADDRESSES = ("binary", "code", "quadratic")
LENGTHS = (16, 64, 256, 1024)


def rows() -> list[Row]:
    """Accuracy by precision of weights that were carried over, and the least precision by length."""
    return [*carried(), *least()]


def carried() -> list[Row]:
    """Weights built in float64, rounded into fixed:p,3."""
    from separatrix.certificates.verify import scored_logits
    from separatrix.constructions import build
    from separatrix.constructions.least_precision import carried_over

    found = []
    for address in ADDRESSES:
        exact = build("index-lookup", length=N, address=address)
        for p in range(FRACTION + 2, 21):
            built = carried_over(exact, f"fixed:{p},{FRACTION}")
            batch = built.task.cases("complement", 0, N)
            right = scored_logits(built, batch).argmax(axis=1) == batch.targets[batch.mask]
            found.append({"panel": "carried over", "address": address, "length": N, "p": p, "f": FRACTION, "accuracy": float(right.mean())})
    return found


def least() -> list[Row]:
    """The least p and f that hold the construction, verified."""
    from separatrix.certificates.verify import scored_logits
    from separatrix.constructions.least_precision import least_fixed

    found = []
    for address in ADDRESSES:
        for length in LENGTHS:
            narrow = least_fixed("index-lookup", length=length, address=address)
            batch = narrow.built.task.cases("complement", 0, min(length, 100))
            right = scored_logits(narrow.built, batch).argmax(axis=1) == batch.targets[batch.mask]
            least = {"panel": "least", "address": address, "length": length, "p": narrow.p, "f": narrow.f}
            found.append({**least, "accuracy": float(right.mean())})
    return found


def figure(rows: list[Row]) -> dict[str, Any]:
    """Accuracy against p, and least p against N."""
    carried, least = ([row for row in rows if row["panel"] == panel] for panel in ("carried over", "least"))
    bits = ("p", "p, bits of a number")
    return side_by_side(
        curves(carried, "Float64 weights rounded to p bits", bits, ("accuracy", "share of right answers"), "address", linear="xy"),
        curves(least, "Least p by length", ("length", "N"), bits, "address", linear="y"),
    )
