"""Guided search for an input on which a model fails: best first, in climbs that begin anew when they no longer get anywhere.

A climb remembers every input that it has met, with the lead of the right answer there. Each round changes the inputs with the least
leads; an input counts as a little less promising for each neighbour of it that was tried. Rounds are small in the first climbs, where a
failure is often near, and larger later, where batches save time. A gradient costs a pass forward and one back: it counts as three
evaluations of its row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np

from separatrix.certificates.evaluator import rows_of
from separatrix.refuters.leads import Floats, Leads, Subject, Tokens, asked, stacked
from separatrix.refuters.substitutions import allowed, guided_neighbours, random_neighbour
from separatrix.tasks import Batch, Task

FEW = 16  # cases of each family that a climb begins with
ROUND, LARGEST = 12, 96  # neighbours in a round: of the first climb, of the longest-running search
PARENTS = 2  # neighbours for each input that is changed in a round
PATIENCE = 16  # rounds without a clearly smaller lead after which a climb ends
CLEARLY = 0.95  # of the least lead before
WEARY = 0.02  # of the climb's median lead, for each neighbour that was tried
GUIDED = 4  # every fourth round follows gradients
GRADIENT = 3  # evaluations that a gradient counts as
DRAWS = 20  # proposals drawn for each neighbour that is wanted, most of which the oracle may refuse
Progress = Callable[[str], None]


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


@dataclass
class Climb:
    """The inputs that were met, each with its lead, the neighbours tried, and whether its gradient was followed."""

    rows: list[Batch] = field(default_factory=list)
    inputs: dict[Tokens, int] = field(default_factory=dict)  # and their places in the lists
    leads: list[float] = field(default_factory=list)
    tried: list[int] = field(default_factory=list)
    followed: set[int] = field(default_factory=set)

    def add(self, batch: Batch, lead: Floats) -> None:
        """Remember what was evaluated."""
        for r in range(len(batch.tokens)):
            tokens = batch.row(r)
            if tokens not in self.inputs:
                self.inputs[tokens] = len(self.rows)
                self.rows.append(rows_of(batch, np.array([r])))
                self.leads.append(float(lead[r]))
                self.tried.append(0)

    def promising(self, count: int) -> list[int]:
        """The places of the inputs with the least leads; every neighbour that failed makes one a little less promising."""
        leads = np.array(self.leads)
        order = np.argsort(leads + WEARY * float(np.median(np.abs(leads))) * np.array(self.tried), kind="stable")
        return [int(place) for place in order[:count]]


def judged(subject: Subject, batch: Batch, account: Account, kind: str) -> tuple[Leads, Failure | None]:
    """The leads of a batch, written into the account, and the worst failure among them."""
    result = subject.leads(batch)
    account.spend(kind, len(batch.tokens))
    account.least = min(account.least, float(result.lead.min(initial=np.inf)))
    wrong = np.flatnonzero(result.wrong)
    return result, failure_at(result, batch, int(wrong[result.lead[wrong].argmin()])) if len(wrong) else None


def failure_at(result: Leads, batch: Batch, row: int) -> Failure:
    """The failure that one row of a batch shows."""
    one = rows_of(batch, np.array([row]))
    said, expected = int(result.said[row]), int(result.expected[row])
    return Failure(batch.row(row), int(result.position[row]), said, expected, float(result.lead[row]), one)


def guided_search(
    subject: Subject,
    account: Account,
    seed: int,
    progress: Progress | None = None,
    guided: bool = True,
    first: Climb | None = None,
) -> Failure | None:
    """Climbs until one fails or the account is spent; the first begins at the inputs that were met before, if there are any."""
    random, climb, size = np.random.default_rng(seed), first or Climb(), ROUND
    while account.left:
        if not climb.rows:
            for kind in subject.task.case_kinds:
                cases = subject.task.cases(kind, int(random.integers(1 << 31)), min(FEW, max(1, account.left)))
                failure = met(subject, cases, account, f"cases: {kind}", climb)
                if failure is not None or not account.left:
                    return failure
        failure = _climbed(subject, account, climb, size, random, progress, guided)
        if failure is not None:
            return failure
        climb, size = Climb(), min(LARGEST, size + ROUND // 2)
    return None


def met(subject: Subject, batch: Batch, account: Account, kind: str, climb: Climb) -> Failure | None:
    """Evaluate a batch and remember it; the worst failure in it."""
    result, failure = judged(subject, batch, account, kind)
    climb.add(batch, result.lead)
    return failure


def _climbed(
    subject: Subject, account: Account, climb: Climb, size: int, random: np.random.Generator, progress: Progress | None, guided: bool
) -> Failure | None:
    """Rounds of one climb, until it fails, gets nowhere, or the account is spent."""
    least, waited, rounds = min(climb.leads), 0, 0
    guided = guided and not subject.writes  # where a chain changes with its prompt, the gradient of one chain says little
    while account.left and waited < PATIENCE:
        if progress is not None:
            progress(f"guided search: {account.evaluations:,} evaluations, least lead {account.least:.4g}")
        parents = climb.promising(max(1, size // PARENTS))
        pairs = list(_guided(subject, account, climb, parents, size // ROUND, random)) if guided and rounds % GUIDED == 0 else []
        following = bool(pairs)
        pairs = pairs or list(_drawn(subject.task, climb, parents, size, random))
        if not pairs:
            return None
        batch, _ = asked(subject.task, [tokens for tokens, _ in pairs], stacked([climb.rows[parent] for _, parent in pairs]))
        for parent in {parent for _, parent in pairs} if following else [parent for _, parent in pairs]:
            climb.tried[parent] += 1  # what a gradient proposes counts once: its steps at many places go far
        if len(batch.tokens):
            failure = met(subject, rows_of(batch, slice(0, max(1, account.left))), account, "neighbours", climb)
            if failure is not None:
                return failure
        rounds, waited = rounds + 1, waited + 1
        if min(climb.leads) < CLEARLY * least:
            least, waited = min(climb.leads), 0
    return None


def _guided(
    subject: Subject, account: Account, climb: Climb, parents: list[int], count: int, random: np.random.Generator
) -> Iterator[tuple[Tokens, int]]:
    """Neighbours to which gradients point, of the best inputs whose gradient was not followed yet."""
    chosen = [parent for parent in parents if parent not in climb.followed][:count]
    climb.followed.update(chosen)
    if not chosen:
        return
    task, rows = subject.task, stacked([climb.rows[parent] for parent in chosen])
    proposals = guided_neighbours(subject.model, task, rows, allowed(task, rows.tokens.shape[1]), random)
    account.spend("gradients", 0 if proposals is None else GRADIENT * len(chosen))
    for parent, near in zip(chosen, proposals or [], strict=False):
        yield from ((tokens, parent) for tokens in _new(near, climb))


def _drawn(task: Task, climb: Climb, parents: list[int], size: int, random: np.random.Generator) -> Iterator[tuple[Tokens, int]]:
    """Neighbours that are drawn, most of them of the best inputs; mates come from the whole climb."""
    alphabets = task.alphabets()
    every, wanted = list(climb.inputs), {}
    for _ in range(DRAWS * size):
        parent = parents[min(len(parents) - 1, int(random.exponential(len(parents) / 3)))]
        tokens = climb.rows[parent].row(0)
        near = random_neighbour(tokens, alphabets[: len(tokens)], random, every[int(random.integers(len(every)))])
        if near not in climb.inputs and near not in wanted and task.answer(near) is not None:
            wanted[near] = parent
            if len(wanted) == size:
                break
    yield from wanted.items()


def _new(rows: Iterable[Tokens], climb: Climb) -> list[Tokens]:
    return [tokens for tokens in dict.fromkeys(rows) if tokens not in climb.inputs]
