"""How many bits must a number have for index lookup?

[bhattamishra2024 Theorem 1] [bhattamishra2024 Appendix B.2]

    p    bits of a number in fixed point, sign included       f    of these, fractional ones
"""

from __future__ import annotations

from typing import Any

from separatrix.studies.study import Row

QUESTION = "How many bits must a number have so that one attention layer reads any of N places exactly?"
PREDICTION = "The theorem allows O(log N) bits; floor rounding makes distant exponentials vanish, so the logit's range alone decides."
CITES = ("bhattamishra2024 Theorem 1", "bhattamishra2024 Appendix B.2")
CAPTION = (
    "Left: share of right answers when weights built in float64 for N = 64 are rounded into fixed point with p bits and run there, over every "
    "place with complement symbols; f = 3 fractional bits. Right: the least p at which the construction derives constants of its own, "
    "by address and N; it was built and verified at p, and every format with p - 1 bits is refused."
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
            found.append({"panel": "least", "address": address, "length": length, "p": narrow.p, "f": narrow.f, "accuracy": float(right.mean())})
    return found


def figure(rows: list[Row]) -> dict[str, Any]:
    """Accuracy against p, and least p against N."""
    lines = {"symbolType": "stroke", "symbolSize": 300, "title": None, "orient": "top"}
    color = {"field": "address", "type": "nominal", "scale": {"domain": list(ADDRESSES)}, "legend": lines}

    def panel(name: str, title: str, x: dict[str, Any], y: dict[str, Any]) -> dict[str, Any]:
        return {
            "title": {"text": title, "anchor": "start"}, "width": 270, "height": 210,
            "data": {"values": [row for row in rows if row["panel"] == name]},
            "encoding": {"x": x, "y": y, "color": color},
            "layer": [{"mark": {"type": "line", "strokeWidth": 2}, "encoding": {"strokeDash": color}}, {"mark": {"type": "circle", "size": 24, "opacity": 1}}],
        }  # fmt: skip

    bits = {"field": "p", "type": "quantitative", "title": "p, bits of a number"}
    share = {"field": "accuracy", "type": "quantitative", "title": "share of right answers"}
    length = {"field": "length", "type": "quantitative", "title": "N", "scale": {"type": "log", "base": 2}}
    return {
        "concat": [panel("carried over", "Float64 weights rounded to p bits", bits, share), panel("least", "Least p by length", length, bits)],
        "columns": 2,
        "resolve": {"scale": {"color": "independent", "strokeDash": "independent"}},
    }
