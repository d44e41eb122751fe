"""Programs, machines and circuits written from docs/adding.md alone: right on every architecture that is offered."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import pytest

from separatrix.constructions import build
from tests.own import oracles

OWN = Path(__file__).parent / "own"
PROGRAMS = {  # class, length of all inputs, length of drawn inputs
    "number_triangle": ("NumberTriangle", 2, 5),
    "best_segment": ("BestSegment", 4, 12),
    "common_substring": ("CommonSubstring", 3, 5),
    "free_paths": ("FreePaths", 2, 3),
    "time_warp": ("TimeWarp", 2, 4),
    "interleaving": ("Interleaving", 1, 3),
    "growing_squares": ("GrowingSquares", 3, 4),
}


@pytest.mark.parametrize("attention", ["standard", "linear", "sparse", "window"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_dynamic_program_answers_as_brute_force_does(name: str, attention: str) -> None:
    called, all_of, drawn = PROGRAMS[name]
    for length in (all_of, drawn):
        built = build(f"{OWN / name}.py:{called}", length=length, attention=attention)
        symbols, entries = built.task.symbols, built.task.entries
        if length == all_of:
            words = [*product(range(symbols), repeat=entries)]
        else:
            words = [tuple(word) for word in np.random.default_rng(7).integers(0, symbols, (2, 8, entries)).min(axis=0).tolist()]
        expected = [getattr(oracles, name)(length, word) for word in words]
        assert [built.answer((*word, symbols)) for word in words] == expected
        assert len({*expected}) > 1, "the words do not tell answers apart"


@pytest.mark.parametrize("architecture", ["linear-rnn", "hybrid", "retrieval"])
@pytest.mark.parametrize("name", ["as_many", "mirrored", "thirds"])
def test_a_machine_accepts_its_language(name: str, architecture: str) -> None:
    for length in (3, 5):
        built = build(f"turing-machine/{architecture}", length=length, machine=f"{OWN / name}.toml")
        for word in map("".join, product("01", repeat=length)):
            answer = built.answer(built.task.read(f"<s> {' '.join(word)}"))
            assert built.task.target_text(answer) == ("YES" if getattr(oracles, name)(word) else "NO"), word


@pytest.mark.parametrize(
    ("name", "model", "lengths", "tokens"),
    [("larger", "", [4], 2), ("serial_adder", "/recurrent", [1, 3], 4), ("ones_modulo_three", "/recurrent", [3, 5], 2)],
)
def test_a_circuit_answers_as_arithmetic_does(name: str, model: str, lengths: list[int], tokens: int) -> None:
    for length in lengths:
        built = build(f"circuit/transformer{model}", length=length, circuit=f"{OWN / name}.toml")
        for word in product(range(tokens), repeat=length):
            answer = built.answer(built.task.read(f"<s> {' '.join(map(str, word))}"))
            assert built.task.target_text(answer) == str(getattr(oracles, name)(word)), word
