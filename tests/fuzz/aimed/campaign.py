"""Aimed forgeries, one after another: each is made, judged by the checker, and judged again by others if it is accepted."""

from __future__ import annotations

import json
import random
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from separatrix.checker import Refused as NotMade
from separatrix.checker import Verdict, check_document
from tests.fuzz.aimed.aims import aimed
from tests.fuzz.aimed.judging import objection
from tests.fuzz.aimed.subjects import Subject, document_of, lowered, subjects

Document = dict[str, Any]
EXCEPTION = "malformed content: "  # what the boundary of the checker says of an exception inside it
SLOW = 10.0  # seconds


@dataclass
class Tally:
    """What came of forgeries, and those that should not have been."""

    outcomes: Counter[str] = field(default_factory=Counter)
    judges: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    alarms: list[Document] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def forgeries(self) -> int:
        """Documents that were judged."""
        return sum(self.outcomes.values())

    def add(self, other: Tally) -> None:
        """Both together."""
        for mine, more in ((self.outcomes, other.outcomes), (self.judges, other.judges), (self.reasons, other.reasons)):
            mine.update(more)
        self.alarms += other.alarms
        self.seconds += other.seconds


def forgery(seed: int, number: int, starts: tuple[Subject, ...], recipe: str = "") -> Subject:
    """Number i of a campaign: a function of the seed, i, the subjects, and the recipe if one is named."""
    return aimed(random.Random(f"{seed}/{number}"), starts, recipe)


def campaign(
    seed: int, numbers: Iterable[int], starts: tuple[Subject, ...] = (), recipe: str = "", first_alarm: bool = False, until: float = 0.0
) -> Tally:
    """Judge so many; stop at the first alarm, or after so many seconds of a core, if asked."""
    tally, begin, starts = Tally(), time.process_time(), starts or subjects()
    for number in numbers:
        subject = forgery(seed, number, starts, recipe)
        outcome, why, document = outcome_of(subject)
        tally.outcomes[outcome] += 1
        if outcome == "accepted":
            tally.judges[why] += 1
        elif outcome in ("refused", "unmade"):
            tally.reasons[" ".join(why.split(":")[0].split()[:4]) if outcome == "refused" else f"unmade: {why:.80}"] += 1
        else:
            tally.alarms.append(
                {"seed": seed, "number": number, "from": subject.name, "outcome": outcome, "why": why, "document": document}
            )
        if (first_alarm and tally.alarms) or (until and time.process_time() - begin > until):
            break
    tally.seconds = time.process_time() - begin
    return tally


def outcome_of(subject: Subject) -> tuple[str, str, Document | None]:
    """What comes of a forgery, what is to be said about it, and its document."""
    with np.errstate(all="ignore"), lowered(subject.constants):
        try:
            document = document_of(subject)
        except NotMade as error:  # by the checker's own readers of models, weights and claims
            return "refused", str(error), None
        except (ValueError, OverflowError, KeyError, IndexError, TypeError, ArithmeticError, AssertionError, MemoryError) as error:
            return "unmade", f"{type(error).__name__}: {error}", None
        begin = time.process_time()
        verdict: Verdict = check_document(document)
        seconds = time.process_time() - begin
    if verdict.reason.startswith(EXCEPTION):
        return "exception", verdict.reason, document
    if seconds > SLOW:
        return "slow", f"{seconds:.1f} s", document
    if not verdict.holds:
        return "refused", verdict.reason, document
    try:
        why, judge = objection(json.loads(json.dumps(document)), verdict)
    except Exception as error:  # the others must at least know what the checker accepts
        return "unjudged", f"{type(error).__name__}: {error}", document
    return ("false", why, document) if why else ("accepted", judge, document)
