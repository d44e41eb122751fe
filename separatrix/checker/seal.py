"""Reading and sealing certificates: canonical JSON and its SHA-256."""

from __future__ import annotations

import hashlib
import json
import math
from typing import Any


class Unreadable(ValueError):
    """Not a certificate: not JSON, truncated, or of an unknown schema or version."""


class Refused(ValueError):
    """A certificate whose content does not hold; the message says why."""


class Unproven(Exception):
    """A hypothesis of a rule that does not hold, or that the rule cannot show: where in the model, and why, in one line."""

    def __init__(self, where: str, why: str) -> None:
        super().__init__(f"{where}: {why}")
        self.where, self.why = where, why


def canonical(document: Any) -> str:
    """The canonical text of a JSON document."""
    return json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def digest(document: dict[str, Any]) -> str:
    """The SHA-256 of the canonical text without the field `digest`."""
    body = {key: value for key, value in document.items() if key != "digest"}
    return hashlib.sha256(canonical(body).encode()).hexdigest()


def digest_of_json(document: dict[str, Any]) -> str:
    """The digest of a document that a program passes, in which anything may stand."""
    try:
        return digest(document)
    except RecursionError as error:
        raise Unreadable("nested too deeply to be a certificate") from error
    except (TypeError, ValueError) as error:  # NaN, infinities, half of a surrogate pair, keys and values that JSON does not have
        raise Unreadable(f"not a JSON document: {error}") from error


def sealed(document: dict[str, Any]) -> dict[str, Any]:
    """The document with its digest."""
    return {**document, "digest": digest(document)}


def read(text: str) -> dict[str, Any]:
    """A document from its text; refuses repeated keys, NaN, infinities and broken Unicode."""
    try:
        document = json.loads(text, object_pairs_hook=unique_keys, parse_constant=no_constant, parse_float=_finite)
        canonical(document).encode()
    except RecursionError as error:
        raise Unreadable("nested too deeply to be a certificate") from error
    except UnicodeEncodeError as error:
        raise Unreadable("not a JSON document: a string contains half of a surrogate pair") from error
    except Refused:
        raise
    except ValueError as error:
        raise Unreadable(f"not a JSON document: {error}") from error
    if not isinstance(document, dict):
        raise Unreadable("expected a JSON object")
    return document


def unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object without repeated keys."""
    document: dict[str, Any] = {}
    for key, value in pairs:
        if key in document:
            raise Refused(f"the key {key!r:.80} is repeated")
        document[key] = value
    return document


def no_constant(name: str) -> Any:
    """NaN and infinities are not JSON."""
    raise Refused(f"{name} is not a number")


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise Refused(f"{text:.40} is not a number that float64 holds")
    return value
