"""What the ledger holds of a statement of the papers: the certificates of weights that are built for it, or from code that follows it.

A theorem is built if weights that cite it have a certificate. A lemma is built if some of those weights are made by a module that cites
it: the modules of a construction are its own and all of the room that these import. Where there is no certificate, nothing is built.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import separatrix.constructions as room
from separatrix.constructions import CONSTRUCTIONS
from separatrix.ledger.built import built_facts
from separatrix.ledger.certified import PREDICTOR, certified
from separatrix.ledger.fact import STRENGTHS
from separatrix.papers import Statement, statements

PREDICTORS = f"{room.__name__}.other.predictors"  # makes the machines of random sources


@cache
def certified_by_statement() -> dict[str, dict[str, int]]:
    """Key of a statement -> how many certificates of each strength, the strongest first."""
    found: dict[str, Counter[str]] = {}
    for fact in built_facts():
        if fact.more["cites"]:
            found.setdefault(fact.more["cites"], Counter())[fact.strength] += 1
    return {key: {strength: counted[strength] for strength in STRENGTHS if counted[strength]} for key, counted in found.items()}


def held_statements(paper: str | None = None) -> tuple[Statement, ...]:
    """The statements, each with the status that the ledger bears out: what no certificate shows as weights is implemented, not built."""
    return tuple(replace(s, status="implemented") if s.status == "built" and not built_with(s) else s for s in statements(paper))


def built_with(statement: Statement) -> tuple[str, ...]:
    """The constructions with a certificate whose statement it is, or whose weights are made by code that cites it."""
    by_code = {name for module in statement.code for name in _made_with().get(module, ())}
    by_name = {fact.more["construction"] for fact in built_facts() if fact.more["cites"] == statement.key}
    return tuple(sorted(by_code | by_name))


@cache
def _made_with() -> dict[str, tuple[str, ...]]:
    """Module of the room -> the constructions with a certificate that are made with it."""
    found: dict[str, list[str]] = {}
    made = {one.construction for one in certified()}
    places = {name: place.partition(":")[0] for name, place in CONSTRUCTIONS.items() if name in made}
    places |= {PREDICTOR: PREDICTORS} if PREDICTOR in made else {}
    for name, module in places.items():
        for used in _closure(module):
            found.setdefault(used, []).append(name)
    return {module: tuple(names) for module, names in found.items()}


@cache
def _closure(module: str) -> frozenset[str]:
    """A module of the room and all of the room that it imports, directly or through others."""
    met, left = {module}, [module]
    while left:
        for other in _imported(left.pop()):
            if other not in met:
                met.add(other)
                left.append(other)
    return frozenset(met)


@cache
def _imported(module: str) -> tuple[str, ...]:
    """The modules of the room that one imports, also inside functions; read, not run."""
    return tuple(name for name in _names(ast.parse(_file(module).read_text(encoding="utf-8"))) if _file(name).is_file())


def _names(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith(f"{room.__name__}."):
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module == room.__name__:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _file(module: str) -> Path:
    assert room.__file__ is not None
    folder = Path(room.__file__).parent.joinpath(*module.split(".")[2:])
    return folder / "__init__.py" if folder.is_dir() else folder.with_suffix(".py")
