"""How far a predictor may be from the law of the next symbol: the largest divergence over all prefixes of a claim.

A recurrent model beside the automaton of the source, over every state that the two can reach together; or, where the state is a stack of
any depth, an interval of the model's one number for each bracket that may be innermost.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from separatrix.checker.budget import Budget
from separatrix.checker.models.model import Model
from separatrix.checker.numbers.values import Array
from separatrix.checker.oracles.forms.automaton import Automaton
from separatrix.checker.rules.machine import Search, refuse_others
from separatrix.checker.rules.proof import Unfit, Unproven
from separatrix.checker.rules.stacks import stack_machine
from separatrix.checker.seal import Refused
from separatrix.checker.sources import ROUNDED, Dyck2Next, Law, Source, State, entropy

LISTED = 8  # open brackets up to which every stack is a state


def largest_excess(model: Model, source: Source, budget: Budget) -> tuple[float, str]:
    """Nats above the optimum that no prefix of the claim exceeds, and how many states that is about."""
    try:
        deep = isinstance(source, Dyck2Next) and min(source.N, source.depth or source.N) > LISTED
        met = _stacks(model, source, budget) if deep and isinstance(source, Dyck2Next) else _states(model, source, budget)
        pairs = [(law, low, high) for law, low, high in met]
    except (Unproven, Unfit) as error:
        raise Refused(f"excess: not shown: {error}") from error
    about = "every stack that the number format holds" if deep else f"{len(pairs)} pairs of states of the source and of the model"
    return max(divergence(*pair) for pair in pairs), about


def divergence(law: Law, low: Array, high: Array) -> float:
    """Of a law from the softmax of logits between two bounds; never less than it is."""
    top = float(high.max())
    normaliser = top + float(np.log(np.exp(high - top).sum()))
    spoken = sum(float(q) * float(z) for q, z in zip(law, low, strict=True) if q > 0)
    return max(0.0, normaliser - spoken - entropy(law)) + ROUNDED


def _states(model: Model, source: Source, budget: Budget) -> Iterator[tuple[Law, Array, Array]]:
    """Every pair of states that at most N symbols lead to."""
    refuse_others(model)
    alphabet = range(source.symbols)

    def reads(state: State, symbol: int) -> bool:
        return source.step(state, symbol) is not None

    search = Search(model, Automaton((alphabet,) * source.N, source.start, source.step, lambda _: 0, reads), budget)
    search.read(alphabet, source.N)
    scale = float(model.ops.scale or 1)
    for pair in search.pairs.values():
        yield (
            source.law(pair.state),
            np.asarray(pair.logits.low[0], dtype=np.float64) / scale,
            np.asarray(pair.logits.high[0], float) / scale,
        )


def _stacks(model: Model, source: Dyck2Next, budget: Budget) -> Iterator[tuple[Law, Array, Array]]:
    """Every bracket that may be innermost, and none."""
    machine = stack_machine(model, 2, budget)
    depth = min(source.N, source.depth or source.N)
    tops = machine.prove_matching(machine.grain(depth), rising=machine.grain(depth - 1))
    for top, over in tops.items():
        lines = machine.logits(over)
        ends = np.array([[float(y) for y in lines.at(h)] for h in (over.low, over.high)])
        yield source.topped(top), ends.min(axis=0), ends.max(axis=0)
