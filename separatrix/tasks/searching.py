"""In-context retrieval: a search as tokens, and what it returns.

[wen2024 Definition A.5; corrected: the pattern lies strictly between the search tokens]

A search is `<StartSearch>`, the fragments of a regular expression, `<EndSearch>`. Its pattern is the fragments without spaces between
them, its text everything before `<StartSearch>` with one space between tokens. The token that follows is the first group of the first
match, or FAILED. It is given, not written: a model is never asked for it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

START, END, FAILED, STOP = "<StartSearch>", "<EndSearch>", "FAILED", "</s>"
SEARCH_WORDS = (START, END, FAILED, STOP)


def retrieve(words: Sequence[str]) -> str:
    """The result of the search that these words end with."""
    start = len(words) - 1 - words[::-1].index(START)
    match = re.search("".join(words[start + 1 : -1]), " ".join(words[:start]))
    return FAILED if match is None or match[1] is None else match[1]


@dataclass
class Writing:
    """A chain under way: the prompt, and what was written after it."""

    prompt: Sequence[str]
    written: list[str] = field(default_factory=list)

    def write(self, *words: str) -> None:
        """Append words to the chain."""
        self.written += words

    def search(self, *fragments: str) -> str:
        """Append a search and its result."""
        self.write(START, *fragments, END)
        result = retrieve([*self.prompt, *self.written])
        self.write(result)
        return result
