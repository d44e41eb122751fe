"""The monotone barrier, attacked: recurrences inside it in tiny formats are never periodic, and what breaks a hypothesis is."""

from __future__ import annotations

import math
import random
from collections.abc import Callable

import numpy as np
import torch

from benchmarks.barrier import CONTROLS, FORMATS, INSIDE, fixed
from benchmarks.barrier import controls as attacked_controls
from benchmarks.barrier import periodic as attacked
from separatrix.bounds.languages.decisions import architectures
from separatrix.bounds.languages.verdict_rules import BARRIER, INSIDE_WITH_POSITIONS, OUTSIDE
from separatrix.models.config import EmbeddingConfig, LayerConfig, ModelConfig, ReadoutConfig
from separatrix.models.mixers import MIXERS
from separatrix.models.mixers.selective_rnn import SelectiveRnnConfig
from separatrix.models.model import Model
from separatrix.tasks.languages.periods import blocks_until_still

Round = Callable[[float], int]
TOP = 7  # numbers -8 .. 7 in units of 1/2


def saturated(x: float) -> int:
    return max(-TOP - 1, min(TOP, math.floor(x + 0.5)))


def wrapped(x: float) -> int:
    return (math.floor(x + 0.5) + TOP + 1) % (2 * TOP + 2) - TOP - 1


def to_odd(x: float) -> int:
    """Not monotone: what is not a number of the format goes to the odd neighbour on the other side of the even one."""
    low = math.floor(x)
    return saturated(low if x == low else low - 1 if low % 2 else low + 2)


def orbit(step: Callable[[tuple[int, ...], int], tuple[int, ...]], start: tuple[int, ...], word: list[int]) -> tuple[int, int]:
    """After how many words the state comes back to one that it had, and after how many more."""
    met, state, blocks = {start: 0}, start, 0
    while True:
        for letter in word:
            state = step(state, letter)
        blocks += 1
        if state in met:
            return met[state], blocks - met[state]
        met[state] = blocks


def stack(draw: random.Random, layers: int, fl: Round, gates: Callable[[random.Random], float], own: bool = False):
    """Layers of one coordinate: h <- fl(fl(a h) + b), with a and b from the letter, the lower coordinate and, if `own`, from h itself."""
    tables = [
        {
            (letter, lower, mine): (gates(draw), draw.randint(-4, 4))
            for letter in (0, 1)
            for lower in range(3)
            for mine in (range(3) if own else (0,))
        }
        for _ in range(layers)
    ]

    def step(state: tuple[int, ...], letter: int) -> tuple[int, ...]:
        after: list[int] = []
        for number, h in enumerate(state):
            lower = (after[-1] % 3) if number else 0
            a, b = tables[number][letter, lower, h % 3 if own else 0]
            after.append(fl(fl(a * h) + b))
        return tuple(after)

    return step


def periodic(fl: Round, gates: Callable[[random.Random], float], own: bool = False, trials: int = 300) -> int:
    """How many of so many random stacks have a word that moves on a cycle; none stands still later than the bound allows."""
    found = 0
    for seed in range(trials):
        draw = random.Random(seed)
        layers = draw.choice((1, 2, 3))
        step = stack(draw, layers, fl, gates, own)
        word = [draw.randrange(2) for _ in range(draw.choice((1, 2, 3)))]
        still, cycle = orbit(step, (0,) * layers, word)
        found += cycle > 1
        assert cycle > 1 or own or still <= blocks_until_still(layers, 2 * TOP + 2, len(word)) or fl is not saturated
    return found


def of_at_least_zero(draw: random.Random) -> float:
    return draw.choice((0.0, 0.25, 0.5, 1.0, 1.5, 2.0))


def of_any_sign(draw: random.Random) -> float:
    return draw.choice((-1.0, -0.5, 0.0, 0.5, 1.0))


def test_monotone_stacks_are_never_periodic_and_stand_still_in_time() -> None:
    assert periodic(saturated, of_at_least_zero, trials=2000) == 0


def test_what_breaks_a_hypothesis_is_found_periodic() -> None:
    assert periodic(wrapped, of_at_least_zero) > 50
    assert periodic(saturated, of_any_sign) > 20
    assert periodic(saturated, of_at_least_zero, own=True) > 20
    assert periodic(to_odd, of_at_least_zero) > 3


