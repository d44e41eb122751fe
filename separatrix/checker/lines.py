"""How many lines one has to read to trust the checker: lines of code, apart from blank lines, comments, docstrings and imports."""

from __future__ import annotations

import ast
import sys
from collections.abc import Container
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


def parts(among: Container[Path] | None = None) -> dict[str, dict[str, int]]:
    """Lines of code by part and file, of all files or some."""
    by_part = {part: sorted((HERE / folder).glob("*.py")) for part, folder in PARTS.items()}
    return {part: {f.stem: code_lines(f) for f in files if among is None or f in among} for part, files in by_part.items()}


def loaded() -> dict[str, dict[str, int]]:
    """Lines of code, by part, of what Python has loaded: after one certificate was judged, what that took."""
    modules = [module for name, module in sys.modules.items() if name.startswith("separatrix.checker") and name != __name__]
    return parts({Path(str(module.__file__)) for module in modules} | {HERE / "__main__.py"})


def report(counts: dict[str, dict[str, int]]) -> list[str]:
    """A line for each part with its total and its files, and one for all together."""
    said: list[str] = []
    for part, files in counts.items():
        named = ", ".join(f"{name} {count}" for name, count in files.items() if name != "__init__" and count)
        said.append(f"{sum(files.values()):6,}  {part}: {named}")
    return [*said, f"{sum(sum(files.values()) for files in counts.values()):6,}  lines of code in all"]


def whole() -> str:
    """All lines of the checker, in words."""
    sources = sorted(HERE.rglob("*.py"))
    every = sum(len(file.read_text(encoding="utf-8").splitlines()) for file in sources)
    return f"{every:,} lines in {len(sources)} files, blank lines, docstrings and imports among them"
