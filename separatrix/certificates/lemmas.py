"""What the producer claims about parts of a model, from what the construction derived when it was built."""

from __future__ import annotations

import math
import re
from typing import Any

from separatrix.certificates.claim import Built
from separatrix.models.transformer import Transformer

UNITS = 10**4  # weights are written in units of 1/10000, rounded down
LEAK = "weight off the intended place"  # of a composed bound: one less the least weight that the construction derived


def lemmas_of(built: Built) -> list[dict[str, Any]]:
    """The least weight of each head of the first layer that has one, from the composed bounds; none where heads cannot be told apart.

    A head of a model that reads numbered tokens is meant for the place that the last token names, any other for a place that its
    position decides. The checker derives each again from the weights.
    """
    if not isinstance(built.model, Transformer) or built.model.numbers.format.kind != "native":
        return []
    config = built.model.config
    leaks = [bound.value for bound in built.claim.bounds if bound.what == LEAK and re.match(r"layer 1, head ", bound.part)]
    if config.layers[0].attention != "softmax" or config.layers[0].state or len(leaks) != config.layers[0].heads:
        return []
    lemma = "index-weight" if config.embedding.numbers else "position-weight"
    weights = [math.floor(UNITS * (1 - leak)) / UNITS for leak in leaks]
    return [{"lemma": lemma, "layer": 1, "head": h, "weight": weight} for h, weight in enumerate(weights, 1)]
