"""The constructions and sizes of `verify --all`, each a matter of seconds, from the declarations."""

from __future__ import annotations

from typing import Any

from separatrix.constructions import constructions

QUICK: tuple[tuple[str, dict[str, Any]], ...] = tuple(
    (declaration.name, dict(settings)) for declaration in constructions() for settings in declaration.quick
)
