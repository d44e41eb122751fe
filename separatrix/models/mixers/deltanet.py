"""DeltaNet: linear attention that overwrites what a key has stored instead of adding to it.

    S_t   = (I - beta_t k_t k_t^T) S_(t-1) + beta_t k_t v_t^T
    mixed = O norm(q_t S_t)                                     an RMS norm for each head

The rest is in delta_heads.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch import Tensor

from separatrix.arithmetic.operators import Arithmetic
from separatrix.models.layer_styles import BLOCK, LayerStyle
from separatrix.models.mixers.delta_heads import DeltaConfig, DeltaHeads, head_width


@dataclass(frozen=True)
class DeltaNetConfig(DeltaConfig):
    """Nothing beside the sizes of its heads."""

    kind: ClassVar[str] = "deltanet"
    style: ClassVar[LayerStyle] = BLOCK

    @property
    def inexact(self) -> str:
        return "DeltaNet, whose keys are normalised"

    def build(self, width: int, numbers: Arithmetic) -> DeltaNet:
        return DeltaNet(self, width, numbers)


class DeltaNet(DeltaHeads):
    """Heads of the delta rule without decay."""

    def log_decay(self, x: Tensor) -> Tensor | None:  # noqa: ARG002
        return None


def deltanet(width: int, heads: int = 4, convolution: int = 4, negative: bool = False) -> DeltaNetConfig:
    """Heads that share the width of the stream; `negative` lets beta go up to 2, and eigenvalues down to -1."""
    each = head_width("deltanet", width, heads)
    return DeltaNetConfig(heads, each, each, convolution, negative)
