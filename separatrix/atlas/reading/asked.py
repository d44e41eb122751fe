"""Answers to one question for every task, architecture and length: can a model of this kind do it? Each from facts of the ledger."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from separatrix.architectures import COLUMNS, Architecture, Mode
from separatrix.atlas.page import cell_link, statement_link
from separatrix.atlas.reading.cells import WITH, Cell, about, amount, result_of, size_of
from separatrix.atlas.typography import number
from separatrix.errors import BadInput
from separatrix.ledger.built import declared_size
from separatrix.ledger.cells import is_learned
from separatrix.ledger.decided import language_of
from separatrix.ledger.fact import Fact, Lengths
from separatrix.ledger.needs import LENGTHS, needs_of
from separatrix.ledger.subject import subject_of, subject_words
from separatrix.papers import statements
from separatrix.records.task_choices import bounded_task
from separatrix.tasks import TASKS

AIDED = {Mode.ALONE: "", Mode.CHAIN: ", with a chain of thought", Mode.RETRIEVAL: ", with retrieval"}
TRACKING = "state-tracking.html"
NO, YES, PARTLY, OPEN = "no", "yes", "partly", "open"


@dataclass(frozen=True)
class Reason:
    """One sentence of an answer, and the page that shows more."""

    text: str
    link: str = ""


@dataclass(frozen=True)
class Reply:
    """The answer for one task, architecture and length: a tone, a headline, reasons, and weights to run where there are any."""

    tone: str
    headline: str
    reasons: tuple[Reason, ...]
    run: str = ""  # the page on which certified weights run


def replies(
    cells: Mapping[str, Mapping[Architecture, Cell]], pages: Mapping[str, str], playable: frozenset[str]
) -> dict[str, dict[Architecture, tuple[Reply, ...]]]:
    """By task and architecture, a reply for each of LENGTHS; `pages` has the page of each certificate, `playable` those that run it."""
    known = frozenset(one.key for one in statements())
    found: dict[str, dict[Architecture, tuple[Reply, ...]]] = {}
    for task in TASKS:
        needs = needs_of(task)
        found[task] = {
            one: tuple(reply(cells[task][one], N, needs[N].get(one), pages, playable, known) for N in LENGTHS) for one in COLUMNS
        }
    return found


def reply(
    cell: Cell, N: int, need: Fact | None, pages: Mapping[str, str], playable: frozenset[str], known: frozenset[str] = frozenset()
) -> Reply:
    """What the ledger says of one task on one architecture at length N."""
    model, reasons = cell.architecture.heading, []
    never = next((fact for fact in cell.known.impossible if covers(fact.lengths, N)), None)
    built = [(mode, fact) for mode in Mode for fact in cell.known.built(mode)]
    here = next(((mode, fact) for mode, fact in built if covers(fact.lengths, N)), None)
    other = min(built, key=lambda one: (one[0] is not Mode.ALONE, abs((one[1].lengths.N or 0) - N)), default=None)
    mode, fact = here or other or (Mode.ALONE, None)
    own = cell_link(cell.task, cell.architecture)
    if never is not None:
        every = never.lengths.kind == "all"
        where = (
            "all lengths, whatever its size; at one length a large enough one may be" if every else f"{never.lengths}, whatever its size"
        )
        reasons.append(_because(f"{model}: no one model is right at {where} ({never.strength})", never, known))
        if every and language_of(bounded_task(cell.task)) is not None:
            reasons.append(Reason("There are words on which every such model fails; the languages that it can track are known.", TRACKING))
    if need is not None:
        reasons.append(_because(f"Below {amount(need)} none is right on every input", need, known))
    if fact is not None:
        reasons.append(_sentence(f"{WITH[mode]}built: {size_of(fact)} ({fact.strength})", pages.get(fact.evidence.key, own)))
        if here is None:
            reasons.append(_sentence(elsewhere(fact, N), own))
        if any(name == "language" for name, _ in subject_of(fact)):
            reasons.append(Reason("Which regular languages each architecture recognises is decided language by language.", TRACKING))
    learned = next(((mode, one) for mode in Mode for one in cell.known.learned(mode)), None)
    if learned is not None:
        reasons.append(_sentence(f"{WITH[learned[0]]}{result_of(learned[1])}", own))
    if not reasons:
        reasons.append(Reason("We have neither a bound nor weights nor a trained model.", own))
    page = pages.get(fact.evidence.key, "") if fact is not None else ""
    return Reply(*_verdict(never, here, fact, need, learned), tuple(reasons), f"{page}#play" if page in playable else page)


def elsewhere(fact: Fact, N: int) -> str:
    """What the construction of a certificate at another length can do at length N."""
    try:
        task = bounded_task(fact.task).at(N)
        size = None if fact.inherited else declared_size(fact, task)
    except BadInput:
        size = None
    if size is None:
        return f"at N = {number(N)} we have no certificate"
    at_N = replace(fact, value=size, lengths=Lengths("one", N), parameters=task.parameters)
    return (
        f"at N = {number(N)} its formula gives {amount(at_N)}{about(at_N)}, without a certificate so far; "
        f"`separatrix verify {fact.more['construction']} --length {N}` makes one"
    )


def covers(lengths: Lengths, N: int) -> bool:
    """Whether a fact about these lengths is about inputs of length N."""
    return lengths.kind == "all" or (lengths.N or 0) == N or (lengths.kind == "up to" and (lengths.N or 0) > N)


def _verdict(
    never: Fact | None, here: tuple[Mode, Fact] | None, built: Fact | None, need: Fact | None, learned: tuple[Mode, Fact] | None
) -> tuple[str, str]:
    """The tone and the headline."""
    if here is not None:
        words = subject_words(here[1])
        return YES, f"Yes{AIDED[here[0]]}{f' ({words})' if words else ''}: {amount(here[1])}"
    if never is not None:
        said = "Not with one model for all lengths" if never.lengths.kind == "all" else "No, at no size"
        return (NO, said) if never.decides else (PARTLY, f"{said}, by a theorem that is cited")
    if built is not None:
        return PARTLY, f"Built and certified at N = {number(built.lengths.N)}"
    if need is not None:
        return PARTLY, f"Not below {amount(need)}"
    if learned is not None and is_learned(learned[1]):
        return PARTLY, "Learned, nothing proven"
    return OPEN, "Open"


def _sentence(text: str, link: str) -> Reason:
    """A sentence with a capital letter at its start and a full stop at its end."""
    return Reason(f"{text[:1].upper()}{text[1:]}.", link)


def _because(text: str, fact: Fact, known: frozenset[str]) -> Reason:
    """A sentence with the statement that it rests on."""
    cites = str(fact.more.get("cites") or "")
    link = statement_link(cites) if cites in known else cell_link(fact.task, fact.architecture)
    return Reason(f"{text} ({cites})." if cites else f"{text}.", link)
