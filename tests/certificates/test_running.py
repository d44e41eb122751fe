"""Cases through a model: padding is not seen, whether or not there is a mask."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from separatrix.certificates.claim import Built, Claim
from separatrix.certificates.running import rows_of, scored_logits
from separatrix.models.embedding import EmbeddingConfig
from separatrix.models.transformer import LayerConfig, Transformer, TransformerConfig
from separatrix.tasks.equality import EqNcp, EqRandom


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("task", [EqRandom(40, 3, "training"), EqNcp(40, 3, "training")])
def test_rows_of_different_lengths_are_read_as_if_alone(causal: bool, task: EqRandom | EqNcp) -> None:
    layers = (LayerConfig(1, 2, 2, 3),) * 2
    config = TransformerConfig(EmbeddingConfig(4), task.targets, 4, layers, causal=causal, arithmetic="float64", length=41)
    model = Transformer(config).double()
    draw = torch.Generator().manual_seed(0)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(torch.randn(parameter.shape, generator=draw, dtype=torch.float64))
    built = Built(model, Claim("a", "b", task.name, task.parameters, {}, "float64"), task)
    batch = task.sample(1, 40)
    assert len({*batch.lengths.tolist()}) > 5
    together = scored_logits(built, batch)
    alone = [scored_logits(built, rows_of(batch, slice(r, r + 1), int(batch.lengths[r]))) for r in range(40)]
    assert np.allclose(together, np.concatenate(alone), atol=1e-12)
