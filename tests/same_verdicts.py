"""Compare the output of the checker under several versions of NumPy and numbers of threads: `tests/same_verdicts.py FILE FILE ...`.

Verdict, reason, sentence, strength and evidence of every certificate are the same. Only a margin of floats, which is the least difference
of two sums and is compared as a lower bound, may differ, by what the order of summation can change: 10^-9 of it.
"""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path
from typing import Any

TOLERANCE = 1e-9


def differences(one: Any, other: Any, where: str = "") -> list[str]:
    """The places at which two results differ."""
    if isinstance(one, dict) and isinstance(other, dict) and set(one) == set(other):
        return [entry for key in one for entry in differences(one[key], other[key], f"{where}.{key}")]
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        return [entry for i, pair in enumerate(zip(one, other, strict=True)) for entry in differences(*pair, f"{where}[{i}]")]
    if where.endswith(".margin") and type(one) is type(other) is float and math.isclose(one, other, rel_tol=TOLERANCE):
        return []
    return [] if type(one) is type(other) and one == other else [f"{where}: {one!r:.100} and {other!r:.100}"]


def main(files: list[str]) -> int:
    """0 where all say the same of at least one certificate, and all of those hold."""
    if len(files) < 2:
        print("expected two files or more")
        return 2
    first, *rest = ({row["file"]: row for row in json.loads(Path(file).read_text())["results"]} for file in files)
    found = [f"{file}: {entry}" for file, other in zip(files[1:], rest, strict=True) for entry in differences(first, other)]
    found += [f"{name} does not hold: {row['reason']}" for name, row in first.items() if not row["holds"]]
    for entry in found[:20]:
        print(entry)
    print(f"{len(first)} certificates, {len(files)} settings: {len(found)} differences")
    return 1 if found or not first else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
