"""The API reference, from docstrings and signatures: read from the source, so that nothing has to be imported."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from pathlib import Path

Definition = ast.FunctionDef | ast.ClassDef


@dataclass(frozen=True)
class Module:
    """A module with its documented, public parts, in the order of the file."""

    name: str
    about: str
    parts: tuple[Entry, ...]


@dataclass(frozen=True)
class Entry:
    """A function or a class: its signature, its docstring, and its public methods."""

    name: str
    signature: str
    about: str
    methods: tuple[Entry, ...] = ()


def modules(package: Path) -> list[Module]:
    """Every module of a package, by name."""
    return [_module(package, path) for path in sorted(package.rglob("*.py")) if path.name != "__main__.py"]


def room(module: Module) -> str:
    """The room of a module: what stands behind the package's own name."""
    return [*module.name.split("."), ""][1] or "separatrix"


def _module(package: Path, path: Path) -> Module:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    inside = path.relative_to(package.parent).with_suffix("")
    name = ".".join(part for part in inside.parts if part != "__init__")
    return Module(name, ast.get_docstring(tree) or "", _public(tree.body))


def _public(body: list[ast.stmt]) -> tuple[Entry, ...]:
    found = [node for node in body if isinstance(node, Definition) and not node.name.startswith("_")]
    return tuple(_entry(node) for node in found if ast.get_docstring(node))


def _entry(node: Definition) -> Entry:
    about = ast.get_docstring(node) or ""
    if isinstance(node, ast.FunctionDef):
        returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
        return Entry(node.name, f"{node.name}({ast.unparse(node.args)}){returns}", about)
    fields = [ast.unparse(line) for line in node.body if isinstance(line, ast.AnnAssign)]
    bases = f"({', '.join(ast.unparse(base) for base in node.bases)})" if node.bases else ""
    return Entry(node.name, "\n    ".join([f"class {node.name}{bases}", *fields]), about, _public(node.body))
