"""The suite that `separatrix probe` puts models through: its tasks, its budgets, and the shape in which models are compared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from separatrix.models.mixers import MIXERS
from separatrix.models.model_names import configuration
from separatrix.tasks import Task, make_task
from separatrix.training.budget import Budget

Scale = Literal["quick", "laptop"]


@dataclass(frozen=True)
class Item:
    """A task of the suite, at a length for each scale."""

    skill: str
    task: str
    length: int  # at the quick scale
    longer: int  # at the other
    parameters: dict[str, Any] = field(default_factory=dict)

    def at(self, scale: Scale) -> Task:
        """The task at the length of a scale."""
        return make_task(self.task, **self.parameters, length=self.length if scale == "quick" else self.longer)


SUITE = (
    Item("retrieval", "index-lookup", 10, 20, {"symbols": 8}),
    Item("recall", "associative-recall", 4, 8),
    Item("counting", "counting", 6, 12),
    Item("equality", "eq-random", 10, 20),
    Item("brackets", "dyck", 10, 30),
    Item("parity", "parity", 8, 16),
    Item("copying", "copy", 6, 16, {"symbols": 4}),
    Item("state tracking", "regular", 8, 16, {"language": "@s3"}),
    Item("trees", "is-tree", 6, 10),
    Item("a program, by its chain", "arithmetic", 2, 4, {"prime": 5}),
)
BUDGETS = {
    "quick": Budget(
        steps=400, batch=64, rate=3e-3, schedule="cosine", warmup=40, clip=1.0, validate_every=100, validation=200, enough=0.999, test=1000
    ),
    "laptop": Budget(
        steps=6000,
        batch=128,
        rate=2e-3,
        schedule="cosine",
        warmup=300,
        clip=1.0,
        validate_every=500,
        validation=500,
        enough=0.999,
        test=2000,
    ),
}
SEEDS = 3  # of initial weights and training data
TEST_SEED = 1000  # of test inputs: no training seed, and the same for every model
LAYERS, WIDTH = 2, 64  # of the models that are compared, and so of a mixer that does not say otherwise


def usual_sizes(place: str, chosen: Mapping[str, Any]) -> dict[str, Any]:
    """What was chosen, with the layers and the width of the models it is compared with where a name or a mixer leaves them open."""
    architecture, sizes = configuration(place, chosen)
    if architecture in MIXERS or architecture == "transformer":
        stacks = True
    elif ":" in architecture:
        from separatrix.models.user_model import is_whole

        stacks = not is_whole(architecture)
    else:
        stacks = False
    usual = {"layers": LAYERS, "width": WIDTH} if stacks else {}
    return {**{key: size for key, size in usual.items() if key not in sizes}, **chosen}
