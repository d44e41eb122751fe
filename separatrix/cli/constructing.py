"""Constructions by name, with what the command line sets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from separatrix.cli.lengths import with_length
from separatrix.errors import BadInput

if TYPE_CHECKING:
    from separatrix.certificates.claim import Built


def built_by_name(
    name: str, length: int | None, arithmetic: str | None, chosen: tuple[str, ...], default_length: int | None = None
) -> Built:
    """A construction at the length that is asked for, or at the default where none is."""
    from separatrix.constructions import build as make

    parameters = with_length(chosen, length)
    if default_length is not None:
        parameters.setdefault("length", default_length)
    if arithmetic is not None:
        if "arithmetic" in parameters:
            raise BadInput(f"--arithmetic {arithmetic} and --set arithmetic={parameters['arithmetic']} are both given: drop one of them")
        parameters["arithmetic"] = arithmetic
    return make(name, **parameters)
