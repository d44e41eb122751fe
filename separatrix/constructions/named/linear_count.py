"""What one count decides, by a linear RNN with one register.

    parity    it counts the ones c, and ReLU(c) - 2 ReLU(c - 1) + 2 ReLU(c - 2) - .. = c mod 2
    ones      it counts the zeros c, and ReLU(c) - ReLU(c - 1) is 1 iff there is one

All numbers are integers up to N, and none may be clamped: the least formats are fixed:p,0 with 2^(p - 1) > N.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from separatrix.certificates.construction import Sizes
from separatrix.constructions.named.linear_lines import declared, feedforward, line_model, line_sizes, named
from separatrix.constructions.named.streams import Array, stream
from separatrix.models.config import FeedForwardConfig, LayerConfig
from separatrix.tasks.counter_languages import Ones
from separatrix.tasks.parity import Parity

if TYPE_CHECKING:
    from separatrix.certificates.built import Built


def counted(task: Parity | Ones, arithmetic: str = "float64") -> Built:
    """One register, and a unit for each bend of what the count says: N for parity, two for `no 0`."""
    from separatrix.models.mixers.linear_rnn import LinearRnnConfig

    sizes, s, one = counted_sizes(task, arithmetic), stream(task.name, 0, one=1, ones=1, odd=1), np.ones((1, 1))
    counts, bends = _bends(task)
    units = len(bends)
    odd, folded = s.rows(1, odd=one), s.rows(units, odd=bends[:, None]).T
    tensors = {
        "embedding.table": s.rows(task.vocabulary, one=np.eye(task.vocabulary, 1, k=-counts)),
        **named(0, "mixer", {"transition": one, "drive": s.rows(1, one=one), "out": s.rows(1, ones=one).T}),
        **named(0, "feedforward", feedforward(s.rows(units, ones=np.ones((units, 1))), -np.arange(units, dtype=float), folded)),
        "readout.weight": np.concatenate([odd, -odd]),
        "readout.bias": np.array([0.0, 1.0]),
    }
    config = LayerConfig(LinearRnnConfig(1), FeedForwardConfig(units), residual=True)
    return line_model(task, "linear-rnn", arithmetic, sizes, (config,), tensors, math.ceil(math.log2(task.length + 1)))


def _bends(task: Parity | Ones) -> tuple[int, Array]:
    """The symbol that counts, and how the slope of what its count says changes at 0, 1, .. of it."""
    if isinstance(task, Ones):
        return 0, np.array([1.0, -1.0])
    return 1, np.where(np.arange(task.length) == 0, 1.0, 2.0 * (-1.0) ** np.arange(task.length))


def counted_sizes(task: Parity | Ones, arithmetic: str) -> Sizes:
    """Sizes of one register that counts up to N."""
    return line_sizes(task, arithmetic, max(2, task.length), 1, 3, 1)


PARITY_LINEAR = declared(Parity, counted, counted_sizes, {"length": 10}, {"length": 10, "arithmetic": "fixed:5,0"})
ONES_LINEAR = declared(Ones, counted, counted_sizes, {"length": 10})
