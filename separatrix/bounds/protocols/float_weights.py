"""The tensors of a one-layer Transformer in floats, with norms, biases and gates; unknown ones are refused."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from separatrix.bounds.protocols.exact_accumulator import FloatFormat
from separatrix.checker.models.description import Description
from separatrix.checker.models.mixers import Shapes
from separatrix.errors import BadInput

Array = NDArray[Any]
NORMS = {"none": 0.0, "layer": 1e-5, "rms": 1e-6}  # added to the variance


def check_tensors(tensors: Mapping[str, Array], model: Description, form: FloatFormat) -> None:
    """Refuse missing or unknown weights, and weights of a wrong shape or number type."""
    expected: Shapes = model.shapes()
    for name in [*expected, *sorted(tensors)]:
        if name not in tensors:
            raise BadInput(f"weights: {name} is missing")
        if name not in expected:
            raise BadInput(f"weights: {name} does not belong to the model")
        tensor = tensors[name]
        if tensor.shape != expected[name]:
            raise BadInput(f"weights: {name} has shape {tensor.shape}, the description requires {expected[name]}")
        kind = np.uint8 if name.endswith(".generator") else np.int64 if name.endswith(".pointers") else form.dtype
        if tensor.dtype != kind:
            raise BadInput(f"weights: {name} has type {tensor.dtype}, the arithmetic requires {np.dtype(kind).name}")
