"""What two parties must exchange about a task, over a partition that is named or the hardest one: ranks, fooling set, certificate.

[bhattamishra2024 Appendix B.1; bhattamishra2024 Fact 4]
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from separatrix.bounds.communication.matrix import CommunicationFacts, CommunicationMatrix, FoolingSet, matrix_of_table, positions_of
from separatrix.bounds.communication.partitions import HardestPartition, hardest_in_table
from separatrix.bounds.limits import require_answers
from separatrix.bounds.lower import string_count
from separatrix.bounds.question import Document, question_for
from separatrix.bounds.states.answers import tabulate
from separatrix.bounds.witnesses import certify_fooling_set
from separatrix.errors import BadInput
from separatrix.tasks import Task

MOST_STRINGS = 1 << 18  # of a matrix; its ranks then take seconds
SEARCHED_STRINGS = 1 << 14  # of a matrix whose partitions are searched


@dataclass(frozen=True, eq=False)
class CommunicationReport:
    """A task over one partition. Ranks, and what follows from them, are None where some inputs lie outside the promise."""

    task: Task
    matrix: CommunicationMatrix
    rank: int | None
    rank_gf2: int | None
    fooling: FoolingSet
    facts: CommunicationFacts | None
    searched: HardestPartition | None  # None where the partition was named

    @property
    def bits(self) -> int:
        """What the fooling set proves of every deterministic protocol, as its certificate says it."""
        return self.fooling.bits

    def certificate(self) -> Document:
        """The fooling set, sealed; with a cover that proves it largest, where one was found."""
        value = self.fooling.value
        assert isinstance(value, int)
        cover = self.matrix.cover(self.fooling)
        return certify_fooling_set(question_for(self.task), self.matrix.alice, self.fooling.pairs, value, cover)

    def document(self) -> dict[str, Any]:
        """The report as JSON."""
        facts, searched = self.facts, self.searched
        return {
            "rank": self.rank,
            "rank_gf2": self.rank_gf2,
            "fooling_set": [[list(a), list(b)] for a, b in self.fooling.pairs],
            "bits": self.bits,
            "alice": list(self.matrix.alice),
            "bob": list(self.matrix.bob),
            "rows": self.matrix.entries.shape[0],
            "columns": self.matrix.entries.shape[1],
            "outside_promise": int((~self.matrix.known).sum()),
            "value": self.fooling.value,
            "largest": self.fooling.optimal,
            "one_way_bits": None if facts is None else facts.one_way,
            "one_way_back_bits": None if facts is None else facts.one_way_back,
            "two_way_bits": None if facts is None else [facts.two_way_lower, facts.two_way_upper],
            "partition": None
            if searched is None
            else {"by": searched.by, "score": searched.score, "exhaustive": searched.exhaustive, "examined": searched.examined},
        }


def communication_report(task: Task, alice: Iterable[int] | None) -> CommunicationReport:
    """Ranks and a fooling set of a task whose tokens are split between Alice, who holds the positions `alice`, and Bob.

    [bhattamishra2024 Appendix B.1]

    Positions count from 0. With None the hardest partition is looked for, at sizes where that takes seconds.
    """
    require_answers(task, MOST_STRINGS, "a communication matrix")
    alphabets = tuple(tuple(alphabet) for alphabet in task.alphabets())
    named = None if alice is None else positions_of(alice, len(alphabets))
    if named is None and string_count(task, SEARCHED_STRINGS) is None:
        raise BadInput(
            f"{task.name} at length {task.length}: partitions are searched up to {SEARCHED_STRINGS:,} inputs; "
            "name Alice's positions, as in --alice 0,1,2, or choose a smaller length"
        )
    table = tabulate(task.answer, alphabets)
    searched = None
    if named is None:
        searched = hardest_in_table(table, by="rank" if (table.codes >= 0).all() else "fooling-set")
        named = searched.alice
    matrix = matrix_of_table(table, named)
    fooling = matrix.fooling_set()
    if not matrix.total:
        return CommunicationReport(task, matrix, None, None, fooling, None, searched)
    return CommunicationReport(task, matrix, matrix.rank(), matrix.rank(field=2), fooling, matrix.facts([fooling]), searched)