def test_random_models_of_every_mixer_inside_stand_still_by_their_own_step_and_the_controls_do_not() -> None:
    """Five hundred of each, in every tiny format; `python benchmarks/barrier.py` runs two hundred times as many."""
    assert {*INSIDE} == {*BARRIER}
    for name, inside in INSIDE.items():
        found, last = attacked(inside, 500, each=-(-500 // len(FORMATS)))
        assert found == 0, name
        assert last > 3, name  # they do move for a while
    counted = attacked_controls(120, each=60, bits=(4,))
    assert len(counted) == 2 * len(INSIDE) + len(CONTROLS)
    assert all(counted.values()), counted


def test_a_tiny_format_rounds_to_the_nearest_of_its_numbers_and_saturates() -> None:
    x = torch.tensor([-9.0, -0.3, 0.2, 0.3, 0.76, 9.0], dtype=torch.float64)
    assert fixed(3, 1).rounded(x).tolist() == [-2.0, -0.5, 0.0, 0.5, 1.0, 1.5]
    assert fixed(3, 1, "wraps around").rounded(torch.tensor([2.0, -2.5], dtype=torch.float64)).tolist() == [-2.0, 1.5]
    for format in FORMATS:
        assert format.numbers.tolist() == sorted(format.numbers.tolist())
        assert 7 <= len(format.numbers) <= 64
        assert format.rounded(format.numbers).tolist() == format.numbers.tolist()


def test_a_gate_of_minus_zero_flips_the_sign_for_ever() -> None:
    """0 <= -0.0 holds, and 1 / h reads the parity of the length."""
    h, signs = 0.0, []
    for _ in range(6):
        h = -0.0 * h + -0.0
        signs.append(math.copysign(1.0, h))
    assert signs == [-1.0, 1.0, -1.0, 1.0, -1.0, 1.0]


def test_a_parallel_scan_of_a_monotone_recurrence_reads_the_parity_of_the_length() -> None:
    """a = 1/2, b = 1 with one fractional bit: pairs (a, b) composed in a tree round a^2 to 1/2 or 0, so the order of rounding matters."""

    def rounded(x: float) -> float:
        return math.floor(2 * x + 0.5) / 2

    def together(one: tuple[float, float], other: tuple[float, float]) -> tuple[float, float]:
        return rounded(one[0] * other[0]), rounded(rounded(other[0] * one[1]) + other[1])

    def scanned(n: int) -> float:
        pairs = [(0.5, 1.0)] * n
        while len(pairs) > 1:
            paired = [together(a, b) for a, b in zip(pairs[::2], pairs[1::2], strict=False)]
            pairs = [*paired, *pairs[2 * len(paired) :]]
        return pairs[0][1]

    def stepped(n: int) -> float:
        h = 0.0
        for _ in range(n):
            h = rounded(rounded(0.5 * h) + 1.0)
        return h

    assert len({stepped(n) for n in range(10, 40)}) == 1
    assert len({scanned(n) for n in range(10, 40)}) > 1


def test_the_package_s_own_gated_recurrence_in_a_tiny_format() -> None:
    """Positive gates: no word is periodic. Signed gates: one is, and it computes PARITY."""
    cycles = {gates: [own_cycle(gates, seed) for seed in range(8)] for gates in ("positive", "signed")}
    assert set(cycles["positive"]) == {1}
    assert max(cycles["signed"]) > 1


def own_cycle(gates: str, seed: int) -> int:
    """The cycle on which two layers of selective-rnn in fixed:4,1 move under the word 1, 1, 1, .."""
    config = ModelConfig(
        EmbeddingConfig(2),
        (LayerConfig(SelectiveRnnConfig(2, gates)),) * 2,
        ReadoutConfig(2),
        2,
        arithmetic="fixed:4,1",  # type: ignore[arg-type]
    )
    model, draw = Model(config), np.random.default_rng(seed)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(torch.from_numpy(draw.integers(-3, 4, parameter.shape) / 2))
    state, met = model.initial_state(1), []
    while True:
        state, _ = model.step(state, torch.tensor([1]))
        key = repr([np.asarray(model.numbers.leave(part)).tolist() for layer in state.layers for part in layer])
        if key in met:
            return len(met) - met.index(key)
        met.append(key)


def test_every_recurrent_mixer_is_on_one_side_with_a_reason() -> None:
    sides = [*BARRIER, *INSIDE_WITH_POSITIONS, *OUTSIDE]
    assert len(sides) == len(set(sides)) == len(architectures())
    assert all({**BARRIER, **INSIDE_WITH_POSITIONS, **OUTSIDE}.values())
    other = {"attention", "block-sparse", "relu-rnn", "register-file", "user"}  # no recurrence with gates, or any function of its state
    assert {*MIXERS} - other <= {*sides}
