"""Can attention be learned without softmax?

[bhattamishra2024 Theorem 1; bhattamishra2024 Experiment 2; hahn2020 Theorem 1]

As in attention_replaced.py, but every model is trained with the attention that it is judged with. Annealed attention begins as softmax;
its logits are multiplied by a factor that grows with the steps, and it is judged as hard attention.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from separatrix.studies.answer import NOTHING, Answer, decided
from separatrix.studies.attention_replaced import replaced
from separatrix.studies.learned import percent
from separatrix.studies.panel import marks, side_by_side
from separatrix.studies.study import Cell, Row, concatenated
from separatrix.tasks.capabilities import tokens_read
from separatrix.training.budget import Budget

if TYPE_CHECKING:
    from torch import Tensor, nn

    from separatrix.tasks import Batch

QUESTION = "Which attention can be learned in place of softmax?"
PREDICTION = "Hard attention has no gradient for queries and keys, so it can only keep what softmax has learned; top-k has a gradient."
CITES = ("bhattamishra2024 Theorem 1", "bhattamishra2024 Experiment 2", "hahn2020 Theorem 1")
TASKS: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("Index lookup", "index-lookup", {"length": 12, "symbols": 8}),
    ("Equality", "eq-random", {"length": 8}),
)
WAYS = {"softmax": "softmax", "top-2": "top-2", "annealed, then hard": "annealed", "hard": "hard", "linear": "linear"}
SHARPEST = 32.0  # times the logits at the end of annealing
BUDGET = Budget(steps=250, batch=64, rate=3e-3, warmup=20, clip=1.0, validate_every=250, validation=500)

CAPTION = (
    "One layer of width 32 with 4 "
    f"heads and learned positions, {BUDGET.steps} steps of Adam with {BUDGET.batch} examples, one seed; accuracy on fresh inputs. Index "
    "lookup among 12 of 8 symbols (chance 12.5 %) and equality of two halves of 4 bits (chance one half), small enough that every kind "
    "has a chance. Top-2 keeps the two largest logits of each head. Hard attention has a gradient for what it reads and none for where "
    "it looks. Annealed attention is softmax whose logits are multiplied by a factor that rises over the steps, and it is judged as hard "
    "attention. A question that the papers leave open; `separatrix study attention-replaced` asks it of built weights."
)

TRAINS, QUICK_TRAINING = False, True  # about a second each
CELLS: tuple[Cell, ...] = tuple({"task": title, "attention": named, "seed": 0} for title, _, _ in TASKS for named in WAYS)
rows = concatenated


def run(cell: Cell) -> list[Row]:
    """One kind of attention on one task."""
    from separatrix.models import make_model
    from separatrix.models.model import Model
    from separatrix.refuters.other_attention import OtherAttention
    from separatrix.tasks import make_task
    from separatrix.training.evaluation import evaluate
    from separatrix.training.loop import cross_entropy, train

    name, settings = next((name, settings) for title, name, settings in TASKS if title == cell["task"])
    task, way = make_task(name, **settings), WAYS[cell["attention"]]
    fresh = make_model(
        "tf-1-32", vocabulary=task.vocabulary, targets=task.targets, length=tokens_read(task), deviation=0.15, seed=cell["seed"]
    )
    assert isinstance(fresh, Model)
    model = replaced(fresh, way)
    heads = [layer.mixer for layer in model.each_layer() if isinstance(layer.mixer, OtherAttention)]
    steps = 0

    def objective(model: nn.Module, batch: Batch) -> Tensor:
        nonlocal steps
        for head in heads:
            head.sharpness = SHARPEST ** (steps / BUDGET.steps)
        steps += 1
        return cross_entropy(model, batch)

    for _ in train(model, task, BUDGET, cell["seed"], objective=objective):
        pass
    for head in heads:
        head.way = "hard" if way == "annealed" else way
    return [{**cell, "accuracy": percent(evaluate(model, task, 1000, 7).accuracy)}]


def figure(rows: list[Row]) -> dict[str, Any]:
    """A line for each kind of attention, a mark for each task."""
    scale, ticks = {"domain": [0, 100]}, [0.0, 25.0, 50.0, 75.0, 100.0]
    return side_by_side(marks(rows, "Trained with other attention", ("accuracy", "accuracy, %"), "attention", "task", scale, ticks))


def answer(rows: list[Row]) -> Answer:
    """Hard attention falls behind softmax on lookup, top-k does not."""
    lookup = {row["attention"]: row["accuracy"] for row in rows if row["task"] == TASKS[0][0]}
    if not {"softmax", "hard", "top-2"} <= lookup.keys():
        return NOTHING
    holds = lookup["hard"] < lookup["softmax"] - 10 and lookup["top-2"] > lookup["softmax"] - 10
    said = ", ".join(f"{way} {share:g}" for way, share in lookup.items())
    return decided(holds, f"Accuracy on index lookup after training with each kind of attention, in %: {said} (one seed).")
