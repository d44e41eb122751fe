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


ROOMS = ("models", "replay", "specs", "kinds")
FRACTIONS = {  # files that divide, and what: no array among them
    "replay/stacks.py": "fractions", "specs/nearest.py": "fractions", "kinds/influence.py": "decimals",
    "kinds/program.py": "the margin in a sentence, rounded down", "kinds/depth_reduction.py": "fractions",
}  # fmt: skip


def operators_on_floats(text: str) -> list[str]:
    """Operators that make floats of whatever they meet, or that a float is written beside: `/`, `@`, `x * 0.5`, `x.mean()`."""
    found = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("mean", "std", "var", "dot"):
            found.append(ast.unparse(node))
        if not isinstance(node, ast.BinOp | ast.AugAssign):
            continue
        sides = [node.left, node.right] if isinstance(node, ast.BinOp) else [node.target, node.value]
        root = isinstance(node.op, ast.Div) and ast.unparse(sides[0]) == "1" and ast.unparse(sides[1]).startswith("math.sqrt(")
        written = any(isinstance(side, ast.Constant) and isinstance(side.value, float | complex) for side in map(unsigned, sides))
        if (isinstance(node.op, ast.Div | ast.MatMult) and not root) or written:
            found.append(ast.unparse(node))
    return found


def unsigned(node: ast.expr) -> ast.expr:
    return node.operand if isinstance(node, ast.UnaryOp) else node


def test_no_operator_outside_numbers_makes_a_float() -> None:
    """What an operator meets at run time is not seen: `a * b` of two arrays of floats would pass here."""
    files = {str(file.relative_to(HERE)): file for room in ROOMS for file in sorted((HERE / room).rglob("*.py"))}
    assert len(files) > 90
    found = {name: operators for name, file in files.items() if (operators := operators_on_floats(file.read_text()))}
    assert {name: operators for name, operators in found.items() if name not in FRACTIONS} == {}
    assert found.keys() >= FRACTIONS.keys(), "a file that no longer divides need not be named"


@pytest.mark.parametrize(
    "text", ["x / 2", "x * 0.5", "-1.5 + x", "x @ w", "x /= n", "x **= 0.5", "x.mean()", "(a + b).dot(c)", "2 / math.sqrt(n)"]
)
def test_such_an_operator_is_seen(text: str) -> None:
    assert operators_on_floats(text)
    assert not operators_on_floats("scaled(ops, q, 1 / math.sqrt(m)) + x // 2 * constant((n, 1), -1.0)")
