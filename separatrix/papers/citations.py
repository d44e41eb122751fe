"""Which code cites which statement: the brackets in the package's own text, such as `[wen2024 Lemma B.1]`.

A bracket holds one or more keys and may add where the proof is: `[bhattamishra2024 Theorem 1; proof C.2]`.
Status follows from the room that cites: a bound makes a statement bounded, else a construction makes it built, else a study measured.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from separatrix.papers.statement import Status

BRACKET = re.compile(r"\[((?:bhattamishra2024|hahn2020|wen2024|yang2024) [^\[\]]*)\]")
MEANS: dict[str, Status] = {  # the first room that cites decides: a lower bound stays one when weights that meet it are built
    "bounds": "bounded",
    "constructions": "built",
    "studies": "measured",
}


def keys_of(bracket: str) -> Iterator[str]:
    """The statements that a bracket names."""
    paper = ""
    for part in re.split(r"[;,]", bracket):
        words = part.split()
        if words and words[0] in ("bhattamishra2024", "hahn2020", "wen2024", "yang2024"):
            paper = words[0]
            yield " ".join(words)
        elif paper and words and words[0] in ("Theorem", "Lemma", "Corollary", "Proposition"):
            yield f"{paper} {' '.join(words)}"


def citations(folder: Path) -> dict[str, list[str]]:
    """Statement -> the files below a folder that cite it, as module names."""
    found: dict[str, list[str]] = {}
    for file in sorted(folder.rglob("*.py")):
        module = ".".join(file.relative_to(folder.parent).with_suffix("").parts).removesuffix(".__init__")
        for bracket in BRACKET.findall(" ".join(file.read_text(encoding="utf-8").split())):
            for key in keys_of(bracket):
                if module not in found.setdefault(key, []):
                    found[key].append(module)
    return found


@cache
def cited_in_package() -> dict[str, tuple[str, ...]]:
    """Statement -> modules of this package, the papers themselves left out."""
    found = citations(Path(__file__).parent.parent)
    return {key: tuple(m for m in modules if not m.startswith("separatrix.papers")) for key, modules in found.items()}


def status_of(modules: tuple[str, ...]) -> Status:
    """What the project holds of a statement that these modules cite."""
    rooms = {module.split(".")[1] for module in modules}
    return next((status for room, status in MEANS.items() if room in rooms), "stated")
