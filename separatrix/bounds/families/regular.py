"""Regular languages: the states of the minimal automaton that words of one length distinguish.

[bhattamishra2024 Theorem 2; bhattamishra2024 Lemma 4]
"""

from __future__ import annotations

from collections.abc import Iterator

from separatrix.architectures import Architecture, Quantity
from separatrix.bits import ceil_log2
from separatrix.bounds.families.closed_form import ClosedForm, TaskBounds, exact
from separatrix.bounds.languages.commutators import commutators
from separatrix.bounds.languages.crossed_blocks import crossed_blocks
from separatrix.bounds.languages.language import layered_classes
from separatrix.bounds.lower import LowerBound, OneLayerNeed, Precision, Witness, one_layer_bounds
from separatrix.bounds.states.profile import StateProfile
from separatrix.tasks.languages.automata import Automaton
from separatrix.tasks.regular import Regular

THEOREM = "bhattamishra2024 Theorem 4"


def regular_profile(task: Regular) -> StateProfile:
    """After each symbol, the reachable states that the rest of the word distinguishes; the end symbol changes nothing."""
    classes = layered_classes(task.automaton, task.length)
    return exact([*classes, classes[-1]], "layers of the minimal automaton")


def _further(task: Regular, precision: Precision, _: tuple[LowerBound, ...]) -> Iterator[LowerBound]:
    yield one_transition(task.automaton)
    need = one_layer_need(task)
    if need is not None:
        yield from one_layer_bounds(need, precision)


def one_transition(automaton: Automaton) -> LowerBound:
    """What one transition for all steps needs to be right on words of every length."""
    states = automaton.states
    return LowerBound(
        Architecture.ONE_TRANSITION,
        Quantity.STATE_BITS,
        ceil_log2(states),
        "ceil(log2 of the states of the minimal complete automaton)",
        "bhattamishra2024 Lemma 4",
        True,
        f"For words of every length; the automaton has {states} states.",
        False,
        Witness(f"Myhill and Nerode: some continuation separates any two of the {states} states of the minimal automaton"),
    )


def one_layer_need(task: Regular) -> OneLayerNeed | None:
    """What two parties must exchange about words of N symbols: by crossed blocks, or by rounds of commutators."""
    tokens, symbols, caveat = task.length + 1, 1, "Words of exactly N symbols, and the end symbol, which both parties know. Zero error."
    blocks = crossed_blocks(task.automaton)
    if blocks is not None:
        bits, formula = max(0, task.length - blocks.ends) // blocks.round, f"{blocks.bits} bits, by crossed blocks"
        return OneLayerNeed(tokens, symbols, bits, formula, THEOREM, caveat, True, Witness("the crossed blocks are a fooling set"))
    groups = commutators(task.automaton)
    if groups is None:
        return None
    formula = f"log2 of the rank after N / {groups.round} rounds of commutators"
    witness = Witness("the exact rank of the matrix of a power of a commutator")
    return OneLayerNeed(tokens, symbols, groups.bits(task.length), formula, THEOREM, caveat, True, witness)


REGULAR = TaskBounds(
    ClosedForm(
        "ceil(log2 of the states that words of N symbols distinguish)",
        "bhattamishra2024 Theorem 2",
        "Words of exactly N symbols and a transition that may depend on the step.",
        regular_profile,
        lambda task: (max(regular_profile(task).classes),) * 2,
    ),
    _further,
)
