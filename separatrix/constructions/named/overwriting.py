"""Latest recall: DeltaNet with beta = 1 overwrites a row for each key; registers of an LSTM or a GRU do the same.

Notation   S  keys, key s has the digits slot s mod m and bucket s // m      b  bits of a label, the columns of the state

    k, q     e_s for the key before, and for the key itself:  silu(K ([slot] + [bucket] - 1)) is K for one key, else 0 exactly, at norm 1
    v        silu(1) for each bit of the label that is 1
    beta     1 at labels, 0 at keys:  S' = (I - e_s e_s^T) S + e_s v^T, exactly

The keys of a head that overwrites must not meet: one row for each key. So the stream is of order sqrt S, and the state of order S, as
that of a vector. Whether overwriting is possible with a state of order sqrt S x sqrt S, where a row is shared, is open.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from separatrix.architectures import Architecture
from separatrix.certificates.construction import Construction, Settings, Sizes
from separatrix.constructions.named import recall_cells
from separatrix.constructions.named.streams import Stream, assembled, binary, bits_of, by_bits, code_bits, one_hot, split, stream
from separatrix.constructions.named.table_mixers import APART, LONG, TAPS
from separatrix.models.config import EmbeddingConfig, LayerConfig
from separatrix.tasks.latest_recall import LatestRecall

if TYPE_CHECKING:
    from separatrix.certificates.built import Built

SHUT = -800.0  # sigma(-800) = 0
VALUE = 1.0  # of a bit of 1: what an overwrite leaves behind of it, a unit in the last place, is small beside the 10^-3 in the norm


def layout(task: LatestRecall, width: int) -> tuple[int, int, Stream]:
    """Slots, buckets and the stream."""
    m, w = split(task.keys, 1, 1)
    return m, w, stream(f"latest-recall with {task.keys} keys", width, slot=m, bucket=w, code=code_bits(task.labels), label=1)


def deltanet(task: LatestRecall, width: int = 0, arithmetic: str = "float64") -> Built:
    """One head, one layer, no feed-forward part."""
    from separatrix.models.mixers.deltanet import DeltaNetConfig

    sizes, (m, w, s) = deltanet_sizes(task, width, arithmetic), layout(task, width)
    S, b, key = task.keys, code_bits(task.labels), np.arange(task.keys)
    slot, bucket = one_hot(key % m, m), one_hot(key // m, w)
    both = LONG * s.rows(S, slot=slot - 1, bucket=bucket)  # a key shows one slot
    taps = np.zeros((2 * S + b, TAPS))
    taps[:S, -1] = taps[S : 2 * S, -2] = taps[2 * S :, -1] = 1  # the token itself, the token before, the token itself
    mixer = {
        "into": np.concatenate([both, both, VALUE * s.rows(b, code=np.eye(b))]),
        "convolution.weight": taps,
        "share": s.rows(1, label=np.full((1, 1), 64.0), slot=np.full((1, m), SHUT)),
        "norm.weight": np.ones(b),
        "out": s.rows(b, code=np.eye(b)).T,
    }
    keys, labels = s.rows(S, slot=slot, bucket=bucket), s.rows(task.labels, code=binary(task.labels), label=np.ones((task.labels, 1)))
    weight, bias = by_bits(task.labels, s.rows(b, code=np.eye(b)), APART)
    tensors = {
        "embedding.table": np.concatenate([keys, labels]),
        **{f"layers.0.mixer.{name}": tensor for name, tensor in mixer.items()},
        "readout.weight": weight,
        "readout.bias": bias,
    }
    layers = (LayerConfig(DeltaNetConfig(1, S, b, TAPS, negative=False), residual=True),)
    facts = {"bits held": float(S * b + (TAPS - 1) * code_bits(task.vocabulary))}
    embedding, name = EmbeddingConfig(task.vocabulary), "latest-recall/deltanet"
    return assembled(task, name, arithmetic, {"width": width}, sizes, embedding, layers, tensors, facts)


def deltanet_sizes(task: LatestRecall, width: int, arithmetic: str) -> Sizes:
    """A row for each key, and three inputs of the convolution."""
    _, _, s = layout(task, width)
    p, S, b = bits_of(task.name, arithmetic), task.keys, code_bits(task.labels)
    return Sizes(layers=1, heads=1, width=s.width, precision_bits=p, state_bits=p * (S * b + (TAPS - 1) * (2 * S + b)))


def _declared(by: str, build: Callable[..., Built], formula: Callable[..., Sizes], *quick: Settings) -> Construction:
    return Construction(
        name=f"latest-recall/{by}",
        computes=LatestRecall,
        architecture=Architecture(by),
        build=build,
        formula=formula,
        quick=quick,
        default_length=16,
    )


_short = {"arithmetic": "float32"}
LATEST_DELTANET = _declared("deltanet", deltanet, deltanet_sizes, {"length": 6}, {"length": 4, "symbols": 3, **_short})
LATEST_LSTM = _declared("lstm", recall_cells.lstm, recall_cells.lstm_sizes, {"length": 6}, {"length": 4, "symbols": 3, **_short})
LATEST_GRU = _declared("gru", recall_cells.gru, recall_cells.gru_sizes, {"length": 6, **_short}, {"length": 4, "symbols": 3})
