"""Chooses how a content match is replayed: what the heads of layer 1 read at every key and at every label."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from separatrix.checker.models.mixers.attention import Attention
from separatrix.checker.models.model import Model
from separatrix.checker.replay.proof import Unfit
from separatrix.checker.specs import Spec
from separatrix.checker.specs.forms.match import Match

LISTED = 1 << 24  # numbers of the stream up to which every token is put at every position
HEADS = 4  # for which every combination of foci is tried


def candidates(model: Model, task: Spec) -> Iterator[dict[str, Any]]:
    """Labels that read the key before them with one head and themselves with another come first."""
    form = task.form()
    if not isinstance(form, Match):
        raise Unfit("expected a task that asks for the label of the nearest key")
    mixer, n = model.description.layers[0].mixer, max(form.lengths)
    if not isinstance(mixer, Attention) or mixer.heads > HEADS:
        return
    tokens = "listed" if (form.keys + form.labels) * n * model.description.width <= LISTED else "summed"
    foci = [list(each) for each in product(("before", "itself"), repeat=mixer.heads) if "before" in each]
    foci.sort(key=lambda each: "itself" not in each)
    for labels, keys in product(foci, (["itself"] * mixer.heads, [None] * mixer.heads)):
        yield {"rule": "content match", "tokens": tokens, "keys": keys, "labels": labels}
