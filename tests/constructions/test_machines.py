"""Machines as weights: an automaton in one number, with exactly the bits that its states need, for words of every length."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
import torch

from separatrix.bits import ceil_log2
from separatrix.certificates.verify import verify
from separatrix.checker import check_text
from separatrix.checker.replay import Proof
from separatrix.constructions import build, construction
from separatrix.constructions.parts.machine import Machine
from separatrix.constructions.parts.number_state import NumberState
from separatrix.constructions.uniformity import compared
from separatrix.errors import BadInput
from separatrix.tasks.languages.gallery import GALLERY
from separatrix.tasks.regular import Regular
from tests.checker.replay.built import built as described
from tests.checker.replay.built import judged


def stepped(state: NumberState, q: int, s: int) -> int:
    """One step by the formula, with every unit and the sum saturating, in plain integers."""
    low, most = -state.most - 1, state.most
    h, total = state.numbers[q], 0
    for unit in state.units():
        drive = (0 if unit.sign else 1) if unit.token == s else low
        z = max(low, min(most, unit.sign * h + drive - unit.v))
        assert low <= unit.weight <= most
        total += unit.weight * max(0, z)
    return max(low, min(most, total))


@pytest.mark.parametrize("states", [1, 2, 3, 4, 5, 8, 13, 16, 31, 32])
def test_any_table_moves_one_number_of_log2_bits(states: int) -> None:
    rng = np.random.default_rng(states)
    moves = tuple(map(tuple, rng.integers(0, states, (states, 3)).tolist()))
    machine = Machine(moves, tuple(rng.integers(0, 2, states).tolist()))
    state = NumberState(machine)
    assert state.bits == max(2, ceil_log2(states))
    assert len({*state.numbers.values()}) == states
    for q, s in product(range(states), range(3)):
        assert stepped(state, q, s) == state.numbers[machine.moves[q][s]]
        assert (state.numbers[q] >= state.first_accepting) == (q in machine.accepting)


@pytest.mark.parametrize("name", [name for name in GALLERY if name != "even-length"])  # whose words of one length have one answer
def test_every_language_of_the_gallery_is_proven_with_the_bits_of_its_states(name: str) -> None:
    length = 11 if name == "modular-arithmetic-simple" else 12  # equations have odd lengths
    built = build("regular/recurrent", length=length, language=f"@{name}")
    states = GALLERY[name].automaton().states
    assert built.sizes()["state_bits"] == max(2, ceil_log2(states))
    verdict = check_text(verify(built).to_json())
    assert (verdict.holds, verdict.strength) == (True, "proven"), verdict.reason


def test_brackets_of_ten_thousand_symbols_need_no_other_weights_than_ten() -> None:
    short, long = build("dyck/recurrent", length=10), build("dyck/recurrent", length=10_000)
    assert compared(short, long).uniform
    assert long.sizes()["state_bits"] == 3
    proof = judged(described("dyck/recurrent", length=10_000))
    assert isinstance(proof, Proof)
    assert (proof.rule, proof.margin) == ("simulation", 1)


@pytest.mark.slow
def test_ten_thousand_brackets_run_through_the_machine_too() -> None:
    verdict = check_text(verify(build("dyck/recurrent", length=10_000)).to_json())
    assert (verdict.holds, verdict.strength) == (True, "proven"), verdict.reason
    assert verdict.claim.startswith("Dyck-(2, 2), N = 10000: right on every input, by at least 1; one layer, 3 bits of state")


@pytest.mark.parametrize("unit", [0, 11, 23, 37])
def test_a_changed_weight_is_refuted(unit: int) -> None:
    built = build("dyck/recurrent", length=8)
    built.model.state_dict()["layers.0.mixer.back"][0, unit] -= 1
    assert not verify(built).holds


def test_a_machine_is_refused_above_1024_states() -> None:
    with pytest.raises(BadInput, match="dyck: the machine has more than 1024 states, found at least 2047"):
        build("dyck/recurrent", length=40, depth=10)
    assert construction("dyck/recurrent").sizes({"length": 40, "depth": 10}) is None
    assert build("dyck/recurrent", length=40, depth=8).sizes()["state_bits"] == 9  # 2^9 stacks of at most 8, and the dead state


def test_words_of_other_lengths_are_decided_by_the_same_weights() -> None:
    built = build("regular/recurrent", length=9, language="(0|1(01*0)*1)*")
    task = Regular(9, "(0|1(01*0)*1)*")
    for n in range(9):
        words = torch.tensor([[*word, 2] for word in product(range(2), repeat=n)])
        answers = [task.answer(word) for word in words.tolist()]
        assert built.model(words, at=-1).argmax(dim=-1).tolist() == answers
