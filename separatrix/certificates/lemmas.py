"""Lemmas about parts of a model, from the bounds that the construction derived when it was built."""

from __future__ import annotations

import math
import re
from typing import Any

import torch

from separatrix.certificates.built import Built
from separatrix.checker.kinds.lemmas import PLACES, POSITIONS
from separatrix.models.mixers.attention import AttentionConfig

UNITS = 10**4  # weights are written in units of 1/10000, rounded down
LEAK = "weight off the intended place"  # name of a composed bound: 1 minus the least weight that the construction derived


def lemmas_of(built: Built) -> list[dict[str, Any]]:
    """The least weight of each head of the first layer that has one, from the composed bounds; none if the heads cannot be told apart.

    A head whose query is the same at every position, as in the shortest inputs, asks for no place and has none. A head of a model that
    reads numbered tokens reads the place given by the last token, any other head a place that depends on its position. The checker
    derives each weight again.
    """
    config = built.model.config
    first = config.layers[0].mixer
    if not isinstance(first, AttentionConfig) or built.model.numbers.format.kind != "native":
        return []
    leaks = [bound.value for bound in built.claim.bounds if bound.what == LEAK and re.match(r"layer 1, head ", bound.part)]
    if first.scores != "softmax" or len(leaks) != first.heads:
        return []
    if config.embedding.numbers > PLACES or (not config.embedding.numbers and (config.length > POSITIONS or not _asks_by_position(built))):
        return []
    lemma = "index-weight" if config.embedding.numbers else "position-weight"
    weights = [math.floor(UNITS * (1 - leak)) / UNITS for leak in leaks]
    asking = [config.embedding.numbers > 0 or _asks_for_several(built, h) for h in range(first.heads)]
    return [{"lemma": lemma, "layer": 1, "head": h, "weight": weight} for h, weight in enumerate(weights, 1) if asking[h - 1]]


def _asks_by_position(built: Built) -> bool:
    """Whether the queries and keys of the first layer at a place do not depend on the token there."""
    heads, table = built.heads(), built.model.embedding.table
    rows = table - table[:1]
    return not bool((rows @ heads.query.T).any() or (rows @ heads.key.T).any())


def _asks_for_several(built: Built, head: int) -> bool:
    """Whether the query of a head of the first layer depends on the position."""
    config, m = built.model.config, built.heads().config.key_width
    x = built.model.embedding(torch.zeros(1, config.length, dtype=torch.int64))[0]
    return bool(((x - x[:1]) @ built.heads().query[head * m : (head + 1) * m].T).any())
