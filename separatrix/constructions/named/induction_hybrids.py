"""Recall by a hybrid of a linear RNN and attention: the recurrence shows each label the key before it, and one head finds that key.

Notation   B  bits of a key, as signs      b  bits of a label, as signs

    linear RNN   two stages of B registers, h = (this token, the one before); a label has no bits of a key, so a label shows its key and a
                 key shows nothing
    attention    a key asks for itself: its score is B at a label of this key, at most B - 2 at other labels and 0 at keys; it reads the
                 label, whichever of its places holds it

In fixed:p,0 a score below the highest has the weight floor(e^gap) = 0, so scores are not scaled, and it is enough that B - 1 is a number:
clamped, B still leads B - 2. With f fractional bits they are scaled until e^gap is below half a unit.

The state of the recurrence is 2 B numbers, however many pairs there are, and the stream is of order log S. A linear RNN alone has to hold
all labels; attention alone needs positions, by which a first layer finds the token before.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from separatrix.architectures import Architecture
from separatrix.arithmetic.format import parse_format
from separatrix.certificates.construction import Construction, Settings, Sizes
from separatrix.constructions.named.linear_lines import format_bits, line, signs
from separatrix.constructions.named.streams import Stream, assembled, code_bits, stream
from separatrix.models.config import EmbeddingConfig, LayerConfig
from separatrix.tasks.alternating import Recall
from separatrix.tasks.associative_recall import AssociativeRecall
from separatrix.tasks.mqar import Mqar

if TYPE_CHECKING:
    from separatrix.certificates.built import Built

SHARP = 32  # in floats: e^(-2 SHARP) times the tokens is nothing, and the head reads labels of one key


def scale(arithmetic: str) -> int:
    """The scale of scores: two units of it between a key and any other leave the other less than half a unit of the format."""
    format = parse_format(arithmetic)
    return math.ceil((format.fraction + 2) * math.log(2) / 2) if format.exact else SHARP


def layout(task: Recall, width: int) -> Stream:
    """The token, the key before it, and the label that is read."""
    B, b = code_bits(task.keys), code_bits(task.labels)
    return stream(f"{task.name} with {task.keys} keys", width, key=B, label=b, before=B, answer=b)


def hybrid(task: Recall, width: int = 0, arithmetic: str = "float64") -> Built:
    """A linear RNN, and one head above it."""
    from separatrix.models.mixers.attention import AttentionConfig
    from separatrix.models.mixers.linear_rnn import LinearRnnConfig

    sizes, s, B, b = hybrid_sizes(task, width, arithmetic), layout(task, width), code_bits(task.keys), code_bits(task.labels)
    head = {
        "query": scale(arithmetic) * s.rows(B, key=np.eye(B)),
        "key": s.rows(B, before=np.eye(B)),
        "value": s.rows(b, label=np.eye(b)),
        "out": s.rows(b, answer=np.eye(b)).T,
    }
    tensors = {
        "embedding.table": np.concatenate([s.rows(task.keys, key=signs(task.keys)), s.rows(task.labels, label=signs(task.labels))]),
        **{f"layers.0.mixer.{name}": tensor for name, tensor in line(s, {"key": "before"}, 2).items()},
        **{f"layers.1.mixer.{name}": tensor for name, tensor in head.items()},
        "readout.weight": s.rows(task.labels, answer=signs(task.labels)),
        "readout.bias": np.zeros(task.labels),
    }
    layers = (LayerConfig(LinearRnnConfig(2 * B), residual=True), LayerConfig(AttentionConfig(1, B, b), residual=True))
    facts, embedding = {"recurrent bits": float(sizes["precision_bits"] * 2 * B)}, EmbeddingConfig(task.vocabulary)
    return assembled(task, f"{task.name}/hybrid-linear-rnn", arithmetic, {"width": width}, sizes, embedding, layers, tensors, facts)


def hybrid_sizes(task: Recall, width: int, arithmetic: str) -> Sizes:
    """Two stages of a key, and a cache of keys and labels."""
    s, sharp, B, b = layout(task, width), scale(arithmetic), code_bits(task.keys), code_bits(task.labels)
    p = format_bits(f"{task.name}, N = {task.length}", arithmetic, max(1, b - 1, sharp * B - (sharp == 1)))
    return Sizes(layers=2, heads=1, width=s.width, value_width=b, precision_bits=p, state_bits=p * (2 * B + task.token_count * (B + b)))


def _declared(computes: type[Recall], *quick: Settings) -> Construction:
    return Construction(
        name=f"{computes.name}/hybrid-linear-rnn",
        computes=computes,
        architecture=Architecture.HYBRID,
        build=hybrid,
        formula=hybrid_sizes,
        quick=quick,
        default_length=16,
    )


MQAR_HYBRID_LINEAR = _declared(Mqar, {"length": 4}, {"length": 4, "arithmetic": "fixed:2,0"})
RECALL_HYBRID_LINEAR = _declared(AssociativeRecall, {"length": 2, "arithmetic": "float32"}, {"length": 2, "arithmetic": "fixed:2,0"})
