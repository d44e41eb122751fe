"""`Study`: a question, a cited prediction, cells as data, and a figure of the resulting rows."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from separatrix.studies.answer import Answer

Row = dict[str, Any]
Cell = Mapping[str, Any]  # plain JSON: everything that determines the result
Result = Any  # plain JSON
Evidence = Literal["trained", "trained when it is asked", "computed"]
DURING = "during training"  # the status of a row that a figure draws as a point of a curve, and no table lists


@dataclass(frozen=True)
class Study:
    """One question.

    `cells` is the sweep as data and `run` computes one of them; `rows` is a pure function of the results, in the order of the cells.
    `answer` and `figure` are pure functions of the rows; a figure is a Vega-Lite specification without colours or fonts, which the renderer
    chooses.
    """

    name: str
    question: str
    prediction: str  # one sentence
    cites: tuple[str, ...]  # keys of statements, "bhattamishra2024 Theorem 1"
    caption: str  # what the figure counts, and what it does not show
    cells: tuple[Cell, ...]
    run: Callable[[Cell], Result]
    rows: Callable[[Sequence[Result]], list[Row]]
    figure: Callable[[list[Row]], dict[str, Any]]
    answer: Callable[[list[Row]], Answer]  # of the rows: whether the prediction held
    trains: bool  # its cells take minutes to hours, so their results are shipped and never computed on the fly
    partial: bool = False  # a cell without a result is None, not an error
    results_of: str = ""  # the study whose results it reads in another way; empty for its own
    quick_training: bool = False  # trains for seconds, so it is computed on the fly like what trains nothing

    @property
    def evidence(self) -> Evidence:
        """Where its rows come from."""
        return "trained" if self.trains else "trained when it is asked" if self.quick_training else "computed"

    @property
    def measured(self) -> str:
        """The first sentence of the caption, which says what was measured."""
        return self.caption.split(". ")[0].removesuffix(".") + "."


def cell_digest(cell: Cell) -> str:
    """The SHA-256 of a cell's canonical JSON."""
    text = json.dumps(cell, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()


def answered_share(result: Result) -> float:
    """Right answers; of a task that thinks, those at the end of chains that the model wrote alone."""
    test = result["test"]
    return float(test["accuracy"] if test.get("greedy") is None else test["greedy"])


def concatenated(results: Sequence[list[Row]]) -> list[Row]:
    """The rows of a study whose cells directly return the rows to show."""
    return [row for rows in results for row in rows]
