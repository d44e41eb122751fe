"""Models of the house as the checker reads them from a certificate."""

from __future__ import annotations

import json
from typing import Any

from separatrix.certificates.description import describe_model, weights_file
from separatrix.checker.models.description import read_description
from separatrix.checker.models.model import Model
from separatrix.checker.numbers.formats import Numbers, numbers
from separatrix.checker.weights import parse_safetensors


def checked(model: Any, ops: Numbers | None = None, length: int | None = None) -> Model:
    """The checker's model of a built one, in its own arithmetic or another."""
    described = json.loads(json.dumps(describe_model(model, length)))
    return Model(
        read_description(described), parse_safetensors(weights_file(model)), numbers(described["arithmetic"]) if ops is None else ops
    )
