"""What a kind of trial is: a function from a configuration to rows, and the code that decides them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Row = dict[str, Any]


@dataclass(frozen=True)
class Result:
    """What a trial hands back."""

    rows: Sequence[Row]
    certificates: Sequence[dict[str, Any]] = ()


def no_places(configuration: Mapping[str, Any], code: Collection[str]) -> Sequence[str]:  # noqa: ARG001
    """A kind whose configurations cannot name code of others."""
    return ()


@dataclass(frozen=True)
class Kind:
    """One kind of trial.

    `run(configuration, folder, code)` may leave snapshots in the folder, which is the trial's own: after a kill the same trial runs
    there again. `code` is what the user allows by name. Rows hold only what follows from the configuration, no times and no names of
    machines, so that a second machine can repeat them.
    """

    run: Callable[[Mapping[str, Any], Path, Collection[str]], Result]
    rooms: tuple[str, ...] = ()  # whose sources decide the rows
    places: Callable[[Mapping[str, Any], Collection[str]], Sequence[str]] = no_places  # code of others in it, found in what is allowed
