"""What each extra brings: the base package answers these commands, and the others name the extra that they need."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from separatrix.bounds.question import question_of_task
from separatrix.bounds.witnesses import certify_profile
from separatrix.certificates.files import write_document
from separatrix.tasks import make_task

EXTRAS = (
    "torch",
    "safetensors",
    "flint",
    "ortools",
    "jinja2",
    "markupsafe",
    "vl_convert",
    "transformers",
    "ray",
    "submitit",
    "pyarrow",
    "onnx",
    "numba",
)
BASE = (
    "check CERTIFICATE", "profile dyck --length 8", "bounds dyck --length 20", "bounds equality --length 8 --out FOLDER",
    "language (ab)*", "papers", "tasks", "sample dyck --length 6 --count 2", "vectors --length 100", "audit parity --length 6",
    "ceiling index-lookup --length 100 --state-bits 300", "constructions", "models", "studies",
)  # fmt: skip
PROGRAM = """
import sys
blocked, *commands = sys.argv[1:]
for name in blocked.split(","):
    sys.modules[name] = None
from separatrix.cli import main
for command in commands:
    print(command, main(command.split()), file=sys.stderr)
"""
CHECKER = """
import sys
from runpy import run_module
for name in sys.argv.pop(1).split(","):
    sys.modules[name] = None
run_module("separatrix.checker", run_name="__main__")
"""


def codes(blocked: tuple[str, ...], commands: list[str]) -> tuple[list[str], str]:
    """The exit code of each command, and everything on stderr, where these packages are not installed."""
    ran = subprocess.run([sys.executable, "-c", PROGRAM, ",".join(blocked), *commands], capture_output=True, text=True, check=False)
    lines = ran.stderr.splitlines()
    return [line.rpartition(" ")[2] for line in lines if line.startswith(tuple(commands))], ran.stderr


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    path = tmp_path / "profile.json"
    write_document(path, certify_profile(question_of_task(make_task("equality", length=4))))
    return path


def test_the_base_package_answers_without_any_extra(tmp_path: Path, certificate: Path) -> None:
    commands = [line.replace("CERTIFICATE", str(certificate)).replace("FOLDER", str(tmp_path / "bounds")) for line in BASE]
    result, printed = codes(EXTRAS, commands)
    assert result == ["0"] * len(BASE), printed
    assert [*(tmp_path / "bounds").glob("*.json")]


def test_a_certificate_is_checked_with_numpy_alone(certificate: Path) -> None:
    blocked = ",".join((*EXTRAS, "click", "rich"))
    ran = subprocess.run([sys.executable, "-c", CHECKER, blocked, str(certificate)], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout[:5]) == (0, "holds"), ran.stderr


@pytest.mark.parametrize(
    ("command", "extra"),
    [
        ("build equality --length 8", "torch"),
        ("verify equality --length 8", "torch"),
        ("communication equality --length 6 --alice 0,1,2", "bounds"),
        ("atlas --certificates FOLDER --records FOLDER --out FOLDER/atlas", "atlas"),
    ],
)
def test_what_is_not_installed_is_named_with_its_extra(tmp_path: Path, command: str, extra: str) -> None:
    result, printed = codes(EXTRAS, [command.replace("FOLDER", str(tmp_path))])
    assert result == ["2"], printed
    assert f"pip install 'separatrix[{extra}]'" in printed
    assert "Traceback" not in printed
