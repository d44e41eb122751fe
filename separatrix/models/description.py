"""Configurations as JSON and back: fields by name, mixers, masks and decoders by kind, no unknown or missing field."""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Mapping
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from separatrix.errors import BadInput
from separatrix.models.config import MixerConfig, ModelConfig
from separatrix.models.decoders import DECODERS
from separatrix.models.decoders.decoder import Decoder
from separatrix.models.masks import MASKS, Mask
from separatrix.models.mixers import MIXERS
from separatrix.naming import find

_FAMILIES: dict[type, tuple[str, Mapping[str, Any]]] = {
    Mask: ("mask", MASKS),
    Decoder: ("decoder", DECODERS),
    MixerConfig: ("mixer", MIXERS),
}


def written(value: Any) -> Any:
    """A configuration, or a part of one, as JSON."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        kind = {"kind": value.kind} if isinstance(value, MixerConfig | Mask | Decoder) else {}
        shown = {f: getattr(value, f.name) for f in _fields(type(value))}
        mentioned = {f: part for f, part in shown.items() if not _left_out(f, part)}
        return kind | {_key(f): written(f.metadata.get("written", lambda x: x)(part)) for f, part in mentioned.items()}
    return [written(part) for part in value] if isinstance(value, tuple | list) else value


def read_model(document: Any) -> ModelConfig:
    """The configuration of a description; refuses anything else in one line."""
    config: ModelConfig = _read(ModelConfig, document, "model")
    return config


def read_decoder(document: Any) -> Decoder:
    """The decoder of a description."""
    decoder: Decoder = _read(Decoder, document, "decoder")
    return decoder


def config_class(kind: str) -> type[MixerConfig]:
    """The configuration class of a kind of mixer: the return type of the function in the table."""
    maker = find(kind, MIXERS, "mixer")
    config: type[MixerConfig] = get_type_hints(maker)["return"]
    if config.kind != kind:
        raise BadInput(f"unknown mixer {kind!r}: {kind} is a name for training; descriptions call it {config.kind}")
    return config


def _read(kind: Any, value: Any, where: str) -> Any:
    """A JSON value converted to the type that a configuration declares."""
    if kind is Any:
        return value
    if isinstance(kind, type) and issubclass(kind, MixerConfig | Mask | Decoder):
        return _read_kind(kind, value, where)
    if dataclasses.is_dataclass(kind) and isinstance(kind, type):
        return _read_fields(kind, value, where)
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        return None if value is None else _read(next(a for a in arguments if a is not type(None)), value, where)
    if origin is tuple:
        return _read_tuple(arguments, value, where)
    if origin is Literal:
        if value not in arguments or isinstance(value, bool):
            raise BadInput(f"{where}: expected one of {', '.join(map(str, arguments))}, found {value!r:.80}")
        return value
    if type(value) is not kind:  # neither True nor 8.0 is an integer here
        raise BadInput(f"{where}: expected {kind.__name__}, found {value!r:.80}")
    return value


def _read_kind(family: type, value: Any, where: str) -> Any:
    """A mixer, a mask or a decoder: its kind selects the class."""
    if not isinstance(value, Mapping) or not isinstance(value.get("kind"), str):
        raise BadInput(f"{where}: expected an object with a kind, found {value!r:.80}")
    kind = value["kind"]
    what, known = _FAMILIES[family]
    if kind not in known:
        raise BadInput(f"{where}: unknown {what} {kind!r:.80}: expected one of {', '.join(known)}")
    part_class = MASKS[kind] if family is Mask else find(kind, DECODERS, "decoder") if family is Decoder else config_class(kind)
    return _read_fields(part_class, {key: part for key, part in value.items() if key != "kind"}, f"{where} {kind}")


def _read_fields(kind: type, value: Any, where: str) -> Any:
    if not isinstance(value, Mapping):
        raise BadInput(f"{where}: expected an object, found {value!r:.80}")
    fields, hints = {_key(f): f for f in _fields(kind)}, get_type_hints(kind)
    needed = [key for key, f in fields.items() if "left out" not in f.metadata]
    unknown, missing = [key for key in value if key not in fields], [key for key in needed if key not in value]
    if unknown or missing:
        what = f"has no field {unknown[0]!r}" if unknown else f"lacks the field {missing[0]!r}"
        raise BadInput(f"{where} {what}: expected exactly {', '.join(fields) or '(none)'}")
    read = {f.name: _read(hints[f.name], value[key], f"{where}.{key}") for key, f in fields.items() if key in value}
    for key, f in fields.items():
        if key in value and _left_out(f, read[f.name]):
            raise BadInput(f"{where}.{key}: expected no such field, found {value[key]!r:.80}, which is left out")
    return kind(**read)


def _read_tuple(arguments: tuple[Any, ...], value: Any, where: str) -> tuple[Any, ...]:
    if not isinstance(value, list | tuple):
        raise BadInput(f"{where}: expected a list, found {value!r:.80}")
    if len(arguments) == 2 and arguments[1] is Ellipsis:
        return tuple(_read(arguments[0], part, f"{where}[{i}]") for i, part in enumerate(value))
    if len(value) != len(arguments):
        raise BadInput(f"{where}: expected {len(arguments)} entries, found {len(value)}")
    return tuple(_read(argument, part, f"{where}[{i}]") for i, (argument, part) in enumerate(zip(arguments, value, strict=True)))


def _fields(kind: Any) -> list[dataclasses.Field[Any]]:
    return [f for f in dataclasses.fields(kind) if f.metadata.get("described", True)]


def _left_out(field: dataclasses.Field[Any], value: Any) -> bool:
    """Whether a field has the value at which descriptions do not mention it."""
    return "left out" in field.metadata and bool(field.metadata["left out"] == value)


def _key(field: dataclasses.Field[Any]) -> str:
    return field.name.rstrip("_")  # `global` is a Python keyword
