"""Judging certificates: the checker alone, no torch."""

from __future__ import annotations

import sys

import click

from separatrix.cli.printing import emit, json_option


@click.command()
@click.argument("files", nargs=-1, required=True)
@json_option
def check(files: tuple[str, ...], as_json: bool) -> int:
    """Certificates, independently of what made them. Exit code 1 where one does not hold, 2 where one cannot be read."""
    from separatrix.checker import check_file

    results = [(file, check_file(file)) for file in files]
    unreadable = [(file, verdict) for file, verdict in results if not verdict.readable]
    if unreadable:
        file, verdict = unreadable[0]
        print(f"separatrix: {file}: {verdict.reason}", file=sys.stderr)
    rows = [{"file": file, "holds": verdict.holds, "reason": verdict.reason} for file, verdict in results]
    lines = [f"{'holds  ' if verdict.holds else 'REFUSED'}  {file}: {verdict.reason}" for file, verdict in results if verdict.readable]
    if as_json or lines:
        emit({"results": rows}, lines, as_json)
    if unreadable:
        return 2
    return 0 if all(verdict.holds for _, verdict in results) else 1
