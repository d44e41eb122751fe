"""How to train each small configuration on index lookup with 64 symbols: rate, warm-up, batch and steps, kept with its name.

The rates are where a short search began, not where a long one ended.
`separatrix study lookup-printed` has the rows behind these numbers; seconds are those of a core that had other work too.
`benchmarks/learning.py` runs them, one after the other.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from separatrix.training.budget import Budget


@dataclass(frozen=True)
class Recipe:
    """A budget for a task, and what was measured with it."""

    length: int  # N of index lookup, with 64 symbols
    budget: Budget
    reached: float | None = None  # test accuracy
    seconds: float | None = None  # of one core

    def document(self) -> dict[str, Any]:
        """As JSON."""
        return {"task": "index-lookup", **asdict(self)}

    def line(self) -> str:
        """For people."""
        b = self.budget
        outcome = "not yet run" if self.reached is None else f"{100 * self.reached:.1f} % in {self.seconds:.0f} s of one core"
        plan = f"rate {b.rate:g}, {b.schedule}, warm-up {b.warmup}, batch {b.batch}, clip {b.clip:g}, {b.steps} steps at most"
        return f"index lookup, N = {self.length}: {plan}; {outcome}"


def _budget(rate: float, steps: int = 20000, batch: int = 128) -> Budget:
    return Budget(
        steps=steps, batch=batch, rate=rate, schedule="cosine", warmup=500, clip=1.0, validate_every=500, validation=1000, enough=0.998
    )


RECIPES = {
    "mamba-2-64": Recipe(10, _budget(2e-3), 1.0, 298),
    "mamba2-2-64": Recipe(10, _budget(2e-3), 1.0, 115),
    "retnet-2-64": Recipe(10, _budget(1e-3), 0.966, 1117),
    "lintf-2-64": Recipe(10, _budget(1e-3), 1.0, 33),
    "dss-2-64": Recipe(10, _budget(2e-3), 0.9985, 241),
    "deltanet-2-64": Recipe(10, _budget(1e-3), 1.0, 137),
    "lstm-2-128": Recipe(10, _budget(2e-3), 0.997, 279),
}
