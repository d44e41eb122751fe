"""What `verify --all` verifies: every construction at sizes that take seconds, as their declarations say."""

from __future__ import annotations

from typing import Any

from separatrix.constructions import constructions

QUICK: tuple[tuple[str, dict[str, Any]], ...] = tuple(
    (declaration.name, dict(settings)) for declaration in constructions() for settings in declaration.quick
)
