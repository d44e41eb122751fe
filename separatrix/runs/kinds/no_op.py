"""A trial that does nothing, to measure the cost of a launch."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from separatrix.runs.kinds.kind import Kind, Result


def no_op(configuration: Mapping[str, Any], folder: Path, code: Collection[str]) -> Result:  # noqa: ARG001
    """One row that repeats the configuration's number."""
    return Result([{"schema": "separatrix/row", "version": 1, "kind": "no-op", "number": configuration.get("number")}])


NO_OP = Kind(no_op)
