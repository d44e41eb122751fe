"""What a study is: a question, a cited prediction, rows, and a figure of these rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Row = dict[str, Any]


@dataclass(frozen=True)
class Study:
    """One question, asked of the project itself.

    `rows` is the sweep as data; `figure` is a pure function of the rows and returns a Vega-Lite specification without colours or
    fonts: whoever draws it chooses them.
    """

    name: str
    question: str
    prediction: str  # one sentence
    cites: tuple[str, ...]  # keys of statements, "bhattamishra2024 Theorem 1"
    caption: str  # what the figure counts, and what it does not show
    rows: Callable[[], list[Row]]
    figure: Callable[[list[Row]], dict[str, Any]]
