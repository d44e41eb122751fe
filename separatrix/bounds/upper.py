"""Sizes of the constructions as formulas, with their default settings, for the table of what is needed and what is built.

Stands in for the declarations of the constructions themselves: `table` takes those as they are, and then this file can go.
A law builds the weights and holds every formula to them. Formats for which no formula was held to a build are left out.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from separatrix.architectures import Architecture
from separatrix.arithmetic.format import WIDEST, Format, parse_format
from separatrix.bounds.states.profile import ceil_log2
from separatrix.bounds.table import Sizes
from separatrix.errors import BadInput

Parameters = Mapping[str, Any]


@dataclass(frozen=True)
class SizeFormula:
    """The sizes of one construction, by its task's parameters and a number format."""

    name: str
    task: str
    architecture: Architecture
    formula: Callable[[Parameters, Format | None], Sizes | None]

    def sizes(self, task_parameters: Parameters, settings: Parameters, arithmetic: str | None) -> Sizes | None:
        """The sizes with default settings; None for others, and where the format cannot hold the construction."""
        if settings:
            return None
        try:
            return self.formula(task_parameters, None if arithmetic is None else parse_format(arithmetic))
        except BadInput:
            return None


def code(symbols: int) -> int:
    """Bits of the binary code of a symbol, or of a place, at least 1."""
    return max(1, ceil_log2(symbols))


def registers(bits: Callable[[Parameters], int]) -> Callable[[Parameters, Format | None], Sizes]:
    """One-bit registers: any format holds them."""

    def sizes(parameters: Parameters, _: Format | None) -> Sizes:
        count = bits(parameters)
        return {"layers": 1, "heads": 0, "width": count, "precision_bits": 1, "state_bits": count}

    return sizes


def attention(
    layers: int, heads: int, width: Callable[[Parameters], int], longest: int | None = None
) -> Callable[[Parameters, Format | None], Sizes | None]:
    """Softmax attention in float64, and in float32 up to a length."""

    def sizes(parameters: Parameters, format: Format | None) -> Sizes | None:
        if format is None or format.name not in ("float64", "float32"):
            return None
        if format.name == "float32" and parameters["length"] > (longest or parameters["length"]):
            return None
        return {"layers": layers, "heads": heads, "width": width(parameters), "precision_bits": format.bits}

    return sizes


def index_lookup(parameters: Parameters, format: Format | None) -> Sizes | None:
    """The symbol, the place, and the place asked for; the values are the bits of the symbol."""
    b, L = code(parameters["symbols"]), code(parameters["length"])
    if format is None or format.kind != "native":
        return None
    return {"layers": 1, "heads": 1, "width": b + 2 * L, "value_width": b, "precision_bits": format.bits}


