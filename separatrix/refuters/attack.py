"""An input on which a model fails: families, collisions and guided search look for it, and it is made as simple as it gets.

[bhattamishra2024 Theorem 2; bhattamishra2024 Theorem 4] [hahn2020 Theorem 1]

    periods       on a language: so many blocks that it counts that a recurrent model does not count them any more
    families      the task's own adversarial cases, among them one for every position that it asks about
    restrictions  tokens fixed until a model of hard attention says the same on all that is left
    collisions    two prefixes with one state, where the state is small; one transcript on four inputs, for one layer in fixed point
    guided        substitutions that lower the lead of the right answer, best first
    lengths       the same at other lengths, if asked for

Where nothing is found, the account says what was tried and how small the lead was: no proof.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from separatrix.bounds.communication.prompts import REDUCTIONS
from separatrix.bounds.lower import string_count
from separatrix.certificates.evaluator import rows_of
from separatrix.certificates.program import Program
from separatrix.checker import check_document
from separatrix.errors import BadInput
from separatrix.models.decoders.rounding import Rounding
from separatrix.models.mixers.attention import MultiHeadAttention
from separatrix.models.model import Model, State
from separatrix.refuters.collisions import MOST_STRINGS, CollisionSearch, colliding_prefixes, colliding_transcripts
from separatrix.refuters.failures import FailureDocument, failure_document
from separatrix.refuters.leads import Subject, asked
from separatrix.refuters.messages import equal_messages
from separatrix.refuters.periods import automaton_of, first_failure, reading, steps_alike
from separatrix.refuters.restrictions import certificates, refuted
from separatrix.refuters.search import FEW, Account, Climb, Failure, guided_search, judged, met
from separatrix.refuters.shrinking import shrink
from separatrix.tasks import Task, is_of_the_package
from separatrix.tasks.languages.periods import period
from separatrix.tasks.recognition import Recognition

SYMBOLS_READ = 2000  # of blocks, one after the other
POSITIONS = 4096  # of a family that asks about every position once
SMALL_STATE = 64  # bits within which equal states are likely among a thousand prefixes
PREFIXES = 1024
PAIRS = 64  # of prefixes with one state that are tried
Progress = Callable[[str], None]


@dataclass(frozen=True)
class Attack:
    """The document of a failure, or None, and what was tried."""

    found: FailureDocument | None
    task: Task  # at the length at which it fails; else the one asked for
    tried: dict[str, Any]
    least_margin: float | None
    failure: Failure | None = None
    first: Failure | None = field(default=None, repr=False)  # as it was found, before it was made simpler

    def document(self) -> dict[str, Any]:
        """The outcome of the search as JSON."""
        if self.found is not None:
            return self.found.document
        return {"found": False, "tried": self.tried, "least_margin": self.least_margin}


def attack(
    model: nn.Module | Program,
    place: str,
    task: Task,
    evaluations: int = 20_000,
    seed: int = 0,
    lengths: Sequence[int] = (),
    progress: Progress | None = None,
    guided: bool = True,
) -> Attack:
    """Try everything within a number of evaluations, shared by the lengths; the first failure ends the search."""
    if evaluations < 1:
        raise BadInput(f"the number of evaluations must be at least 1, found {evaluations}")
    subject = _subject(model, task)
    account = Account(0)
    tried: dict[str, Any] = {}
    for at in (task, *(task.at(length) for length in lengths)):
        subject = replace(subject, task=at)
        _refuse_unfit(subject.model, at)
        account.limit = account.evaluations + -(-evaluations // (1 + len(lengths)))
        if at is task:  # the words that it finds have lengths of their own
            found = _by_period(subject, account, tried)
            if found is not None:
                there, wrong = found
                return Attack(failure_document(there, place, wrong), there.task, _told(tried, account), wrong.lead, wrong, wrong)
        certificate = _by_collision(subject, tried) or _by_restriction(subject, tried)
        if certificate is not None:
            return Attack(FailureDocument(certificate), at, _told(tried, account), None)
        climb = Climb()
        failure = (
            _by_families(subject, account, seed, progress, climb)
            or _by_sampled_collision(subject, account, seed, tried)
            or _by_message(subject, account, seed, tried)
            or guided_search(subject, account, seed, progress, guided, climb)
        )
        if failure is not None:
            told, first = _told(tried, account), failure
            simple = shrink(subject, failure, account)
            return Attack(_document(subject, place, simple, first), at, told, simple.lead, simple, first)
    least = account.least if np.isfinite(account.least) else None
    return Attack(None, task, _told(tried, account), least)


def _document(subject: Subject, place: str, simple: Failure, first: Failure) -> FailureDocument:
    """The simplest failure as a certificate, else the first one, else a record: a simple input may fail by too little to be certain."""
    documents = [failure_document(subject, place, failure) for failure in (simple, first)]
    return next((document for document in documents if not document.why_not), documents[0])


def _told(tried: dict[str, Any], account: Account) -> dict[str, Any]:
    return {**tried, **account.by_kind, "evaluations": account.evaluations}


def _subject(model: nn.Module | Program, task: Task) -> Subject:
    """A model read at the task's own positions, or a program with its decoder."""
    if not isinstance(model, Program):
        return Subject(model.eval(), task)
    if isinstance(model.decoder, Rounding):
        raise BadInput("an attack changes tokens, and this program writes vectors: `separatrix verify` tries it on more cases")
    return Subject(model.model.eval(), task, model.decoder if model.writes else None)


