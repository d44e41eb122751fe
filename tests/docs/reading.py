"""What a page of the documentation asks its reader to run: fenced blocks, and commands in running text.

A fenced block is code that is run in the order of the page, in one folder, unless a comment on the line above says otherwise:

    <!-- file: NAME -->          it is the content of a file that later lines use
    <!-- prints -->              it is exactly what the block above prints
    <!-- begins -->              it is how the output of the block above begins, line by line
    <!-- exit 1 -->              its command ends with this exit code
    <!-- slow -->                it runs in `make test-all`
    <!-- not run: WHY -->        it is not run, and why

A command in running text is run where it is complete; where it holds a placeholder in capitals, or is a name alone, its options must exist.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
WRITTEN_FROM_DATA = {"errata.md", "more-is-known.md", "released-code.md", "glossary.md", "gallery.md"}  # tests of what writes them
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *sorted(page for page in (ROOT / "docs").rglob("*.md") if page.name not in WRITTEN_FROM_DATA),
]
MARK = re.compile(r"<!-- (file|prints|begins|exit|slow|not run)(?::? (.*?))? -->$")
COMMAND = re.compile(r"`(separatrix [^`]+)`")
PLACEHOLDER = re.compile(r"(?<![\w.:/=-])[A-Z][A-Z_]*\b(?![.:=]\w)|\.\.\.|<|file\.py:")


@dataclass(frozen=True)
class Part:
    """Something on a page, from top to bottom: a block, or a command in running text (`language` is "inline")."""

    page: str
    line: int
    language: str
    text: str
    marks: dict[str, str]

    @property
    def where(self) -> str:
        return f"{self.page}:{self.line}"

    @property
    def is_pattern(self) -> bool:
        """A command with a placeholder, or a name without any argument."""
        return bool(PLACEHOLDER.search(self.text)) or not [word for word in self.text.split()[2:] if not word.startswith("--")]


def parts(page: Path) -> list[Part]:
    """Everything that can be run, in order."""
    name, found = page.relative_to(ROOT).as_posix(), list[Part]()
    marks: dict[str, str] = {}
    lines = page.read_text(encoding="utf-8").splitlines()
    at = 0
    while at < len(lines):
        line = lines[at]
        if mark := MARK.match(line.strip()):
            marks[mark[1]] = mark[2] or ""
        elif line.startswith("```"):
            end = lines.index("```", at + 1)
            found.append(Part(name, at + 1, line[3:].strip(), "\n".join(lines[at + 1 : end]) + "\n", marks))
            at, marks = end, {}
        elif line.strip():
            found += [Part(name, at + 1, "inline", command.replace("\\|", "|"), marks) for command in COMMAND.findall(line)]
            marks = {}
        at += 1
    return found
