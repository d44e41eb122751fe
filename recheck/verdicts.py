"""The three ways in which a judgement ends early."""

from collections.abc import Mapping
from typing import Any


class Refused(Exception):
    """The document does not hold, for the reason given."""


class Uncovered(Exception):
    """This checker does not know, or cannot decide, what the document needs."""


def require(condition: bool, reason: str) -> None:
    """Refuse the document unless the condition holds."""
    if not condition:
        raise Refused(reason)


def exactly(found: Mapping[str, Any], names: str, where: str) -> None:
    """Refuse an object whose keys are not the names given, separated by spaces."""
    require(isinstance(found, dict), f"{where}: expected an object")
    require(set(found) == set(names.split()), f"{where}: expected the keys {names}, found {' '.join(sorted(found))}")


def whole(value: object, where: str, least: int = 0) -> int:
    """An integer, and neither true nor 8.0."""
    if type(value) is not int or value < least:
        raise Refused(f"{where}: expected an integer of at least {least}, found {value!r}")
    return value
