"""Many verdicts at once.

`decide --all`: every language of so many states in one compressed file of JSON lines, with weights of Mamba for what it can.
`decide --groups`: the transitive groups of at most eight points and those of word-problem benchmarks, each with its weights run.

The languages of a counter-free automaton share one set of weights, with two rows of the read-out each, and one certificate of kind
`languages`: a simulation that holds at every length. The line of every other language has the word that it counts.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

from separatrix.bounds.languages.decided_table import decided
from separatrix.bounds.languages.enumeration import LETTERS
from separatrix.bounds.languages.verdict_rules import BARRIER, IMPOSSIBLE
from separatrix.certificates.languages import languages_certificate
from separatrix.constructions.languages.mamba import REGULAR_MAMBA, recogniser
from separatrix.refuters.decide import decide
from separatrix.tasks.languages.automata import Automaton
from separatrix.tasks.languages.named_groups import GROUPS
from separatrix.tasks.languages.transitive_groups import TRANSITIVE


def decided_lines(states: int, progress: Callable[[int], None] | None = None) -> Iterator[dict[str, Any]]:
    """The lines of the file: languages by their moves, and behind those that are star-free the certificate of their weights."""
    written = 0
    for moves, some in groupby(decided(states), key=lambda line: line["moves"]):
        lines = list(some)
        yield from lines
        sets = [frozenset(line["accepting"]) for line in lines if line["period"] is None]
        if sets:
            automaton = Automaton(tuple(LETTERS[: len(moves[0])]), moves, sets[0])
            yield languages_certificate(recogniser(automaton, sets), automaton, sets, REGULAR_MAMBA.name)
        written += len(lines)
        if progress is not None:
            progress(written)


def write_decided(states: int, path: Path, progress: Callable[[int], None] | None = None) -> None:
    """The file, the same on every run."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as raw, gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0) as packed:
        for line in decided_lines(states, progress):
            packed.write((json.dumps(line, separators=(",", ":")) + "\n").encode())


def decided_groups(progress: Callable[[str], None] | None = None) -> Iterator[dict[str, Any]]:
    """A line for each group: its order, derived series, and the verdict on each architecture."""
    for name in (*TRANSITIVE, *GROUPS):
        if progress is not None:
            progress(name)
        report = decide(f"group:{name}")
        verdicts = {row["architecture"]: row["verdict"] for row in report["rows"]}
        monotone = {verdicts[inside] for inside in BARRIER}
        orders = report["derived"]
        yield {
            "group": name,
            "degree": report["states"],
            "order": report["monoid"],
            "derived": orders,
            "solvable": report["solvable"],
            "counts": report["period"],
            "monotone": IMPOSSIBLE if monotone == {IMPOSSIBLE} else "open",
            "log_precision": verdicts["transformer-log-precision"],
            "complex_diagonal_layers": len(orders) - 1 if report["solvable"] else None,
            "verdicts": verdicts,
        }
