"""The test plan of a program: which cases are run, and under which seed. The checker owns it; the author chooses nothing.

The unit of work is a multiplication and addition of a float64 forward pass, of which a current machine does about 10^9 a second; slower
operations, such as drawing a token in Python or adding long integers, count in proportion to their time. The counts follow from this
number alone, so the plan is the same on every machine.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from separatrix.checker.cases import drawn, families
from separatrix.checker.seal import Refused, canonical
from separatrix.checker.specs import Case, Spec

WORK = 1 << 32  # of all cases together
OVERHEAD, TABLED = 1 << 17, 1 << 15  # fixed work per case, and where it is an entry of a table
LEAST, MOST = 3, 2000  # cases of one family
SEARCHED = 64  # cases of one family drawn to find a second answer
CONSTANT = "every case has the same answer, so the claim shows nothing"
CHANCE, TRIES = 20, 40  # a false claim passes with probability at most 2^-20 even if its author tries 2^40 seeds


@dataclass(frozen=True)
class Family:
    """`count` cases of one family of the task."""

    name: str
    count: int


@dataclass(frozen=True)
class Plan:
    """The cases of a program. If all inputs are run, there is one family, `all`."""

    seed: int
    families: tuple[Family, ...]
    exhaustive: bool
    work: int

    def cases(self, oracle: Spec, family: Family) -> Iterator[Case]:
        """The cases of one of its families, in order."""
        return oracle.all_cases() if self.exhaustive else drawn(oracle, family.name, self.seed, family.count)


def seed_of(claim: Mapping[str, Any], program: Mapping[str, Any], sha256: str) -> int:
    """The seed of the cases: changing the claim, the program or a weight gives different cases."""
    document = canonical({"claim": claim, "program": program, "weights": sha256})
    return int.from_bytes(hashlib.sha256(document.encode()).digest()[:8], "big") >> 1


def plan(oracle: Spec, work_of_case: int, seed: int) -> Plan:
    """All inputs if they fit into the allowed work, else as many cases of every family as fit, and at least LEAST.

    Of a task that is a table all inputs are run in any case: whoever asks for the budget refuses what is too much.
    """
    work, named = _work(oracle, work_of_case), families(oracle)
    if oracle.input_count is not None and (oracle.input_count * work <= WORK or not named):
        if not _two_answers([oracle.all_cases()]):
            raise Refused(f"{oracle.title}: {CONSTANT}")
        return Plan(seed, (Family("all", oracle.input_count),), True, oracle.input_count * work)
    share = WORK // (len(named) * work)
    counts = dict.fromkeys(named, max(LEAST, min(MOST, share)))
    counts = _with_two_answers(oracle, counts, seed)
    return Plan(seed, tuple(Family(*entry) for entry in counts.items()), False, sum(counts.values()) * work)


def least_work(oracle: Spec, work_of_case: int) -> int:
    """The least work of any plan, known before any case is drawn."""
    work, named = _work(oracle, work_of_case), families(oracle)
    if oracle.input_count is not None and (oracle.input_count * work <= WORK or not named):
        return oracle.input_count * work
    return LEAST * len(named) * work


def excluded_rate(distinct: int) -> float:
    """The error rate on a family above which k distinct cases are all right with probability at most 2^-20.

    A model that is wrong on a share e of the family passes k cases with probability (1 - e)^k. Its author may change an irrelevant weight,
    and with it the seed, and try again 2^40 times: the probability that one try passes is at most 2^40 (1 - e)^k, which is 2^-20 for
    e = 1 - 2^(-60 / k).
    """
    return 1.0 if distinct < 1 else 1 - 2 ** (-(CHANCE + TRIES) / distinct)


def _work(oracle: Spec, work_of_case: int) -> int:
    """Work of one case: to draw it, to run it, and overhead."""
    return work_of_case + (OVERHEAD if oracle.drawn else TABLED) + oracle.drawing * oracle.tokens


def _with_two_answers(oracle: Spec, counts: dict[str, int], seed: int) -> dict[str, int]:
    """The counts, raised until two cases have different answers: few cases may agree by chance. A constant shows nothing."""
    searched = min(SEARCHED, WORK // (len(counts) * oracle.drawing * oracle.tokens))
    while True:
        if _two_answers([drawn(oracle, name, seed, count) for name, count in counts.items()]):
            return counts
        if min(counts.values()) >= searched:
            raise Refused(f"{oracle.title}: {CONSTANT}")
        counts = {name: max(count, min(searched, 2 * count)) for name, count in counts.items()}


def _two_answers(families: list[Iterator[Case]]) -> bool:
    """Whether two cases have different answers; families take turns, so that two are found early."""
    first: tuple[int, ...] | None = None
    for cases in zip_longest(*families):
        for case in cases:
            answer = first if case is None else tuple(case[1].values())
            if first is not None and answer != first:
                return True
            first = answer
    return False
