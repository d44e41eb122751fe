"""What cannot be tracked at any size: regular languages that count, against updates that keep an order, as facts about all lengths.

    PARITY    Mamba: impossible, whatever the sizes; the certificate is the word that PARITY counts modulo 2

The verdicts are those of `separatrix decide` (bounds/languages/decisions.py). A fact here says that no one model of the architecture, with
numbers of any finite format, is right at all lengths; at one length a model that is large enough may be.
What windows see is a fact of its own (needed.py), and finer.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, cast

from separatrix.architectures import Architecture, Mode
from separatrix.errors import BadInput
from separatrix.ledger.fact import Evidence, Fact, Lengths, Strength, What
from separatrix.ledger.reductions import harder_tasks
from separatrix.tasks import Task, is_a

if TYPE_CHECKING:
    from separatrix.bounds.languages.decisions import Facts
    from separatrix.tasks.regular import Regular
    from separatrix.tasks.state_tracking import StateTracking

ARGUMENT = "monotone maps that depend on the position"
FINITE = "One model for all lengths, token by token, numbers of any finite format"
LANGUAGES = 64  # kept


def decided_facts(task: Task) -> Iterator[Fact]:
    """What is decided of a task that is a regular language, or asks for the states of one; nothing of any other, or of one too large.

    Whoever knows the state of the minimal automaton after every symbol knows whether the word so far is in the language.
    """
    language = task if is_a(task, "state-tracking") else language_of(task)
    if language is None:
        return
    asked = cast("Regular | StateTracking", language)
    for architecture, why, key, caveat in impossible(asked.language, asked.alphabet):
        certified = key != ARGUMENT
        strength: Strength = "proven" if certified else "declared"
        parameters = {name: value for name, value in task.parameters.items() if name != "length"}
        yield Fact(
            task.name, parameters, architecture, Mode.ALONE, "any", Lengths("all"), What.IMPOSSIBLE, "", None, strength,
            Evidence("certificate" if certified else "statement", key),
            more={"formula": why, "cites": "", "caveat": caveat, "tight": False, "deterministic_only": False},
        )  # fmt: skip


def language_of(task: Task) -> Regular | None:
    """The regular language that a task is, or is under another name."""
    same = (harder for reduction, harder in harder_tasks(task) if reduction.same)
    return cast("Regular | None", next((language for language in (task, *same) if is_a(language, "regular")), None))


@lru_cache(LANGUAGES)
def impossible(language: str, alphabet: str | None) -> tuple[tuple[Architecture, str, str, str], ...]:
    """Architecture, why, the digest of the certificate or the name of the argument, and the caveat, for each that cannot do it."""
    from separatrix.bounds.languages.decisions import facts_of, rows
    from separatrix.bounds.languages.monoid import syntactic_monoid
    from separatrix.bounds.languages.verdict_rules import BARRIER, IMPOSSIBLE, INSIDE_WITH_POSITIONS
    from separatrix.tasks.languages.given import given_language

    given = given_language(language, alphabet)
    monoid = syntactic_monoid(given.automaton) if given.group is None else None
    if monoid is not None and monoid.aperiodic:
        return ()  # it counts nothing
    try:
        facts = facts_of(given)
    except BadInput:
        return ()  # too large to decide
    refuted = {row.architecture: row.explained for row in rows(facts) if row.verdict == IMPOSSIBLE}
    digest = certificate_of(facts, given.expression)
    found = []
    for name, why in refuted.items():
        if name not in {*Architecture}:
            continue
        if name in BARRIER and digest is not None:
            also = "; with them by Ramsey's theorem, without a certificate" if f"{name}-positions" in refuted else ""
            found.append((Architecture(name), why, digest, f"{FINITE}; without positions{also}."))
        elif name in INSIDE_WITH_POSITIONS:
            found.append((Architecture(name), why, ARGUMENT, f"{FINITE}."))
    return tuple(found)


def certificate_of(facts: Facts, expression: str | None) -> str | None:
    """The digest of the certificate that `separatrix decide --out` writes."""
    from separatrix.certificates.period import period_certificate

    found = facts.period
    if found is None:
        return None
    digest: str = period_certificate(facts.automaton, (found.x, found.u, found.y), found.p, None, expression)["digest"]
    return digest
