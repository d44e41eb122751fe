"""What does each construction cost in width, precision and depth, and where does it break?

[bhattamishra2024 Theorem 1] [bhattamishra2024 Theorem 6] [bhattamishra2024 Theorem 7] [bhattamishra2024 Theorem 13]

    width    coordinates of the stream           p        least bits of a fixed-point number that holds it, found by building
    k        the paper's own address dimension   sigma    relative error of every weight that it still tolerates
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from separatrix.bits import bits_for
from separatrix.constructions.parts.codes.random_signs import paper_dimensions
from separatrix.studies.answer import Answer, decided
from separatrix.studies.panel import marks, side_by_side
from separatrix.studies.study import Cell, Row, concatenated

QUESTION = "What does each construction cost in width, precision and depth, and where does it break?"
PREDICTION = "Logarithmic width and precision in one or two layers; narrow addresses trade width for the range of their logits."
CITES = ("bhattamishra2024 Theorem 1", "bhattamishra2024 Theorem 6", "bhattamishra2024 Theorem 7", "bhattamishra2024 Theorem 13")

N = 32
ADDRESSES = ("binary", "code", "quadratic")
FORMATS = ("float32", "float16", "bfloat16")
SIGMAS = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3)
K = paper_dimensions(N)


@dataclass(frozen=True)
class Priced:
    """A construction of this study, the paper's width for it with its own address dimension, and whether the least p is searched for.

    [bhattamishra2024 Theorem 13; bhattamishra2024 Theorem 7]
    """

    construction: str
    printed_width: int
    settings: dict[str, Any] = field(default_factory=dict)
    searched: bool = True  # by building at every p and f


def recall_width(keys: int) -> int:
    """The printed width of recall among so many keys: coherence gamma / 100 with the margin gamma = 2 / d' of d' sign keys."""
    signs = bits_for(keys)
    return signs + 2 * paper_dimensions(2 * N, 2 / signs / 100)


PROGRAMS = (
    Priced("index-lookup", 6 + 2 * K),  # the code of 64 symbols and two addresses
    Priced("equality", 3 + 2 * K),
    Priced("intersects", 1 + 3 * K),  # k + 1 addresses, as printed, without the truth tables that it needs
    Priced("k-dnf", 1 + 3 * K, {"k": 2}),
    Priced("mqar", recall_width(N), searched=False),
    Priced("associative-recall", recall_width(2 * N), searched=False),
)


CAPTION = (
    f"Every construction at N = {N} with each address. Least p: the narrowest fixed point in which it derives constants of its own, found "
    "by building; blank where the search was not made. Printed width: the paper's formula with its own k = (8 / gamma^2) ln 2n at "
    "gamma = 1/4 for n addresses (recall needs gamma = margin / 100, which is why its printed width is so large). A format is 'refused' "
    "when the construction finds at build time that it does not fit. Noise: the largest relative deviation of the weights, of those tried, "
    "at which all cases were still right."
)

TRAINS = False
CELLS: tuple[Cell, ...] = tuple(
    {"construction": one.construction, "address": address, "settings": one.settings} for one in PROGRAMS for address in ADDRESSES
)
rows = concatenated


def run(cell: Cell) -> list[Row]:
    """One construction with one address."""
    return [row(next(one for one in PROGRAMS if one.construction == cell["construction"]), cell["address"])]


def row(program: Priced, address: str) -> Row:
    """Sizes, least precision, and where it breaks."""
    from separatrix.constructions import build
    from separatrix.constructions.least_precision import least_fixed

    name, parameters = program.construction, {"length": N, "address": address, **program.settings}
    built = build(name, **parameters)
    sizes = built.sizes()
    least = least_fixed(name, **parameters) if program.searched else None
    return {
        "construction": name,
        "address": address,
        "layers": sizes["layers"],
        "heads": sizes["heads"],
        "width": sizes["width"],
        "printed_width": program.printed_width,
        "largest_logit": round(built.claim.facts["magnitude"], 1),
        "parameter_bits": sizes["parameter_bits"],
        "least_p": least.p if least else None,
        "least_f": least.f if least else None,
        **{format: holds_in(name, parameters, format) for format in FORMATS},
        "noise": largest_noise(name, parameters),
    }


def holds_in(name: str, parameters: dict[str, Any], format: str) -> str:
    """Whether a construction `holds` in a number format, `fails` there, or is `refused` when it is built."""
    from separatrix.certificates.verify import plan, trial
    from separatrix.constructions import build
    from separatrix.errors import BadInput

    try:
        built = build(name, arithmetic=format, **parameters)
    except BadInput:
        return "refused"
    return "holds" if trial(built, plan(built.task, 50, 0)).holds else "fails"


def largest_noise(name: str, parameters: dict[str, Any]) -> float:
    """The largest sigma that the weights tolerate; 0 if even the least is too much."""
    from separatrix.certificates.noise import perturbed
    from separatrix.certificates.verify import plan, trial
    from separatrix.constructions import build

    built = build(name, **parameters)
    families = plan(built.task, 50, 0)
    stood = 0.0
    for sigma in SIGMAS:
        if not all(trial(perturbed(built, sigma, seed), families).holds for seed in range(3)):
            break
        stood = sigma
    return stood


def figure(rows: list[Row]) -> dict[str, Any]:
    """Width and largest logit of every construction: one mark for each address."""
    widths, logits = [5.0, 10, 20, 50, 100], [1.0, 10, 100, 1000, 10**4, 10**5]
    return side_by_side(
        *(
            marks(rows, title, x, "construction", "address", {"type": "log", "domain": [ticks[0], ticks[-1]]}, ticks)
            for title, x, ticks in (("Width", ("width", "width"), widths), ("Largest logit", ("largest_logit", "largest logit"), logits))
        )
    )


def answer(rows: list[Row]) -> Answer:
    """Widths below the printed ones, and what the narrowest address pays."""
    narrow = {row["construction"]: row for row in rows if row["address"] == "quadratic"}
    code = {row["construction"]: row for row in rows if row["address"] == "code"}
    paid = [narrow[name]["largest_logit"] / code[name]["largest_logit"] for name in narrow if name in code]
    holds = all(row["width"] < row["printed_width"] and row["layers"] <= 2 for row in rows) and min(paid) > 1
    widths = [row["width"] for row in rows]
    layers = max(row["layers"] for row in rows)
    said = f"At N = {N} widths are {min(widths)} to {max(widths)}, below the printed ones, in at most {layers} layers"
    return decided(holds, f"{said}; the pair (i, i^2) has {min(paid):.0f} to {max(paid):.0f} times the largest logit of a code.")
