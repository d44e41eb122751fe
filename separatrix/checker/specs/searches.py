"""In-context retrieval, written a second time: what a search finds, and the words around it.

The patterns that are run here are the oracle's own, never those of a document, so none of them runs away.
"""

from __future__ import annotations

import re

START, END, FAILED, STOP = "<StartSearch>", "<EndSearch>", "FAILED", "</s>"


def searched(text: list[str], fragments: list[str]) -> list[str]:
    """The words of a search in a text and the word that it finds: the first group of the first match, or FAILED."""
    found = re.search("".join(fragments), " ".join(text))
    group = None if found is None else found.group(1)
    return [START, *fragments, END, FAILED if group is None else group]
