"""Runs of a proof: built again from a certificate, drawn, told, and right."""

from __future__ import annotations

import json
import shlex
from dataclasses import replace
from pathlib import Path

import pytest

from separatrix.atlas.demonstration import Demonstration, demonstrate, explain_line
from separatrix.atlas.found import Found, read_certificate
from separatrix.cli import main


def certificate(folder: Path, name: str) -> Found:
    found = read_certificate(folder / f"{name}.json")
    assert isinstance(found, Found)
    return found


@pytest.fixture(scope="module")
def shown(certificates: Path) -> Demonstration:
    group = tuple(certificate(certificates, f"index-lookup-{name}") for name in ("all", "binary", "quadratic"))
    found = demonstrate(group)
    assert found is not None
    return found


def test_the_first_certificate_that_is_long_enough_is_built_again_at_length_16(shown: Demonstration) -> None:
    assert shown.title == "The proof, run at N = 16"
    assert dict(shown.settings) == {"length": "16", "symbols": "64", "address": "binary", "arithmetic": "float64"}


def test_short_certificates_are_drawn_as_they_are(certificates: Path) -> None:
    found = demonstrate((certificate(certificates, "index-lookup-all"),))
    assert found is not None
    assert dict(found.settings) == {"length": "4", "symbols": "3", "address": "binary", "arithmetic": "float64"}


def test_every_run_is_right_and_puts_three_quarters_of_the_weight_on_the_place_asked_for(shown: Demonstration) -> None:
    assert [len(choice.runs) for choice in shown.choices] == [16, 16]
    for choice in shown.choices:
        for place, run in enumerate(choice.runs):
            (head,) = run.heads
            assert [bar.heaviest for bar in head.bars] == [i == place for i in range(17)]
            assert head.bars[place].weight >= 0.75
            assert sum(bar.weight for bar in head.bars) == pytest.approx(1)
            assert run.right
            assert run.said == head.bars[place].token == run.text.split()[place]


def test_where_every_position_reads_a_grid_is_drawn_and_a_tie_has_no_heaviest(certificates: Path) -> None:
    found = demonstrate((certificate(certificates, "equality"),))
    assert found is not None
    run = found.choices[0].runs[0]
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
    assert dict(run.steps[3].values)["says"] == run.said


def test_the_command_beside_a_run_tells_the_same_steps(shown: Demonstration, capsys: pytest.CaptureFixture[str]) -> None:
    run = shown.choices[1].runs[2]
    program, *arguments = shlex.split(run.command)
    assert program == "separatrix"
    assert main([*arguments, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["input"] == run.text
    assert [step["says"] for step in told["steps"]] == [step.says for step in run.steps]


def test_lists_and_booleans_are_written_as_the_command_line_reads_them() -> None:
    line = explain_line("some/thing", {"length": 8, "sizes": [1, 2], "causal": True, "arithmetic": "fixed:8,4"})
    assert line == "separatrix explain some/thing --length 8 --set sizes=1,2 --set causal=true --arithmetic fixed:8,4"


def test_what_cannot_be_built_again_is_not_drawn(certificates: Path) -> None:
    sound = certificate(certificates, "index-lookup-binary")
    other = {**sound.document, "statement": {**sound.document["statement"], "construction": "somebody-elses.py:Name"}}
    refused = {**sound.document, "parameters": {"address": "no such address"}}
    assert demonstrate((replace(sound, document=other),)) is None
    assert demonstrate((replace(sound, document=refused),)) is None
    assert demonstrate((certificate(certificates, "fooling"),)) is None
