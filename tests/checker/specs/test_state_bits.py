"""The checker's bounds on recurrent state are bounds: no count of small sizes falls below them."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import pytest

from separatrix.checker.specs import Spec, names, spec_of
from tests.checker.specs.settings import GIVEN, SMALL, Setting, both, named

Prefix = tuple[int, ...]


def needed(second: Spec) -> int:
    """States that any recurrent model needs at some cut, counted as the bits of a set of prefixes any two of which must be told apart.

    Two prefixes of one length must be told apart where the same tokens can follow both and two answers are due at one position.
    """
    answers: dict[Prefix, dict[int, int]] = {tuple(tokens.tolist()): wanted for tokens, wanted in second.all_cases()}
    most = 1
    for cut in range(second.tokens + 1):
        due: dict[Prefix, dict[tuple[Prefix, int], int]] = defaultdict(dict)  # what a prefix must say after which further tokens
        for tokens, wanted in answers.items():
            if len(tokens) >= cut:
                for position, target in wanted.items():
                    if position >= cut - 1:
                        due[tokens[:cut]][tokens[cut : position + 1], position] = target
        most = max(most, len(apart(list(due.values()))))
    return (most - 1).bit_length()


def apart(prefixes: list[dict[tuple[Prefix, int], int]]) -> list[dict[tuple[Prefix, int], int]]:
    """As many as a greedy search finds, any two of which say two things after the same tokens: a lower bound on what is needed."""
    best: list[dict[tuple[Prefix, int], int]] = []
    for first in range(0, len(prefixes), max(1, len(prefixes) // 8)):
        chosen: list[dict[tuple[Prefix, int], int]] = []
        for prefix in prefixes[first:] + prefixes[:first]:
            if all(any(other.get(key, answer) != answer for key, answer in prefix.items()) for other in chosen):
                chosen.append(prefix)
        best = max(best, chosen, key=len)
    return best


COUNTED: list[Setting] = [
    *(setting for setting in SMALL if setting[1]["length"] < 11),
    *(("index-lookup", {"length": N, "symbols": S}) for N, S in ((2, 2), (4, 2), (2, 5))),
    *(("equality", {"length": N, "symbols": S}) for N, S in ((2, 2), (2, 7), (6, 3))),
    *(("partition-equality", {"length": 6, "instance": i}) for i in range(6)),
    *(("partition-equality", {"length": 4, "symbols": S, "first": first}) for S in (2, 3, 4) for first in ((1, 2), (1, 3), (1, 4))),
    *(("dyck", {"length": N, "types": n, "depth": k}) for N, n, k in ((2, 2, 2), (8, 1, 4), (10, 1, 3), (6, 2, 3), (6, 2, 1), (4, 3, 1))),
    *(("associative-recall", {"length": 3, "symbols": K}) for K in (3, 4)),
    ("associative-recall", {"length": 2, "symbols": 2, "labels": 5}),
    *(("nearest-neighbor", {"length": N, "dimension": d, "gamma": g}) for N, d, g in ((3, 2, 2.0), (4, 2, 1.0), (3, 3, 0.7), (3, 3, 1.4))),
    ("intersects", {"length": 2}),
    ("parity", {"length": 1}),
    *(("regular", {"length": 7, "language": f"@{name}"}) for name in ("mod-5", "dyck-1-2", "third-last-is-1", "first-is-1")),
    *(("state-tracking", {"length": 5, "language": f"@{name}"}) for name in ("mod-5", "dyck-1-2", "s3", "even-length")),
]


@pytest.mark.parametrize("setting", COUNTED, ids=named)
def test_no_count_falls_below_the_bound(setting: Setting) -> None:
    _, second = both(*setting)
    assert second.state_bits <= needed(second)


TIGHT = {
    "index-lookup", "equality", "eq-random", "eq-one", "eq-ncp", "partition-equality", "intersects", "dyck", "parity", "mqar", "regular",
    "state-tracking",
}  # fmt: skip


@pytest.mark.parametrize("setting", [s for s in COUNTED if s[0] in TIGHT], ids=named)
def test_these_bounds_are_the_count_itself(setting: Setting) -> None:
    """So none of them can be replaced by 0, or by one bit less, without notice. With more keys than pairs the count of recall is larger."""
    _, second = both(*setting)
    if setting[0] != "mqar" or second.parameters["symbols"] == second.parameters["length"] // 2:
        assert second.state_bits == needed(second)


@pytest.mark.parametrize(
    ("name", "chosen", "bits"),
    [  # by hand: 12 states with three pairs, 4 with two labels after two pairs, 5^2 where there are more labels than pairs
        ("associative-recall", {"length": 3, "symbols": 3}, 4),
        ("associative-recall", {"length": 2, "symbols": 2}, 2),
        ("associative-recall", {"length": 2, "symbols": 2, "labels": 5}, 5),
        ("associative-recall", {"length": 32}, 36),  # 32 2^31
        ("mqar", {"length": 64}, 36),
        ("index-lookup", {"length": 12, "symbols": 2}, 12),
        ("index-lookup", {"length": 1000, "symbols": 64}, 6000),
        ("equality", {"length": 40, "symbols": 3}, 32),  # 20 log2 3 = 31.7
        ("intersects", {"length": 100}, 50),
        ("dyck", {"length": 400}, 3),  # 1 + 4 + 1 states after two brackets
        ("dyck", {"length": 400, "types": 3, "depth": 4}, 7),  # 1 + 9 + 81 + 1
        ("parity", {"length": 50}, 1),
        ("nearest-neighbor", {"length": 9, "dimension": 6, "gamma": 0.1}, 8),
        ("nearest-neighbor", {"length": 1000, "dimension": 6, "gamma": 2.0}, 1),  # two opposite vectors, of which one fills the rest
        ("sparse-threshold", {"length": 10}, 0),
        ("k-dnf", {"length": 10}, 0),
    ],
)
def test_bounds_by_hand(name: str, chosen: dict[str, Any], bits: int) -> None:
    assert both(name, chosen)[1].state_bits == bits


def test_long_powers_are_bounded_from_below_and_closely() -> None:
    """2^16 log2 3 bits are not written out: 10^6 symbols of three need 1,584,962.5 bits."""
    result = spec_of("index-lookup", {"length": 10**6, "symbols": 3, "distribution": "evaluation"}).state_bits
    assert 1_584_000 < result <= 1_584_963


def test_every_oracle_was_counted() -> None:
    assert {name for name, _ in COUNTED} == names() - GIVEN
    assert spec_of("table", {"sizes": [2], "answers": [0, 1]}).state_bits == 0
