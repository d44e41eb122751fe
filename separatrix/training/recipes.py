"""How to train each small configuration on index lookup with 64 symbols: rate, warm-up, batch, steps and positions, kept with its name.

The rates are where a short search began, not where a long one ended. A recurrent model finds the place that is asked for far sooner if its
embedding says where a token stands.
`separatrix study lookup-printed` has the rows behind these numbers; seconds are those of a shared core.
`separatrix sweep lookup-printed --overnight` runs them.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from separatrix.training.budget import Budget


@dataclass(frozen=True)
class Measured:
    """The accuracy that a recipe reached, and in what time."""

    length: int  # N of index lookup, with 64 symbols
    accuracy: float  # on test inputs
    seconds: float  # of one core


@dataclass(frozen=True)
class Recipe:
    """A budget for index lookup, settings of the model, and what was measured with them."""

    budget: Budget
    measured: tuple[Measured, ...] = ()
    parameters: tuple[tuple[str, Any], ...] = ()

    def document(self) -> dict[str, Any]:
        """The result as JSON."""
        return {"task": "index-lookup", **asdict(self), "parameters": dict(self.parameters)}

    def line(self) -> str:
        """The result as a sentence."""
        b = self.budget
        plan = f"rate {b.rate:g}, {b.schedule}, warm-up {b.warmup}, batch {b.batch}, clip {b.clip:g}, {b.steps} steps at most"
        settings = "".join(f", {key}={value}" for key, value in self.parameters)
        reached = [f"N = {one.length}: {100 * one.accuracy:.1f} % in {one.seconds:.0f} s of one core" for one in self.measured]
        return f"index lookup: {plan}{settings}; {'; '.join(reached) or 'not yet run'}"


def _budget(rate: float, steps: int = 20000, batch: int = 128) -> Budget:
    return Budget(
        steps=steps, batch=batch, rate=rate, schedule="cosine", warmup=500, clip=1.0, validate_every=500, validation=1000, enough=0.998
    )


PLACED = (("positions", "learned"),)
RECIPES = {
    "mamba-2-64": Recipe(_budget(2e-3), (Measured(10, 1.0, 30), Measured(20, 0.9985, 163)), PLACED),
    "mamba2-2-64": Recipe(_budget(2e-3), (Measured(10, 1.0, 21), Measured(20, 1.0, 124)), PLACED),
    "retnet-2-64": Recipe(_budget(1e-3), (Measured(10, 1.0, 32), Measured(20, 1.0, 100)), PLACED),
    "lintf-2-64": Recipe(_budget(1e-3), (Measured(10, 1.0, 33), Measured(20, 1.0, 53))),
    "dss-2-64": Recipe(_budget(2e-3), (Measured(10, 0.9985, 241), Measured(20, 0.2035, 944))),
    "dss-2-256": Recipe(_budget(4e-3), (Measured(10, 0.9935, 144), Measured(20, 0.966, 2842)), (("gated", True), ("state", 16), *PLACED)),
    "deltanet-2-64": Recipe(_budget(1e-3), (Measured(10, 1.0, 30), Measured(20, 1.0, 98)), PLACED),
    "lstm-2-128": Recipe(_budget(2e-3), (Measured(10, 0.998, 114), Measured(20, 0.969, 1405)), PLACED),
}
