"""The tests of a program: the checker's own plan, run case by case, and what the document says of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from separatrix.checker.budget import Budget
from separatrix.checker.fields import at_least, require_equal, require_fields
from separatrix.checker.kinds.program import shown_margin
from separatrix.checker.kinds.running import Tested, run
from separatrix.checker.models.reading import Outline, Program
from separatrix.checker.plan import Family, Plan, excluded_rate, least_work, plan, seed_of
from separatrix.checker.seal import Refused
from separatrix.checker.sentence import counted, number, rate
from separatrix.checker.specs import Spec


@dataclass(frozen=True, eq=False)
class Tests:
    """A plan, the entries of a document about it, and the outcome of each family, once it was run."""

    task: Spec
    plan: Plan
    claimed: list[Any]
    tested: list[Tested] = field(default_factory=list)

    @classmethod
    def planned(cls, task: Spec, draft: Outline, document: dict[str, Any], budget: Budget) -> Tests:
        """The plan of a document, within the budget: one entry for each family, in its order, before any case is run."""
        readers = task.tokens if draft.decoder.kind != "position" else 1
        work, memory = draft.work(task.tokens, readers), draft.memory(task.tokens, readers) + 64 * task.tokens
        budget.allow(least_work(task, work), memory)
        weights = require_fields(document["weights"], "weights", **dict.fromkeys(document["weights"], str))
        cases = plan(task, work, seed_of(document["claim"], document["program"], str(weights.get("sha256"))))
        budget.allow(cases.work, memory)
        families = [family.name for family in cases.families]
        named = [test.get("family") if isinstance(test, dict) else None for test in document["tests"]]
        if named != families:
            raise Refused(f"tests: expected the families {', '.join(families)}, found {named!s:.200}")
        return cls(task, cases, document["tests"])

    def run(self, program: Program, proven: bool) -> list[dict[str, Any]]:
        """Every case, as evidence; refused where one is wrong, all have one answer, or an entry differs from the outcome."""
        self.tested[:] = [run(program, self.task, self.plan.cases(self.task, family), family.name) for family in self.plan.families]
        if len(frozenset().union(*(each.answers for each in self.tested))) < 2:
            raise Refused("tests: every case has the same answer, so the claim shows nothing")
        for claimed, family, each in zip(self.claimed, self.plan.families, self.tested, strict=True):
            where = f"tests.{family.name}"
            require_fields(claimed, where, family=str, count=int, distinct=int, margin=(int, float), decisions=str)
            for key, value in (("count", each.count), ("distinct", each.distinct), ("decisions", each.decisions)):
                require_equal(claimed[key], value, f"{where}.{key}")
            at_least(claimed["margin"], each.margin, f"{where}.margin")
        return [self._evidence(family, each, proven) for family, each in zip(self.plan.families, self.tested, strict=True)]

    def strength(self, proven: bool) -> str:
        """What a program is that is right on all cases, and proven or not."""
        return "proven" if proven else "exhaustive" if self.plan.exhaustive else "tested"

    def coverage(self) -> str:
        """In words, for a sentence."""
        if self.plan.exhaustive:
            return f"right on all {number(sum(each.count for each in self.tested))} inputs"
        counts = {each.distinct for each in self.tested}
        families = "its only family" if len(self.tested) == 1 else f"each of {counted(len(self.tested), 'family', 'families')}"
        return f"right on {number(min(counts))} distinct cases {'and more ' if len(counts) > 1 else ''}of {families}"

    def _evidence(self, family: Family, tested: Tested, proven: bool) -> dict[str, Any]:
        all_, some = f"all {number(tested.count)} inputs", f"{counted(tested.distinct, 'distinct case')} of {family.name}"
        entry: dict[str, Any] = {"kind": "cases", "text": all_ if self.plan.exhaustive else some, "family": family.name}
        entry |= {"count": tested.count, "distinct": tested.distinct, "margin": shown_margin(tested.margin)}
        if self.plan.exhaustive or proven:
            return entry
        excluded = excluded_rate(tested.distinct)
        return {**entry, "text": f"{entry['text']}: excludes error rates above {rate(excluded)}", "excludes": excluded}
