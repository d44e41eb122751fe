from __future__ import annotations

import torch

from separatrix.arithmetic import arithmetic
from separatrix.models.mixers.pd import PdConfig, pd
from separatrix.models.mixers.rank_one import RankOneConfig, rank_one


def filled(config: RankOneConfig | PdConfig, width: int) -> torch.nn.Module:
    mixer = config.build(width, arithmetic("float64")).double()
    generator = torch.Generator().manual_seed(1)
    with torch.no_grad():
        for parameter in mixer.parameters():
            parameter.copy_(torch.randn(parameter.shape, generator=generator, dtype=torch.float64) * 0.5)
    return mixer


def test_rank_one_multiplies_by_its_factors_in_order() -> None:
    mixer = filled(RankOneConfig(4, 3), 5)
    x = torch.randn(2, 6, 5, generator=torch.Generator().manual_seed(2), dtype=torch.float64)
    mixed = mixer(x)
    for row in range(2):
        h = mixer.initial.clone()
        for t in range(6):
            a = (mixer.moved @ x[row, t]).reshape(3, 4)
            b = (mixer.read @ x[row, t]).reshape(3, 4)
            for j in range(3):
                h = (torch.eye(4, dtype=torch.float64) - torch.outer(a[j], b[j])) @ h
            h = h + mixer.drive @ x[row, t]
            assert torch.allclose(mixed[row, t], mixer.out @ h)


def test_pd_multiplies_by_a_gate_and_by_a_column_one_hot_matrix() -> None:
    mixer = filled(PdConfig(4, 3), 5)
    x = torch.randn(1, 5, 5, generator=torch.Generator().manual_seed(3), dtype=torch.float64)
    mixed, h = mixer(x), mixer.initial.clone()
    for t in range(5):
        scores = (mixer.tables.T @ (mixer.choice @ x[0, t])).reshape(4, 4)
        P = torch.zeros(4, 4, dtype=torch.float64)
        for column in range(4):
            P[int(scores[:, column].argmax()), column] = 1.0
        h = P @ ((mixer.gate @ x[0, t] + mixer.gate_bias).clamp(-1, 1) * h) + mixer.drive @ x[0, t]
        assert torch.allclose(mixed[0, t], mixer.out @ h)
        assert (P.sum(dim=0) == 1).all()


def test_sizes_default_to_those_of_the_stream() -> None:
    assert rank_one(8) == RankOneConfig(8, 2)
    assert pd(8) == PdConfig(8, 6)
