"""What a fact is about besides its task and its lengths: the language, machine or circuit, and every parameter that is not at its default.

    regular, language = (ab)*    built by Mamba: true of this language, and false of `any regular language`

Parameters that only choose which inputs are drawn are left out: what is built is right on every input.
"""

from __future__ import annotations

import json
from functools import cache, lru_cache
from typing import Any

from separatrix.errors import BadInput
from separatrix.ledger.fact import Fact
from separatrix.records.task_choices import bounded_task, left_open, settings_of
from separatrix.tasks import Task, make_task

DRAWN_ONLY = ("distribution", "negatives", "graphs", "positives")
MODES = ("thought",)  # the mode of a fact says it
WHICH = ("language", "machine", "circuit", "function")  # which function is asked: named at its default too
LONGEST = 40  # characters of a value
SUBJECTS = 4096  # kept


def subject_of(fact: Fact) -> tuple[tuple[str, str], ...]:
    """The parameters that a fact names, in words: those without a default, and those that have another value than it."""
    chosen = _subject(fact.task, json.dumps(dict(fact.parameters), sort_keys=True, default=str))
    return (*chosen, ("attention", "without a causal mask")) if fact.more.get("sees_all") else chosen


def subject_words(fact: Fact) -> str:
    """`language = (ab)*, symbols = 2`, or nothing."""
    return ", ".join(f"{name} = {value}" for name, value in subject_of(fact))


def task_words(task: Task) -> str:
    """Every parameter of a task but its length, as it was asked for: `language = @s3, negatives = uniform`."""
    asked = ((key, getattr(task, key, value)) for key, value in settings_of(task) if key != "N")
    return ", ".join(f"{key} = {short_value(value)}" for key, value in asked)


@lru_cache(SUBJECTS)
def _subject(name: str, parameters: str) -> tuple[tuple[str, str], ...]:
    chosen = json.loads(parameters)
    try:
        task = make_task(name, **{"length": bounded_task(name).length, **chosen})
        unchosen = left_open(task)
    except BadInput:
        return tuple((key, short_value(value)) for key, value in chosen.items() if key != "length")
    left_out = {"length", *DRAWN_ONLY, *MODES}
    said = {key: value for key, value in task.parameters.items() if key not in left_out and value is not None}
    named = {key: value for key, value in said.items() if key in WHICH or key not in unchosen or value != unchosen[key]}
    return tuple((key, short_value(value)) for key, value in named.items())


def short_value(value: Any) -> str:
    """A value on one line; an automaton by its name in the gallery or its number of states, a long text by its first line."""
    text = str(value)
    if "\n" in text and (known := _circuits().get(text)):
        return known
    if text.startswith("{") and '"moves"' in text:
        return _gallery().get(text) or f"an automaton of {len(json.loads(text)['moves'])} states"
    first = text.strip().split("\n", 1)[0].lstrip("# ")
    return first if first == text.strip() and len(first) <= LONGEST else f"{first[:LONGEST].rstrip()} .."


@cache
def _circuits() -> dict[str, str]:
    """The name of each circuit that has one, by its text."""
    from separatrix.tasks.gates import NAMED

    return {written: name for name, written in NAMED.items()}


@cache
def _gallery() -> dict[str, str]:
    """The name of each automaton of the gallery, by how a parameter writes it."""
    from separatrix.tasks.languages.gallery import GALLERY, MARK
    from separatrix.tasks.regular import Regular

    return {str(Regular(1, f"{MARK}{name}").parameters["language"]): f"{MARK}{name}" for name in reversed(GALLERY)}
