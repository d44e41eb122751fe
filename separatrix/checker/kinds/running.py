"""Cases through a program: every decision right, and by what margin."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from separatrix.checker.models.decoding import Asked, Said, asked, said
from separatrix.checker.models.model import bytes_of
from separatrix.checker.models.reading import Program
from separatrix.checker.numbers import arrays
from separatrix.checker.numbers.boxes import Box
from separatrix.checker.numbers.leads import Margin
from separatrix.checker.seal import Refused
from separatrix.checker.specs import Case, Spec

TOGETHER = 256  # cases in one pass
WINDOW = 512  # cases searched for equal lengths
MEMORY = 1 << 27  # bytes of one pass with more than one case


@dataclass(frozen=True)
class Tested:
    """Cases that were all right."""

    count: int
    distinct: int
    margin: Margin  # the least margin; infinite without a case
    decisions: str  # SHA-256 of all decisions, as little-endian 64-bit integers
    answers: frozenset[bytes]  # distinct right answers, counted up to two


def run(program: Program, oracle: Spec, cases: Iterable[Case], what: str) -> Tested:
    """Run every case of an oracle."""
    passes = (asked(program.decoder, oracle.as_read(tokens), wanted, _chain(program, oracle, tokens)) for tokens, wanted in cases)
    return judged(program, passes, what)


def judged(program: Program, passes: Iterator[Asked], what: str) -> Tested:
    """Run every pass through the model; refuse the first that is wrong, or not right beyond doubt."""
    decisions, distinct, count = hashlib.sha256(), set(), 0
    answers: set[bytes] = set()
    margin: Margin = math.inf
    while some := list(islice(passes, WINDOW)):
        logits = _logits(program, some)
        for one, each in zip(some, logits, strict=True):
            count += 1
            answer = said(program.decoder, program.model.ops, each, one.targets)
            _refuse_doubt(answer, one, program, f"case {count} of {what}")
            margin = min(margin, answer.margin)
            decisions.update(arrays.encoded(answer.chosen))
            distinct.add(fingerprint(one.tokens))
            if len(answers) < 2:
                answers.add(one.targets.astype("<i8").tobytes())
    return Tested(count, len(distinct), margin, decisions.hexdigest(), frozenset(answers))


def _refuse_doubt(answer: Said, one: Asked, program: Program, where: str) -> None:
    if not answer.right:
        raise Refused(f"{where}: the program says {_shown(answer.chosen)}, the answer is {_shown(one.targets)}")
    if not answer.margin > 0:
        exact = "two logits are equal, so nothing is decided"
        floats = "the margin is not above the error of the arithmetic, so programs may differ on the answer"
        raise Refused(f"{where}: {floats if program.model.ops.scale is None else exact}")


def _logits(program: Program, passes: list[Asked]) -> list[Box]:
    """Logits of each pass; passes of equal length and positions run side by side, as many as fit."""
    alike: dict[tuple[int, tuple[int, ...]], list[int]] = {}
    for i, one in enumerate(passes):
        alike.setdefault((len(one.tokens), tuple(one.positions)), []).append(i)
    by_pass: dict[int, Box] = {}
    for (n, positions), members in alike.items():
        each = bytes_of(program.model.description, program.model.ops, n, len(positions))
        most = max(1, min(TOGETHER, MEMORY // max(1, each)))
        for first in range(0, len(members), most):
            some = members[first : first + most]
            logits = program.model.logits(arrays.stack([passes[i].tokens for i in some]), list(positions))
            by_pass.update({i: logits[b] for b, i in enumerate(some)})
    return [by_pass[i] for i in range(len(passes))]


def _chain(program: Program, oracle: Spec, tokens: arrays.Integers) -> tuple[Any, ...]:
    return oracle.chain(tokens.tolist()) if program.decoder.writes else ()


def _shown(answer: arrays.Integers) -> str:
    text = str(answer.tolist())
    return text if len(text) <= 80 else f"{text[:80]}.."


def fingerprint(tokens: arrays.Integers) -> bytes:
    """A hash of 32 bytes that identifies a case."""
    return hashlib.sha256(tokens.astype("<i8").tobytes()).digest()
