"""Run a checker on the conformance vectors: `python tests/vectors/conform.py COMMAND...`. Needs the standard library alone."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
DOCUMENTS = HERE / "documents"
COMPARED = ("holds", "strength", "claim")


def vectors() -> list[dict[str, Any]]:
    """The entries of the index."""
    entries: list[dict[str, Any]] = json.loads((HERE / "index.json").read_text())["vectors"]
    return entries


def differences(results: list[dict[str, Any]]) -> Iterator[str]:
    """Where results differ from what is expected; a document without a result differs."""
    said = {Path(result["file"]).name: result for result in results}
    for vector in vectors():
        result = said.get(vector["file"])
        for field in COMPARED if vector["holds"] else COMPARED[:1]:
            if result is None or result.get(field) != vector[field]:
                found = "no result" if result is None else f"found {result.get(field)!r} ({result.get('reason', '')})"
                yield f"{vector['file']} ({vector['about']}): {field}: expected {vector[field]!r}, {found}"
                break


def main(command: list[str]) -> int:
    """0 where the checker agrees with every entry of the index, 1 where it does not, 2 where it cannot be run."""
    if not command:
        print("expected the command of a checker, such as: python -m separatrix.checker --json")
        return 2
    files = [str(DOCUMENTS / vector["file"]) for vector in vectors()]
    done = subprocess.run([*command, *files], capture_output=True, text=True, check=False)
    try:
        results = json.loads(done.stdout)["results"]
    except (ValueError, KeyError, TypeError):
        print(f"expected one JSON document with results on standard output; the command ended with {done.returncode}: {done.stderr[-300:]}")
        return 2
    found = list(differences(results))
    for line in found:
        print(line)
    print(f"{len(files)} vectors, {len(found)} differences")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
