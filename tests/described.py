"""Models of the house in the words of docs/certificates.md: MODEL as plain JSON, and the tensors as a safetensors file."""

from __future__ import annotations

import json
from typing import Any

from separatrix.models.model import Model
from separatrix.models.saved import describe, tensors_file


def describe_model(model: Model, length: int | None = None) -> dict[str, Any]:
    """MODEL; `length` where the model itself does not fix the number of tokens."""
    described: dict[str, Any] = json.loads(json.dumps(describe(model)))
    return described if length is None else {**described, "length": length}


def weights_file(model: Model) -> bytes:
    """The tensors; in an emulated format rounded to it, as the model itself does when it runs."""
    numbers, tensors = model.numbers, model.state_dict()
    if numbers.format.kind != "native":
        tensors = {name: numbers.leave(numbers.enter(t)) if t.is_floating_point() else t for name, t in tensors.items()}
    return tensors_file(tensors)
