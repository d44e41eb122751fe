"""What no contract of import-linter can list in full: the checker imports the standard library, NumPy and itself, and nothing else."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import separatrix.checker

ROOM = Path(separatrix.checker.__file__).parent


def imported(source: str) -> set[str]:
    """The modules that a file names in its imports, also inside functions; relative ones begin with a dot."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add("." * node.level + (node.module or ""))
    return names


def is_allowed(module: str) -> bool:
    top = module.partition(".")[0]
    return top == "numpy" or top in sys.stdlib_module_names or module == "separatrix.checker" or module.startswith("separatrix.checker.")


def test_the_checker_imports_the_standard_library_numpy_and_itself() -> None:
    found = {(str(path.relative_to(ROOM)), name) for path in ROOM.rglob("*.py") for name in imported(path.read_text("utf-8"))}
    assert {name for _, name in found} >= {"json", "numpy"}  # it met real files
    assert {entry for entry in found if not is_allowed(entry[1])} == set()


def test_another_room_another_package_and_a_relative_import_are_seen() -> None:
    source = "import separatrix.bits, torch.nn\ndef f():\n    from separatrix import errors\n    from .. import tasks\n    import json\n"
    assert {name for name in imported(source) if not is_allowed(name)} == {"separatrix.bits", "torch.nn", "separatrix", ".."}
