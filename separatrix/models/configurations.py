"""Configurations by name: `tf-1-64` is a Transformer of one layer and width 64, `lstm-3-256` an LSTM of three layers and width 256.

The first word is the name of any architecture that takes `layers` and `width`; `tf` is short for `transformer`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from separatrix.errors import BadInput

SHORT = {"tf": "transformer"}
PATTERN = re.compile(r"(?P<model>[a-z][a-z-]*)-(?P<layers>\d+)-(?P<width>\d+)")


def configuration(name: str, chosen: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """The architecture and the parameters that a name stands for; a plain name stands for itself."""
    found = PATTERN.fullmatch(name)
    if found is None:
        return SHORT.get(name, name), dict(chosen)
    sizes = {"layers": int(found["layers"]), "width": int(found["width"])}
    for key in sizes.keys() & chosen.keys():
        raise BadInput(f"model {name}: {key} is {sizes[key]} by its name, found {key}={chosen[key]} too")
    return SHORT.get(found["model"], found["model"]), {**sizes, **chosen}
