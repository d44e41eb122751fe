"""Verdicts on several files, as rows, as readable lines, and as an exit code."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from separatrix.checker import STRENGTHS, Verdict

REQUIRED = ("proven", "exhaustive", "tested")


@dataclass(frozen=True)
class Report:
    """What is printed about some files."""

    rows: list[dict[str, Any]]
    lines: list[str]
    unreadable: str  # the first file that could not be read, and why; empty if all could
    code: int  # 0: all hold; 1: one is refused or shows less than required; 2: one cannot be read or costs more than the budget


def report(results: Iterable[tuple[str, Verdict]], require: str | None = None) -> Report:
    """The verdicts on files by name; verdicts below `require` count as too weak, and so does a counterexample, whose claim it refutes."""
    enough = STRENGTHS[STRENGTHS.index(require) :] if require else STRENGTHS
    rows: list[dict[str, Any]] = []
    lines: list[str] = []
    unreadable: list[str] = []
    code = 0
    for name, verdict in results:
        file = name.encode("utf-8", "backslashreplace").decode()  # a name of bytes that are not UTF-8 can be printed, too
        refutes = require is not None and verdict.refutes
        weak = verdict.holds and (refutes or verdict.strength not in enough)
        less = "the weights are wrong" if refutes else verdict.strength
        reason = f"shows less than required: {less}, not {require}" if weak else verdict.reason
        rows.append({"file": file, "holds": verdict.holds, "reason": reason, "claim": verdict.claim, "strength": verdict.strength,
                     "architecture": verdict.architecture, "evidence": list(verdict.evidence)})  # fmt: skip
        if verdict.holds:
            lines += [f"{'REFUTES ' if refutes else 'TOO WEAK' if weak else 'holds   '}  {file}", f"  {verdict.strength}: {verdict.claim}"]
            lines += [f"  {entry['kind']}: {entry['text']}" for entry in verdict.evidence]
        elif verdict.readable:
            lines.append(f"REFUSED   {file}: {verdict.reason}")
        else:
            unreadable.append(f"{file}: {verdict.reason}")
        code = max(code, 2 if not verdict.readable else 1 if weak or not verdict.holds else 0)
    return Report(rows, lines, unreadable[0] if unreadable else "", code)
