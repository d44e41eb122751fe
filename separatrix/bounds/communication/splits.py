"""What two parties must exchange for any function that can be counted: the exact rank over a few ways to split its input.

[bhattamishra2024 Theorem 4; bhattamishra2024 Appendix B.1]

A protocol of b bits covers the matrix by 2^b rectangles of one answer each, so its rank is at most 2^b. Strings that can be counted have
few bits to exchange, and one head of width 1 sends more: the width that follows is then 1, which says nothing. The row says so.
"""

from __future__ import annotations

from separatrix.bits import ceil_log2
from separatrix.bounds.communication.matrix import matrix_of_table
from separatrix.bounds.lower import OneLayerNeed, Precision, Witness, string_count
from separatrix.bounds.protocols.one_layer import repaired_bits
from separatrix.bounds.states.answers import tabulate
from separatrix.tasks import Task

COUNTED = 1 << 14  # strings whose matrix is ranked in a moment


def one_layer_need(task: Task, precision: Precision) -> OneLayerNeed | None:
    """The bits of the hardest of three splits; None where answers are missing, due elsewhere, or too many to list."""
    N = task.token_count
    if N < 2 or not task.scored_at_end or string_count(task, COUNTED) is None:
        return None
    table = tabulate(task.answer, tuple(tuple(alphabet) for alphabet in task.alphabets()))
    if (table.codes < 0).any():
        return None
    splits = {
        "the first half": tuple(range(N // 2)),
        "every second token": tuple(range(0, N, 2)),
        "the outer quarters": tuple(i for i in range(N) if not N // 4 <= i < N // 4 + (N + 1) // 2),
    }
    ranks = {name: matrix_of_table(table, alice).rank() for name, alice in splits.items() if alice}
    split = max(ranks, key=ranks.__getitem__)
    bits, symbols = ceil_log2(ranks[split]), len(task.alphabets()[-1])
    sent = repaired_bits(1, precision.bits, precision.f, N, 1, symbols)
    idle = f" One head of width 1 may send {sent:,} bits, so nothing is excluded at this length." if sent >= bits else ""
    return OneLayerNeed(
        N,
        symbols,
        bits,
        f"{bits} bits, log2 of the rank {ranks[split]:,} where one party holds {split}",
        "bhattamishra2024 Theorem 4",
        f"For inputs of this length; zero error.{idle}",
        True,
        Witness(f"counted: the exact rank of the matrix where one party holds {split}"),
    )
