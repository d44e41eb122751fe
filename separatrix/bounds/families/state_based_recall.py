"""State-based recall: a recurrent model alone must hold the table, one layer of attention alone must follow the swaps.

[bhattamishra2024 Theorem 2; bhattamishra2024 Theorem 4]

Notation   N  blocks      k  registers, and symbols in a block      s  alphabet size      M  swaps      r  swaps still to come

Recurrent. What register 1 holds after r more swaps may be what any of the registers 1 .. r + 1 holds now, and of any block: so after the
table and some swaps the symbols that these registers point to matter, in every block, and nothing else. Any table may stand there.

One layer. With one fixed table the answer is a regular language of the swaps: whether what was in register 1 is there again. It is decided
by a group that does not commute (commutators.py), so two parties who hold the swaps in turns exchange bits in proportion to M.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from separatrix.bits import ceil_log2
from separatrix.bounds.families.closed_form import ClosedForm, TaskBounds, exact, listable
from separatrix.bounds.languages.commutators import Commutators, commutators
from separatrix.bounds.lower import LowerBound, OneLayerNeed, Precision, Witness, one_layer_bounds
from separatrix.bounds.states.profile import StateProfile
from separatrix.tasks.languages.automata import Automaton
from separatrix.tasks.state_based_recall import StateBasedRecall

SEARCHED = 8  # registers up to which commutators are looked for; with more, those of the first eight serve
CAVEAT = (
    "The table and the block are known to both parties, who hold blocks of swaps in turns. Zero error. More layers: nothing is proven "
    "here; with five registers or more the swaps are the word problem of S5, so a fixed number of layers in logarithmic precision is not "
    "enough for every length unless TC0 = NC1 (arXiv 2404.08819)."
)


def state_based_recall_profile(task: StateBasedRecall) -> StateProfile:
    """The symbols that may still be asked for, exactly."""
    N, k, s, M = task.length, task.registers, task.symbols, task.swaps
    listable(task.name, task.token_count, task.places * ceil_log2(s))
    seen = min(k, M + 1)  # offsets that register 1 may come to hold
    table = [s ** (t // k * seen + min(t % k, seen)) for t in range(task.places + 1)]
    swapped = [s ** (N * min(k, r + 1)) for r in reversed(range(M))]
    return exact([*table, *swapped, s], "closed form: s^(N min(k, r + 1)) with r swaps still to come")


def at_home(registers: int) -> Automaton:
    """Words of swaps after which register 1 holds what it held: the state is the register where that is."""
    swaps = range(registers - 1)
    moves = tuple(tuple(at + (at == i) - (at == i + 1) for i in swaps) for at in range(registers))
    return Automaton(tuple(f"{i}x{i + 1}" for i in range(1, registers)), moves, frozenset({0}))


@cache
def swap_commutators(registers: int) -> Commutators | None:
    """Rounds of swaps that do not commute, among the first registers."""
    return commutators(at_home(min(registers, SEARCHED)))


def _further(task: StateBasedRecall, precision: Precision, _: tuple[LowerBound, ...]) -> Iterator[LowerBound]:
    found = swap_commutators(task.registers)
    if found is None:
        return
    formula = f"log2 of the rank after M / {found.round} rounds of commutators"
    witness = Witness("the exact rank of the matrix of a power of a commutator")
    need = OneLayerNeed(task.token_count, 1, found.bits(task.swaps), formula, "bhattamishra2024 Theorem 4", CAVEAT, True, witness)
    yield from one_layer_bounds(need, precision)


STATE_BASED_RECALL = TaskBounds(
    ClosedForm(
        "ceil(N min(k, M + 1) log2 s) bits, after the table",
        "bhattamishra2024 Theorem 2",
        "Zero error on every input, state after the table; random bits do not help.",
        state_based_recall_profile,
        lambda task: (task.symbols ** (task.length * min(task.registers, task.swaps + 1)),) * 2,
    ),
    _further,
)
