"""A campaign: so many forgeries from one seed, each judged, each that passes tried; what came of them, by kind."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from separatrix.checker import Verdict, check_document, check_text
from tests.fuzz.corpus import corpus
from tests.fuzz.mutations import mutated
from tests.fuzz.repair import repaired_and_judged
from tests.fuzz.triage import objection

Document = dict[str, Any]
Judge = Callable[[Document], Verdict]
EXCEPTION = "malformed content: "  # what the boundary of the checker says of an exception inside it
REPAIRED = 0.8  # of all forgeries; the rest are sealed as they are
OUTCOMES = ("refused", "unreadable", "unchanged", "accepted", "exception", "false")


@dataclass
class Tally:
    """Outcomes by kind, and the forgeries that should not have been."""

    counts: Counter[tuple[str, str]] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    alarms: list[dict[str, Any]] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        """The outcomes of both."""
        self.counts.update(other.counts)
        self.reasons.update(other.reasons)
        self.alarms.extend(other.alarms)

    def total(self, outcome: str) -> int:
        """Over all kinds."""
        return sum(count for (_, name), count in self.counts.items() if name == outcome)


def forgeries(seed: int, first: int, count: int) -> Iterator[tuple[str, int, Document, Verdict | None]]:
    """Forgery number i is a function of the seed and i alone. The kinds take turns, programs twice, and so do the seeds of a kind.

    With each comes the checker's verdict, if the liar has heard it.
    """
    seeds = corpus()
    documents = [seeds[name] for name in sorted(seeds)]
    turns = [*sorted({document["kind"] for document in documents}), "program"]
    names = {kind: [name for name in sorted(seeds) if seeds[name]["kind"] == kind] for kind in turns}
    for number in range(first, first + count):
        rng = random.Random(f"{seed}/{number}")
        round_, turn = divmod(number, len(turns))
        kind = turns[turn]
        before = round_ * turns.count(kind) + turns[:turn].count(kind)  # forgeries of this kind so far
        name = names[kind][before % len(names[kind])]
        document = mutated(seeds[name], rng, documents)
        yield name, number, *repaired_and_judged(document, 8 if rng.random() < REPAIRED else 0)


def campaign(seed: int, first: int, count: int, judge: Judge | None = None) -> Tally:
    """Judge so many forgeries, by the checker unless another judge is given, and try every one that passes."""
    tally, honest = Tally(), corpus()
    for name, number, document, heard in forgeries(seed, first, count):
        kind = honest[name]["kind"]
        if document == honest[name]:  # the repair undid the mutation
            tally.counts[kind, "unchanged"] += 1
            continue
        verdict = judge(document) if judge is not None else heard or check_document(document)
        outcome = "accepted" if verdict.holds else "refused" if verdict.readable else "unreadable"
        why = verdict.reason
        if why.startswith(EXCEPTION):
            outcome = "exception"
        elif verdict.holds:
            why = _tried(document, verdict)
            outcome = "false" if why else outcome
        tally.counts[kind, outcome] += 1
        if outcome in ("exception", "false"):
            tally.alarms.append({"seed": seed, "number": number, "from": name, "outcome": outcome, "why": why, "document": document})
        elif not verdict.holds:
            tally.reasons[" ".join(why.split(":")[0].split()[:3])] += 1
    return tally


def _tried(document: Document, verdict: Verdict) -> str:
    """The objection of the second implementation; that it cannot even read the document is one too."""
    try:
        why = objection(document, verdict)
    except Exception as error:  # the producer's side does not know what the checker accepts
        return f"the second implementation fails: {type(error).__name__}: {error}"
    return why or ("" if check_text(json.dumps(document)).holds else "accepted as a document, refused as its text")
