"""Certificates of fooling sets: every pair has the value, and of any two pairs a crossed input has another answer.

A protocol that ends in the same leaf on two pairs ends there on both crossed inputs too. So the pairs have leaves of their own, and
where there are two there is one more, with another answer: a protocol of c bits has at most 2^c leaves.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from separatrix.checker.fields import exactly, same, within
from separatrix.checker.functions import Function, bits, function, string, whole
from separatrix.checker.partition import places, together
from separatrix.checker.seal import Refused

MOST = 1 << 12  # pairs, of which any two are crossed
WORK = 1 << 28  # tokens of all crossed inputs
CITES = "bhattamishra2024 Fact 4"


def check_fooling_set(document: dict[str, Any], beside: Path | None) -> None:  # noqa: ARG001
    """Refuse the certificate unless its pairs fool every protocol with fewer bits."""
    exactly(
        document, "certificate", schema=str, version=int, kind=str, statement=dict, task_parameters=dict, alice=list, value=int,
        pairs=list, size=int, rectangles=int, bits=int, holds=bool, digest=str,
    )  # fmt: skip
    asked = function(document["statement"], document["task_parameters"], CITES)
    same(document["size"], within(len(document["pairs"]), 1, MOST, "pairs"), "size")
    within(document["size"] ** 2 * len(asked.alphabets), 1, WORK, "tokens of all crossed inputs")
    rectangles = document["size"] + (document["size"] > 1)
    same(document["rectangles"], rectangles, "rectangles")
    same(document["bits"], bits(rectangles), "bits")
    same(document["holds"], True, "holds")
    check_pairs(asked, document["alice"], document["pairs"], document["value"])


def check_pairs(asked: Function, alice: Any, pairs: list[Any], value: int) -> None:
    """Refuse pairs that do not have the value, or two of which a protocol may treat alike."""
    whole(value, "value")
    a, b = places(alice, len(asked.alphabets))
    found = []
    for pair in pairs:
        if not isinstance(pair, list) or len(pair) != 2:
            raise Refused("pairs: expected Alice's tokens and Bob's")
        x, y = (string(half, [asked.alphabets[i] for i in part], "pairs") for half, part in zip(pair, (a, b), strict=True))
        if asked.answer(together(x, y, a, b)) != value:
            raise Refused(f"pairs: {pair} does not have the answer {value}")
        found.append((x, y))
    for i, (x, y) in enumerate(found):
        for x2, y2 in found[:i]:
            if asked.answer(together(x, y2, a, b)) in (value, None) and asked.answer(together(x2, y, a, b)) in (value, None):
                raise Refused(f"pairs: {[list(x), list(y)]} and {[list(x2), list(y2)]} do not fool: no crossed input has another answer")
