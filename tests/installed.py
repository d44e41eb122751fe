"""`make test-install` runs this: an installed package, away from its sources, answers or names the extra that it lacks.

python tests/installed.py SEPARATRIX base|torch
"""

from __future__ import annotations

import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

BASE = {  # command -> exit code of the package without extras
    "--version": 0, "papers": 0, "tasks": 0, "models": 0, "constructions": 0, "studies": 0, "profile dyck --length 8": 0,
    "bounds equality --length 8 --out bounds": 0, "check bounds/fooling-set-equality-8.json": 0, "language '(ab)*'": 0,
    "ceiling index-lookup --length 100 --state-bits 300": 0, "sample mqar --length 64 --count 2": 0, "audit parity --length 6": 0,
    "vectors --length 100": 0, "plan index-lookup --length 100": 0, "nonsense": 2, "build index-lookup --length 8": 2,
}  # fmt: skip
TORCH = {
    "build index-lookup --length 8 --out built": 0, "verify index-lookup --length 16 --out verified": 0, "state lstm-2-64 --length 10": 0,
    "train parity --length 6 --model lstm-1-8 --steps 5 --out run": 0, "evaluate run": 0, "attack built index-lookup --length 8": 0,
    "explain index-lookup": 0, "build index-lookup --length 8 --format onnx --out onnx": 2,
}  # fmt: skip


def main(command: str, extras: str) -> int:
    """Run every command in a new folder; one line for each, and 1 if an exit code is not what it should be."""
    program, wrong = str(Path(command).absolute()), 0
    with tempfile.TemporaryDirectory() as folder:
        for line, expected in (BASE if extras == "base" else {**BASE, "build index-lookup --length 8": 0, **TORCH}).items():
            ran = subprocess.run([program, *shlex.split(line)], cwd=folder, capture_output=True, text=True, check=False)
            fine = ran.returncode == expected and "Traceback" not in ran.stderr
            said = "" if fine else f"exit code {ran.returncode}, expected {expected}: {ran.stderr.strip()[-300:]}"
            print("ok   " if fine else "WRONG", line, said)
            wrong += not fine
    return int(wrong > 0)


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
