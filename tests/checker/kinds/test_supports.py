"""What a restricted model depends on: the table of its last position has the model's own vector for every completion."""

from __future__ import annotations

import json
from itertools import product

import numpy as np
import pytest

from separatrix.checker.budget import Budget
from separatrix.checker.kinds import supports
from separatrix.checker.kinds.supports import Completions, last_table
from separatrix.checker.models.description import read_description
from separatrix.checker.models.model import Model
from separatrix.checker.numbers.formats import numbers
from separatrix.checker.seal import Refused
from separatrix.checker.weights import parse_safetensors
from separatrix.models.masks import All, BlockSparse, Causal, Window
from separatrix.models.saved import describe, weights_bytes
from tests.refuters.hard_models import hard_model

MASKS = {"all": All(), "causal": Causal(), "window": Window(3), "block-sparse": BlockSparse(2, 1, 1)}


def checked(seed: int, n: int, layers: int, heads: int, mask: str, arithmetic: str) -> Model:
    model = hard_model(seed, n, layers, heads, 3, MASKS[mask], width=4, arithmetic=arithmetic)
    described = json.loads(json.dumps(describe(model)))
    return Model(read_description(described), parse_safetensors(weights_bytes(model)), numbers(arithmetic))


@pytest.mark.parametrize("arithmetic", ["float64", "fixed:16,4", "fixed:12,4"])
@pytest.mark.parametrize("mask", MASKS)
def test_the_table_has_the_models_vector_for_every_completion(mask: str, arithmetic: str) -> None:
    n, trimmed = 6, 0
    alphabets = (range(3), range(2), range(2), range(3), range(2), range(2, 3))
    for seed in range(6):
        rng = np.random.default_rng(seed)
        model = checked(seed, n, 1 + seed % 3, 1 + seed % 2, mask, arithmetic)
        fixed = [int(rng.choice(alphabet)) if len(alphabet) == 1 or rng.integers(2) else None for alphabet in alphabets]
        inputs = Completions(alphabets, tuple(fixed))
        table = last_table(model, inputs, Budget())
        x = table.vectors
        logits = model.ops.linear(x, model.weights["readout.weight"], model.weights["readout.bias"])
        free = [p for p in range(n) if fixed[p] is None]
        trimmed += len(free) - len(table.support)
        for word in product(*(inputs.tokens(p) for p in range(n))):
            row = 0
            for p in table.support:
                row = row * len(alphabets[p]) + (word[p] - alphabets[p].start)
            expected = model.logits(np.array(word), [n - 1])
            if expected.point:
                assert expected.low[0].tolist() == logits.low[row].tolist(), word
            else:
                assert ((expected.low[0] <= logits.high[row]) & (logits.low[row] <= expected.high[0])).all(), word
    assert trimmed > 0  # some free place does not matter


def test_a_support_that_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supports, "ROWS", 4)
    with pytest.raises(Refused, match=r"restriction: position \d depends on \d free places after layer 1, \d+ assignments, more than 4"):
        last_table(checked(0, 6, 2, 2, "all", "float64"), Completions((range(3),) * 6, (None,) * 6), Budget())


def test_scores_that_programs_may_order_differently_are_left_open() -> None:
    """Places without vectors of their own: equal tokens tie, up to rounding, and what a head reads there is the same vector."""
    model = checked(1, 6, 1, 1, "all", "float64")
    model.weights["embedding.places.0.weight"][:] = 0
    table = last_table(model, Completions((range(2),) * 6, (0, 0, 0, 0, 0, 1)), Budget())
    assert table.support == ()
