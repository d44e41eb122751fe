"""Options that several commands take."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from separatrix.cli.printing import WIDE
from separatrix.errors import BadInput
from separatrix.parameters import settings

Command = Callable[..., Any]

LENGTH_HELP = "N; `separatrix tasks` says what it counts for each task (MQAR: 2 x pairs)."


def json_option(command: Command) -> Command:
    """`--json` on every command, and `--wide`, which wraps nothing."""
    return wide_option(click.option("--json", "as_json", is_flag=True, help="Print exactly one JSON document.")(command))


def wide_option(command: Command) -> Command:
    """`--wide`, which `printing` asks the context about."""
    return click.option("--wide", is_flag=True, expose_value=False, callback=_note_wide, help="Do not wrap lines to the terminal.")(command)


def _note_wide(context: click.Context, _: click.Parameter, wide: bool) -> None:
    """For `printing`, which asks the context."""
    context.meta[WIDE] = wide


def set_option(command: Command) -> Command:
    """`--set key=value` for the parameters of tasks, models and constructions."""
    return click.option("--set", "chosen", multiple=True, metavar="KEY=VALUE", help="A parameter; may be repeated.")(command)


def store_option(command: Command) -> Command:
    """`--store FILE`, for the commands that read or write a store."""
    kind: Any = click.Path(path_type=Path, dir_okay=False)
    default = Path("separatrix.sqlite")
    return click.option("--store", type=kind, default=default, show_default=True, help="The SQLite file of trials and rows.")(command)


def ranged(text: str) -> tuple[int, ...]:
    """Lengths such as `4..12`, `4,8,16` or `4..8,16`."""
    found: list[int] = []
    for part in text.split(","):
        first, dots, last = (word.strip() for word in part.partition(".."))
        ends = (first, last) if dots else (first,)
        if not all(word.isascii() and word.isdigit() for word in ends) or int(ends[0]) > int(ends[-1]):
            raise BadInput(f"--lengths expects lengths such as 4..12 or 4,8,16, found {text!r}")
        found += range(int(ends[0]), int(ends[-1]) + 1)
    return tuple(dict.fromkeys(found))


def with_length(chosen: tuple[str, ...], length: int | None) -> dict[str, Any]:
    """What `--set` and `--length` choose together; the length comes from one of them, not both."""
    parameters: dict[str, Any] = dict(settings(chosen))
    if length is None:
        return parameters
    if "length" in parameters:
        raise BadInput(f"--length {length} and --set length={parameters['length']} set the same parameter: use one")
    return {**parameters, "length": length}
