"""Certificates of state profiles: the residual functions of all prefixes are counted again, with dictionaries.

After t tokens, two prefixes with the same valid suffixes and different answers need different states. So the states needed are at
least the distinct residual functions on one set of valid suffixes; if every string is valid, that many are also enough.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator
from pathlib import Path
from typing import Any

from separatrix.checker.budget import Budget
from separatrix.checker.fields import require_equal
from separatrix.checker.seal import Refused
from separatrix.checker.sentence import Shown, number
from separatrix.checker.specs import Spec, function
from separatrix.checker.specs.answers import all_answers
from separatrix.checker.specs.counts import bits, in_bits
from separatrix.checker.statements import Witness, check_lower

FIELDS: dict[str, Any] = {"claim": dict, "cites": str, "classes": list, "bits": int, "total": bool}
Class = tuple[int, int] | None  # a residual function and its set of valid suffixes, each numbered in order of appearance
LISTED = 24  # counts that the evidence lists


def judge(document: dict[str, Any], _beside: Path | None, budget: Budget) -> Shown:
    """Refuse the certificate unless its counts match its function."""
    task = function(document["claim"])
    answers = all_answers(task, budget)
    classes = classes_of(task, answers)
    if len(document["classes"]) != len(classes):
        raise Refused(f"classes: expected {len(classes)} counts, found {len(document['classes'])}")
    for t, (claimed, count) in enumerate(zip(document["classes"], classes, strict=True)):
        require_equal(claimed, count, f"classes[{t}]")
    most = max(classes)
    require_equal(document["bits"], bits(most), "bits")
    if most < 2:
        raise Refused("classes: one state is enough, so nothing is shown")
    require_equal(document["total"], None not in answers, "total")
    cited = check_lower(document["cites"], Witness("state-profile", task, document["bits"]))
    where = f"{number(most)} states after {number(classes.index(most))} of {number(task.tokens)} tokens"
    enough = ", and so many are enough" if document["total"] else ""
    listed = ", ".join(map(str, classes[:LISTED])) + (", .." if len(classes) > LISTED else "")
    evidence: list[dict[str, Any]] = [{"kind": "counts", "text": f"states needed after 0, 1, .. tokens: {listed}", "classes": classes}]
    sentence = f"{task.title}: every recurrent model needs {where}, {in_bits(document['bits'])} of state{enough}"
    return Shown(sentence, "proven", (*evidence, *cited))


def classes_of(task: Spec, answers: list[int | None]) -> list[int]:
    """Distinct residual functions after 0, 1, .. tokens, the most with one set of valid suffixes."""
    level: list[Class] = list(_numbered(None if answer is None else (answer, 0) for answer in answers))
    classes = [_most(level)]
    for alphabet in reversed(task.alphabets):
        width, below = len(alphabet), level
        level = list(_numbered(_above(below[i : i + width]) for i in range(0, len(below), width)))
        classes.append(_most(level))
    return classes[::-1]


def _above(children: list[Class]) -> tuple[Hashable, Hashable] | None:
    """The residual and the valid suffixes of a prefix, from those of its continuations; None if none is valid."""
    if all(child is None for child in children):
        return None
    return tuple(children), tuple(None if child is None else child[1] for child in children)


def _numbered(pairs: Iterator[tuple[Hashable, Hashable] | None]) -> Iterator[Class]:
    residuals: dict[Hashable, int] = {}
    domains: dict[Hashable, int] = {}
    for pair in pairs:
        if pair is None:
            yield None
        else:
            yield residuals.setdefault(pair[0], len(residuals)), domains.setdefault(pair[1], len(domains))


def _most(level: list[Class]) -> int:
    """The most distinct residuals on one set of valid suffixes."""
    distinct = {pair for pair in level if pair is not None}
    return max(Counter(domain for _, domain in distinct).values())
