"""A formula of the user's, such as `N*log2(s)`: parsed and evaluated here, number by number; no code of the user's runs.

Names     N, and the task's numbers by name or by a beginning that no other has: `symbols`, `s`
Numbers   digits; e and pi
Signs     + - * / // % ** (also written ^) and brackets
Functions abs ceil floor log (natural) log2 log10 max min sqrt
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Mapping
from typing import Any

from separatrix.errors import BadInput

FUNCTIONS: dict[str, Callable[..., Any]] = {
    "abs": abs, "ceil": math.ceil, "floor": math.floor, "log": math.log, "log2": math.log2, "log10": math.log10, "max": max, "min": min,
    "sqrt": math.sqrt,
}  # fmt: skip
SIGNS: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv, ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod, ast.Pow: lambda a, b: float(a) ** b,
}  # fmt: skip
CONSTANTS = {"e": math.e, "pi": math.pi}


def parsed(text: str) -> ast.expr:
    """The formula as a tree; only its shape is looked at."""
    try:
        return ast.parse(text.strip().replace("^", "**"), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise BadInput(f"formula: expected one such as N*log2(s), found {text!r}") from error


def evaluated(formula: ast.expr, numbers: Mapping[str, float]) -> float:
    """Its value where each name has a number."""
    try:
        value = float(_value(formula, {**CONSTANTS, **numbers}))
    except BadInput:
        raise
    except (ZeroDivisionError, ValueError, OverflowError) as error:
        why = "it is too large" if isinstance(error, OverflowError) else str(error)
        raise BadInput(f"formula {ast.unparse(formula)!r} has no value at {_at(numbers)}: {why}") from error
    except (TypeError, RecursionError) as error:
        raise BadInput(f"formula {ast.unparse(formula)!r}: {error}") from error
    if not math.isfinite(value):
        raise BadInput(f"formula {ast.unparse(formula)!r} has no finite value at {_at(numbers)}")
    return value


def _value(node: ast.expr, numbers: Mapping[str, float]) -> Any:
    match node:
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            return number
        case ast.Name(id=name):
            return _named(name, numbers)
        case ast.BinOp(left=left, op=sign, right=right) if type(sign) in SIGNS:
            return SIGNS[type(sign)](_value(left, numbers), _value(right, numbers))
        case ast.UnaryOp(op=ast.USub() | ast.UAdd() as sign, operand=inner):
            value = _value(inner, numbers)
            return -value if isinstance(sign, ast.USub) else value
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]) if name in FUNCTIONS:
            return FUNCTIONS[name](*(_value(one, numbers) for one in arguments))
    raise BadInput(f"formula: expected numbers, names, + - * / // % ^ and {', '.join(FUNCTIONS)}, found {ast.unparse(node)!r}")


def _named(name: str, numbers: Mapping[str, float]) -> float:
    if name in numbers:
        return numbers[name]
    begun = [known for known in numbers if known.startswith(name)]
    if len(begun) != 1:
        what = f"{name!r} begins {' and '.join(begun)}" if begun else f"there is no {name!r}"
        raise BadInput(f"formula: {what}; the names are {', '.join(numbers)}")
    return numbers[begun[0]]


def _at(numbers: Mapping[str, float]) -> str:
    return ", ".join(f"{name} = {value:g}" for name, value in numbers.items())
