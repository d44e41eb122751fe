"""What was built, as numbers to set beside the lower bounds: sizes of the constructions as formulas, so that no weights are made.

A law test builds the weights and holds every formula to them, and every lower bound to what was built.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

ONE_LAYER, TWO_LAYERS, RECURRENT = "one-layer Transformer", "two-layer Transformer", "recurrent"


@dataclass(frozen=True)
class UpperBound:
    """This construction computes the task with so much."""

    architecture: str
    quantity: str
    value: int
    construction: str
    settings: tuple[tuple[str, Any], ...] = ()  # of the construction, beside the task's own


def built_for(task: str, parameters: Mapping[str, Any], precision: int) -> tuple[UpperBound, ...]:
    """What is built for a task at these parameters, with numbers of so many bits where that matters."""
    return tuple(_built(task, parameters, precision))


def _built(task: str, parameters: Mapping[str, Any], precision: int) -> Iterator[UpperBound]:
    N = parameters["length"]
    b = bits_of(parameters.get("symbols") or 2)
    quadratic = (("address", "quadratic"),)
    if task == "index-lookup":
        yield UpperBound(RECURRENT, "state bits", b * N, "index-lookup/recurrent")
        yield UpperBound(ONE_LAYER, "width", b + 2 * bits_of(N), "index-lookup")  # the symbol, the place, the place asked for
    if task in ("equality", "intersects"):
        yield UpperBound(RECURRENT, "state bits", b * N // 2, f"{task}/recurrent")
    if task == "equality":
        yield UpperBound(TWO_LAYERS, "width", b + 6, "equality", quadratic)  # the symbol and three pairs: key, own and matching query
        if parameters["symbols"] == 2 and precision >= N // 2 + 1:
            yield UpperBound(ONE_LAYER, "width, one head", 1, "equality/one-layer")  # values 2^i
    if task in ("intersects", "k-dnf", "k-cnf", "sparse-threshold"):
        k = parameters.get("k", 2)
        yield UpperBound(TWO_LAYERS, "width", 1 + 2 * (k + 2) + 2**k, task, quadratic)  # a bit, addresses, and the truth table
    if task in ("mqar", "associative-recall"):
        keys = parameters["symbols"] or (N if task == "mqar" else 2 * N)
        yield UpperBound(TWO_LAYERS, "width", bits_of(keys) + 8, task, quadratic)  # the key's signs, label, flag, and three pairs


def bits_of(symbols: int) -> int:
    """ceil(log2 n), at least 1."""
    return max(1, (symbols - 1).bit_length())