def _refuse_unfit(model: nn.Module, task: Task) -> None:
    """Refuse a task with tokens or answers that the model does not know, or with more tokens than it reads."""
    if isinstance(model, Model):
        config, where = model.config, f"{task.name} at length {task.length}"
        if config.embedding.vocabulary < task.vocabulary:
            raise BadInput(f"{where} has {task.vocabulary} tokens, and the model knows {config.embedding.vocabulary}")
        if config.readout.targets < task.targets:
            raise BadInput(f"{where} has {task.targets} answers, and the model knows {config.readout.targets}")
        if 0 < config.length < task.token_count:
            raise BadInput(f"{where} has inputs of {task.token_count} tokens, and the model reads at most {config.length}")


def _by_period(subject: Subject, account: Account, tried: dict[str, Any]) -> tuple[Subject, Failure] | None:
    """A word of a language that counts a block, of so many blocks that a recurrent model fails; and the task at its length.

    A model inside the monotone barrier fails on such a word for certain, though it may be longer than what is read here.
    """
    model, task = subject.model, subject.task
    if subject.writes or not isinstance(task, Recognition) or not isinstance(model, Model) or not steps_alike(model):
        return None
    automaton = automaton_of(task)
    witness = None if automaton is None else period(automaton)
    if automaton is None or witness is None:
        return None
    block = "".join(task.letters[a] for a in witness.u)
    found = first_failure(model, automaton, witness, len(task.letters), task.length, task.length + SYMBOLS_READ)
    if found is None:
        tried["periods"] = f"it counts up to {SYMBOLS_READ:,} symbols of {block!r}"
        return None
    tried["periods"] = f"it does not count {found.blocks} blocks {block!r}"
    there = replace(subject, task=task.at(len(found.word)), model=reading(model, len(found.word) + 1))
    word = np.array([[*found.word, len(task.letters)]])
    batch = task.labelled(word, np.array([int(task.member(found.word))]))
    _, failure = judged(there, batch, account, "cases: periods")
    return None if failure is None else (there, failure)


def _by_families(subject: Subject, account: Account, seed: int, progress: Progress | None, climb: Climb) -> Failure | None:
    """A few cases of every family; of one that cycles through the positions, as many as it takes to ask about each once."""
    task = subject.task
    for kind in task.case_kinds:
        if progress is not None:
            progress(f"{kind} cases")
        every = kind in task.position_kinds and task.length <= POSITIONS
        cases = task.cases(kind, seed, task.length if every else FEW)
        for first in range(0, len(cases.tokens), FEW):
            size = min(FEW, account.left)
            failure = met(subject, rows_of(cases, slice(first, first + size)), account, f"cases: {kind}", climb) if size else None
            if failure is not None:
                return failure
    return None


