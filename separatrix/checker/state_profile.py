"""Certificates of state profiles: the residual functions of all prefixes are counted again, with dictionaries.

After t tokens, two prefixes with the same valid suffixes and different answers need different states. So the states needed are at
least the distinct residual functions on one set of valid suffixes; where the promise is empty that many are also enough.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

from separatrix.checker.fields import exactly, same
from separatrix.checker.functions import LARGEST, Function, alike, bits, function
from separatrix.checker.seal import Refused

CITES = "bhattamishra2024 Theorem 2"


def check_state_profile(document: dict[str, Any], beside: Path | None) -> None:  # noqa: ARG001
    """Refuse the certificate unless its counts are those of its function."""
    exactly(
        document, "certificate", schema=str, version=int, kind=str, statement=dict, task_parameters=dict, classes=list, bits=int,
        total=bool, holds=bool, digest=str,
    )  # fmt: skip
    asked = function(document["statement"], document["task_parameters"], CITES)
    strings = math.prod(len(alphabet) for alphabet in asked.alphabets)
    if strings > LARGEST:
        raise Refused(f"task_parameters: {strings} strings are more than the {LARGEST} that are counted")
    classes, total = counted(asked)
    alike(document["classes"], classes, "classes")
    same(document["bits"], max(bits(count) for count in classes), "bits")
    same(document["total"], total, "total")
    same(document["holds"], True, "holds")


def counted(asked: Function) -> tuple[list[int], bool]:
    """Distinct residual functions after 0, 1, .. tokens, the most with one set of valid suffixes; and whether every string is valid."""
    answers = [asked.answer(tokens) for tokens in product(*asked.alphabets)]
    if all(value is None for value in answers):
        raise Refused("task_parameters: nothing is inside the promise")
    total = None not in answers
    # a residual function and its set of valid suffixes, each by the number it was first seen with
    level: list[tuple[int, int] | None] = list(_numbered((None if v is None else (v, 0)) for v in answers))
    classes = [_most(level)]
    for alphabet in reversed(asked.alphabets):
        width = len(alphabet)
        below = level
        level = list(_numbered(_above(below[i : i + width]) for i in range(0, len(below), width)))
        classes.append(_most(level))
    return classes[::-1], total


def _above(children: list[tuple[int, int] | None]) -> tuple[Hashable, Hashable] | None:
    """The residual and the valid suffixes of a prefix, from those of its continuations; None where none is valid."""
    if all(child is None for child in children):
        return None
    return tuple(children), tuple(None if child is None else child[1] for child in children)


def _numbered(pairs: Iterator[tuple[Hashable, Hashable] | None]) -> Iterator[tuple[int, int] | None]:
    residuals: dict[Hashable, int] = {}
    domains: dict[Hashable, int] = {}
    for pair in pairs:
        if pair is None:
            yield None
        else:
            yield residuals.setdefault(pair[0], len(residuals)), domains.setdefault(pair[1], len(domains))


def _most(level: list[tuple[int, int] | None]) -> int:
    """Distinct residuals of the set of valid suffixes that has most of them."""
    distinct = {pair for pair in level if pair is not None}
    return max(Counter(domain for _, domain in distinct).values())
