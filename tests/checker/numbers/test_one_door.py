"""A result in floats leaves an operation by `Float.between`, which checks the range of the format; nothing else makes one that is open."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from separatrix.checker import numbers

HERE = Path(numbers.__path__[0])
BOUNDED = {
    "elu_plus_one",
    "_settled",
    "swish",
    "rooted",
    "sigmoid",
    "read_sums",
}  # they narrow what `between` gave


@pytest.mark.parametrize("file", ["smooth.py", "gates.py"])
def test_no_function_makes_an_open_result_by_itself(file: str) -> None:
    functions = [node for node in ast.walk(ast.parse((HERE / file).read_text())) if isinstance(node, ast.FunctionDef)]
    assert len(functions) >= 7
    for function in functions:
        calls = [node for node in ast.walk(function) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)]
        made = [call for call in calls if getattr(call.func, "id", "") == "Box" and len(call.args) + len(call.keywords) > 1]
        assert not made or function.name in BOUNDED, f"{file}: {function.name} makes an open result, and checks no range"
