"""`python -m separatrix.checker FILE...`: the same verdicts as `separatrix check`, with the standard library and NumPy alone.

`--lines` prints how many lines one has to read to trust it, and `--lines FILE` how many of them that certificate needs.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from separatrix.checker import Budget, check_file, lines
from separatrix.checker.budget import SECONDS
from separatrix.checker.report import REQUIRED, report

MOST = 10**6  # seconds of a budget
CLOSED = 141  # as a shell reports a pipe that was closed


class Arguments(argparse.ArgumentParser):
    """Reports a wrong command line in one line."""

    def error(self, message: str) -> NoReturn:
        print(f"{self.prog}: {message}", file=sys.stderr)
        raise SystemExit(2)


def main(arguments: Sequence[str] | None = None) -> int:
    """Judge the files; the exit code is that of `separatrix check`."""
    parser = Arguments(prog="python -m separatrix.checker", description="Certificates, with the standard library and NumPy alone.")
    parser.add_argument("files", nargs="*", metavar="FILE", help="certificates")
    parser.add_argument("--require", choices=REQUIRED, help="exit with 1 if a certificate shows less")
    parser.add_argument("--budget", type=float, default=SECONDS, help="seconds of work allowed per file, with 1 GB per 10 seconds")
    parser.add_argument("--json", action="store_true", help="one JSON document")
    parser.add_argument("--lines", action="store_true", help="print how many lines of code the checker, or one FILE, needs, by part")
    chosen = parser.parse_args(arguments)
    if chosen.lines and not chosen.files:
        print("\n".join([*lines.report(lines.parts()), lines.whole()]))
        return 0
    if not chosen.files or (chosen.lines and len(chosen.files) > 1):
        parser.error("expected one certificate FILE" if chosen.lines else "expected a certificate FILE")
    if not 0 < chosen.budget <= MOST:
        parser.error(f"--budget expects seconds, more than 0 and at most {MOST}, found {chosen.budget}")
    summary = report(((file, check_file(file, Budget(chosen.budget))) for file in chosen.files), chosen.require)
    if summary.unreadable:
        print(f"{parser.prog}: {summary.unreadable}", file=sys.stderr)
    if chosen.json:
        print(json.dumps({"results": summary.rows}, indent=2))
    elif summary.lines:
        print("\n".join(summary.lines))
    if chosen.lines and not chosen.json:
        print("\n".join(lines.report(lines.loaded())))
    return summary.code


def quietly() -> int:
    """Print, and stop in silence if the reader of a pipe has closed it, as `head` does."""
    try:
        code = main()
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is left in the buffer goes there
        return CLOSED
    return code


if __name__ == "__main__":
    sys.exit(quietly())
