"""Reading fields of a certificate: every field is present, has its type, and there are no others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from separatrix.checker.seal import Refused


def require_fields(document: Any, where: str, **types: type | tuple[type, ...]) -> dict[str, Any]:
    """The document, if it has exactly these keys with values of these types."""
    if not isinstance(document, dict):
        raise Refused(f"{where}: expected an object, found {type(document).__name__}")
    unknown, missing = sorted(set(document) - set(types)), sorted(set(types) - set(document))
    if unknown:
        raise Refused(f"{where}: unknown field {unknown[0]!r:.80}")
    if missing:
        raise Refused(f"{where}: missing field {missing[0]!r}")
    for key, kind in types.items():
        allowed = kind if isinstance(kind, tuple) else (kind,)
        if type(document[key]) not in allowed:  # true is not an integer, nor is 8.0
            raise Refused(f"{where}.{key}: expected {' or '.join(k.__name__ for k in allowed)}, found {type(document[key]).__name__}")
    return document


def one_of(document: Any, key: str, where: str, *allowed: str) -> str:
    """The value of a field that is one of a few words."""
    value = document[key]
    if value not in allowed:
        raise Refused(f"{where}.{key}: expected {' or '.join(allowed)}, found {value!r:.80}")
    return str(value)


def within(value: int, low: int, high: int, where: str) -> int:
    """An integer between two bounds."""
    if not low <= value <= high:
        raise Refused(f"{where}: expected {low}..{high}, found {_shown(value)}")
    return value


def require_equal(claimed: Any, recomputed: Any, where: str) -> None:
    """Refuse a derived field that differs from its recomputation, in value or in type."""
    if type(claimed) is not type(recomputed) or claimed != recomputed:
        raise Refused(f"{where}: the certificate says {_shown(claimed)}, recomputation gives {_shown(recomputed)}")


def require_equal_items(claimed: Any, recomputed: Any, where: str) -> None:
    """Refuse a derived list unless it has the same items of the same types, at every depth."""
    if not isinstance(claimed, list) or not isinstance(recomputed, list):
        require_equal(claimed, recomputed, where)
        return
    if len(claimed) != len(recomputed):
        raise Refused(f"{where}: expected {len(recomputed)} items, found {len(claimed)}")
    for i, (one, other) in enumerate(zip(claimed, recomputed, strict=True)):
        require_equal_items(one, other, f"{where}[{i}]")


def at_least(claimed: Any, recomputed: Any, where: str) -> None:
    """Refuse a claimed lower bound above the recomputed value."""
    if type(claimed) not in (int, float) or not 0 <= claimed <= recomputed:
        raise Refused(
            f"{where}: the certificate says at least {_shown(claimed)}, recomputation gives {_shown(float(min(recomputed, 2.0**1023)))}"
        )


def free_text(value: str, where: str, most: int = 200) -> str:
    """A text that is not judged: printable ASCII, so that no character imitates another."""
    if len(value) > most or not value.isascii() or not (value.isprintable() or not value):
        raise Refused(f"{where}: expected at most {most} printable ASCII characters")
    return value


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 200 else f"{text[:200]}.."


LARGEST = 1 << 21  # answers of a table


def string(tokens: Any, alphabets: Sequence[range], where: str) -> tuple[int, ...]:
    """A string over these alphabets."""
    if not isinstance(tokens, list) or len(tokens) != len(alphabets):
        raise Refused(f"{where}: expected {len(alphabets)} tokens")
    for token, alphabet in zip(tokens, alphabets, strict=True):
        if whole(token, where) not in alphabet:
            raise Refused(f"{where}: token {token} is not one of {alphabet.start}..{alphabet.stop - 1}")
    return tuple(tokens)


def whole(value: Any, where: str) -> int:
    """A whole number; true and 8.0 are not."""
    if type(value) is not int:
        raise Refused(f"{where}: expected a whole number, found {type(value).__name__}")
    return value
