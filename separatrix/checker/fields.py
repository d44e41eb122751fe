"""Taking fields out of a certificate: each is there, has its type, and no others are."""

from __future__ import annotations

from typing import Any

from separatrix.checker.seal import Refused


def exactly(document: Any, where: str, **types: type | tuple[type, ...]) -> dict[str, Any]:
    """The document, having exactly these keys with values of these types."""
    if not isinstance(document, dict):
        raise Refused(f"{where}: expected an object")
    unknown, missing = sorted(set(document) - set(types)), sorted(set(types) - set(document))
    if unknown:
        raise Refused(f"{where}: unknown field {unknown[0]!r}")
    if missing:
        raise Refused(f"{where}: missing field {missing[0]!r}")
    for key, kind in types.items():
        value = document[key]
        allowed = kind if isinstance(kind, tuple) else (kind,)
        if not isinstance(value, kind) or (isinstance(value, bool) and bool not in allowed):
            raise Refused(f"{where}.{key}: expected {' or '.join(k.__name__ for k in allowed)}, found {type(value).__name__}")
    return document


def within(value: int, low: int, high: int, where: str) -> int:
    """An integer between two bounds."""
    if not low <= value <= high:
        raise Refused(f"{where}: expected {low}..{high}, found {value}")
    return value


def same(claimed: Any, found: Any, where: str) -> None:
    """Refuse a derived field that differs from its recomputation, in value or in type."""
    if type(claimed) is not type(found) or claimed != found:
        raise Refused(f"{where}: the certificate says {claimed!r}, recomputation gives {found!r}")
