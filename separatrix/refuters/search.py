"""Guided search for an input on which a model fails: many chains side by side, each moving to the neighbour with the least lead.

A chain starts at a drawn input with a small lead, and starts again elsewhere when it no longer gets anywhere. All evaluations are
batched. A gradient costs a pass forward and one back: it counts as three evaluations of its row.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from separatrix.certificates.evaluator import rows_of
from separatrix.refuters.leads import Floats, Leads, Subject, Tokens, asked
from separatrix.refuters.substitutions import allowed, guided_neighbours, random_neighbour
from separatrix.tasks import Batch
from separatrix.tasks.task import Integers

CHAINS = 16
NEIGHBOURS = 8  # of each chain in each round; half of them guided
PATIENCE = 6  # rounds without a smaller lead after which a chain starts again
POOL = 4  # inputs drawn for each new start, of which that with the least lead is taken
GRADIENT = 3  # evaluations that a gradient counts as


@dataclass
class Account:
    """What was tried so far, and the least lead seen."""

    limit: int
    evaluations: int = 0
    least: float = float("inf")
    by_kind: dict[str, int] = field(default_factory=dict)

    @property
    def left(self) -> int:
        """Evaluations that may still be spent."""
        return max(0, self.limit - self.evaluations)

    def spend(self, kind: str, count: int) -> None:
        """Count evaluations of one kind."""
        self.evaluations += count
        self.by_kind[kind] = self.by_kind.get(kind, 0) + count


@dataclass(frozen=True)
class Failure:
    """An input, and a scored position at which the model's answer is wrong."""

    tokens: Tokens
    position: int  # from 0
    said: int
    expected: int
    lead: float
    batch: Batch  # the row itself

    @property
    def margin(self) -> float:
        """The lead of what the model says over the right answer."""
        return -self.lead


def judged(subject: Subject, batch: Batch, account: Account, kind: str) -> tuple[Leads, Failure | None]:
    """The leads of a batch, written into the account, and the worst failure among them."""
    result = subject.leads(batch)
    account.spend(kind, len(batch.tokens))
    account.least = min(account.least, float(result.lead.min(initial=np.inf)))
    wrong = np.flatnonzero(result.wrong)
    return result, failure_at(result, batch, int(wrong[result.lead[wrong].argmin()])) if len(wrong) else None


def failure_at(result: Leads, batch: Batch, row: int) -> Failure:
    """The failure of one row."""
    one = rows_of(batch, np.array([row]))
    said, expected = int(result.said[row]), int(result.expected[row])
    return Failure(batch.row(row), int(result.position[row]), said, expected, float(result.lead[row]), one)


def guided_search(
    subject: Subject, account: Account, seed: int, progress: Callable[[str], None] | None = None, guided: bool = True
) -> Failure | None:
    """Chains until one fails, or until the account is spent."""
    task = subject.task
    random, alphabets = np.random.default_rng(seed), task.alphabets()
    chains, lead, failure = _starts(subject, account, CHAINS, random)
    if failure is not None or chains is None:
        return failure
    may = allowed(task, chains.tokens.shape[1])
    waited = np.zeros(CHAINS, dtype=np.int64)
    while account.left:
        if progress is not None:
            progress(f"guided search: {account.evaluations:,} evaluations, least lead {account.least:.4g}")
        proposals = None
        if guided and not subject.writes:  # where a chain changes with its prompt, the gradient of one chain says little
            proposals = guided_neighbours(subject.model, task, chains, may, NEIGHBOURS // 2, random)
            account.spend("gradients", GRADIENT * len(chains.tokens) if proposals is not None else 0)
        rows, owner = [], []
        for c in range(len(chains.tokens)):
            tokens = chains.row(c)
            near = [] if proposals is None else proposals[c]
            mate = chains.row(int(random.integers(len(chains.tokens))))
            near = [*near, *(random_neighbour(tokens, alphabets[: len(tokens)], random, mate) for _ in range(NEIGHBOURS - len(near)))]
            rows += near
            owner += [c] * len(near)
        owners = np.array(owner)
        batch, places = asked(task, rows, rows_of(chains, owners, chains.tokens.shape[1]))
        waited += 1
        if len(batch.tokens):
            result, failure = judged(subject, batch, account, "neighbours")
            if failure is not None:
                return failure
            chains = _moved(chains, lead, batch, result.lead, owners[places], waited)
        stuck = np.flatnonzero(waited > PATIENCE)
        if len(stuck):
            fresh, fresh_lead, failure = _starts(subject, account, len(stuck), random)
            if failure is not None or fresh is None:
                return failure
            _write(chains, stuck, fresh)
            lead[stuck], waited[stuck] = fresh_lead, 0
    return None


def _starts(subject: Subject, account: Account, count: int, random: np.random.Generator) -> tuple[Batch | None, Floats, Failure | None]:
    """Inputs with a small lead: of each POOL that are drawn, one; half of the draws are adversarial where the task has such families."""
    if not account.left:
        return None, np.zeros(0), None
    task = subject.task
    kind = task.case_kinds[int(random.integers(len(task.case_kinds)))] if random.integers(2) else "random"
    pool = task.cases(kind, int(random.integers(1 << 31)), POOL * count)
    result, failure = judged(subject, pool, account, f"cases: {kind}")
    best = np.argsort(result.lead, kind="stable")[:count]
    chosen = rows_of(pool, best, pool.tokens.shape[1])
    copied = Batch(chosen.tokens.copy(), chosen.targets.copy(), chosen.mask.copy(), chosen.lengths.copy())
    return copied, result.lead[best].copy(), failure


def _moved(
    chains: Batch,
    lead: Floats,
    batch: Batch,
    reached: Floats,
    owner: Integers,
    waited: Integers,
) -> Batch:
    """Each chain at its best neighbour, if that has a smaller lead."""
    for r in np.argsort(-reached, kind="stable"):  # the best last, so that it stays
        c = int(owner[r])
        if reached[r] < lead[c]:
            lead[c], waited[c] = reached[r], 0
            _write(chains, np.array([c]), rows_of(batch, np.array([r]), batch.tokens.shape[1]))
    return chains


def _write(chains: Batch, places: Integers, rows: Batch) -> None:
    """Other rows at some places of a batch of our own; a narrower batch is padded."""
    n = rows.tokens.shape[1]
    for mine, other in ((chains.tokens, rows.tokens), (chains.targets, rows.targets), (chains.mask, rows.mask)):
        mine[places] = 0
        mine[places, :n] = other
    chains.lengths[places] = rows.lengths
