"""A construction by name, with the settings of the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from separatrix.parameters import settings

if TYPE_CHECKING:
    from separatrix.certificates.claim import Built


def built_by_name(name: str, length: int | None, arithmetic: str | None, chosen: tuple[str, ...]) -> Built:
    from separatrix.constructions import build as make

    parameters: dict[str, Any] = dict(settings(chosen))
    if length is not None:
        parameters["length"] = length
    if arithmetic is not None:
        parameters["arithmetic"] = arithmetic
    return make(name, **parameters)
