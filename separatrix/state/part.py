"""The state of one layer: parts, each a kind of state with its bytes.

held       bytes of the tensors that the engine's cache holds (shape times bytes of a number)
needed     those of them that can still change a later output, neither constants nor copies
allocated  bytes of the storages that these tensors keep alive after one call on the whole prompt
"""

from __future__ import annotations

from dataclasses import dataclass

from separatrix.state.named_number import NamedNumber, literal, total


@dataclass(frozen=True)
class Cut:
    """Where the state is counted: after N tokens, with b bytes for a number of the model's dtype."""

    N: NamedNumber
    b: NamedNumber


FLOAT32 = literal(4)  # bytes of a number in a state that stays float32 for any dtype of the model


@dataclass(frozen=True)
class Part:
    """One kind of state of one layer."""

    kind: str
    held: NamedNumber
    needed: NamedNumber
    allocated: NamedNumber


Layer = tuple[Part, ...]  # empty: the layer carries nothing


def all_needed(kind: str, held: NamedNumber) -> Part:
    """State of which every byte is needed and nothing more is allocated."""
    return Part(kind, held, held, held)


def layer_kind(parts: Layer) -> str:
    """The name of a layer's state: its kinds, in order."""
    return " + ".join(dict.fromkeys(part.kind for part in parts)) or "none"


def layer_held(parts: Layer) -> NamedNumber:
    """Bytes held by a layer."""
    return total(*(part.held for part in parts))


def layer_needed(parts: Layer) -> NamedNumber:
    """Bytes needed of a layer."""
    return total(*(part.needed for part in parts))


def layer_allocated(parts: Layer) -> NamedNumber:
    """Bytes allocated by a layer."""
    return total(*(part.allocated for part in parts))
