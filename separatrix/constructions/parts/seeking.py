"""Whether some token has a flag, by one head of hard attention: it reads a token with most of it, and where none has any it reads 0."""

from __future__ import annotations

from typing import TYPE_CHECKING

from separatrix.constructions.gadgets import step

if TYPE_CHECKING:
    from separatrix.constructions.assembler import Layer
    from separatrix.constructions.forms import Form


def found(layer: Layer, flag: Form, one: Form) -> Form:
    """1 where some token has a flag of 1 or more, else 0; flags are whole numbers, and `one` is 1 at every token."""
    most = layer.attend("a token with the flag, if there is one", query=one, key=flag, value=flag, into="most")
    return layer.write("found", step(most))
