"""Parameters of a claim, declared as data: what kind of value each is, and between which bounds."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from separatrix.checker.fields import require_fields, within
from separatrix.checker.seal import Refused

DOTS = 100  # in a line of TOML


@dataclass(frozen=True)
class Integer:
    """An integer between two bounds; `even` ones have two halves, and `optional` ones may be null."""

    low: int
    high: int
    even: bool = False
    optional: bool = False

    @property
    def types(self) -> tuple[type, ...]:
        """The types that the JSON value may have."""
        return (int, type(None)) if self.optional else (int,)

    def check(self, key: str, value: Any) -> None:
        """Refuse a value outside the range."""
        if value is not None:
            within(value, self.low, self.high, key)
            if self.even and value % 2:
                raise Refused(f"{key}: expected an even number, found {value}")


@dataclass(frozen=True)
class Word:
    """One of a few words."""

    allowed: tuple[str, ...]
    types: tuple[type, ...] = (str,)

    def check(self, key: str, value: Any) -> None:
        """Refuse any other word."""
        if value not in self.allowed:
            raise Refused(f"{key}: expected one of {', '.join(self.allowed)}, found {value!r:.80}")


@dataclass(frozen=True)
class Text:
    """A text or a list of at most so many characters or items, which the spec reads."""

    most: int
    types: tuple[type, ...] = (str,)

    def check(self, key: str, value: Any) -> None:
        """Refuse a longer one."""
        if value is not None and len(value) > self.most:
            unit = "items" if list in self.types else "characters"
            raise Refused(f"parameters.{key}: expected at most {self.most} {unit}, found {len(value)}")


@dataclass(frozen=True)
class Value:
    """A number or a truth value, which the spec judges."""

    types: tuple[type, ...]

    def check(self, key: str, value: Any) -> None:
        """Any of them may be right."""


Field = Integer | Word | Text | Value


def checked(fields: Mapping[str, Field], parameters: Any) -> dict[str, Any]:
    """The parameters, if they are exactly these, of these types and within these ranges."""
    require_fields(parameters, "parameters", **{key: kind.types for key, kind in fields.items()})
    for key, kind in fields.items():
        kind.check(key, parameters[key])
    return dict(parameters)


def toml(text: str, where: str) -> dict[str, Any]:
    """A text as TOML. Of a key with very many dots the parser would go through all parts again for each, so that is refused."""
    if max(line.count(".") for line in text.split("\n")) > DOTS:
        raise Refused(f"{where}: expected at most {DOTS} dots in a line")
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise Refused(f"{where}: {error!s:.80}") from error


def span(shortest: int, longest: int) -> str:
    """`40`, or `4 to 40` if a claim covers several lengths."""
    return str(longest) if shortest == longest else f"{shortest} to {longest}"
