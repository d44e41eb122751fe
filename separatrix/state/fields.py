"""The fields of a config, read as its class in the engine reads them: alternative spellings, and defaults, which are always reported."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from separatrix.errors import BadInput
from separatrix.state.named_number import NamedNumber, named

SIZES = ("hidden_size", "num_hidden_layers", "num_attention_heads")  # a config without these is incomplete
MOST_LAYERS = 10_000


@dataclass(frozen=True)
class ClassFields:
    """The engine's config class of a model type: its defaults, and alternative spellings of its fields."""

    defaults: Mapping[str, Any] = field(default_factory=dict)
    spellings: Mapping[str, str] = field(default_factory=dict)  # other spelling -> field of the class
    never_null: frozenset[str] = frozenset()  # fields that the class does not accept as null


@dataclass(frozen=True)
class Fields:
    """A config of one model type."""

    type: str
    raw: Mapping[str, Any]  # as it stands in the file
    known: ClassFields = field(default_factory=ClassFields)
    nested: bool = False  # inside a larger config, which is saved without fields that equal the default

    def spelled(self, name: str) -> str:
        """How this config spells a field; the class's own spelling if the field is absent."""
        own = self.known.spellings.get(name, name)
        others = [other for other, target in self.known.spellings.items() if target == own]
        present = [key for key in dict.fromkeys((own, name, *others)) if self.raw.get(key) is not None]
        if len({repr(self.raw[key]) for key in present}) > 1:
            both = " and ".join(f"{key} = {self.raw[key]!r}" for key in present)
            raise BadInput(f"{self.type} config: {both} are two spellings of one field and disagree")
        if present:
            return present[0]
        return next((key for key in (name, *others) if key in self.raw), own)

    def value(self, name: str) -> Any:
        """The field of the config, else the default of the class, else None."""
        key, own = self.spelled(name), self.known.spellings.get(name, name)
        if key not in self.raw:
            return self.known.defaults.get(own)
        if self.raw[key] is None and own in self.known.never_null:
            raise BadInput(f"{self.type} config: {key} is null, and its class does not accept that")
        return self.raw[key]

    def absent(self, name: str) -> bool:
        """Whether the config does not mention the field, under any spelling."""
        return self.spelled(name) not in self.raw

    def optional(self, name: str, least: int = 1) -> NamedNumber | None:
        """A whole number, or None if the field is null or unknown to the class."""
        key, value = self.spelled(name), self.value(name)
        if value is None:
            return None
        number = named(key, whole_number(value, f"{self.type} config: {key}", least))
        return number.noting(self.default_note(name)) if self.absent(name) else number

    def whole(self, name: str, least: int = 1) -> NamedNumber:
        """A required whole number. The three main sizes of a model never default to the class's values."""
        own = self.known.spellings.get(name, name)
        if name in SIZES and self.absent(name) and not self.nested:
            raise BadInput(f"{self.type} config: {own} is missing, and its state cannot be counted without it")
        number = self.optional(name, least)
        if number is None:
            reason = "is missing" if self.absent(name) else "is null"
            raise BadInput(f"{self.type} config: {self.spelled(name)} {reason}, and its state cannot be counted without it")
        return number

    def flag(self, name: str) -> bool:
        """A Boolean; null and unknown fields are false."""
        value = self.value(name)
        if value not in (None, True, False):
            raise BadInput(f"{self.type} config: {self.spelled(name)} must be true or false, found {value!r}")
        return bool(value)

    def names(self, name: str) -> tuple[str, ...] | None:
        """A list of strings, or None."""
        value = self.value(name)
        if value is None:
            return None
        if not isinstance(value, Sequence) or isinstance(value, str) or not all(isinstance(entry, str) for entry in value):
            raise BadInput(f"{self.type} config: {self.spelled(name)} must be a list of strings, found {shortened(value)}")
        return tuple(value)

    def numbers(self, name: str) -> tuple[int, ...] | None:
        """A list of whole numbers, or None."""
        value = self.value(name)
        if value is None:
            return None
        if not isinstance(value, Sequence) or isinstance(value, str):
            raise BadInput(f"{self.type} config: {self.spelled(name)} must be a list of integers, found {shortened(value)}")
        return tuple(whole_number(entry, f"{self.type} config: an entry of {self.spelled(name)}", 0) for entry in value)

    def section(self, name: str) -> Mapping[str, Any]:
        """A nested object; empty if absent."""
        value = self.value(name)
        if value is None:
            return {}
        if not isinstance(value, Mapping):
            raise BadInput(f"{self.type} config: {self.spelled(name)} must be an object, found {shortened(value)}")
        return value

    def layers(self) -> int:
        """How many layers there are."""
        count = self.whole("num_hidden_layers")
        if count.value > MOST_LAYERS:
            raise BadInput(f"{self.type} config: {count.text} = {count.value}, expected at most {MOST_LAYERS}")
        return count.value

    def default_note(self, name: str) -> str:
        """The note on a field that the config leaves to its class."""
        own = self.known.spellings.get(name, name)
        return f"{own} = {shortened(self.known.defaults.get(own))} is the class default: the config does not set it"

    def over(self, overrides: Mapping[str, Any]) -> Fields:
        """A copy of the config with some fields replaced."""
        return replace(self, raw={**self.raw, **overrides})

    def refuse(self, reason: str) -> BadInput:
        """The error that says why this config cannot be used."""
        return BadInput(f"{self.type} config: {reason}")


def whole_number(value: Any, what: str, least: int) -> int:
    """An integer of at least `least`; a Boolean is not an integer."""
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise BadInput(f"{what} must be an integer of at least {least}, found {shortened(value)}")
    return value


def shortened(value: Any) -> str:
    """A value as text for a message."""
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
