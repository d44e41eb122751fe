"""Which code cites which statement: the brackets in the package's own text, such as `[wen2024 Lemma B.1]`.

A bracket holds one or more keys and may add where the proof is: `[bhattamishra2024 Theorem 1; proof C.2]`.
Status follows from who cites: a definition or a task is implemented; a bound makes a statement bounded, else a construction makes it
built, else a study measured. Where only a part is there the data say what is missing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from separatrix.papers.reading import PAPERS
from separatrix.papers.statement import Kind, Statement, Status

BRACKET = re.compile(rf"\[((?:{'|'.join(PAPERS)}) [^\[\]]*)\]")
DEFINITIONS: tuple[Kind, ...] = ("definition", "task", "assumption")
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
        if words and words[0] in PAPERS:
            paper = words[0]
            yield " ".join(words)
        elif paper and words and words[0] in ("Theorem", "Lemma", "Corollary", "Proposition"):
            yield f"{paper} {' '.join(words)}"


def citations(folder: Path) -> dict[str, list[str]]:
    """Statement -> the files below a folder that cite it, as module names."""
    cited: dict[str, list[str]] = {}
    for file in sorted(folder.rglob("*.py")):
        module = ".".join(file.relative_to(folder.parent).with_suffix("").parts).removesuffix(".__init__")
        for bracket in BRACKET.findall(" ".join(file.read_text(encoding="utf-8").split())):
            for key in keys_of(bracket):
                if module not in cited.setdefault(key, []):
                    cited[key].append(module)
    return cited


@cache
def cited_in_package() -> dict[str, tuple[str, ...]]:
    """Statement -> modules of this package, the papers themselves left out."""
    cited = citations(Path(__file__).parent.parent)
    return {key: tuple(m for m in modules if not m.startswith("separatrix.papers")) for key, modules in cited.items()}


def status_of(statement: Statement, modules: tuple[str, ...]) -> Status:
    """What the project holds of a statement that these modules cite."""
    if statement.missing:
        return "partly"
    if not modules or statement.status not in ("stated", "open"):
        return statement.status  # nobody cites it, or the data say what the citing room does not
    if statement.kind in DEFINITIONS:
        return "implemented"
    rooms = {module.split(".")[1] for module in modules}
    return next((status for room, status in MEANS.items() if room in rooms), "implemented")
