"""Turing machines by searches: the tape is the text."""

from __future__ import annotations

from itertools import product

import pytest

from separatrix.certificates.verify import trial, verify
from separatrix.checker import check_text
from separatrix.constructions import build, construction
from tests.constructions.wen2024.test_turing_machine import BUSY_BEAVER


@pytest.mark.parametrize(
    ("chosen", "tail"),
    [({"length": 3}, ""), ({"length": 3, "machine": "increment", "padding": 2, "margin": 3}, " # #")],
    ids=["palindrome", "increment"],
)
def test_every_word_of_the_chain_on_every_input(chosen: dict[str, object], tail: str) -> None:
    built = build("turing-machine/retrieval", **chosen)
    task, n = built.task, built.task.length
    for word in product("01", repeat=n):
        prompt = task.read(" ".join(("<s>", *word)) + tail)
        chain = built.generate(prompt)
        assert chain == task.chain(prompt)
        log = task.log(prompt)  # type: ignore[attr-defined]
        assert len(chain) == 12 * len(log) + 2
        words = task.text(chain).split()  # type: ignore[arg-type]
        assert words[8:-2:12] == [f"w:{move.written}" for move in log]


@pytest.mark.slow
def test_the_busy_beaver_runs_on_both_sides_of_its_input() -> None:
    built = build("turing-machine/retrieval", length=1, machine=BUSY_BEAVER, margin=16, steps=107)
    words = built.task.text(built.generate(built.task.read("<s> 0"))).split()  # type: ignore[arg-type]
    assert len(words) == 12 * 107 + 2
    last = dict(zip(words[9:-2:12], words[8:-2:12], strict=True))  # the last symbol written to each cell
    assert sum(symbol == "w:1" for symbol in last.values()) == 13


def test_the_state_grows_neither_with_the_input_nor_with_the_tape() -> None:
    declared = construction("turing-machine/retrieval")
    bits = {(n, margin): declared.sizes(declared.task_at(length=n, margin=margin).parameters) for n, margin in ((2, 1), (30, 1), (4, 20))}
    assert bits[2, 1] == bits[30, 1] == bits[4, 20]


def test_a_certificate_holds_and_a_changed_weight_is_noticed() -> None:
    built = build("turing-machine/retrieval", length=3, machine="increment")
    verdict = check_text(verify(built).to_json())
    assert (verdict.holds, verdict.strength) == (True, "exhaustive"), verdict.reason
    assert "step by step, by searches: right on all 8 inputs" in verdict.claim
    mixer = built.model.layers[0].mixer
    assert mixer is not None
    mixer.transition.data[-1, -1] = 0.0  # the head forgets where it was
    assert not trial(built, [{"kind": "all", "seed": 0, "count": 8}]).holds
