"""`python -m separatrix.checker`: the verdicts of `separatrix check` with NumPy alone, and how many lines one has to trust."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from separatrix.checker import sealed
from separatrix.checker.__main__ import main
from separatrix.checker.lines import code_lines
from separatrix.cli import main as separatrix
from tests.checker.kinds.programs import honest

PAGE = Path(__file__).parents[2] / "docs" / "certificates.md"


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """One that holds, one that is refused, one that cannot be read."""
    found = {"good.json": json.dumps(honest("cases")), "bad.json": json.dumps(sealed({**honest("lookup"), "proof": None})), "no.json": "{"}
    for name, text in found.items():
        (tmp_path / name).write_text(text)
    return [str(tmp_path / name) for name in found]


@pytest.mark.parametrize("options", [[], ["--json"], ["--require", "proven"], ["--require", "tested", "--json"], ["--budget", "1e-6"]])
@pytest.mark.parametrize("several", [slice(0, 1), slice(0, 2), slice(0, 3)])
def test_both_commands_say_the_same(files: list[str], options: list[str], several: slice, capsys: pytest.CaptureFixture[str]) -> None:
    one = main([*options, *files[several]])
    here = capsys.readouterr()
    other = separatrix(["check", *options, *files[several]])
    there = capsys.readouterr()
    assert one == other
    printed = [json.loads(said.out) if "--json" in options else said.out for said in (here, there)]
    assert printed[0] == printed[1]
    assert here.err.replace("python -m separatrix.checker:", "separatrix:") == there.err
    assert one == (2 if several.stop == 3 or "1e-6" in options else 1 if several.stop == 2 or "--require" in options else 0)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], "expected a certificate FILE"),
        (["--budget", "0", "x"], "--budget expects seconds, more than 0 and at most 1000000, found 0.0"),
        (["--budget", "nan", "x"], "--budget expects seconds"),
        (["--require", "author", "x"], "invalid choice: 'author'"),
        (["--colour", "x"], "unrecognized arguments: --colour"),
    ],
)
def test_a_wrong_command_line_is_one_line_and_code_2(arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(arguments)
    assert left.value.code == 2
    said = capsys.readouterr().err
    assert says in said
    assert len(said.splitlines()) == 1


def test_the_pages_say_how_many_lines_the_checker_has(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--lines"]) == 0
    *parts, code, every = capsys.readouterr().out.splitlines()
    counts = [int(line.split()[0].replace(",", "")) for line in (*parts, code)]
    assert sum(counts[:-1]) == counts[-1]
    lines = sum(path.read_text().count("\n") for path in (PAGE.parents[1] / "separatrix" / "checker").rglob("*.py"))
    assert every.startswith(f"{lines:,} lines in ")
    core = sum(count for count, line in zip(counts, parts, strict=False) if re.search("numbers:|forward pass:|rules of proofs:", line))
    trust = (PAGE.parent / "trust.md").read_text()
    for page, words, number in (
        (PAGE.read_text(), r"([\d,]+) lines, as `python -m separatrix.checker --lines` counts them", lines),
        (trust, r"the whole checker has ([\d,]+) lines of code", counts[-1]),
        (trust, r"numbers, forward pass and rules together have ([\d,]+) lines of code", core),
    ):
        stated = re.search(words, page)
        assert stated is not None
        assert abs(int(stated[1].replace(",", "")) - number) <= 0.05 * number, f"the page has {stated[1]}, there are {number:,}"


@pytest.mark.parametrize("comment", ["# a comment", '"""A docstring."""', "import os", ""])
def test_prose_and_imports_are_not_code(comment: str, tmp_path: Path) -> None:
    file = tmp_path / "file.py"
    file.write_text(f"{comment}\n\nx = 1\n\n\ndef f() -> None:\n    return None\n")
    assert code_lines(file) == 3


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_a_reader_who_has_seen_enough_is_no_error(options: list[str], files: list[str]) -> None:
    command = [sys.executable, "-m", "separatrix.checker", *options, *files[:1] * 50]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 141
