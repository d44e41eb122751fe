"""The typed keys by which bounds and constructions meet: an architecture, and a quantity of it.

A lower bound says what a model of an architecture needs at least of a quantity, a construction how much of it was enough.
"""

from __future__ import annotations

from enum import StrEnum


class Architecture(StrEnum):
    """Kinds of models that bounds and constructions speak of."""

    RECURRENT = "recurrent"
    ONE_TRANSITION = "recurrent, one transition for all steps"
    ONE_LAYER = "one-layer Transformer"
    TWO_LAYERS = "two-layer Transformer"
    THREE_LAYERS = "three-layer Transformer"


class Quantity(StrEnum):
    """What is counted of a model; the width of one layer is that of its values, which cross the cut between two parties."""

    STATE_BITS = "state bits"
    WIDTH = "width"
    WIDTH_ONE_HEAD = "width, one head"
    WIDTH_TIMES_HEADS = "width x heads"
    WIDTH_TIMES_HEADS_FROM_4 = "width x heads, if the width is at least 4"
