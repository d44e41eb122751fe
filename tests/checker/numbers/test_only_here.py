"""NumPy is imported in `checker/numbers/` alone, and what the rest of the checker takes from there for integers lets no float pass."""

from __future__ import annotations

import ast
from pathlib import Path

import numpy as np
import pytest

from separatrix import checker
from separatrix.checker.numbers import arrays

HERE = Path(checker.__path__[0])
WRAPPED = [name for name, value in vars(arrays).items() if getattr(value, "__qualname__", "").startswith("_whole")]


def imported(file: Path) -> set[str]:
    """The packages that a file imports, wherever it does."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add((node.module or "").partition(".")[0])
        elif isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) in ("import_module", "__import__"):
            names |= {str(a.value).partition(".")[0] for a in node.args if isinstance(a, ast.Constant)}
    return names


def test_numpy_is_imported_in_numbers_alone() -> None:
    files = sorted(HERE.rglob("*.py"))
    assert len(files) > 100
    using = {file for file in files if "numpy" in imported(file)}
    assert len(using) > 10
    assert [str(file.relative_to(HERE)) for file in using if file.parent != HERE / "numbers"] == []


def test_nothing_else_hands_out_numpy_itself() -> None:
    """Outside, no name is bound to the module, and `numbers` exports none of its functions but through the guard."""
    for file in sorted((HERE / "numbers").glob("*.py")):
        tree = ast.parse(file.read_text())
        bound = [t.id for node in tree.body if isinstance(node, ast.Assign) for t in node.targets if isinstance(t, ast.Name)]
        values = [node.value for node in tree.body if isinstance(node, ast.Assign) and isinstance(node.value, ast.Attribute)]
        assert not [v for v in values if getattr(v.value, "id", "") == "np"], (file.name, bound)
    for file in sorted(HERE.rglob("*.py")):
        if file.parent != HERE / "numbers":
            taken = [node for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, ast.Attribute) and node.attr == "np"]
            assert not taken, file


def test_the_guard_lets_no_float_in_or_out() -> None:
    assert len(WRAPPED) >= 25
    for name in WRAPPED:
        function = getattr(arrays, name)
        with pytest.raises((TypeError, IndexError, ValueError)):  # NumPy's own, or the guard's
            function(np.array([0.5]), 1.5)
    assert arrays.arange(3).tolist() == [0, 1, 2]
    assert arrays.zeros(2).dtype == np.int64
    assert arrays.zeros(2, dtype=bool).dtype == bool
    with pytest.raises(TypeError, match="a float among integers"):
        arrays.array([0.5])
    with pytest.raises(TypeError, match="a float among integers"):
        arrays.concatenate([np.array([1]), np.array([0.5])])
    with pytest.raises(TypeError, match="a float among integers"):
        arrays.where(np.array([True]), np.array([0.5]), 1)
