from __future__ import annotations

import collections
import itertools
import math
from typing import Any

import numpy as np
import pytest

from separatrix.errors import BadInput
from separatrix.tasks.cross_entropy import height_law
from separatrix.tasks.next_symbol import Dyck2Next, NextSymbol, ParityNext
from tests.tasks.plain_counter import Draws


def parity_prefix(task: ParityNext, draws: Draws) -> tuple[tuple[int, ...], int]:
    """States first: even with probability (1 - p)/(2 - p), the last one a fair coin; the bits are where they change."""
    N, p = task.length, task.p
    even = int((1 - p) / (2 - p) * 2**32)
    states = [0] + [int(draws.word(t) >> 32 >= (even if t < N else 2**31)) for t in range(1, N + 1)]
    stops = states[-1] == 0 and draws.word(0) >> 32 < int(p * 2**32)
    return tuple(a ^ b for a, b in itertools.pairwise(states)), 2 if stops else draws.low(0, 2)


def dyck_prefix(task: Dyck2Next, draws: Draws) -> tuple[tuple[int, ...], int]:
    """Draw N + 1 is the height at the end; from there the walk goes back, and the types come from the closing side."""
    N, drawn = task.length, draws.word(task.length + 1) >> 11
    height, cumulated = N % 2, 0.0
    for height, share in height_law(task.p, N):  # noqa: B007
        cumulated += share
        if drawn < int(cumulated * 2**53):
            break
    steps = []
    for k in range(N, 0, -1):
        up = draws.high(k, k * (height + 1)) < height * ((k + height) // 2 + 1)
        steps.append(up)
        height += -1 if up else 1
    assert height == 0
    partners: dict[int, int] = {}
    waiting: list[int] = []
    for t, up in enumerate(reversed(steps)):  # forwards: which closing bracket closes which
        if up:
            waiting.append(t)
        else:
            partners[waiting.pop()] = t
    kinds = {t: draws.low(partners.get(t, t) + 1, 2) for t, up in enumerate(reversed(steps)) if up}
    word = [kinds.get(t, -1) for t in range(N)]
    for opened, closed in partners.items():
        word[closed] = 2 + kinds[opened]
    if draws.word(0) >> 32 < int(task.p * 2**32):
        return tuple(word), draws.low(0, 2)
    return tuple(word), 2 + kinds[waiting[-1]] if waiting else 4


@pytest.mark.parametrize("task", [ParityNext(1), ParityNext(30, p=0.3), Dyck2Next(1), Dyck2Next(30), Dyck2Next(31, p=0.45)])
def test_prefixes_replay_from_the_documented_draws(task: NextSymbol) -> None:
    plain: Any = parity_prefix if isinstance(task, ParityNext) else dyck_prefix
    batch = task.sample(8, 60, start=2)
    for r in range(60):
        expected, follows = plain(task, Draws(task, 8, 2 + r))
        assert batch.row(r) == expected
        assert batch.answer(r) == follows


@pytest.mark.parametrize("task", [ParityNext(12, p=0.2, distribution="training"), Dyck2Next(12, p=0.45, distribution="training")])
def test_strings_replay_from_the_documented_draws(task: NextSymbol) -> None:
    batch = task.sample(8, 60, start=2)
    for r in range(60):
        draws, string = Draws(task, 8, 2 + r), []
        for t in range(13):
            law = task.law(string)
            assert law is not None
            stops = t > 0 and law[-1] > 0
            unlikely = draws.word(t) >> 32 < int(task.p * 2**32)  # PARITY: it ends; 2DYCK: a bracket opens
            if isinstance(task, ParityNext):
                string.append(2 if stops and unlikely else draws.low(t, 2))
            else:
                string.append(draws.low(t, 2) if t == 0 or unlikely else max(range(5), key=lambda symbol: law[symbol] * (symbol > 1)))
            if string[-1] == task.vocabulary:
                break
        assert batch.row(r) == tuple(string[:-1])
        assert batch.targets[r, : len(string) - 1].tolist() == string[1:]
        assert batch.mask[r].tolist() == [t < len(string) - 1 for t in range(batch.mask.shape[1])]


def test_prefixes_have_the_probabilities_of_the_source() -> None:
    for task in (ParityNext(4, p=0.3), Dyck2Next(4, p=0.4)):
        weights = {}
        for prefix in task.inputs():
            laws = [task.law(prefix[:t]) for t in range(4)]
            weights[prefix] = math.prod(law[symbol] for law, symbol in zip(laws, prefix, strict=True) if law is not None)
        batch = task.sample(1, 40_000)
        drawn = collections.Counter(batch.row(r) for r in range(40_000))
        expected = {prefix: 40_000 * weight / sum(weights.values()) for prefix, weight in weights.items()}
        free = len(weights) - 1
        assert set(drawn) <= set(weights)
        assert sum((drawn[x] - n) ** 2 / n for x, n in expected.items()) < free + 5 * math.sqrt(2 * free)


@pytest.mark.parametrize("task", [ParityNext(40), Dyck2Next(40), Dyck2Next(41)])
def test_predictors_reach_their_cross_entropies(task: NextSymbol) -> None:
    """The law of the source reaches the optimum, and the frequencies after the last symbol, or of all, their levels, on what is drawn."""
    batch = task.sample(2, 20_000)
    last, target = batch.tokens[:, -1], batch.targets[:, -1]
    laws = np.array([task.law(batch.row(r)) for r in range(20_000)])
    joint = np.array([np.bincount(target[last == symbol], minlength=task.targets) for symbol in range(task.vocabulary)])
    nats = -np.log(np.where(laws > 0, laws, 1))[np.arange(20_000), target]
    last_symbol = -(joint * np.log(np.maximum(joint, 1) / joint.sum(axis=1, keepdims=True))).sum() / 20_000
    frequency = joint.sum(axis=0) / 20_000
    unigram = -(frequency * np.log(np.maximum(frequency, 1e-9))).sum()
    levels = task.cross_entropies
    assert nats.mean() == pytest.approx(levels.optimal, abs=4 * nats.std() / math.sqrt(20_000))
    assert last_symbol == pytest.approx(levels.last_symbol, abs=0.02)
    assert unigram == pytest.approx(levels.unigram, abs=0.02)


@pytest.mark.parametrize("task", [ParityNext(5), Dyck2Next(1), Dyck2Next(5), Dyck2Next(6)])
def test_prefixes_are_the_strings_with_a_law_and_their_number_is_known(task: NextSymbol) -> None:
    prefixes = [x for x in itertools.product(*task.alphabets()) if task.law(x) is not None]
    assert [*task.inputs()] == prefixes
    assert len(prefixes) == task.input_count


def test_a_model_is_scored_by_its_cross_entropy() -> None:
    task = Dyck2Next(6)
    batch = task.sample(0, 50)
    logits = np.full((50, 6, 5), 7.0)
    assert task.cross_entropy(logits, batch) == pytest.approx(math.log(5), abs=1e-12)
    law = np.array([task.law(batch.row(r)) for r in range(50)])
    logits[:, -1] = np.where(law > 0, np.log(np.maximum(law, 1e-300)) + 1000, -np.inf)
    nats = [-math.log(law[r, batch.targets[r, -1]]) for r in range(50)]
    assert task.cross_entropy(logits, batch) == pytest.approx(sum(nats) / 50, abs=1e-9)


def test_the_answer_names_the_symbols_that_may_follow() -> None:
    parity, brackets = ParityNext(3), Dyck2Next(3)
    assert [parity.answer(x) for x in ((1, 0, 1), (1, 0, 0))] == [(0, 1, 2), (0, 1)]
    assert [brackets.answer(x) for x in ((0, 1, 3), (0, 1), (0, 2), (0, 3), (2,))] == [(0, 1, 2), (0, 1, 3), (0, 1, 4), None, None]
    assert brackets.law((0, 1)) == (0.125, 0.125, 0.0, 0.75, 0.0)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: ParityNext(5, p=1.0), "parity-next: p must lie between 0 and 1, found 1.0"),
        (lambda: Dyck2Next(5, p=0.5), "dyck-2-next: p must lie between 0 and 1/2, as the mean length is 2p/(1 - 2p), found 0.5"),
        (lambda: Dyck2Next(70_000), "dyck-2-next: length N must be at most 65534, found 70000"),
        (lambda: ParityNext(0), "parity-next: length N must be at least 1, found 0"),
        (lambda: ParityNext(2).read("0 <eos>"), "parity-next: expected one of 0 1, found '<eos>'"),
    ],
)
def test_what_makes_no_source_is_refused(make: Any, message: str) -> None:
    with pytest.raises(BadInput) as caught:
        make()
    assert str(caught.value) == message
