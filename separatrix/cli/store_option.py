"""`--store FILE`, for the commands that read or write a store."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from separatrix.cli.printing import Command

DEFAULT = Path("separatrix.sqlite")


def store_option(command: Command) -> Command:
    """The `--store FILE` option."""
    kind: Any = click.Path(path_type=Path, dir_okay=False)
    return click.option("--store", type=kind, default=DEFAULT, show_default=True, help="The SQLite file of trials and rows.")(command)
