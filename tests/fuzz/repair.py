"""A liar who listens: a derived field that the checker disputes is set to what the checker says, and the document sealed again.

So a change of weights, of a claim or of a program is judged on what it shows, not on a count that no longer fits.
"""

from __future__ import annotations

import ast
import re
from typing import Any

from separatrix.checker import Verdict, check_document, sealed
from tests.checker.kinds.programs import consistent

Document = dict[str, Any]

DISPUTED = re.compile(
    r"^(?P<where>[\w\-.: ,\[\]]+): the certificate says (?P<least>at least )?.*, recomputation gives (?P<value>.*)$", re.DOTALL
)
TIMES = 8


def repaired(document: Document, times: int = TIMES) -> Document:
    """The document, sealed, after the checker has been asked up to so many times what it misses."""
    return repaired_and_judged(document, times)[0]


def repaired_and_judged(document: Document, times: int = TIMES) -> tuple[Document, Verdict | None]:
    """The same, and the checker's last word if that was about this document; judging it again would say the same."""
    document = _sealed(_with_its_own_tests(document))
    for _ in range(times):
        verdict = check_document(document)
        disputed = None if verdict.holds else DISPUTED.match(verdict.reason)
        if disputed is None or not _set(document, disputed["where"], disputed["value"], bool(disputed["least"])):
            return document, verdict
        document = _sealed(document)
    return document, None


def _sealed(document: Document) -> Document:
    """With a seal, where there can be one: a number that has become infinite has no canonical text, and the checker is to say so."""
    try:
        return sealed(document)
    except ValueError:
        return document


def _with_its_own_tests(document: Document) -> Document:
    """Sizes, families and decisions of a right program with these weights, where there can be such a program."""
    if document.get("kind") != "program":
        return document
    try:
        return consistent(document)
    except Exception:  # whatever is wrong with it, the checker is to say so
        return document


def _set(document: Document, where: str, text: str, least: bool) -> bool:
    """Write a disputed value in its place; whether there is such a place."""
    try:
        value: Any = ast.literal_eval(text)
    except (SyntaxError, ValueError):
        return False
    holder: Any = document
    keys = [key for key in re.split(r"[.\[\]]+", where) if key]
    try:
        for key in keys[:-1]:
            holder = _inside(holder, key)
        last: Any = int(keys[-1]) if isinstance(holder, list) else keys[-1]
        if isinstance(holder, dict) and last not in holder:
            return False
        holder[last] = max(0.0, value * (1 - 1e-9)) if least else value
    except (KeyError, IndexError, TypeError, ValueError, StopIteration):
        return False
    return True


def _inside(holder: Any, key: str) -> Any:
    """What a part of a path names; the tests of a program go by their family."""
    if not isinstance(holder, list):
        return holder[key]
    if key.isdigit():
        return holder[int(key)]
    return next(entry for entry in holder if isinstance(entry, dict) and entry.get("family") == key)
