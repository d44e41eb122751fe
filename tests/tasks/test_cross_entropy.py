from __future__ import annotations

import math
from fractions import Fraction

import pytest

from separatrix.tasks.cross_entropy import dyck, height_law, last_step_up, parity, survivors, survivors_limit


# Nats, from the corrected [hahn2020 Theorem 6]: optimum, last symbol, unigram.
@pytest.mark.parametrize(("p", "expected"), [(0.5, (0.866434, 1.063398, 1.082196)), (0.9, (0.5438, 0.7599, 1.0694))])
def test_parity_has_its_three_levels(p: float, expected: tuple[float, ...]) -> None:
    found = parity(p, 100)
    digits = 6 if p == 0.5 else 4
    assert (round(found.optimal, digits), round(found.last_symbol, digits), round(found.unigram, digits)) == expected


# Gap between unigram and optimum at p = 0.1 and 0.5, from the same source.
@pytest.mark.parametrize(("p", "gap"), [(0.1, 0.0360), (0.5, 0.2158)])
def test_the_gap_on_parity(p: float, gap: float) -> None:
    assert round(parity(p, 9).unigram - parity(p, 9).optimal, 4) == gap


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
    found = parity(float(p), n)
    assert weighted(by_state) == pytest.approx(found.optimal, abs=1e-12)
    assert weighted(by_symbol) == pytest.approx(found.last_symbol, abs=1e-12)
    assert entropy(unigram) == pytest.approx(found.unigram, abs=1e-12)


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
    even, odd = (dyck(0.25, survivors_limit(0.25, odd=odd)) for odd in (False, True))
    assert round(even.optimal, 4) == round(odd.optimal, 4) == 0.7356
    assert round(odd.last_symbol - odd.optimal, 3) == 0.347  # P0 (1 - p) ln 2 in the odd limit, where nothing else is lost
    assert even.last_symbol - even.optimal > 0.217  # the even limit of P0 (1 - p) ln 2; the end is missed as well
    for found in (even, odd):
        assert found.optimal < found.last_symbol < found.unigram


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
    found = dyck(0.25, survivors(0.25, n))
    assert weighted(by_state) == pytest.approx(found.optimal, abs=1e-12)
    assert weighted(by_symbol) == pytest.approx(found.last_symbol, abs=1e-12)
    assert entropy(unigram) == pytest.approx(found.unigram, abs=1e-12)


def closing(bracket: str) -> str:
    return {"(": ")", "[": "]"}[bracket]
