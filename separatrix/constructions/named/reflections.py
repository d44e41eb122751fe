"""Parity by a reflection: DeltaNet whose share goes up to 2, so that I - 2 k k^T turns a direction around.

    a 1        k = 1, beta = 2:   S' = S + 2 (v - S) = 2 v - S, which goes to and fro between 0 and 2 v
    a 0        k = 0:             S' = S
    the end    q = 1 reads S; the RMS norm makes it 0 or 1

One head of one number. Without negative eigenvalues (beta <= 1) the same head only fades.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from separatrix.architectures import Architecture
from separatrix.certificates.construction import Construction, Sizes
from separatrix.constructions.named.streams import assembled, bits_of, stream
from separatrix.constructions.named.table_mixers import LONG, TAPS
from separatrix.models.config import EmbeddingConfig, LayerConfig
from separatrix.tasks.parity import Parity

if TYPE_CHECKING:
    from separatrix.certificates.built import Built

WIDTH = 3  # [a 1], [the end], what is read
SMALL = 2.0**-4  # v = silu(SMALL): far above the 10^-3 in the norm, and what the format rounds of it is far below


def parity(task: Parity, arithmetic: str = "float64") -> Built:
    """One layer without a feed-forward part."""
    from separatrix.models.mixers.deltanet import DeltaNetConfig

    s = stream(task.name, WIDTH, one=1, end=1, read=1)
    one, end, read = (np.eye(WIDTH)[[c]] for c in range(WIDTH))
    taps = np.zeros((3, TAPS))
    taps[:, -1] = 1
    mixer = {
        "into": np.concatenate([LONG * end, LONG * one, SMALL * one]),  # q, k, v
        "convolution.weight": taps,
        "share": 64 * one,  # 2 sigma(64) = 2
        "norm.weight": np.ones(1),
        "out": read.T,
    }
    tensors = {
        "embedding.table": np.concatenate([np.zeros((1, WIDTH)), one, end]),
        **{f"layers.0.mixer.{name}": tensor for name, tensor in mixer.items()},
        "readout.weight": np.concatenate([read, -read]),  # the target 1 is even
        "readout.bias": np.array([-0.5, 0.5]),
    }
    layers = (LayerConfig(DeltaNetConfig(1, 1, 1, TAPS, negative=True), residual=True),)
    sizes, facts = parity_sizes(task, arithmetic), {"bits held": 1.0 + 2 * (TAPS - 1)}
    assert s.width == sizes.width
    return assembled(task, PARITY_DELTANET.name, arithmetic, {}, sizes, EmbeddingConfig(task.vocabulary), layers, tensors, facts)


def parity_sizes(task: Parity, arithmetic: str) -> Sizes:
    """One number and three inputs of three channels."""
    p = bits_of(task.name, arithmetic)
    return Sizes(layers=1, heads=1, width=WIDTH, precision_bits=p, state_bits=p * (1 + 3 * (TAPS - 1)))


PARITY_DELTANET = Construction(
    name="parity/deltanet",
    computes=Parity,
    architecture=Architecture.DELTANET_NEGATIVE,
    build=parity,
    formula=parity_sizes,
    quick=({"length": 8},),
    default_length=16,
)
