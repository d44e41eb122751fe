"""`separatrix models`: list the architectures, with parameters."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

from separatrix.cli.options import json_option
from separatrix.cli.printing import emit, first_line, listed_parameters, table


@click.command()
@json_option
def models(as_json: bool) -> None:
    """List the architectures, with parameters."""
    from separatrix.models import MODELS
    from separatrix.models.mixers import MIXERS

    _list("models", {**MODELS, **MIXERS}, as_json)


def _list(kind: str, entries: Mapping[str, str], as_json: bool) -> None:
    """Parameters are read from the source, because importing the makers would import torch."""
    listed = [{"name": name, **_maker(place)} for name, place in sorted(entries.items())]
    rows = [(m["name"], m["cites"], listed_parameters(m["parameters"])) for m in listed]
    emit({kind: listed}, table((kind[:-1], "cites", "parameters"), rows), as_json)


def _source(module: str) -> ast.Module:
    spec = find_spec(module)
    assert spec is not None
    assert spec.origin is not None
    return ast.parse(Path(spec.origin).read_text(encoding="utf-8"))


def _maker(place: str) -> dict[str, Any]:
    """Signature and citation of `module:function`, without importing it."""
    module, _, name = place.partition(":")
    tree = _source(module)
    function = next(node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == name)
    arguments = function.args.args
    defaults: list[ast.expr | None] = [None] * (len(arguments) - len(function.args.defaults)) + list(function.args.defaults)
    listed = []
    for argument, default in zip(arguments, defaults, strict=True):
        row: dict[str, Any] = {"name": argument.arg, "type": _annotation(argument.annotation)}
        listed.append(row if default is None else {**row, "default": ast.literal_eval(default)})
    text = (ast.get_docstring(function) or "") + "\n" + (ast.get_docstring(tree) or "")
    cites = text[text.find("[") + 1 : text.find("]")].split(";")[0] if "[" in text else ""
    return {"parameters": listed, "cites": cites, "says": first_line(ast.get_docstring(function))}


def _annotation(node: ast.expr | None) -> str:
    text = "" if node is None else ast.unparse(node)
    if text.startswith("Literal["):
        return text[len("Literal[") : -1].replace("'", "").replace(", ", " | ")
    return text
