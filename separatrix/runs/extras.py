"""Optional packages that only some commands need."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from separatrix.errors import BadInput


def needed(package: str, extra: str, what: str) -> Any:
    """The package; if it is missing, one line says how to install it."""
    try:
        return import_module(package)
    except ImportError as error:
        raise BadInput(f"{what} needs the package {package!r}: pip install 'separatrix[{extra}]'") from error
