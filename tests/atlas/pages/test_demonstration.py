"""Runs of a proof: drawn from a stored trace, with the steps in words, and right."""

from __future__ import annotations

import json
import shlex

import pytest

from separatrix.atlas.pages.demonstration import Demonstration, demonstration, explain_line
from separatrix.atlas.reading.material import Records
from separatrix.cli import main


@pytest.fixture(scope="module")
def shown(records: Records) -> Demonstration:
    demo = demonstration("index-lookup", records.content("trace", "index-lookup"))
    assert demo is not None
    return demo


def test_the_first_quick_size_that_is_long_enough_is_drawn_at_length_16(shown: Demonstration) -> None:
    assert shown.title == "The construction, run at N = 16"
    assert dict(shown.settings) == {"length": "16", "address": "binary", "arithmetic": "float64"}


def test_every_run_is_right_and_puts_three_quarters_of_the_weight_on_the_place_asked_for(shown: Demonstration) -> None:
    assert [len(choice.runs) for choice in shown.choices] == [16, 16]
    for choice in shown.choices:
        for place, run in enumerate(choice.runs):
            (head,) = run.heads
            assert [bar.heaviest for bar in head.bars] == [i == place for i in range(17)]
            assert head.bars[place].weight >= 0.75
            assert sum(bar.weight for bar in head.bars) == pytest.approx(1)
            assert run.right
            assert run.answer == head.bars[place].token == run.text.split()[place]


def test_where_every_position_reads_a_grid_is_drawn_and_a_tie_has_no_heaviest(records: Records) -> None:
    demo = demonstration("equality", records.content("trace", "equality"))
    assert demo is not None
    run = demo.choices[0].runs[0]
    assert [head.name for head in run.heads] == ["Layer 1, head 1", "Layer 1, head 2", "Layer 2, head 1"]
    assert [head.grid is not None for head in run.heads] == [True, True, False]
    uniform = run.heads[2].bars
    assert len(uniform) == 16
    assert not any(bar.heaviest for bar in uniform)
    assert run.right


def test_the_steps_are_told_with_their_values_and_without_what_the_bars_show(shown: Demonstration) -> None:
    run = shown.choices[0].runs[4]
    assert [step.title for step in run.steps] == ["embed", "attend", "threshold", "decode"]
    assert ("p", "5") in run.steps[0].values
    assert "weights" not in dict(run.steps[1].values)
    assert "weight on p" in dict(run.steps[1].values)
    assert dict(run.steps[3].values)["says"] == run.answer


def test_the_command_beside_a_run_tells_the_same_steps(shown: Demonstration, capsys: pytest.CaptureFixture[str]) -> None:
    run = shown.choices[1].runs[2]
    program, *arguments = shlex.split(run.command)
    assert program == "separatrix"
    assert main([*arguments, "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["input"] == run.text
    assert [step["says"] for step in printed["steps"]] == [step.says for step in run.steps]


def test_lists_and_booleans_are_written_as_the_command_line_reads_them() -> None:
    line = explain_line("some/thing", {"length": 8, "sizes": [1, 2], "causal": True, "arithmetic": "fixed:8,4"})
    assert line == "separatrix explain some/thing --length 8 --set sizes=1,2 --set causal=true --arithmetic fixed:8,4"


def test_a_construction_that_says_nothing_about_its_steps_is_not_drawn(records: Records) -> None:
    assert demonstration("equality/recurrent", records.content("trace", "equality/recurrent")) is None
