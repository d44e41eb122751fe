"""How low the cross-entropy of a softmax Transformer can be on PARITY and 2DYCK at one length, from the norms of its own weights.

[hahn2020 Theorem 6] [hahn2020 Lemma 5]

The prediction is read at the last symbol. Exchanging one symbol before it moves a log-probability by at most k, twice the influence on a
logit. But the law of the next symbol hangs on that symbol:

    PARITY   the last symbol but one turns the state, given the last one and all others. Of the two states the rarer has probability
             (1 - p)/(2 - p), so the cross-entropy is at least that of a predictor which sees the last symbol only, less k (1 - p)/(2 - p).
    2DYCK    after a closing bracket the innermost open one, if there is one, may as well have the other type. So the cross-entropy exceeds
             the optimum by at least P0 ((1 - p) ln 2 - k/2), with P0 the share of such prefixes.

With a read-out token that has no content, as at an end symbol, the level of PARITY is that of no symbol at all: `unigram`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from separatrix.certificates.predictions import Document, predictor_certificate
from separatrix.certificates.program import Program
from separatrix.errors import BadInput
from separatrix.models.decoders.position import Positions
from separatrix.models.model import Model
from separatrix.refuters.influence import influence_bound
from separatrix.tasks.next_symbol import Dyck2Next, NextSymbol, ParityNext, survivors

LESS = 1 - 1e-6  # of what is derived is claimed: the checker rounds norms up


@dataclass(frozen=True)
class Floor:
    """A lower bound on the cross-entropy of a model, in nats."""

    nats: float
    optimum: float
    moves: float  # the most that one symbol changes a log-probability

    @property
    def excess(self) -> float:
        """Above the optimum; the bound says nothing where this is not positive."""
        return self.nats - self.optimum


def cross_entropy_floor(model: Model, task: NextSymbol) -> Floor:
    """For prefixes of N symbols, read at the last one."""
    levels, moves = task.cross_entropies, 2 * influence_bound(model, task.length).logit
    if isinstance(task, ParityNext) and task.length >= 2:
        return Floor(levels.last_symbol - moves * (1 - task.p) / (2 - task.p), levels.optimal, moves)
    if isinstance(task, Dyck2Next):
        inside = survivors(task.p, task.length).closed
        return Floor(levels.optimal + inside * max(0.0, (1 - task.p) * math.log(2) - moves / 2), levels.optimal, moves)
    raise BadInput(f"a floor is known for parity-next from N = 2 on and for dyck-2-next, found {task.name} at N = {task.length}")


def floor_certificate(model: Model, task: NextSymbol, floor: Floor) -> Document:
    """The certificate of a floor above the optimum."""
    if not floor.excess > 0:
        raise BadInput(
            f"one symbol may move a log-probability by {floor.moves:.3g}: no floor above the optimum follows at N = {task.length}"
        )
    parameters = {"length": task.length, "p": task.p} | ({"depth": None} if isinstance(task, Dyck2Next) else {})
    claim = {"task": task.name, "parameters": parameters}
    return predictor_certificate(Program(model, Positions()), claim, "at-least", floor.excess * LESS)
