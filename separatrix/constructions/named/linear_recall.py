"""Recall by a delay line in a linear RNN. All numbers are integers.

Notation   B, b  bits of a key and a label, -1 or 1      stage j  what was read j tokens ago, 0 while there is none

The stream shows all stages. The first feed-forward part finds by how many bits the key at each stage differs from the query, and the second
keeps the label behind the one that does not: width of order N log S. Formats and largest lines are those of linear_lines.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from separatrix.certificates.construction import Sizes
from separatrix.constructions.named.linear_lines import declared, feedforward, line, line_model, line_sizes, named, short, signs
from separatrix.constructions.named.streams import Stream, code_bits, one_hot, stream
from separatrix.models.config import FeedForwardConfig, LayerConfig
from separatrix.tasks.alternating import Recall
from separatrix.tasks.associative_recall import AssociativeRecall
from separatrix.tasks.mqar import Mqar

if TYPE_CHECKING:
    from separatrix.certificates.built import Built


def recall_stream(task: Recall) -> Stream:
    """The token, all tokens before it, by how much each differs, and the answer."""
    B, b, past = code_bits(task.keys), code_bits(task.labels), task.token_count - 1
    return stream(task.name, 0, key=B, flag=1, label=b, keys=past * B, flags=past, marks=past * b, differs=past, answer=b)


def recalled(task: Recall, arithmetic: str = "float64") -> Built:
    """Two layers, of which the second has a feed-forward part alone."""
    from separatrix.models.mixers.linear_rnn import LinearRnnConfig

    sizes, s, past = recall_sizes(task, arithmetic), recall_stream(task), task.token_count - 1
    B, b, each, one = code_bits(task.keys), code_bits(task.labels), past * code_bits(task.keys), np.ones((task.keys, 1))
    shown = {"key": ("keys", 1, past), "flag": ("flags", 1, past), "label": ("marks", 1, past)}
    query, stage = np.tile(np.eye(B), (past, 1)), np.repeat(np.eye(past), B, axis=0)
    inner = np.concatenate([s.rows(each, key=sign * query, keys=-sign * np.eye(each)) for sign in (1, -1)])
    first = feedforward(inner, np.full(2 * each, -1.0), s.rows(2 * each, differs=np.tile(stage, (2, 1))).T)
    behind, units = np.arange(b, past * b), (past - 1) * b  # the label of the key at stage j stands at stage j - 1
    of_key = one_hot(behind // b, past)
    label = one_hot(behind - b, past * b)
    keeps = [s.rows(units, marks=sign * label, flags=of_key, differs=-2 * of_key) for sign in (1, -1)]
    bit = one_hot(behind % b, b)
    second = feedforward(np.concatenate(keeps), np.full(2 * units, -1.0), s.rows(2 * units, answer=np.concatenate([bit, -bit])).T)
    registers, keys = task.token_count * (B + 1 + b), s.rows(task.keys, key=signs(task.keys), flag=one)
    tensors = {
        "embedding.table": np.concatenate([keys, s.rows(task.labels, label=signs(task.labels))]),
        **named(0, "mixer", line(s, shown, task.token_count)),
        **named(0, "feedforward", first),
        **named(1, "feedforward", second),
        "readout.weight": s.rows(task.labels, answer=signs(task.labels)),
        "readout.bias": np.zeros(task.labels),
    }
    layers = (
        LayerConfig(LinearRnnConfig(registers), FeedForwardConfig(2 * each), residual=True),
        LayerConfig(None, FeedForwardConfig(2 * units), residual=True),
    )
    return line_model(task, "linear-rnn", arithmetic, sizes, layers, tensors, task.token_count * code_bits(task.vocabulary + 1))


def recall_sizes(task: Recall, arithmetic: str) -> Sizes:
    """Sizes for recall: the registers hold every token of the input."""
    b = code_bits(task.labels)
    return line_sizes(task, arithmetic, max(1, b - 1), 2, recall_stream(task).width, task.token_count * (code_bits(task.keys) + 1 + b))


MQAR_LINEAR = declared(Mqar, recalled, recall_sizes, {"length": 4}, {"length": 2, **short})
RECALL_LINEAR = declared(AssociativeRecall, recalled, recall_sizes, {"length": 2})
