from __future__ import annotations

import collections
import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from separatrix.errors import BadInput
from separatrix.tasks.next_symbol import (
    Dyck2Next,
    NextSymbol,
    ParityNext,
    dyck_entropies,
    height_law,
    last_step_up,
    parity_entropies,
    survivors,
    survivors_limit,
)
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


# Nats, from the corrected [hahn2020 Theorem 6]: optimum, last symbol, unigram.
@pytest.mark.parametrize(("p", "expected"), [(0.5, (0.866434, 1.063398, 1.082196)), (0.9, (0.5438, 0.7599, 1.0694))])
def test_parity_has_its_three_levels(p: float, expected: tuple[float, ...]) -> None:
    levels = parity_entropies(p, 100)
    digits = 6 if p == 0.5 else 4
    assert (round(levels.optimal, digits), round(levels.last_symbol, digits), round(levels.unigram, digits)) == expected


# Gap between unigram and optimum at p = 0.1 and 0.5, from the same source.
@pytest.mark.parametrize(("p", "gap"), [(0.1, 0.0360), (0.5, 0.2158)])
def test_the_gap_on_parity(p: float, gap: float) -> None:
    assert round(parity_entropies(p, 9).unigram - parity_entropies(p, 9).optimal, 4) == gap


def entropy(law: dict[object, Fraction]) -> float:
    total = sum(law.values())
    return -sum(float(w / total) * math.log(w / total) for w in law.values() if w)


def weighted(joint: dict[object, dict[object, Fraction]]) -> float:
    total = sum(sum(law.values()) for law in joint.values())
    return sum(float(sum(law.values()) / total) * entropy(law) for law in joint.values())


@pytest.mark.parametrize("n", [1, 2, 5])
def test_parity_by_adding_up_all_strings(n: int) -> None:
    p = Fraction(3, 10)
    by_state: dict[object, dict[object, Fraction]] = {}
    by_symbol: dict[object, dict[object, Fraction]] = {}
    for number in range(2**n):
        bits = [number >> i & 1 for i in range(n)]
        weight = math.prod((1 - p if sum(bits[:t]) % 2 == 0 else Fraction(1)) / 2 for t in range(n))
        stop = p if sum(bits) % 2 == 0 else Fraction(0)
        for key, table in ((sum(bits) % 2, by_state), (bits[-1], by_symbol)):
            law = table.setdefault(key, dict.fromkeys("01$", Fraction(0)))
            for symbol, share in (("0", (1 - stop) / 2), ("1", (1 - stop) / 2), ("$", stop)):
                law[symbol] += weight * share
    unigram = {symbol: sum(law[symbol] for law in by_state.values()) for symbol in "01$"}
    levels = parity_entropies(float(p), n)
    assert weighted(by_state) == pytest.approx(levels.optimal, abs=1e-12)
    assert weighted(by_symbol) == pytest.approx(levels.last_symbol, abs=1e-12)
    assert entropy(unigram) == pytest.approx(levels.unigram, abs=1e-12)


def test_the_height_law_is_that_of_the_walk_that_stays_above_zero() -> None:
    p = Fraction(3, 10)
    weights = {0: Fraction(1)}
    for n in range(1, 30):
        weights = {
            h: weights.get(h - 1, Fraction(0)) * p + weights.get(h + 1, Fraction(0)) * (1 - p) for h in range(n + 1) if (n - h) % 2 == 0
        }
        total = sum(weights.values())
        assert dict(height_law(0.3, n)) == pytest.approx({h: float(w / total) for h, w in weights.items()}, abs=1e-14)


def test_the_share_of_last_steps_up_by_counting_walks() -> None:
    walks = {0: 1}
    for n in range(1, 20):
        before, walks = walks, {h: walks.get(h - 1, 0) + walks.get(h + 1, 0) for h in range(n + 1) if (n - h) % 2 == 0}
        for h, count in walks.items():
            assert last_step_up(n, h) == pytest.approx(before.get(h - 1, 0) / count, abs=1e-15)


# p = 1/4: exact recursion at 2000 and 2001 symbols and the limits, from the corrected [hahn2020 Footnote 4].
def test_the_share_of_unbalanced_prefixes_that_end_with_a_closing_bracket() -> None:
    assert round(survivors(0.25, 2000).closed, 4) == 0.4152
    assert round(survivors(0.25, 2001).closed, 4) == 0.6662
    assert round(survivors(0.25, 2000).balanced, 4) == 0.3348
    assert survivors_limit(0.25, odd=False).closed == pytest.approx(5 / 12, abs=1e-15)
    assert survivors_limit(0.25, odd=True).closed == pytest.approx(2 / 3, abs=1e-15)
    assert survivors_limit(0.25, odd=False).balanced == pytest.approx(1 / 3, abs=1e-15)


@pytest.mark.parametrize("p", [0.1, 0.25, 0.4])
def test_the_limits_are_limits(p: float) -> None:
    for n in (20_000, 20_001):
        exact, limit = survivors(p, n), survivors_limit(p, odd=n % 2 == 1)
        assert exact.closed == pytest.approx(limit.closed, abs=2e-3)
        assert exact.balanced == pytest.approx(limit.balanced, abs=2e-3)


def test_dyck_has_its_three_levels() -> None:
    even, odd = (dyck_entropies(0.25, survivors_limit(0.25, odd=odd)) for odd in (False, True))
    assert round(even.optimal, 4) == round(odd.optimal, 4) == 0.7356
    assert round(odd.last_symbol - odd.optimal, 3) == 0.347  # P0 (1 - p) ln 2 in the odd limit, where nothing else is lost
    assert even.last_symbol - even.optimal > 0.217  # the even limit of P0 (1 - p) ln 2; the end is missed as well
    for levels in (even, odd):
        assert levels.optimal < levels.last_symbol < levels.unigram


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_dyck_by_adding_up_all_prefixes(n: int) -> None:
    p = Fraction(1, 4)
    prefixes = {"": Fraction(1)}
    stacks = {"": ""}
    for _ in range(n):
        longer: dict[str, Fraction] = {}
        deeper: dict[str, str] = {}
        for prefix, weight in prefixes.items():
            stack = stacks[prefix]
            steps = [(b, p / 2, stack + b) for b in "(["] + ([(closing(stack[-1]), 1 - p, stack[:-1])] if stack else [])
            for bracket, share, after in steps:
                longer[prefix + bracket], deeper[prefix + bracket] = weight * share, after
        prefixes, stacks = longer, deeper
    by_state: dict[object, dict[object, Fraction]] = {}
    by_symbol: dict[object, dict[object, Fraction]] = {}
    for prefix, weight in prefixes.items():
        top = stacks[prefix][-1:]
        for key, table in ((top, by_state), (prefix[-1], by_symbol)):
            law = table.setdefault(key, dict.fromkeys("([)]$", Fraction(0)))
            law["("] += weight * p / 2
            law["["] += weight * p / 2
            law[closing(top) if top else "$"] += weight * (1 - p)
    unigram = {symbol: sum(law[symbol] for law in by_state.values()) for symbol in "([)]$"}
    levels = dyck_entropies(0.25, survivors(0.25, n))
    assert weighted(by_state) == pytest.approx(levels.optimal, abs=1e-12)
    assert weighted(by_symbol) == pytest.approx(levels.last_symbol, abs=1e-12)
    assert entropy(unigram) == pytest.approx(levels.unigram, abs=1e-12)


def closing(bracket: str) -> str:
    return {"(": ")", "[": "]"}[bracket]
