"""Parity by a linear RNN: one register counts the ones c, and ReLU(c) - 2 ReLU(c - 1) + 2 ReLU(c - 2) - .. = c mod 2.

All numbers are integers up to N, and none may be clamped: the least formats are fixed:p,0 with 2^(p - 1) > N.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from separatrix.certificates.construction import Sizes
from separatrix.constructions.named.linear_lines import declared, feedforward, line_model, line_sizes, named
from separatrix.constructions.named.streams import stream
from separatrix.models.config import FeedForwardConfig, LayerConfig
from separatrix.tasks.parity import Parity

if TYPE_CHECKING:
    from separatrix.certificates.built import Built


def counted(task: Parity, arithmetic: str = "float64") -> Built:
    """One register, and N units that fold its count."""
    from separatrix.models.mixers.linear_rnn import LinearRnnConfig

    sizes, N, s, one = counted_sizes(task, arithmetic), task.length, stream("parity", 0, one=1, ones=1, odd=1), np.ones((1, 1))
    bends = np.where(np.arange(N) == 0, 1.0, 2.0 * (-1.0) ** np.arange(N))
    odd, folded = s.rows(1, odd=one), s.rows(N, odd=bends[:, None]).T
    tensors = {
        "embedding.table": s.rows(task.vocabulary, one=np.eye(task.vocabulary, 1, k=-1)),
        **named(0, "mixer", {"transition": one, "drive": s.rows(1, one=one), "out": s.rows(1, ones=one).T}),
        **named(0, "feedforward", feedforward(s.rows(N, ones=np.ones((N, 1))), -np.arange(N, dtype=float), folded)),
        "readout.weight": np.concatenate([odd, -odd]),
        "readout.bias": np.array([0.0, 1.0]),
    }
    config = LayerConfig(LinearRnnConfig(1), FeedForwardConfig(N), residual=True)
    return line_model(task, "linear-rnn", arithmetic, sizes, (config,), tensors, math.ceil(math.log2(N + 1)))


def counted_sizes(task: Parity, arithmetic: str) -> Sizes:
    """Sizes for parity: one register that counts up to N."""
    return line_sizes(task, arithmetic, max(2, task.length), 1, 3, 1)


PARITY_LINEAR = declared(Parity, counted, counted_sizes, {"length": 10, "arithmetic": "fixed:5,0"})
