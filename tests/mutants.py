"""`python -m tests.mutants --count 60 --seed 0`: single faults in the checker, and whether a test notices. Works in a copy of the tree.

A fault is one comparison, constant, operator, condition or check that is changed or left out. Each is run against the vectors first, then
the tests that mirror its file, then all tests of the checker; the first that fails kills it. Those that survive are printed: they are
equivalent, or a test is missing. `--under separatrix` draws from the whole package; what is not of the checker is run against the tests
of its room that mirror its file or name its module, or those of its folder where none does, and then against the laws.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).parent.parent
PACKAGE = Path("separatrix")
ROOM = PACKAGE / "checker"
ALL = ("tests/checker", "tests/laws/test_certificates.py", "tests/certificates", "tests/fuzz")
PATIENCE = 1200  # seconds; a fault that makes a test hang is noticed

COMPARED = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq}
COMPARED |= {ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is}
COMBINED = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult, ast.LShift: ast.RShift, ast.RShift: ast.LShift}
NAMES = {
    "min": "max",
    "max": "min",
    "all": "any",
    "any": "all",
    "minimum": "maximum",
    "maximum": "minimum",
    "floor": "ceil",
    "ceil": "floor",
}


def _kinds(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in COMPARED:
        yield "comparison"
    elif isinstance(node, ast.BoolOp):
        yield "and / or"
    elif isinstance(node, ast.BinOp) and type(node.op) in COMBINED and not _text(node):
        yield "operator"
    elif isinstance(node, ast.If):
        yield "condition"
        if isinstance(node.body[0], ast.Raise):
            yield "refusal left out"
    elif isinstance(node, ast.Constant) and type(node.value) in (int, float):
        yield "constant"
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        yield "call left out"
    elif isinstance(node, ast.Call) and _name(node.func) in NAMES:
        yield "function"


def _text(node: ast.BinOp) -> bool:
    parts = list(ast.walk(node))
    return any(isinstance(part, ast.JoinedStr) or isinstance(getattr(part, "value", None), str) for part in parts)


def _name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _break(node: ast.AST, what: str) -> None:
    if isinstance(node, ast.Compare):
        node.ops = [COMPARED[type(node.ops[0])]()]
    elif isinstance(node, ast.BoolOp):
        node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
    elif isinstance(node, ast.BinOp):
        node.op = COMBINED[type(node.op)]()
    elif isinstance(node, ast.If):
        node.test = ast.Constant(False) if what == "refusal left out" else ast.UnaryOp(ast.Not(), node.test)
    elif isinstance(node, ast.Constant):
        assert isinstance(node.value, int | float)
        node.value = node.value + 1
    elif isinstance(node, ast.Expr):
        node.value = ast.Constant(None)
    elif isinstance(node, ast.Call):
        if isinstance(node.func, ast.Attribute):
            node.func.attr = NAMES[node.func.attr]
        else:
            assert isinstance(node.func, ast.Name)
            node.func.id = NAMES[node.func.id]
    ast.fix_missing_locations(node)


def drawn(count: int, seed: int, under: Path = ROOM) -> Iterator[tuple[Path, str, int, str]]:
    """So many faults: file, what, line, and the text of the file with it. Longer files have more."""
    texts = {path.relative_to(HERE): path.read_text() for path in sorted((HERE / under).rglob("*.py"))}
    sites = [(path, i) for path, text in texts.items() for i, _ in enumerate(_places(ast.parse(text)))]
    for path, wanted in random.Random(seed).sample(sites, count):
        tree = ast.parse(texts[path])
        number, what = list(_places(tree))[wanted]
        node = next(each for i, each in enumerate(ast.walk(tree)) if i == number)
        _break(node, what)
        yield path, what, getattr(node, "lineno", 0), ast.unparse(tree)


def _places(tree: ast.Module) -> Iterator[tuple[int, str]]:
    for number, node in enumerate(ast.walk(tree)):
        for what in _kinds(node):
            yield number, what


def _tests(path: Path, tree: Path) -> Iterator[tuple[str, ...]]:
    part = path.relative_to(PACKAGE)
    mirror = Path("tests") / part.parent / f"test_{part.stem}.py"
    if path.is_relative_to(ROOM):
        yield ("tests/vectors",)
        if (tree / mirror).exists():
            yield (str(mirror),)
        elif len(part.parts) > 2:
            yield (str(Path("tests", *part.parts[:2])),)
        yield ALL
        return
    room = Path("tests", part.parts[0]) if len(part.parts) > 1 else Path("tests")
    module = ".".join(path.with_suffix("").parts)
    name = re.compile(rf"{re.escape(module)}\b|from {re.escape(module.rpartition('.')[0])} import .*\b{part.stem}\b")
    about = [
        test
        for test in sorted((tree / room).rglob("test_*.py"))
        if test.stem == mirror.stem or name.search(test.read_text(encoding="utf-8"))
    ]
    folder = next(each for each in mirror.parents if (tree / each).is_dir())
    yield tuple(dict.fromkeys(str(test.relative_to(tree)) for test in about)) or (str(folder),)
    yield ("tests/laws",)


def notices(path: Path, text: str, tree: Path) -> str:
    """The first group of tests that fails with this text of a file; empty where none does."""
    honest = (tree / path).read_text()
    (tree / path).write_text(text)
    environment = {**os.environ, "PYTHONPATH": str(tree), "OMP_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        for group in _tests(path, tree):
            command = [sys.executable, "-m", "pytest", "-x", "-qq", "-n0", "-p", "no:cacheprovider", *group]
            try:
                done = subprocess.run(command, cwd=tree, env=environment, capture_output=True, timeout=PATIENCE, check=False)
            except subprocess.TimeoutExpired:
                return f"{group[0]} (hangs)"
            if done.returncode:
                return group[0]
    finally:
        (tree / path).write_text(honest)
    return ""


def main() -> int:
    """Run so many mutants; exit 1 where one survives."""
    parser = argparse.ArgumentParser(description="single faults, and whether a test notices")
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--under", type=Path, default=ROOM, help="the folder whose files are changed")
    parser.add_argument("--first", type=int, default=1, help="number of the first fault, to go on where a run was stopped")
    parser.add_argument("--last", type=int, help="number of the last fault, to stop there")
    chosen = parser.parse_args()
    last = chosen.last or chosen.count
    killed = 0
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "tree"
        shutil.copytree(HERE, tree, ignore=shutil.ignore_patterns(".git", ".venv", "build", "__pycache__", ".*_cache"))
        for number, (path, what, line, text) in enumerate(drawn(chosen.count, chosen.seed, chosen.under), 1):
            if not chosen.first <= number <= last:
                continue
            by = notices(path, text, tree)
            killed += bool(by)
            print(f"{number:3} {path}:{line} {what}: {f'killed by {by}' if by else 'SURVIVES'}", flush=True)
    tried = last - chosen.first + 1
    print(f"{killed} of {tried} killed")
    return 0 if killed == tried else 1


if __name__ == "__main__":
    sys.exit(main())
