"""Runs cases through a built model: how many are wrong, by what margin, and a hash of all decisions."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from separatrix.certificates.built import Built
from separatrix.certificates.evaluator import Floats, logits_of, rows_of, with_chains, with_vectors
from separatrix.errors import BadInput
from separatrix.models.decoders.decoder import Decoder
from separatrix.models.decoders.rounding import Rounding
from separatrix.tasks import Batch, Task
from separatrix.tasks.capabilities import chain_of, search_of, stop_of, vectors_of
from separatrix.tasks.task import Integers, read_at_end

AT_ONCE = 1 << 22  # tokens drawn at a time
Piece = tuple[str, int, Batch]  # the family of the cases, the number of the first, and the cases


def pieces(task: Task, families: Iterable[dict[str, Any]]) -> Iterator[Piece]:
    """The cases of all families, in batches of one forward pass each."""
    for family in families:
        for first, batch in batches(task, family):
            yield family["kind"], first, batch


def batches(task: Task, family: dict[str, Any]) -> Iterator[tuple[int, Batch]]:
    """The cases of one family, with the number of the first of each batch."""
    if family["kind"] == "all":
        inputs = list(task.inputs())
        yield 0, _scored_at_end(task, inputs)
        return
    seed, count = family["seed"], family["count"]
    if family["kind"] == "random":
        step = max(1, AT_ONCE // (2 * task.length + 2))
        for first in range(0, count, step):
            yield first, task.sample(seed, min(step, count - first), first)
        return
    whole = task.cases(family["kind"], seed, count)
    step = max(1, AT_ONCE // max(1, whole.tokens.shape[1]))
    for first in range(0, len(whole.tokens), step):
        yield first, rows_of(whole, slice(first, first + step))


@dataclass(frozen=True)
class Trial:
    """The result on some cases: how many, how many wrong, the least margin, a hash of all decisions, the first wrong case."""

    cases: int
    distinct: int
    errors: int
    margin: float
    decisions: str
    answers: int  # distinct right answers, counted up to two
    counterexample: dict[str, Any] | None

    @property
    def holds(self) -> bool:
        """Whether every decision was right."""
        return self.errors == 0


def trial(built: Built, families: Iterable[dict[str, Any]]) -> Trial:
    """Run families of cases of the task, by name, seed and count, through the model."""
    return run(built, with_thought(built, pieces(built.task, families)))


def with_thought(built: Built, cases: Iterable[Piece]) -> Iterator[Piece]:
    """The cases as the program is judged on them: if it writes, each with the chain of the task, whose every token is scored.

    What a search returns is given, so it is not scored.
    """
    for kind, first, batch in cases:
        yield kind, first, thinking_batch(built.program.decoder, built.task, batch) if built.program.writes else batch


def thinking_batch(decoder: Decoder, task: Task, batch: Batch) -> Batch:
    """Inputs with the chains that a decoder should write after them."""
    if isinstance(decoder, Rounding):
        vectors = vectors_of(task, batch.tokens)
        if vectors is None:
            raise BadInput(f"{task.name}: the program writes vectors, but the task has none")
        return with_vectors(*vectors)
    prompts = [batch.row(r) for r in range(len(batch.tokens))]
    chains = [chain_of(task, prompt) for prompt in prompts]
    stop, search = stop_of(task), search_of(task)
    if stop is None or None in chains:
        raise BadInput(f"{task.name}: the program writes a chain, but the task has none")
    thinking = with_chains(prompts, [chain for chain in chains if chain is not None], stop)
    if search is None:
        return thinking
    given = thinking.mask & (thinking.tokens == search.end)
    return replace(thinking, targets=np.where(given, 0, thinking.targets), mask=thinking.mask & ~given)


def run(built: Built, cases: Iterable[Piece], progress: Callable[[str], None] | None = None) -> Trial:
    """Run every case through the model."""
    total, errors, margin, decisions = 0, 0, np.inf, hashlib.sha256()
    counterexample: dict[str, Any] | None = None
    inputs: set[bytes] = set()
    answers: set[bytes] = set()
    for kind, first, batch in cases:
        logits = logits_of(built.model, batch)
        expected, rows = batch.targets[batch.mask], np.nonzero(batch.mask)[0]
        predicted = decided(built.program.decoder, logits)
        decisions.update(predicted.astype("<i8").tobytes())
        margin = min(margin, _margin(built.program.decoder, logits, expected))
        wrong = np.unique(rows[(predicted != expected).reshape(len(rows), -1).any(axis=1)])
        errors += len(wrong)
        if len(wrong) and counterexample is None:
            counterexample = _counterexample(kind, first, batch, int(wrong[0]), predicted, expected, rows)
        total += len(batch.tokens)
        for r in range(len(batch.tokens)):
            inputs.add(hashlib.sha256(batch.tokens[r, : batch.lengths[r]].astype("<i8").tobytes()).digest())
            if len(answers) < 2:
                answers.add(batch.targets[r][batch.mask[r]].astype("<i8").tobytes())
        if progress is not None:
            progress(f"{kind}: {total} cases, {errors} wrong")
    return Trial(total, len(inputs), errors, float(margin), decisions.hexdigest(), len(answers), counterexample)


def decided(decoder: Decoder, logits: Floats) -> Integers:
    """What is read from logits [scored, targets]: the most likely target, or the nearest integers."""
    with np.errstate(invalid="ignore"):  # what is not a number becomes an integer that no answer is
        return np.rint(logits).astype(np.int64) if isinstance(decoder, Rounding) else logits.argmax(axis=1)


def _margin(decoder: Decoder, logits: Floats, expected: Integers) -> float:
    if isinstance(decoder, Rounding):
        return float((0.5 - np.abs(logits - expected)).min())
    rows = np.arange(len(expected))
    right = logits[rows, expected]
    if logits.shape[1] == 1:
        return float(right.min())
    others = logits.copy()
    others[rows, expected] = -np.inf
    return float((right - others.max(axis=1)).min())


def _counterexample(kind: str, first: int, batch: Batch, row: int, predicted: Any, expected: Any, rows: Any) -> dict[str, Any]:
    tokens = batch.tokens[row, : batch.lengths[row]].tolist()
    here = rows == row
    return {
        "kind": kind,
        "number": first + row,
        "tokens": tokens,
        "said": predicted[here].tolist(),
        "expected": expected[here].tolist(),
        "at": [int(i) + 1 for i in np.flatnonzero(batch.mask[row])],
    }


def _scored_at_end(task: Task, inputs: list[tuple[int, ...]]) -> Batch:
    """Inputs of full length with the oracle's answers, as a batch scored at the last token."""
    tokens = np.array(inputs, dtype=np.int64)
    return read_at_end(tokens, np.full(len(tokens), tokens.shape[1]), np.array([task.answer(row) for row in inputs]))