def _by_collision(subject: Subject, tried: dict[str, Any]) -> dict[str, Any] | None:
    """A certificate of two prefixes, or of four inputs, among all inputs of a small task."""
    model, task = subject.model, subject.task
    if not isinstance(model, Model) or subject.writes or not task.scored_at_end or string_count(task, MOST_STRINGS) is None:
        return None
    searches: list[tuple[str, Callable[[], CollisionSearch]]] = []
    if model.causal and _state_bits(model, task.token_count) <= SMALL_STATE:
        searches.append(("prefixes", lambda: colliding_prefixes(model, task)))
    if len(model.layers) == 1 and model.numbers.format.kind == "fixed":
        searches.append(("transcripts", lambda: colliding_transcripts(model, task, range(task.token_count // 2))))
    for name, search in searches:
        try:
            result = search()
        except BadInput as refusal:
            tried[f"collisions of {name}"] = str(refusal)
            continue
        tried[f"collisions of {name}"] = result.tried
        if result.certificate is not None:
            return result.certificate
    return None


def _by_restriction(subject: Subject, tried: dict[str, Any]) -> dict[str, Any] | None:
    """Hard attention: a restriction after which the model says the same on inputs that need two answers.

    [hahn2020 Theorem 1]
    """
    model, task = subject.model, subject.task
    mixers = [layer.mixer for layer in model.each_layer()] if isinstance(model, Model) else []
    hard = bool(mixers) and all(isinstance(mixer, MultiHeadAttention) and mixer.config.scores == "hard" for mixer in mixers)
    if not hard or not isinstance(model, Model) or subject.writes or not is_of_the_package(task):
        return None
    try:
        found = refuted(model, task)
        document = None if found is None else certificates(model, task, found)[0]
    except BadInput as refusal:
        tried["restrictions"] = str(refusal)
        return None
    tried["restrictions"] = "none leaves two answers possible" if document is None else "one"
    return document if document is not None and check_document(document).holds else None


def _by_sampled_collision(subject: Subject, account: Account, seed: int, tried: dict[str, Any]) -> Failure | None:
    """Drawn prefixes that leave a small model in one state, and a suffix that needs two answers: it is wrong on one of the two."""
    model, task = subject.model, subject.task
    if subject.writes:
        return None
    if not isinstance(model, Model) or not model.causal or not task.scored_at_end or _state_bits(model, task.token_count) > SMALL_STATE:
        return None
    batch = task.sample(seed, PREFIXES)
    batch_tokens, n = torch.as_tensor(batch.tokens), int(batch.lengths.min())
    state, met = model.initial_state(len(batch_tokens)), 0
    for t in range(1, n):
        with torch.no_grad():
            state, _ = model.step(state, batch_tokens[:, t - 1])
        pairs = _equal_states(state, batch.tokens[:, :t])
        met += len(pairs)
        for a, b in pairs[:PAIRS]:
            for suffix in (batch.row(a)[t:], batch.row(b)[t:]):
                inputs = [batch.row(row)[:t] + suffix for row in (a, b)]
                answers = [task.answer(tokens) for tokens in inputs]
                if None not in answers and answers[0] != answers[1]:
                    both, _ = asked(task, inputs, task.sample(seed, 2))
                    _, failure = judged(subject, both, account, "collisions of drawn prefixes")
                    if failure is not None:
                        return failure
    tried["drawn prefixes in one state"] = met
    return None


def _by_message(subject: Subject, account: Account, seed: int, tried: dict[str, Any]) -> Failure | None:
    """Two prompts that differ in a bit which a small model has lost before it is asked for: it is wrong on one, also with a chain."""
    model, task = subject.model, subject.task
    if task.name not in REDUCTIONS or not isinstance(model, Model) or not model.causal:
        return None
    if _state_bits(model, task.token_count) > SMALL_STATE:
        return None
    found = equal_messages(model, task, seed, account.limit - account.evaluations)
    tried["strings with one message"] = 0 if found is None else 2
    if found is None:
        return None
    both, _ = asked(task, found.prompts, task.sample(seed, 2))
    return judged(subject, both, account, "prompts with one message")[1]


def _equal_states(state: State, prefixes: np.ndarray[Any, np.dtype[np.int64]]) -> list[tuple[int, int]]:
    """Pairs of rows with different prefixes and one state."""
    tensors = [tensor for layer in state.layers for tensor in layer]
    if not tensors or not all(isinstance(tensor, Tensor) for tensor in tensors):
        return []
    rows = torch.cat([tensor.reshape(len(tensor), -1).to(torch.float64) for tensor in tensors], dim=1).numpy()
    first: dict[bytes, int] = {}
    pairs = []
    for r in range(len(rows)):
        other = first.setdefault(rows[r].tobytes(), r)
        if (prefixes[other] != prefixes[r]).any():
            pairs.append((other, r))
    return pairs


def _state_bits(model: Model, tokens: int) -> float:
    try:
        return model.state_bits(tokens - 1, model.numbers.format.name)
    except BadInput:
        return float("inf")
