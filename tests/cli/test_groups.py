"""`--help`: every command once, in a group, with an example that could be typed."""

from __future__ import annotations

import re
import shlex

import click
import pytest

from separatrix.cli import COMMANDS, GROUPS, main, separatrix


def test_every_command_stands_in_one_group() -> None:
    grouped = [name for group in GROUPS.values() for name in group]
    assert len(grouped) == len({*grouped})


@pytest.mark.parametrize("name", list(COMMANDS))
def test_an_example_names_its_command_and_options_that_exist(name: str) -> None:
    command = separatrix.get_command(click.Context(separatrix), name)
    assert command is not None
    first, *rest = shlex.split(COMMANDS[name][1])
    assert first == name
    known = {option for parameter in command.params for option in parameter.opts}
    assert {word for word in rest if word.startswith("--")} <= known
    required = [parameter for parameter in command.params if parameter.required]
    if not isinstance(command, click.Group):
        context = click.Context(command, info_name=name)
        command.make_parser(context).parse_args(list(rest))  # raises for an option or a number of words that is wrong
        assert all(parameter.opts[0] in rest for parameter in required if isinstance(parameter, click.Option))


def test_help_shows_groups_and_examples_and_a_command_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    shown = capsys.readouterr().out
    assert [line for line in shown.splitlines() if re.fullmatch(r"[A-Z][a-z ]+:", line)] == ["Options:", *(f"{title}:" for title in GROUPS)]
    assert "$ separatrix train mamba-2-64 associative-recall --length 8" in shown
    assert main(["papers", "--help"]) == 0
    assert 'separatrix papers 2406.09347 "Theorem 1"' in capsys.readouterr().out
