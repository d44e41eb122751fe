"""Does a construction need softmax?

[bhattamishra2024 Theorem 1; bhattamishra2024 Theorem 6; bhattamishra2024 Theorem 7]

The same weights run with other attention in place of the softmax that they were built for: the k largest logits only, the largest alone
(`hard`), all alike (`uniform`), or `linear`: logits of features elu(x) + 1, without exponentials.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from separatrix.studies.answer import NOTHING, Answer, decided
from separatrix.studies.learned import percent
from separatrix.studies.panel import WIDTH
from separatrix.studies.study import Cell, Row, concatenated

if TYPE_CHECKING:
    from separatrix.certificates.built import Built
    from separatrix.models.model import Model

QUESTION = "Which constructions still hold when hard, top-k, uniform or linear attention runs in place of softmax?"
PREDICTION = "Those that read one place do with any attention that keeps the largest logit, and those that count or average do not."
CITES = ("bhattamishra2024 Theorem 1", "bhattamishra2024 Theorem 6", "bhattamishra2024 Theorem 7")
N, CASES = 32, 100
CONSTRUCTIONS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("index-lookup", {}),
    ("equality", {}),
    ("mqar", {}),
    ("associative-recall", {}),
    ("intersects", {}),
    ("k-dnf", {"k": 2}),
    ("dyck-next/two-layer", {}),
    ("parity/soft-attention", {}),
)
READS_ONE_PLACE = ("index-lookup", "mqar", "associative-recall")
WAYS = ("softmax", "top-8", "top-2", "hard", "uniform", "linear")

CAPTION = (
    "Weights of each construction, built in float64 for softmax and left as they are; the share of right answers, in %, on average over "
    f"{CASES} random inputs and as many of each adversarial family at N = {N}, with the attention of every layer replaced. A question that "
    "the papers leave open. Among equal logits the first are taken. Linear attention has no exponentials, so no place can win against "
    "many. Nothing was trained: other weights might do better under other attention."
)

TRAINS = False
CELLS: tuple[Cell, ...] = tuple({"construction": name, "length": N, "settings": settings} for name, settings in CONSTRUCTIONS)
rows = concatenated


def run(cell: Cell) -> list[Row]:
    """One construction under every kind of attention."""
    from separatrix.constructions import build

    built = build(cell["construction"], length=cell["length"], **cell["settings"])
    listed = []
    for way in WAYS:
        shares = shares_right(built, replaced(built.model, way))
        listed.append(
            {
                "construction": cell["construction"],
                "attention": way,
                "accuracy": percent(sum(shares.values()) / len(shares)),
                "random": percent(shares["random"]),
                "worst_family": min(shares, key=lambda kind: shares[kind]),
                "worst": percent(min(shares.values())),
            }
        )
    return listed


def shares_right(built: Built, model: Model) -> dict[str, float]:
    """Right answers in each family of cases."""
    from separatrix.certificates.evaluator import predictions

    shares = {}
    for kind in built.task.case_kinds:
        batch = built.task.cases(kind, 0, CASES)
        shares[kind] = built.task.score(predictions(model, batch), batch)
    return shares


def replaced(model: Model, way: str) -> Model:
    """A copy of a model whose attention weights come about in another way."""
    import copy

    from separatrix.models.mixers.attention import MultiHeadAttention
    from separatrix.refuters.other_attention import OtherAttention

    other = copy.deepcopy(model)
    for layer in other.each_layer():
        if isinstance(layer.mixer, MultiHeadAttention) and way != "softmax":
            layer.mixer = OtherAttention(layer.mixer, way)
    return other


def figure(rows: list[Row]) -> dict[str, Any]:
    """A square for each construction and kind of attention: the darker, the more is right; the share stands in it."""
    order = {"field": "construction", "type": "nominal", "title": None, "sort": [name for name, _ in CONSTRUCTIONS]}
    across = {"field": "attention", "type": "nominal", "title": None, "sort": list(WAYS), "axis": {"orient": "top", "labelAngle": 0}}
    shade = {"field": "accuracy", "type": "quantitative", "scale": {"domain": [0, 100], "range": ["#ffffff", "#2f7dc9"]}, "legend": None}
    return {
        "title": {"text": "Right answers in %, softmax replaced", "anchor": "start"},
        "width": WIDTH * 4 // 3,
        "height": 28 * len(CONSTRUCTIONS),
        "data": {"values": rows},
        "encoding": {"x": across, "y": order},
        "layer": [
            {"mark": {"type": "rect", "stroke": "#888888"}, "encoding": {"color": shade}},
            {
                "mark": {"type": "text", "color": "black", "fontSize": 12},
                "encoding": {"text": {"field": "accuracy", "type": "quantitative"}},
            },
        ],
    }


def answer(rows: list[Row]) -> Answer:
    """What reads one place is right under hard attention, and what averages is not."""
    hard = {row["construction"]: row["accuracy"] for row in rows if row["attention"] == "hard"}
    if not hard:
        return NOTHING
    holds = all((share == 100) == (name in READS_ONE_PLACE) for name, share in hard.items())
    said = ", ".join(f"{name} {share:g}" for name, share in hard.items())
    return decided(holds, f"Right answers with hard attention in place of softmax, in %: {said}.")
