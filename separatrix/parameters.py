"""Parameters of tasks, models and constructions: their declarations, and `key=value` strings converted to typed values."""

from __future__ import annotations

import inspect
import math
import sys
import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from separatrix.errors import BadInput, did_you_mean

LONGEST = 10**12  # tokens or symbols; nobody asks about more


@dataclass(frozen=True)
class Parameter:
    """One parameter of a task, model or construction."""

    name: str
    type: Any
    default: Any  # None if `required`
    required: bool

    def describe(self) -> dict[str, Any]:
        """The parameter as JSON."""
        row: dict[str, Any] = {"name": self.name, "type": type_name(self.type)}
        return row if self.required else {**row, "default": self.default}


def parameters(maker: Callable[..., Any]) -> dict[str, Parameter]:
    """The named parameters of a class or function, in order."""
    try:
        hints = _field_hints(maker) if is_dataclass(maker) else _parameter_hints(maker.__init__ if inspect.isclass(maker) else maker)
    except NameError:  # a user's own code, with types that only a type checker imports
        hints = {}
    declared = {}
    for name, entry in inspect.signature(maker).parameters.items():
        if entry.kind in (entry.VAR_POSITIONAL, entry.VAR_KEYWORD):
            continue
        required = entry.default is inspect.Parameter.empty
        declared[name] = Parameter(name, hints.get(name, Any), None if required else entry.default, required)
    return declared


def _field_hints(kind: Any) -> dict[str, Any]:
    """The types of the fields, each looked up where it was declared: a class may inherit fields from another file."""
    names = {field.name for field in fields(kind)}
    hints: dict[str, Any] = {}
    for base in reversed(kind.__mro__):
        own = {name: hint for name, hint in inspect.get_annotations(base).items() if name in names}
        hints |= get_type_hints(types.SimpleNamespace(__annotations__=own), globalns=vars(sys.modules.get(base.__module__, types)))
    return hints


def _parameter_hints(maker: Callable[..., Any]) -> dict[str, Any]:
    """The types of the parameters. The return type is not looked up: it may be a name that only a type checker imports."""
    function = inspect.unwrap(maker)
    annotations = {name: hint for name, hint in getattr(function, "__annotations__", {}).items() if name != "return"}
    return get_type_hints(types.SimpleNamespace(__annotations__=annotations), globalns=getattr(function, "__globals__", {}))


def settings(pairs: Sequence[str]) -> dict[str, str]:
    """`("symbols=64", "address=code")` as a dictionary."""
    values: dict[str, str] = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals or not key:
            raise BadInput(f"--set expects key=value, found {pair!r}")
        name = key.replace("-", "_")
        if name in values:
            raise BadInput(f"--set {key} appears twice")
        values[name] = value
    return values


def typed(maker: Callable[..., Any], chosen: Mapping[str, Any], what: str) -> dict[str, Any]:
    """The chosen values, converted to the types that `maker` declares; refuses unknown names and wrong types."""
    return typed_values(parameters(maker), chosen, what)


def typed_values(known: Mapping[str, Parameter], chosen: Mapping[str, Any], what: str) -> dict[str, Any]:
    """The chosen values, converted to the types of these parameters; refuses unknown names and wrong types."""
    for key in chosen:
        if key not in known:
            raise BadInput(f"{what} has no parameter {key!r}: expected one of {', '.join(known) or '(none)'}{did_you_mean(key, known)}")
    for parameter in known.values():
        if parameter.required and parameter.name not in chosen:
            raise BadInput(f"{what} needs {parameter.name} ({type_name(parameter.type)})")
    return {key: convert(value, known[key].type, f"{key} of {what}") for key, value in chosen.items()}


def convert(value: Any, kind: Any, where: str) -> Any:
    """A value, or its text, converted to the declared type."""
    origin = get_origin(kind)
    if origin in (Union, types.UnionType):
        known = next(k for k in get_args(kind) if k is not type(None))
        if value is None or (value == "none" and type(None) in get_args(kind) and value not in get_args(known)):
            return None
        return convert(value, known, where)
    if origin is Literal:
        if value not in get_args(kind):
            raise BadInput(f"{where}: expected one of {', '.join(map(str, get_args(kind)))}, found {value!r}")
        return value
    if origin is tuple:
        parts = value.split(",") if isinstance(value, str) else value
        return tuple(convert(part, get_args(kind)[0], where) for part in parts)
    if kind is bool:
        return _boolean(value, where)
    if kind in (int, float):
        return _number(value, kind, where)
    if kind is str and not isinstance(value, str):
        raise BadInput(f"{where}: expected text, found {value!r}")
    return _plain(value) if kind is Any and isinstance(value, str) else value


def _plain(text: str) -> Any:
    """Text for a parameter without a declared type: a number or a Boolean where it reads as one."""
    if text in ("true", "false"):
        return text == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _boolean(value: Any, where: str) -> bool:
    if isinstance(value, bool):
        return value
    if value in ("true", "false", "True", "False"):  # as typed on the command line, and as Python prints it
        return bool(value.lower() == "true")
    raise BadInput(f"{where}: expected true or false, found {value!r}")


def _number(value: Any, kind: type, where: str) -> Any:
    expected = "an integer" if kind is int else "a number"
    if isinstance(value, bool) or not isinstance(value, str | int | float) or (kind is int and isinstance(value, float)):
        raise BadInput(f"{where}: expected {expected}, found {value!r}")
    try:
        number = kind(value)
    except ValueError as error:
        raise BadInput(f"{where}: expected {expected}, found {value!r}") from error
    if not math.isfinite(number):
        raise BadInput(f"{where}: expected a finite number, found {value!r}")
    return number


def type_name(kind: Any) -> str:
    """How a type reads in a listing."""
    origin = get_origin(kind)
    if kind is Any:
        return "any"
    if origin is Literal:
        return " | ".join(map(str, get_args(kind)))
    if origin in (Union, types.UnionType):
        return " | ".join("none" if k is type(None) else type_name(k) for k in get_args(kind))
    if origin is tuple:
        return f"list of {type_name(get_args(kind)[0])}"
    return str(getattr(kind, "__name__", kind))


def need_length(name: str, length: int, least: int = 1) -> None:
    """Refuse a length that is too small for the task, or beyond which nothing is asked."""
    if length > LONGEST:
        raise BadInput(f"{name}: length N must be at most 10^12, found about 10^{len(str(length)) - 1}")
    if length < least:
        raise BadInput(f"{name}: length N must be at least {least}, found {length}")
