"""The typed keys under which bounds and constructions are compared: an architecture and a quantity.

A lower bound says how much of a quantity every model of an architecture needs; a construction shows how much is enough.
"""

from __future__ import annotations

from enum import StrEnum


class Architecture(StrEnum):
    """The kinds of models that bounds and constructions are about."""

    RECURRENT = "recurrent"
    ONE_TRANSITION = "recurrent, one transition for all steps"
    ONE_LAYER = "one-layer Transformer"
    TWO_LAYERS = "two-layer Transformer"
    THREE_LAYERS = "three-layer Transformer"
    STANDARD = "Transformer of a dynamic program"
    LINEAR = "linear Transformer of a dynamic program"
    SPARSE = "block-sparse Transformer of a dynamic program"
    WINDOW = "Transformer with a sliding window"
    SPARSE_CHAIN = "block-sparse Transformer with a chain of thought"
    TRANSFORMER_CHAIN = "Transformer with a chain of thought"
    LINEAR_RNN_CHAIN = "linear RNN with a chain of thought"
    HYBRID = "linear RNN with one attention layer"
    RETRIEVAL = "linear RNN with retrieval"

    @property
    def special_case_of(self) -> Architecture | None:
        """The wider kind whose bounds hold for this one, and which is built where this one is."""
        return Architecture.RECURRENT if self is Architecture.ONE_TRANSITION else None


class Quantity(StrEnum):
    """What is counted; the width of a layer is that of its values, which cross the cut between the two parties."""

    STATE_BITS = "state bits"
    WIDTH = "width"
    WIDTH_ONE_HEAD = "width, one head"
    WIDTH_TIMES_HEADS = "width x heads"
    WIDTH_TIMES_HEADS_FROM_4 = "width x heads, if the width is at least 4"
