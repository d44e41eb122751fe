"""How much can one symbol change what a softmax Transformer predicts, and what does that cost it on PARITY and 2DYCK?

[hahn2020 Lemma 5; hahn2020 Theorem 6]

    n        symbols read                     bound    on the change of a logit at the last place, from the norms of the model's weights
    floor    what the cross-entropy of this model cannot be below at n symbols: the level of the last symbol, less what one symbol can move
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from separatrix.studies.answer import NOTHING, Answer, by, decided
from separatrix.studies.next_symbol import SOURCES, levels_at
from separatrix.studies.panel import curves, side_by_side
from separatrix.studies.study import Cell, Row, concatenated

if TYPE_CHECKING:
    from separatrix.models.model import Model

QUESTION = "How much can one symbol change what a softmax Transformer predicts, and what does that cost it on PARITY and 2DYCK?"
PREDICTION = "The change falls as 1/n at fixed weights, so the cross-entropy of no such model stays below the floor as n grows."
CITES = ("hahn2020 Lemma 5", "hahn2020 Theorem 6")
SHAPES = ((1, 1), (2, 1), (2, 2))  # layers, heads
LENGTHS, WIDTH, SIZE = (16, 64, 256, 1024), 6, 0.3
SIZES, READ = (0.3, 0.5, 0.6), (4, 16, 64, 256, 1024, 4096)

CAPTION = (
    f"First: models of width {WIDTH} with fixed random weights, no mask and no norms: the largest change of a logit when one symbol of 2 "
    "inputs is exchanged, and the repaired bound of Lemma 5 on it, computed from the norms. Then: what a model of one layer with such "
    "weights cannot be below on prefixes of n symbols, from its norms alone; a floor that the bound does not lift above the optimum is "
    "drawn at 0, and says nothing. The paper's own limit on PARITY, the unigram level, is wrong for a prediction read at the last symbol: "
    "that symbol carries a little information, so the true limit is its level, slightly lower."
)

TRAINS = False
CELLS: tuple[Cell, ...] = (
    *({"panel": "influence", "layers": layers, "heads": heads} for layers, heads in SHAPES),
    *({"panel": "floor", "source": source, "p": p, "title": title} for title, source, p in SOURCES),
)
rows = concatenated


def run(cell: Cell) -> list[Row]:
    """The influence of one symbol by n, or a floor by n."""
    return influences(cell["layers"], cell["heads"]) if cell["panel"] == "influence" else floors(cell["title"], cell["source"], cell["p"])


def influences(layers: int, heads: int) -> list[Row]:
    """Bound and measurement, for one shape of model."""
    import torch

    from separatrix.refuters.influence import influence_bound, measured_influence

    model, listed = soft_model(3, 2, layers, heads, SIZE), []
    name = f"{layers} layer{'s' * (layers > 1)}, {heads} head{'s' * (heads > 1)}"
    for n in LENGTHS:
        tokens = torch.randint(0, 3, (2, n), generator=torch.Generator().manual_seed(n))
        seen = max(measured_influence(model, tokens, place) for place in (0, n // 2))
        for series, value in ((f"bound, {name}", influence_bound(model, n).logit), (f"measured, {name}", seen)):
            listed.append(_row("influence", "random", series, n, value))
    return listed


def floors(title: str, source: str, p: float) -> list[Row]:
    """The floor under models of several sizes, and the levels that no weights change."""
    from separatrix.refuters.floors import cross_entropy_floor
    from separatrix.tasks import make_task
    from separatrix.tasks.next_symbol import NextSymbol

    listed = []
    for n in READ:
        task, levels = make_task(source, length=n, p=p), levels_at(source, p, n)
        assert isinstance(task, NextSymbol)
        models = {size: soft_model(task.vocabulary, task.targets, 1, 1, size) for size in SIZES}
        nats = {f"floor, weights of size {size:g}": cross_entropy_floor(model, task).nats for size, model in models.items()}
        nats |= {"floor in the limit": levels["floor"], "unigram": levels["unigram"]}
        listed += [_row("floor", title, series, n, value, max(0.0, value - levels["optimal"])) for series, value in nats.items()]
    return listed


def soft_model(vocabulary: int, targets: int, layers: int, heads: int, size: float) -> Model:
    """Softmax attention over everything, without norms; every weight normal and cut off at 2 deviations."""
    import torch

    from separatrix.models.config import EmbeddingConfig, FeedForwardConfig, LayerConfig, ModelConfig, ReadoutConfig
    from separatrix.models.masks import All
    from separatrix.models.mixers.attention import AttentionConfig
    from separatrix.models.model import Model

    width = WIDTH
    layer = LayerConfig(AttentionConfig(heads, width, width, "softmax", All()), FeedForwardConfig(8), residual=True)
    model = Model(ModelConfig(EmbeddingConfig(vocabulary), (layer,) * layers, ReadoutConfig(targets), width, "float64", READ[-1])).double()
    draw = torch.Generator().manual_seed(0)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            numbers = torch.randn(parameter.shape, generator=draw, dtype=torch.float64).clamp(-2, 2) * size
            parameter.copy_(numbers if name.startswith("embedding") else numbers / parameter.shape[-1] ** 0.5)
    return model


def figure(rows: list[Row]) -> dict[str, Any]:
    """Influence against n, and nats against n for each source."""
    influence = [row for row in rows if row["panel"] == "influence"]
    panels = [curves(influence, "Change by one symbol", ("length", "n"), ("value", "change of a logit"), "series")]
    for title, _, _ in SOURCES:
        some = [row for row in rows if row["source"] == title]
        panels.append(curves(some, f"{title}, next symbol", ("length", "n"), ("above", "nats above the optimum"), "series", "y"))
    return side_by_side(*panels)


def _row(panel: str, source: str, series: str, n: int, value: float, above: float | None = None) -> Row:
    row = {"panel": panel, "source": source, "series": series, "length": n, "value": float(f"{value:.5g}")}
    return {**row, "above": None if above is None else round(above, 5)}


def answer(rows: list[Row]) -> Answer:
    """Whether the measured change falls as 1/n, stays below the bound, and the floor of the smallest weights rises to its limit."""
    curves_of = {series[0]: some for series, some in by((row for row in rows if row["panel"] == "influence"), "series").items()}
    powers, loose = [], []
    for name, some in curves_of.items():
        if name.startswith("measured"):
            a, b = some[0], some[-1]
            powers.append(math.log(b["value"] / a["value"]) / math.log(b["length"] / a["length"]))
            bound = {row["length"]: row["value"] for row in curves_of[name.replace("measured", "bound")]}
            loose += [bound[row["length"]] / row["value"] for row in some]
    if not powers:
        return NOTHING
    holds = all(-1.1 < power < -0.9 for power in powers) and min(loose) >= 1
    said = f"n to a power between {min(powers):.2f} and {max(powers):.2f}"
    return decided(holds, f"What one symbol can change falls as {said}; the bound is {min(loose):.0f} to {max(loose):.0f} times larger.")
