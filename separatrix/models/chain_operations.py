"""What a chain costs a model, from its configuration alone: operations of the weights and of the mixing of tokens. No torch.

A multiplication and addition count 2. Over L tokens, with D the width, H heads with keys of m and values of u:

    attention         weights 4 L D H (m + u)       mixing 2 H (m + u) for each pair of a token and one that it sees
    linear attention  weights 4 L D H (m + u)       mixing L H (4 m u + 4 m)
    feed-forward      weights 4 L D F               read-out 2 L D V
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from separatrix.errors import BadInput


@dataclass(frozen=True)
class Operations:
    """Operations over all tokens, split by where they happen."""

    weights: int
    mixing: int

    @property
    def total(self) -> int:
        """Operations of the weights and of the mixing, together."""
        return self.weights + self.mixing

    def __add__(self, other: Operations) -> Operations:
        return Operations(self.weights + other.weights, self.mixing + other.mixing)


def attended_pairs(mask: Any, L: int) -> int:
    """How many pairs of a token and one that it sees there are among L tokens: each sees what is carried to it, and itself."""
    return sum(int(mask.carried(n)) + 1 for n in range(L))


def operations(config: Any, L: int) -> Operations:
    """What a model with this configuration (models/config.py) computes over L tokens."""
    D = config.width
    total = Operations(2 * L * D * config.readout.targets, 0)
    for layer in config.layers:
        if layer.mixer is not None:
            total += _mixing(layer.mixer, D, L)
        if layer.feedforward is not None:
            total += Operations((6 if layer.feedforward.gated else 4) * L * D * layer.feedforward.hidden, 0)
    return total


def _mixing(mixer: Any, D: int, L: int) -> Operations:
    if mixer.kind not in ("attention", "linear-attention"):
        raise BadInput(f"operations: no formula for the mixer {mixer.kind}: expected attention or linear-attention")
    H, m, u = mixer.heads, mixer.key_width, mixer.value_width
    weights = 4 * L * D * H * (m + u)
    if mixer.kind == "linear-attention":
        return Operations(weights, L * H * (4 * m * u + 4 * m))
    return Operations(weights, 2 * H * (m + u) * attended_pairs(mixer.mask, L))
