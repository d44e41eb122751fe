"""The budget of a training run: every number besides model, task and seed that determines its rows."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from separatrix.errors import BadInput


@dataclass(frozen=True)
class Budget:
    """Steps, batches, optimiser, schedule, and when to report."""

    steps: int = 2000
    batch: int = 64
    rate: float = 1e-3  # of learning, after the warm-up
    optimiser: Literal["adam", "adamw"] = "adam"
    decay: float = 0.0  # weight decay of matrices, in adamw
    schedule: Literal["constant", "cosine"] = "constant"
    warmup: int = 0  # steps over which the rate rises from 0
    clip: float = 0.0  # largest norm of the gradient; 0: no clipping, which would mute rare examples with large gradients
    examples: int = 0  # 0: every batch is fresh; otherwise the size of a finite set, permuted in each epoch
    report_every: int = 100  # steps between rows with the training loss
    validate_every: int = 500
    validation: int = 500  # examples
    enough: float = 0.0  # stop once the validation accuracy reaches this; 0 never stops
    patience: int = 0  # stop after this many validations without a new best; 0 never stops
    test: int = 2000  # examples per test length, at the end
    snapshot_every: int = 500

    def __post_init__(self) -> None:
        for name in ("batch", "report_every", "validate_every", "validation", "test", "snapshot_every"):
            if getattr(self, name) < 1:
                raise BadInput(f"budget: {name} must be at least 1, found {getattr(self, name)}")
        for name in ("steps", "warmup", "clip", "decay", "examples", "enough", "patience"):
            if not getattr(self, name) >= 0:
                raise BadInput(f"budget: {name} must not be negative, found {getattr(self, name)}")
        if not (self.rate > 0 and math.isfinite(self.rate)):
            raise BadInput(f"budget: rate must be a positive number, found {self.rate}")
        if self.decay and self.optimiser == "adam":
            raise BadInput(f"budget: decay {self.decay} needs optimiser=adamw, found adam")

    def rate_at(self, step: int) -> float:
        """The learning rate of step number `step`, from 0: a linear warm-up, then constant or half a cosine down to 0."""
        if step < self.warmup:
            return self.rate * (step + 1) / self.warmup
        if self.schedule == "constant":
            return self.rate
        return self.rate * 0.5 * (1 + math.cos(math.pi * (step - self.warmup) / max(1, self.steps - self.warmup)))
