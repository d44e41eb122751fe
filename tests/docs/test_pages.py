"""Every block of code and every command of the documentation runs as it stands."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from separatrix.cli import COMMANDS, separatrix
from separatrix.papers import CITATION, paper
from separatrix.papers import PAPERS as NAMES
from tests.docs.reading import PAGES, ROOT, Part, parts
from tests.docs.running import Reader

NOT_RUN = 6
IDS = [page.relative_to(ROOT).as_posix() for page in PAGES]


def to_run(page: Path) -> Iterator[Part]:
    for part in parts(page):
        if "not run" not in part.marks and not (part.language == "inline" and part.is_pattern):
            yield part


@pytest.fixture
def reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Reader]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)  # as `python file.py` in this folder has it
    yield Reader(tmp_path)
    for name in [name for name, module in sys.modules.items() if (getattr(module, "__file__", None) or "").startswith(str(tmp_path))]:
        del sys.modules[name]


@pytest.mark.parametrize("page", PAGES, ids=IDS)
def test_what_a_page_says_runs(page: Path, reader: Reader) -> None:
    for part in to_run(page):
        if "slow" not in part.marks:
            reader.follow(part)


@pytest.mark.slow
@pytest.mark.parametrize("page", [page for page in PAGES if any("slow" in part.marks for part in to_run(page))], ids=str)
def test_what_a_page_says_runs_with_its_slow_parts(page: Path, reader: Reader) -> None:
    for part in to_run(page):
        reader.follow(part)


def test_what_is_not_run_says_why_and_is_counted() -> None:
    reasons = [part.marks["not run"] for page in PAGES for part in parts(page) if "not run" in part.marks]
    assert len(reasons) == NOT_RUN
    assert all(len(reason) > 10 for reason in reasons)


def test_there_is_something_to_run() -> None:
    count = [part for page in PAGES for part in to_run(page)]
    assert len([part for part in count if part.language == "python"]) >= 5
    assert sum(part.text.count("separatrix ") for part in count if part.language in ("", "inline")) >= 50


def test_every_command_and_option_that_a_page_mentions_exists() -> None:
    context = click.Context(separatrix)
    mentioned = set()
    for part in (part for page in PAGES for part in parts(page) if part.language == "inline"):
        name, *rest = part.text.split()[1:]
        if name == "...":
            continue
        assert name in COMMANDS, f"{part.where}: no command {name!r}"
        command = separatrix.get_command(context, name)
        assert command is not None
        known = {option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)} | {"--help"}
        if isinstance(command, click.Group):
            continue
        wrong = {word.partition("=")[0] for word in rest if re.match(r"--[a-z]", word)} - known
        assert not wrong, f"{part.where}: {part.text!r} has options that do not exist: {sorted(wrong)}"
        mentioned.add(name)
    assert len(mentioned) >= 25


def test_every_command_is_in_the_table_of_commands() -> None:
    readme = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    rows = " ".join(re.findall(r"^\| (`separatrix .*?) \|", readme.replace("\\|", "/"), re.MULTILINE))
    assert set(COMMANDS) <= set(re.findall(r"`(?:separatrix )?([a-z]+)", rows))


def test_the_readme_is_short_names_the_papers_and_how_to_cite() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(readme.splitlines()) < 150
    assert all(paper(name).address in readme for name in NAMES)
    assert CITATION in readme


@pytest.mark.parametrize("page", [*PAGES, *sorted((ROOT / "docs").glob("*.md"))], ids=lambda page: page.name)
def test_every_file_that_a_page_links_exists(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", text):
        assert (page.parent / target).exists(), f"{page.name} links {target}"
    for target in re.findall(r"`((?:docs|examples|benchmarks|tests|separatrix)/[\w./-]+\.\w+)`", text):
        assert (ROOT / target).exists(), f"{page.name} names {target}"
