"""What there is: tasks, models, constructions, papers, studies. No torch."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

from separatrix.cli.printing import emit, json_option, table
from separatrix.errors import BadInput
from separatrix.parameters import parameters


@click.command()
@json_option
def tasks(as_json: bool) -> None:
    """The tasks there are, with parameters, number of tokens and citation."""
    from separatrix.tasks import TASKS, task_class

    found: list[dict[str, Any]] = []
    for name in sorted(TASKS):
        kind = task_class(name)
        listed = [parameter.describe() for parameter in parameters(kind).values()]
        found.append({"name": name, "parameters": listed, "tokens": kind.tokens, "cites": kind.cites, "says": _first_line(kind.__doc__)})
    rows = [(t["name"], t["tokens"], t["cites"], _shown(t["parameters"])) for t in found]
    emit({"tasks": found}, table(("task", "tokens", "cites", "parameters"), rows), as_json)


@click.command()
@json_option
def models(as_json: bool) -> None:
    """The architectures there are, with parameters."""
    from separatrix.models import MODELS
    from separatrix.models.mixers import MIXERS

    _list("models", {**MODELS, **MIXERS}, as_json)


@click.command()
@json_option
def constructions(as_json: bool) -> None:
    """The constructions there are, with parameters and citation."""
    from separatrix.constructions import constructions as declarations

    found: list[dict[str, Any]] = [
        {
            "name": declaration.name,
            "task": declaration.task,
            "architecture": declaration.architecture.value,
            "parameters": [parameter.describe() for parameter in declaration.parameters.values()],
            "cites": declaration.cites,
            "says": _first_line(declaration.build.__doc__),
        }
        for declaration in sorted(declarations(), key=lambda declaration: declaration.name)
    ]
    rows = [(entry["name"], entry["cites"], _shown(entry["parameters"])) for entry in found]
    emit({"constructions": found}, table(("construction", "cites", "parameters"), rows), as_json)


@click.command()
@json_option
def studies(as_json: bool) -> None:
    """The studies there are: one question each."""
    from separatrix.studies import studies as every

    found = [{"name": s.name, "question": s.question, "prediction": s.prediction, "cites": list(s.cites)} for s in every()]
    emit({"studies": found}, table(("study", "question"), [(s["name"], s["question"]) for s in found]), as_json)


@click.command()
@click.option("--paper", help="Only this paper: bhattamishra2024, hahn2020, wen2024 or yang2024.")
@click.option("--status", help="Only this status: built, bounded, measured, stated or open.")
@click.option("--kind", help="Only this kind: theorem, lemma, experiment, question, ...")
@click.option("--errata", is_flag=True, help="Only statements with an erratum.")
@click.option("--search", help="Only statements that contain this text.")
@click.option("--markdown", is_flag=True, help="With --errata: the errata of all papers as a Markdown page.")
@json_option
def papers(
    paper: str | None, status: str | None, kind: str | None, errata: bool, search: str | None, markdown: bool, as_json: bool
) -> None:
    """Every statement of the four papers: key, paraphrase, status, erratum, where in the code."""
    from typing import get_args

    if markdown:
        from separatrix.papers.errata import errata_markdown

        if not errata or as_json:
            raise BadInput("--markdown goes with --errata and without --json")
        emit(None, [errata_markdown()], False)
        return
    from separatrix.papers import PAPERS, statements
    from separatrix.papers.statement import Kind, Status

    for name, value, allowed in (("--paper", paper, PAPERS), ("--status", status, get_args(Status)), ("--kind", kind, get_args(Kind))):
        if value is not None and value not in allowed:
            raise BadInput(f"{name}: expected one of {', '.join(allowed)}, found {value!r}")
    found = [
        s
        for s in statements(paper)
        if status in (None, s.status)
        and kind in (None, s.kind)
        and (not errata or s.errata)
        and (search or "").lower() in (s.key + " " + s.says).lower()
    ]
    document = [
        {
            "key": s.key, "kind": s.kind, "status": s.status, "says": s.says, "place": s.place, "proof": s.proof, "code": list(s.code),
            "erratum": [{"printed": e.printed, "true": e.true, "evidence": e.evidence, "command": e.command} for e in s.errata],
        }
        for s in found
    ]  # fmt: skip
    lines = [line for s in found for line in _statement_lines(s)]
    emit({"papers": document}, [*lines, f"{len(found)} statements"], as_json)


def _statement_lines(s: Any) -> list[str]:
    lines = [f"{s.key}  [{s.status}]  {s.place}{', proof in ' + s.proof if s.proof else ''}", f"    {s.says}"]
    for e in s.errata:
        lines += [f"    erratum: printed: {e.printed}", f"             true:    {e.true}"]
    return [*lines, *(f"    code: {place}" for place in s.code)]


def _list(kind: str, entries: Mapping[str, str], as_json: bool) -> None:
    """Parameters are read from the source, because importing the makers would import torch."""
    found = [{"name": name, **_maker(place)} for name, place in sorted(entries.items())]
    rows = [(m["name"], m["cites"], _shown(m["parameters"])) for m in found]
    emit({kind: found}, table((kind[:-1], "cites", "parameters"), rows), as_json)


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
    return {"parameters": listed, "cites": cites, "says": _first_line(ast.get_docstring(function))}


def _annotation(node: ast.expr | None) -> str:
    text = "" if node is None else ast.unparse(node)
    if text.startswith("Literal["):
        return text[len("Literal[") : -1].replace("'", "").replace(", ", " | ")
    return text


def _shown(listed: list[dict[str, Any]]) -> str:
    return ", ".join(p["name"] + (f"={p['default']}" if "default" in p else "") for p in listed)


def _first_line(text: str | None) -> str:
    return (text or "").strip().split("\n")[0]
