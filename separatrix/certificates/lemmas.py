"""Lemmas about parts of a model, from the bounds that the construction derived when it was built."""

from __future__ import annotations

import math
import re
from typing import Any

from separatrix.certificates.built import Built
from separatrix.models.mixers.attention import AttentionConfig

MOST = 4096  # numbered tokens up to which the checker compares every place with every other
UNITS = 10**4  # weights are written in units of 1/10000, rounded down
LEAK = "weight off the intended place"  # name of a composed bound: 1 minus the least weight that the construction derived


def lemmas_of(built: Built) -> list[dict[str, Any]]:
    """The least weight of each head of the first layer that has one, from the composed bounds; none if the heads cannot be told apart.

    A head of a model that reads numbered tokens reads the place given by the last token, any other head a place that depends on its
    position. The checker derives each weight again.
    """
    config = built.model.config
    first = config.layers[0].mixer
    if not isinstance(first, AttentionConfig) or built.model.numbers.format.kind != "native":
        return []
    leaks = [bound.value for bound in built.claim.bounds if bound.what == LEAK and re.match(r"layer 1, head ", bound.part)]
    if first.scores != "softmax" or len(leaks) != first.heads:
        return []
    if config.embedding.numbers > MOST or (not config.embedding.numbers and not _asks_by_position(built)):
        return []
    lemma = "index-weight" if config.embedding.numbers else "position-weight"
    weights = [math.floor(UNITS * (1 - leak)) / UNITS for leak in leaks]
    return [{"lemma": lemma, "layer": 1, "head": h, "weight": weight} for h, weight in enumerate(weights, 1)]


def _asks_by_position(built: Built) -> bool:
    """Whether the queries and keys of the first layer at a place do not depend on the token there."""
    heads, table = built.heads(), built.model.embedding.table
    rows = table - table[:1]
    return not bool((rows @ heads.query.T).any() or (rows @ heads.key.T).any())
