"""Cases through a program: chains by one pass, groups that do not show, and the first doubt is the last."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from separatrix.checker.kinds import running
from separatrix.checker.kinds.running import judged, run
from separatrix.checker.models.decoding import Asked, Decoder
from separatrix.checker.models.reading import Program
from separatrix.checker.numbers.boxes import Box
from separatrix.checker.numbers.formats import numbers
from separatrix.checker.seal import Refused
from tests.checker.models.small import document, model


class Spoken:
    """A model that adds up its tokens so far, modulo 3, and is sure of it by a margin."""

    def __init__(self, margin: float = 1.0, arithmetic: str = "fixed:12,4") -> None:
        ready = model(document(arithmetic))
        self.description, self.ops, self.margin, self.passes = ready.description, ready.ops, margin, 0

    def logits(self, tokens: np.ndarray, positions: list[int]) -> Box:
        self.passes += 1
        outputs = np.cumsum(tokens, axis=-1)[..., positions] % 3
        scale = self.ops.scale or 1
        value = (np.arange(3) == outputs[..., None]) * self.margin * scale
        return Box(value.astype(np.int64) if self.ops.scale else value.astype(np.float64))


def program(spoken: Spoken, decoder: Decoder) -> Program:
    stand_in: Any = spoken
    return Program(stand_in, decoder, "")


def asked(lengths: list[int], seed: int = 0) -> list[Asked]:
    rng = np.random.default_rng(seed)
    results = []
    for n in lengths:
        tokens = rng.integers(0, 3, n)
        results.append(Asked(tokens, [n - 1], np.array([tokens.sum() % 3])))
    return results


def test_groups_of_one_length_do_not_show(monkeypatch: pytest.MonkeyPatch) -> None:
    passes = asked([3, 5, 3, 3, 4, 5, 3] * 9)
    spoken = Spoken()
    whole = judged(program(spoken, Decoder("position")), iter(passes), "all")
    assert spoken.passes == 3  # one for each length
    monkeypatch.setattr(running, "TOGETHER", 1)
    monkeypatch.setattr(running, "WINDOW", 2)
    assert judged(program(Spoken(), Decoder("position")), iter(passes), "all") == whole
    assert whole.count == 63
    assert whole.distinct == len({one.tokens.tobytes() for one in passes}) < 63
    assert whole.margin == Fraction(1)
    assert len(whole.answers) == 2
    assert judged(program(Spoken(), Decoder("position")), iter(passes[::-1]), "all").decisions != whole.decisions


def test_the_first_wrong_or_doubtful_case_is_named() -> None:
    passes = asked([4] * 6)
    passes[3] = Asked(passes[3].tokens, [3], (passes[3].targets + 1) % 3)
    with pytest.raises(Refused, match=r"^case 4 of random: the program says \[\d\], the answer is \[\d\]$"):
        judged(program(Spoken(), Decoder("position")), iter(passes), "random")
    with pytest.raises(Refused, match=r"^case 1 of random: (the program says|two logits are equal, so nothing is decided)"):
        judged(program(Spoken(0.0), Decoder("position")), iter([Asked(np.array([0, 0]), [1], np.array([0]))]), "random")
    tie = Asked(np.array([0, 0]), [1], np.array([0]))
    with pytest.raises(Refused, match=r"^case 1 of random: two logits are equal, so nothing is decided$"):
        judged(program(Spoken(0.0), Decoder("position")), iter([tie]), "random")
    with pytest.raises(Refused, match=r"^case 1 of random: the margin is not above the error of the arithmetic"):
        judged(program(Spoken(0.0, "float64"), Decoder("position")), iter([tie]), "random")


class Sums:
    """A task with a chain: after the prompt, the sum of all tokens so far modulo 3, until that is 0, which is the stop token."""

    def __init__(self, wrong: bool = False) -> None:
        self.wrong = wrong

    def chain(self, tokens: list[int]) -> tuple[int, ...]:
        written: list[int] = []
        while not written or written[-1] != 0:
            written.append(sum([*tokens, *written]) % 3)
        if self.wrong:
            written[0] = 1 + written[0] % 2
        return tuple(written)

    def as_read(self, tokens: np.ndarray) -> np.ndarray:
        return tokens

    def cases(self) -> Iterator[tuple[np.ndarray, dict[int, int]]]:
        for first in range(1, 3):
            yield np.array([first, 0]), {1: 0}
            yield np.array([2, first, 0]), {2: 0}


def test_a_chain_is_judged_by_one_pass_over_prompt_and_chain() -> None:
    """Sum 1: writes 1, then 1 + 1 = 2, then 4 = 1, 5 = 2, .. never 0; sum 0 stops at once. So chains here are those of sum 0."""
    sums: Any = Sums()
    zero = [(np.array([2, 1]), {1: 0}), (np.array([0, 0, 0]), {2: 0}), (np.array([1, 2, 0]), {2: 0})]
    result = run(program(Spoken(), Decoder("greedy", stop=0, limit=3)), sums, iter(zero), "random")
    assert (result.count, result.distinct) == (3, 3)
    wrong: Any = Sums(wrong=True)
    with pytest.raises(Refused, match=r"does not end, once, with what the program stops at|the program says"):
        run(program(Spoken(), Decoder("greedy", stop=0, limit=3)), wrong, iter(zero), "random")


def test_the_arithmetic_of_a_margin_is_that_of_the_format() -> None:
    exact = judged(program(Spoken(0.0625), Decoder("position")), iter(asked([3])), "all")
    assert exact.margin == Fraction(1, 16)
    floats = judged(program(Spoken(0.1, "float64"), Decoder("position")), iter(asked([3])), "all")
    assert floats.margin == 0.1
    assert numbers("float64").scale is None
