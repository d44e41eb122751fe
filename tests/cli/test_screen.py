"""Forty common commands at a hundred columns: no line is wider, no number is unrounded, nobody is told of `1 states`."""

from __future__ import annotations

import re
import shlex
from itertools import pairwise

import pytest

from separatrix.cli import main

COMMON = """
--help
papers
papers --errata
papers "Theorem 1"
tasks
models
models mamba-2-64
models hybrid-mamba-2-64+1
constructions
studies
sample index-lookup --length 10
sample dyck --length 20 --count 3
sample arithmetic --length 3
audit parity --length 6 --count 100
audit regular --set language=(ab)* --length 6 --count 100
build index-lookup --length 64
build mqar --length 8
build parity/recurrent --length 8
explain index-lookup --length 4
profile equality --length 6
profile parity --length 4
bounds index-lookup --length 64
bounds dyck --length 400 --precision 8
ceiling index-lookup --length 1000 --state-bits 500
ceiling associative-recall --length 100 --accuracy 0.9
communication equality --length 4
protocol equality/one-layer --length 4
language (ab)*
language (aa)*
language @s3
vectors --length 100
vectors --dimension 64
state mamba-2-64 --length 1000
state transformer-4-64 --length 1000
plan index-lookup --length 100
plan parity --length 60
study recall-learned
study recall-learned --cell all
study trees-learned
sweep recall-learned --list
predict built parity-next --length 16
capacity lstm-1-8 index-lookup --length 4 --inputs 16
attack elman-1-8 parity --length 4
collide parity/recurrent equality --length 4
evaluate parity/recurrent parity --length 4
facts parity
published mamba2 mistral
decide (aa)*
decide --horizon 9
profile equality --lengths 2..8 --compare N/2
verify parity/recurrent --length 6
"""
SINGULAR = re.compile(
    r"(?<![\d.,])(?<![-+*=<>] )\b1 (?!is\b|was\b|has\b|as\b|does\b|needs\b|reads\b|flips\b|turns\b|plus\b|times\b)[a-z]+s\b"
)
SNAKE = re.compile(r"[a-z]+_[a-z]+")
LONG_FRACTION = re.compile(r"(?<![\w.])\d+\.\d{9,}")


def test_no_line_of_a_common_command_is_wider_than_the_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    commands = COMMON.strip().splitlines()
    assert len(commands) >= 40
    wide, plural, unrounded, snake = [], [], [], []
    for command in commands:
        assert main(shlex.split(command)) in (0, 1), command
        lines = capsys.readouterr().out.splitlines()
        assert lines, command
        wide += [(command, line) for line in lines if len(line) > 100]
        plural += [(command, line) for line in lines if SINGULAR.search(line) and not command.startswith("papers")]  # N - 1 bits
        unrounded += [(command, line) for line in lines if LONG_FRACTION.search(line)]
        snake += [(command, above) for above, rule in pairwise(lines) if rule and not rule.strip("- ") and SNAKE.search(above)]
    assert (wide, plural, unrounded, snake) == ([], [], [], [])
