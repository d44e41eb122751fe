"""Chooses how a lookup is replayed: the tightest way that is cheap enough first."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from separatrix.checker.models.model import Model
from separatrix.checker.replay.proof import Unfit
from separatrix.checker.specs import Spec
from separatrix.checker.specs.forms.lookup import Lookup

LISTED = 1 << 24  # numbers of the stream up to which every token is put at every position
COMPARED = 1 << 24  # pairs of readers and places that are compared one by one
ALONE = 1 << 16  # readers times symbols for which each reader gets its own boxes


def candidates(model: Model, task: Spec) -> Iterator[dict[str, Any]]:
    """All readers together, then each alone."""
    form = task.form()
    if not isinstance(form, Lookup):
        raise Unfit("expected a task that asks for the symbol at one place")
    n = max(form.lengths)
    readers = len(form.readers(n))
    tokens = "listed" if form.symbols * n * model.description.width <= LISTED else "summed"
    places = "compared" if readers * n <= COMPARED else "counted"
    yield {"rule": "lookup", "tokens": tokens, "places": places, "readers": "together"}
    if places == "compared" and readers * form.symbols <= ALONE:
        yield {"rule": "lookup", "tokens": tokens, "places": places, "readers": "alone"}
