"""`separatrix models`: list the architectures, with parameters; `separatrix models NAME`: measure one configuration."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

from separatrix.cli.completion import model_or_file
from separatrix.cli.options import set_option
from separatrix.cli.printing import counted, first_line, listed_parameters
from separatrix.cli.report import Report, Table, reporting
from separatrix.errors import BadInput

CITATION = re.compile(r"(?<=\[)[a-z]+\d{4} [^;\]]+")  # the first of `[paper statement; paper statement]`; other brackets are shapes


@click.command()
@click.argument("name", required=False, shell_complete=model_or_file)
@click.option("--length", type=int, default=1000, show_default=True, help="Tokens before the cut at which the state is counted.")
@click.option("--dtype", default="float32", show_default=True, help="The number type of parameters and state.")
@click.option("--vocabulary", type=int, default=64, show_default=True, help="Input ids, and targets.")
@set_option
@reporting
def models(name: str | None, length: int, dtype: str, vocabulary: int, chosen: tuple[str, ...]) -> Report:
    """List the architectures with their parameters, or measure the configuration NAME: parameters, state bits, operations per token.

    NAME is mamba-2-64, Mamba-(6,256), hybrid-mamba-14-128+1, a configuration of a paper such as wen2024-mamba-1m, or file.py:Name.
    """
    if name is not None:
        from separatrix.parameters import settings

        return _one(name, length, dtype, vocabulary, settings(chosen))
    from separatrix.models import MODELS
    from separatrix.models.mixers import MIXERS
    from separatrix.models.published import PUBLISHED

    listed = [{"name": name, **_maker(place)} for name, place in sorted({**MODELS, **MIXERS}.items())]
    rows = [(m["name"], m["cites"], listed_parameters(m["parameters"])) for m in listed]
    papers = [{"name": name, "architecture": p.architecture, "cites": p.cites} for name, p in PUBLISHED.items()]
    parts: list[Table | str] = [
        Table(("model", "cites", "parameters"), rows),
        "",
        Table(("configuration", "cites"), [(p["name"], p["cites"]) for p in papers]),
    ]
    return Report({"models": listed, "configurations": papers}, parts)


def _one(name: str, length: int, dtype: str, vocabulary: int, chosen: Mapping[str, str]) -> Report:
    """Measure one configuration."""
    from separatrix.arithmetic import parse_format
    from separatrix.models import model_for
    from separatrix.models.measured_costs import measures, regular
    from separatrix.models.model import Model
    from separatrix.models.model_names import configuration, plain_label
    from separatrix.models.published import PUBLISHED
    from separatrix.training.recipes import RECIPES

    if length < 0:
        raise BadInput(f"length must be at least 0, found {length}")
    parse_format(dtype)
    architecture, sizes = configuration(name, chosen, length)
    task_sizes = {"vocabulary": vocabulary, "targets": vocabulary, "length": length + 1, "seed": 0}

    def make(width: int | None) -> Model:
        model = model_for(name, task_sizes, chosen) if width is None else model_for(architecture, task_sizes, {**sizes, "width": width})
        if not isinstance(model, Model):
            raise BadInput(f"{name} is a model of your own: expected an architecture, a mixer or a configuration of ours")
        return model

    model = make(None)
    measured = measures(model, length, dtype)
    is_regular, why = regular(make, model.config.width, dtype)
    published, recipe = PUBLISHED.get(plain_label(name)), RECIPES.get(plain_label(name))
    document = {
        "name": name, "architecture": architecture, "width": model.config.width, "layers": len(model.layers),
        "parameters": measured.parameters, "trainable": measured.trainable, "length": length, "dtype": dtype,
        "parameter_bits": measured.parameter_bits, "state_bits": measured.state_bits, "operations_per_token": measured.operations,
        "regular": is_regular, "why": why, "cites": published.cites if published else "", "recipe": recipe.document() if recipe else None,
    }  # fmt: skip
    frozen = "" if measured.trainable == measured.parameters else f", {measured.parameters - measured.trainable:,} more are frozen"
    lines = [
        f"{name}: {architecture}, width {model.config.width}, vocabulary {vocabulary}",
        f"parameters            {measured.trainable:,} trainable{frozen}",
        f"parameter bits        P = {measured.parameter_bits:,} ({dtype})",
        f"state bits            M = {_known(measured.state_bits)} after {counted(length, 'token')}",
        f"operations per token  C = {_known(measured.operations)} for token {length + 1:,}",
        f"regular RNN           {'unknown' if is_regular is None else 'yes' if is_regular else 'no'}: {why} [wen2024 Definition 3.4]",
        f"from                  {published.cites if published else 'no paper of the four names this configuration'}",
    ]
    return Report(document, lines + ([f"recipe                {recipe.line()}"] if recipe else []))


def _known(number: int | None) -> str:
    return "unknown" if number is None else f"{number:,}"


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
    cited = CITATION.search(text)
    cites = cited[0] if cited else ""
    return {"parameters": listed, "cites": cites, "says": first_line(ast.get_docstring(function))}


def _annotation(node: ast.expr | None) -> str:
    text = "" if node is None else ast.unparse(node)
    if text.startswith("Literal["):
        return text[len("Literal[") : -1].replace("'", "").replace(", ", " | ")
    return text
