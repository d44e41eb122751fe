"""A result in floats leaves an operation by `Float.within`, which checks the range of the format; nothing else gives it an error."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from separatrix.checker import numbers

HERE = Path(numbers.__path__[0])
BOUNDED = {"turned", "clipped"}  # sines, cosines and what is cut off lie within 1


@pytest.mark.parametrize("file", ["smooth.py", "gates.py"])
def test_no_function_makes_a_result_with_an_error_by_itself(file: str) -> None:
    functions = [node for node in ast.walk(ast.parse((HERE / file).read_text())) if isinstance(node, ast.FunctionDef)]
    assert len(functions) >= 7
    for function in functions:
        calls = [node for node in ast.walk(function) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)]
        made = [call for call in calls if getattr(call.func, "id", "") == "Values" and len(call.args) + len(call.keywords) > 1]
        assert not made or function.name in BOUNDED, f"{file}: {function.name} makes a result with an error, and checks no range"
