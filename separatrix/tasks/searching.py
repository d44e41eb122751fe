"""In-context retrieval: a search as tokens, and what it returns.

[wen2024 Definition A.5; corrected: the pattern lies strictly between the search tokens] [wen2024 Assumption 4]

A search is `<StartSearch>`, the fragments of a regular expression, `<EndSearch>`. Its pattern is the fragments without spaces between
them, its text everything before `<StartSearch>` with one space between tokens. The token that follows is the first group of the first
match, or FAILED. It is given, not written: a model is never asked for it.

A short query leaves out what is fixed in the expression: its first word names a template, the others fill its places.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

START, END, FAILED, STOP = "<StartSearch>", "<EndSearch>", "FAILED", "</s>"
SEARCH_WORDS = (START, END, FAILED, STOP)


Template = tuple[str | int, ...]  # fragments of an expression, and the places, from 0, of a query's words after the first


def filled(template: Template, words: Sequence[str]) -> list[str]:
    """The fragments of the regular expression that a short query stands for."""
    return [words[part] if isinstance(part, int) else part for part in template]


def found(fragments: Sequence[str], text: Sequence[str]) -> str:
    """What the regular expression of some fragments finds in a text."""
    match = _compiled("".join(fragments)).search(" ".join(text))
    return FAILED if match is None or match[1] is None else match[1]


@lru_cache(maxsize=1 << 14)  # of n vertices there are n^2 queries; the cache of `re` holds 512
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


@dataclass
class Writing:
    """A chain under way: the prompt, and what was written after it."""

    prompt: Sequence[str]
    written: list[str] = field(default_factory=list)

    def write(self, *words: str) -> None:
        """Append words to the chain."""
        self.written += words

    def search(self, *fragments: str, query: Sequence[str] = ()) -> str:
        """Append a search and its result; with a short query, that in place of the fragments."""
        result = found(fragments, [*self.prompt, *self.written])
        self.write(START, *(query or fragments), END, result)
        return result