def equality_one_layer(parameters: Parameters, format: Format | None) -> Sizes | None:
    """One number for a half; the difference and its negative are read."""
    N, b = parameters["length"], code(parameters["symbols"])
    f = max(math.ceil(math.log2(N)), b - 1)
    p = max(b * N // 2 + 1, f + 2)
    if p > WIDEST:
        return None
    if format is not None and (format.kind != "fixed" or format.bits <= b * N // 2 or format.fraction < f or format.integer_bits < 1):
        return None
    return {"layers": 1, "heads": 1, "width": 1, "value_width": 2, "precision_bits": p if format is None else format.bits}


def dyck_one_layer(parameters: Parameters, format: Format | None) -> Sizes | None:
    """A coordinate for each place."""
    N, f = parameters["length"], math.ceil(math.log2(parameters["length"]))
    if parameters["types"] != 2 or parameters["depth"] != 2:
        return None
    if format is not None and (format.kind != "fixed" or format.fraction < f or format.integer_bits < 2):
        return None
    return {"layers": 1, "heads": 1, "width": N, "value_width": N, "precision_bits": 3 + f if format is None else format.bits}


def recall_registers(parameters: Parameters) -> int:
    """A table of labels, or of all but one and the key that waits for its own."""
    keys, b = keys_of(parameters, 2 * parameters["length"]), code(parameters["labels"])
    return max(b * keys, b * (keys - 1) + ceil_log2(keys))


def keys_of(parameters: Parameters, usual: int) -> int:
    """The symbols that keys are chosen from."""
    symbols: int | None = parameters["symbols"]
    return symbols or usual


def induction(keys: int, labels: int, tokens: int) -> int:
    """The key's signs, the label, a flag, and three addresses; or, after the first layer, two keys, the label and two flags."""
    d, y = code(keys), code(labels)
    return max(d + y + 1 + 3 * code(tokens), 2 * d + y + 2)


def thresholds(k: int, tokens: int) -> int:
    """A bit, k + 2 addresses, and the truth table of a feature."""
    return 1 + (k + 2) * code(tokens) + (1 << k)


def label_address(parameters: Parameters, format: Format | None) -> Sizes | None:
    """The vector, the label, the type, and two addresses of as many signs as tokens and more; in float64 alone."""
    if format is None or format.name != "float64" or parameters["length"] > MOST_LABELS:
        return None
    width = parameters["dimension"] + 2 + 2 * (1 << code(2 * parameters["length"]))
    return {"layers": 2, "heads": 2, "width": width, "precision_bits": format.bits}


def feature_heads(parameters: Parameters, format: Format | None) -> Sizes | None:
    """A head for each bit of a feature, and one for the token itself."""
    k = parameters["k"]
    return attention(2, k + 1, lambda q: thresholds(k, q["length"] + 1), 4096)(parameters, format)


ONE, TWO, THREE, RECURRENT = Architecture.ONE_LAYER, Architecture.TWO_LAYERS, Architecture.THREE_LAYERS, Architecture.RECURRENT
MOST_LABELS = 64  # up to here the orthogonal addresses were built
MOST_GATES = 1 << 24  # of the recall registers


def small_recall(parameters: Parameters, format: Format | None) -> Sizes | None:
    """Registers, as long as the table of gates is not too large to build."""
    keys, b = keys_of(parameters, 2 * parameters["length"]), code(parameters["labels"])
    m = ceil_log2(keys)
    state = recall_registers(parameters)
    label = keys * (1 + m) + 2 * (keys - 1) + (state - b * (keys - 1)) + b * (4 * (keys - 1) + 2 * keys)
    key = b * (keys - 1) + (state - b * (keys - 1)) + m
    gates = (2 * parameters["length"] + 1) * max(key, label, b * keys + b) * (keys + parameters["labels"]) * 4
    return registers(recall_registers)(parameters, format) if gates <= MOST_GATES else None


DECLARED: tuple[SizeFormula, ...] = (
    SizeFormula("index-lookup", "index-lookup", ONE, index_lookup),
    SizeFormula("index-lookup/recurrent", "index-lookup", RECURRENT, registers(lambda q: code(q["symbols"]) * q["length"])),
    SizeFormula("equality", "equality", TWO, attention(2, 2, lambda q: code(q["symbols"]) + 3 * code(q["length"]))),
    SizeFormula("equality/one-layer", "equality", ONE, equality_one_layer),
    SizeFormula("equality/recurrent", "equality", RECURRENT, registers(lambda q: code(q["symbols"]) * q["length"] // 2)),
    SizeFormula("equality/partition", "partition-equality", TWO, attention(2, 2, lambda q: code(q["symbols"]) + 3 * code(q["length"]))),
    SizeFormula("eq-random", "eq-random", THREE, attention(3, 2, lambda q: max(code(q["symbols"]) + 5, 2 * code(q["symbols"]) + 1), 256)),
    SizeFormula("eq-one", "eq-one", THREE, attention(3, 2, lambda q: max(code(q["symbols"]) + 5, 2 * code(q["symbols"]) + 1), 256)),
    SizeFormula("eq-ncp", "eq-ncp", TWO, attention(2, 2, lambda q: code(q["symbols"]) + 5, 256)),
    SizeFormula("dyck/one-layer", "dyck", ONE, dyck_one_layer),
    SizeFormula("intersects", "intersects", TWO, attention(2, 3, lambda q: thresholds(2, q["length"]))),
    SizeFormula("intersects/recurrent", "intersects", RECURRENT, registers(lambda q: q["length"] // 2)),
    *(SizeFormula(name, name, TWO, feature_heads) for name in ("sparse-threshold", "k-dnf", "k-cnf")),
    SizeFormula(
        "associative-recall",
        "associative-recall",
        TWO,
        attention(2, 2, lambda q: induction(keys_of(q, 2 * q["length"]), q["labels"], 2 * q["length"] + 1), 2048),
    ),
    SizeFormula("associative-recall/recurrent", "associative-recall", RECURRENT, small_recall),
    SizeFormula("mqar", "mqar", TWO, attention(2, 2, lambda q: induction(keys_of(q, q["length"]), q["labels"], 2 * q["length"] - 1), 2048)),
    SizeFormula(
        "nearest-neighbor", "nearest-neighbor", TWO, attention(2, 2, lambda q: induction(2 ** q["dimension"], 2, 2 * q["length"] - 1), 2048)
    ),
    SizeFormula("nearest-neighbor/label-address", "nearest-neighbor", TWO, label_address),
)
