"""Files of strangers on the command line, under a limit of memory and of processor time: one line each, and nothing runs away."""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from separatrix.atlas.reading.material import Records
from separatrix.checker import check_file
from separatrix.cli import main
from tests.checker.kinds.programs import honest
from tests.cli.strangers import CERTIFICATES, HUGE, fifo, written

GIGABYTE = 1 << 30
SECONDS = 12  # of processor time: the budget of 10 s, and the start of Python
TRUE = {"2^18 strings"}  # large, and within the budget


def limited(arguments: list[str], gigabytes: float, seconds: int) -> subprocess.CompletedProcess[str]:
    """`separatrix ...` in a process that is killed where it takes more."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_DATA, (int(gigabytes * GIGABYTE),) * 2)
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))

    environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "PYTHONIOENCODING": "utf-8:strict"}
    command = [sys.executable, "-m", "separatrix", *arguments]
    return subprocess.run(
        command, env=environment, preexec_fn=limit, capture_output=True, text=True, timeout=300, check=False
    )  # fmt: skip


def assert_refused(run: subprocess.CompletedProcess[str]) -> None:
    """In one line, by us."""
    said = run.stdout + run.stderr
    assert run.returncode in (1, 2), said
    assert "Traceback" not in said
    assert "internal error" not in said
    assert "malformed content" not in said  # such as a MemoryError: every refusal was thought of
    assert len(said.strip().splitlines()) == 1, said
    assert len(said) < 1000


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow if name == "200,000 cases" else ()) for name in CERTIFICATES if name not in TRUE]
)
def test_check_refuses_it_in_one_line(name: str, tmp_path: Path) -> None:
    assert_refused(limited(["check", str(written(tmp_path, name))], 2.5, SECONDS))


@pytest.mark.parametrize("name", sorted(TRUE))
def test_check_accepts_what_is_true_and_within_the_budget(name: str, tmp_path: Path) -> None:
    run = limited(["check", str(written(tmp_path, name))], 2.5, SECONDS)
    assert run.returncode == 0, run.stderr
    assert "proven: a function of 18 tokens" in run.stdout


def test_check_waits_for_no_pipe_and_reads_no_device(tmp_path: Path) -> None:
    pipe = fifo(tmp_path)
    for path in (pipe, Path("/dev/zero"), tmp_path, tmp_path / "none.json"):
        assert_refused(limited(["check", str(path)], 2.5, SECONDS))


def test_a_name_that_is_not_utf_8_is_printed(tmp_path: Path) -> None:
    path = os.fsencode(tmp_path) + b"/\xff.json"
    Path(os.fsdecode(path)).write_text(json.dumps(honest("lookup")))
    for options in ([], ["--json"]):
        run = limited(["check", *options, os.fsdecode(path)], 2.5, SECONDS)
        assert run.returncode == 0, run.stderr
        assert "udcff.json" in run.stdout


@pytest.mark.slow
def test_the_atlas_leaves_them_out_and_says_why(tmp_path: Path, records: Records) -> None:
    folder = tmp_path / "certificates"
    folder.mkdir()
    for name in CERTIFICATES:
        if name not in TRUE:
            written(folder, name)
    fifo(folder)
    (folder / "zero.json").symlink_to("/dev/zero")
    (folder / "good.json").write_text(json.dumps(honest("lookup")))
    run = limited(["atlas", "--certificates", str(folder), "--records", str(records.folder), "--out", str(tmp_path / "atlas")], 4, 120)
    assert run.returncode == 0, run.stderr
    assert "Traceback" not in run.stderr
    shown = "".join(page.read_text() for page in (tmp_path / "atlas").rglob("*.html"))
    assert check_file(folder / "good.json").claim in shown
    for path in sorted(folder.glob("*.json")):
        if path.name != "good.json":
            assert path.name in shown, f"{path.name} is neither shown nor left out"


@pytest.fixture(scope="module")
def run_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of two steps."""
    folder = tmp_path_factory.mktemp("run") / "run"
    quick = ["--steps", "2", "--batch", "4", "--set", "budget.validation=5", "--set", "budget.test=5"]
    assert main(["train", "index-lookup", "--length", "5", "--model", "lstm-1-8", *quick, "--out", str(folder), "--json"]) == 0
    return folder


DESCRIPTIONS: dict[str, dict[str, Any]] = {
    "half of a surrogate pair": {"task": "\ud800"},
    "a length of 10^4000": {"task_parameters": {"length": HUGE}},
    "lengths of 10^4000": {"test_lengths": [HUGE]},
    "a million layers": {"model": "lstm-1000000-8"},
    "a task that is a number": {"task": 7},
    "parameters that are a number": {"task_parameters": 7},
    "lengths that are a number": {"test_lengths": 7},
    "a model that is a list": {"model": ["lstm-1-8"]},
    "a seed that is a text": {"seed": "0"},
    "a budget that is nothing": {"budget": None},
}


def refused_run(folder: Path, capsys: pytest.CaptureFixture[str]) -> str:
    capsys.readouterr()
    assert main(["evaluate", str(folder), "--examples", "5"]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert len(said.err.strip().splitlines()) == 1
    assert len(said.err) < 1000
    return said.err


@pytest.mark.parametrize("name", DESCRIPTIONS)
def test_evaluate_refuses_a_run_that_is_none(name: str, run_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = shutil.copytree(run_folder, tmp_path / "run")
    text = json.dumps({**json.loads((folder / "run.json").read_text()), **DESCRIPTIONS[name]})
    (folder / "run.json").write_text(text)
    refused_run(folder, capsys)


@pytest.mark.parametrize("text", ["[]", "7", "{", "[" * 10**5 + "]" * 10**5, '{"schema": NaN}', "\x00"])
def test_evaluate_refuses_a_description_that_is_none(
    text: str, run_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = shutil.copytree(run_folder, tmp_path / "run")
    (folder / "run.json").write_text(text)
    refused_run(folder, capsys)


@pytest.mark.parametrize("file", ["run.json", "snapshot.safetensors"])
def test_evaluate_waits_for_no_pipe_and_reads_no_device(
    file: str, run_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = shutil.copytree(run_folder, tmp_path / "run")
    (folder / file).unlink()
    os.mkfifo(folder / file)
    assert "not a regular file" in refused_run(folder, capsys)
    (folder / file).unlink()
    (folder / file).symlink_to("/dev/zero")
    assert "not a regular file" in refused_run(folder, capsys)


def test_evaluate_runs_no_code_that_a_file_names(run_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = shutil.copytree(run_folder, tmp_path / "run")
    (tmp_path / "mine.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\ndef odd(word): return len(word) % 2\n")
    document = json.loads((folder / "run.json").read_text())
    task = {"task": "function", "task_parameters": {"length": 4, "function": f"{tmp_path / 'mine.py'}:odd"}}
    (folder / "run.json").write_text(json.dumps({**document, **task}))
    assert "needs to run the code" in refused_run(folder, capsys)
    assert not (tmp_path / "ran").exists()
