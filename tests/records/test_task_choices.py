"""The sizes that are shown, and the command lines that give the same."""

from __future__ import annotations

import shlex

from separatrix.parameters import settings
from separatrix.records.task_choices import audited_task, command_of, counted_task, drawn_task, settings_of
from separatrix.tasks import TASKS, make_task


def test_the_command_of_a_task_makes_the_same_task() -> None:
    for name in TASKS:
        for task in (drawn_task(name), counted_task(name), audited_task(name)):
            program, verb, named, _, length, *rest = shlex.split(command_of("sample", task))
            assert (program, verb, named) == ("separatrix", "sample", name)
            assert rest[::2] == ["--set"] * (len(rest) // 2)
            assert make_task(name, length=int(length), **settings(rest[1::2])) == task


def test_settings_begin_with_n_and_leave_out_what_is_open() -> None:
    assert settings_of(drawn_task("sparse-threshold")) == [("N", 6), ("k", 2), ("instance", 0)]


def test_a_text_that_is_the_default_is_not_spelled_in_the_command() -> None:
    assert command_of("sample", drawn_task("turing-machine")) == "separatrix sample turing-machine --length 5"
    increment = make_task("turing-machine", length=5, machine="increment")
    assert "--set 'machine=" in command_of("sample", increment)
    assert command_of("sample", drawn_task("regular")).count("--set 'language=") == 1  # has no default
