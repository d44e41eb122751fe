"""How far a predictor may be from the law of the next symbol: the largest divergence over all prefixes of a claim.

A recurrent model beside the automaton of the source, over every state that the two can reach together; or, where the state is a stack of
any depth, an interval of the model's one number for each bracket that may be innermost.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from separatrix.checker.budget import Budget
from separatrix.checker.models.model import Model
from separatrix.checker.replay import simulation
from separatrix.checker.replay.proof import Unfit, Unproven
from separatrix.checker.replay.stacks import stack_machine
from separatrix.checker.seal import Refused
from separatrix.checker.sources import ROUNDED, Dyck2Next, Law, Source, State, entropy
from separatrix.checker.specs.forms.automaton import Automaton, EveryLength, Phase

LISTED = 8  # open brackets up to which every stack is a state
FAR = 700  # nats; a symbol that trails by more adds less than 10^-300, and is counted with that
MOST = 10**300  # nats; more is no claim
Logits = Sequence[Fraction]


def largest_excess(model: Model, source: Source, document: Any, budget: Budget) -> tuple[float, str]:
    """Nats above the optimum that no prefix of the claim exceeds, and how many states that is about."""
    try:
        deep = unlisted(source)
        if deep and document is not None:
            raise Refused("proof: expected null, because stacks of any depth are bounded without pairs")
        met = _stacks(model, source, budget) if deep and isinstance(source, Dyck2Next) else _states(model, source, document, budget)
        pairs = [(law, low, high) for law, low, high in met]
    except (Unproven, Unfit) as error:
        raise Refused(f"excess: not shown: {error}") from error
    about = "every stack that the number format holds" if deep else f"{len(pairs)} moves of the source and of the model beside it"
    return max(divergence(*pair) for pair in pairs), about


def unlisted(source: Source) -> bool:
    """Whether the states of the source are stacks too many to list."""
    return isinstance(source, Dyck2Next) and min(source.N, source.depth or source.N) > LISTED


def divergence(law: Law, low: Logits, high: Logits) -> float:
    """Of a law q from the softmax of logits z between two bounds; never less than it is.

    It is  log sum_j exp(z_j - t) + sum_i q_i (t - z_i) - entropy(q)  for any t. Differences of logits are exact, however large the logits
    are; of what is left the logarithm lies between 0 and that of the number of targets, and the entropy too.
    """
    top = max(high)
    normaliser = math.log(sum(math.exp(max(z - top, Fraction(-FAR))) for z in high))
    unspoken = sum((q * (top - z) for q, z in zip(law, low, strict=True) if q > 0), Fraction(0))
    excess = unspoken + Fraction(normaliser - entropy(law)) + Fraction(ROUNDED)
    return max(0.0, math.nextafter(float(min(excess, Fraction(MOST))), math.inf))


def automaton_of(source: Source) -> Automaton:
    """The states of the source, over prefixes of 1 .. N symbols: as many as one likes where its states do not depend on N."""
    alphabet = range(source.symbols)

    def reads(state: State, symbol: int) -> bool:
        return source.step(state, symbol) is not None

    every = EveryLength(source.title, (Phase(alphabet, repeats=True),))
    return Automaton((alphabet,) * source.N, source.start, source.step, lambda _: 0, reads, every)


def _states(model: Model, source: Source, document: Any, budget: Budget) -> Iterator[tuple[Law, Logits, Logits]]:
    """Every pair of states that some symbols lead to."""
    stepper = simulation.Stepper(model)
    invariant = simulation.read(document, stepper.width, model)
    moves, logits = simulation.replayed(stepper, automaton_of(source), invariant, budget)
    for i, move in enumerate(moves):
        low, high = logits[i].fractions(model.ops.scale or 1)
        yield source.law(move.state), low, high


def _stacks(model: Model, source: Dyck2Next, budget: Budget) -> Iterator[tuple[Law, Logits, Logits]]:
    """Every bracket that may be innermost, and none."""
    machine = stack_machine(model, 2, budget)
    depth = min(source.N, source.depth or source.N)
    tops = machine.prove_matching(machine.grain(depth), rising=machine.grain(depth - 1))
    for top, over in tops.items():
        lines = machine.logits(over)
        ends = list(zip(lines.at(over.low), lines.at(over.high), strict=True))
        yield source.topped(top), [min(pair) for pair in ends], [max(pair) for pair in ends]
