"""How many lines one has to read to trust the checker: lines of code, apart from blank lines, comments, docstrings and imports."""

from __future__ import annotations

import ast
from pathlib import Path

HERE = Path(__file__).parent
PARTS = {  # what a certificate leans on -> folders of the checker, or files directly in it
    "numbers": "numbers",
    "forward pass": "models",
    "mixers": "models/mixers",
    "rules of proofs": "replay",
    "specs of tasks": "specs",
    "forms of tasks": "specs/forms",
    "kinds of certificates": "kinds",
    "documents, plan, sentences": ".",
}


def code_lines(file: Path) -> int:
    """Lines of code of one file."""
    text = file.read_text(encoding="utf-8")
    prose: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import | ast.ImportFrom):
            prose |= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
            first = node.body[0]
            prose |= set(range(first.lineno, (first.end_lineno or first.lineno) + 1))
    lines = enumerate(text.splitlines(), 1)
    return sum(1 for number, line in lines if line.strip() and not line.strip().startswith("#") and number not in prose)


def parts() -> dict[str, dict[str, int]]:
    """Lines of code by part and file."""
    return {part: {file.stem: code_lines(file) for file in sorted((HERE / folder).glob("*.py"))} for part, folder in PARTS.items()}


def report() -> list[str]:
    """A line for each part with its total, then one for each file of it, and the whole checker."""
    said: list[str] = []
    for part, counts in parts().items():
        files = ", ".join(f"{name} {count}" for name, count in counts.items() if name != "__init__" and count)
        said.append(f"{sum(counts.values()):6,}  {part}: {files}")
    sources = sorted(HERE.rglob("*.py"))
    every = sum(len(file.read_text(encoding="utf-8").splitlines()) for file in sources)
    total = sum(sum(counts.values()) for counts in parts().values())
    return [
        *said,
        f"{total:6,}  lines of code in all",
        f"{every:,} lines in {len(sources)} files, blank lines, docstrings and imports among them",
    ]
