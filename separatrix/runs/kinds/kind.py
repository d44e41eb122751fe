"""`Kind`: a function from a configuration to rows, and the code that determines them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Row = dict[str, Any]


@dataclass(frozen=True)
class Result:
    """What a trial produces: its rows, and its certificates if it makes any."""

    rows: Sequence[Row]
    certificates: Sequence[dict[str, Any]] = ()


def no_places(configuration: Mapping[str, Any], code: Collection[str]) -> Sequence[str]:  # noqa: ARG001
    """For a kind whose configurations cannot refer to a user's own code."""
    return ()


@dataclass(frozen=True)
class Kind:
    """One kind of trial.

    `run(configuration, folder, code)` may leave snapshots in the trial's own folder; after a kill the same trial runs there again.
    `code` lists what the user allows. Rows contain only what follows from the configuration, no times and no machine names, so that
    another machine can repeat them.
    """

    run: Callable[[Mapping[str, Any], Path, Collection[str]], Result]
    rooms: tuple[str, ...] = ()  # rooms whose sources determine the rows
    places: Callable[[Mapping[str, Any], Collection[str]], Sequence[str]] = (
        no_places  # places of a user's own code in a configuration, resolved among those allowed
    )
