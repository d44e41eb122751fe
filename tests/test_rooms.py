"""What no contract of import-linter can list in full: the checker imports the standard library, NumPy and itself, and nothing else."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import separatrix.checker
from separatrix.bounds.lower import CountedProfile
from separatrix.studies import STUDIES
from separatrix.tasks import make_task

ROOM = Path(separatrix.checker.__file__).parent


def imported(source: str) -> set[str]:
    """The modules that a file names in its imports, also inside functions; relative ones begin with a dot."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add("." * node.level + (node.module or ""))
    return names


def is_allowed(module: str) -> bool:
    top = module.partition(".")[0]
    return top == "numpy" or top in sys.stdlib_module_names or module == "separatrix.checker" or module.startswith("separatrix.checker.")


def test_the_checker_imports_the_standard_library_numpy_and_itself() -> None:
    found = {(str(path.relative_to(ROOM)), name) for path in ROOM.rglob("*.py") for name in imported(path.read_text("utf-8"))}
    assert {name for _, name in found} >= {"json", "numpy"}  # it met real files
    assert {entry for entry in found if not is_allowed(entry[1])} == set()


def test_another_room_another_package_and_a_relative_import_are_seen() -> None:
    source = "import separatrix.bits, torch.nn\ndef f():\n    from separatrix import errors\n    from .. import tasks\n    import json\n"
    assert {name for name in imported(source) if not is_allowed(name)} == {"separatrix.bits", "torch.nn", "separatrix", ".."}


def test_the_contract_forbids_the_checker_every_room_and_every_package_that_another_room_imports() -> None:
    pyproject = tomllib.loads((ROOM.parents[1] / "pyproject.toml").read_text(encoding="utf-8"))
    (forbidden,) = (
        set(contract["forbidden_modules"])
        for contract in pyproject["tool"]["importlinter"]["contracts"]
        if contract.get("source_modules") == ["separatrix.checker"]
    )
    package = ROOM.parent
    rooms = {f"separatrix.{path.stem}" for path in package.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    assert rooms - {"separatrix.__init__", "separatrix.__main__", "separatrix.checker"} <= forbidden
    modules = {name for file in package.rglob("*.py") for name in imported(file.read_text(encoding="utf-8"))}
    packages = {name.partition(".")[0] for name in modules} - sys.stdlib_module_names - {"separatrix", "numpy"}
    assert "torch" in packages
    assert packages <= forbidden


def loaded_by(*arguments: str) -> set[str]:
    """The modules of ours that a command has loaded when it is done."""
    program = f"from separatrix.cli import main; import sys; assert main({arguments!r}) == 0\n"
    listing = "print(*(name for name in sys.modules if name.partition('.')[0] == 'separatrix'), sep='\\n')"
    done = subprocess.run([sys.executable, "-c", program + listing], capture_output=True, text=True, check=True)
    return {line for line in done.stdout.splitlines() if re.fullmatch(r"separatrix[.\w]*", line)}


def test_bounds_of_a_task_load_its_own_constructions_and_no_study_and_no_language() -> None:
    loaded = loaded_by("bounds", "index-lookup", "--length", "20")
    assert "separatrix.constructions.bhattamishra2024.index_lookup" in loaded
    assert "separatrix.constructions.bhattamishra2024.nearest_neighbor" not in loaded
    assert loaded.isdisjoint(STUDIES.values())
    assert not {
        name for name in loaded if name.startswith(("separatrix.bounds.languages", "separatrix.tasks.languages", "separatrix.runs"))
    }
    assert len(loaded) <= 110


def test_a_check_loads_the_checker_and_a_few_modules_of_the_command_line(tmp_path: Path) -> None:
    certificate = tmp_path / "profile.json"
    certificate.write_text(json.dumps(CountedProfile(make_task("parity", length=4)).certificate()), encoding="utf-8")
    loaded = loaded_by("check", str(certificate))
    assert len([name for name in loaded if not name.startswith("separatrix.checker")]) <= 11
    assert "separatrix.checker.decided" not in loaded


def test_help_loads_the_table_of_commands_and_no_command() -> None:
    assert loaded_by("--help") <= {
        "separatrix",
        "separatrix.cli",
        "separatrix.cli.progress_lines",
        "separatrix.errors",
        "separatrix.kernels",
    }
