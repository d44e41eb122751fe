"""Chooses how an envelope is replayed: the cheapest way first, and numbers for keys that one box can tell from the asked one."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np

from separatrix.checker.models.mixers.recurrence import Recurrence
from separatrix.checker.models.model import Model
from separatrix.checker.replay.proof import Unfit
from separatrix.checker.specs import Spec
from separatrix.checker.specs.forms.lookup import Lookup
from separatrix.checker.specs.forms.match import Match

LISTED = 8  # symbols or labels up to which they are gone through one by one


def candidates(model: Model, task: Spec) -> Iterator[dict[str, Any]]:
    """Boxed before listed, and pairs that share a box before those that do not."""
    form = task.form()
    if not isinstance(form, Lookup | Match):
        raise Unfit("expected a task that asks for the symbol at one place, or for the label of a key")
    if not all(isinstance(layer.mixer, Recurrence | None) for layer in model.description.layers):
        raise Unfit("expected recurrences")
    keys = form.keys if isinstance(form, Match) else 0
    answers = form.labels if isinstance(form, Match) else form.symbols
    tokens = ("boxed", "listed") if answers <= LISTED else ("boxed",)
    for places, each in product(("merged", "apart") if keys else ("merged",), tokens):
        yield {"rule": "envelope", "tokens": each, "places": places, "keys": numbers_of(model, keys)}


def numbers_of(model: Model, keys: int) -> list[int]:
    """By the first coordinate in which the embedding of a key is 1 and that of few others is: its slot, where keys have one."""
    if not keys:
        return []
    rows = np.asarray(model.weights["embedding.table"])[:keys] > 0.5
    first = rows.argmax(axis=1)
    return np.unique(first, return_inverse=True)[1].tolist()  # type: ignore[no-any-return]
