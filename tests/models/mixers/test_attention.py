"""Attention against its definition, and what does not change with how it is computed."""

from __future__ import annotations

import math

import pytest
import torch

from separatrix.arithmetic import arithmetic
from separatrix.errors import BadInput
from separatrix.models.masks import All, BlockSparse, Causal, Mask, Window
from separatrix.models.mixers import attention as module
from separatrix.models.mixers.attention import AttentionConfig, MultiHeadAttention, attention, block_sparse, window

MASKS: list[Mask] = [All(), Causal(), Window(3), BlockSparse(3, 1, 1)]


def heads(scores: str = "softmax", mask: Mask | None = None, **chosen: bool) -> MultiHeadAttention:
    config = AttentionConfig(2, 4, 3, scores, mask or Causal(), **chosen)  # type: ignore[arg-type]
    mixer, draw = config.build(5, arithmetic("float64")).double(), torch.Generator().manual_seed(0)
    with torch.no_grad():
        for parameter in mixer.parameters():
            parameter.copy_(torch.randn(parameter.shape, generator=draw, dtype=torch.float64))
    return mixer


def by_definition(mixer: MultiHeadAttention, x: torch.Tensor) -> torch.Tensor:
    """One row, one head, one query at a time."""
    c, (n, _) = mixer.config, x.shape
    visible = c.mask.visible(torch.arange(n), n)
    out = []
    for i in range(n):
        read = []
        for h in range(c.heads):
            k_rows, v_rows = slice(h * c.key_width, (h + 1) * c.key_width), slice(h * c.value_width, (h + 1) * c.value_width)
            q = mixer.query[k_rows] @ x[i] + (0 if mixer.query_bias is None else mixer.query_bias[k_rows])
            sees = [j for j in range(n) if visible is None or bool(visible[i, j])]
            keys = [mixer.key[k_rows] @ x[j] + (0 if mixer.key_bias is None else mixer.key_bias[k_rows]) for j in sees]
            logits = [float(q @ k) / (math.sqrt(c.key_width) if c.scaled else 1) for k in keys]
            if c.scores == "softmax":
                e = [math.exp(a - max(logits)) for a in logits]
                w = [a / sum(e) for a in e]
            else:
                first = logits.index(max(logits))
                w = [1 / len(sees)] * len(sees) if c.scores == "uniform" else [float(j == first) for j in range(len(sees))]
            values = [mixer.value[v_rows] @ x[j] + (0 if mixer.value_bias is None else mixer.value_bias[v_rows]) for j in sees]
            read.append(sum(a * v for a, v in zip(w, values, strict=True)))
        out.append(mixer.out @ torch.cat(read) + (0 if mixer.out_bias is None else mixer.out_bias))
    return torch.stack(out)


@pytest.mark.parametrize("mask", MASKS)
@pytest.mark.parametrize(
    ("scores", "chosen"), [("softmax", {}), ("softmax", {"scaled": True, "bias": True}), ("hard", {}), ("uniform", {})]
)
@torch.no_grad()
def test_it_is_its_definition(mask: Mask, scores: str, chosen: dict[str, bool]) -> None:
    mixer = heads(scores, mask, **chosen)
    x = torch.randn(2, 8, 5, dtype=torch.float64, generator=torch.Generator().manual_seed(1))
    assert torch.allclose(mixer(x), torch.stack([by_definition(mixer, row) for row in x]), rtol=0, atol=1e-12)


@pytest.mark.parametrize("mask", MASKS)
@torch.no_grad()
def test_blocks_of_queries_change_nothing(mask: Mask, monkeypatch: pytest.MonkeyPatch) -> None:
    mixer = heads(mask=mask)
    x = torch.randn(2, 11, 5, dtype=torch.float64, generator=torch.Generator().manual_seed(2))
    whole, weights = mixer(x), mixer.inside(x, None)["attention"]
    monkeypatch.setattr(module, "QUERIES", 3)
    assert torch.allclose(mixer(x), whole, rtol=0, atol=1e-12)
    assert torch.allclose(mixer.inside(x, None)["attention"], weights, rtol=0, atol=1e-12)
    assert weights.shape == (2, 2, 11, 11)


@torch.no_grad()
def test_more_than_1024_queries_are_each_answered() -> None:
    """Row i of a causal head does not depend on how many rows follow it."""
    mixer = heads()
    x = torch.randn(1, 1100, 5, dtype=torch.float64, generator=torch.Generator().manual_seed(3))
    outputs = mixer(x)
    for i in (0, 1023, 1024, 1099):
        assert torch.allclose(outputs[:, i], mixer(x[:, : i + 1])[:, i], rtol=0, atol=1e-12)


@torch.no_grad()
def test_what_leaves_a_window_is_gone_from_the_state() -> None:
    mixer = heads(mask=Window(3))
    x, state = torch.randn(2, 9, 5, dtype=torch.float64, generator=torch.Generator().manual_seed(4)), mixer.initial_state(2)
    whole = mixer(x)
    for t in range(9):
        state, y = mixer.step(state, x[:, t], t)
        assert torch.allclose(y, whole[:, t], rtol=0, atol=1e-12)
        assert state[0].shape == (2, 2, min(t + 1, 2), 4)
        assert mixer.state_numbers(t + 1) == 2 * (4 + 3) * min(t + 1, 2)


def test_heads_that_are_trained_share_the_width() -> None:
    assert attention(width=12, heads=3) == AttentionConfig(3, 4, 4, scaled=True, bias=True)
    assert window(width=8, heads=2, window=5).mask == Window(5)
    assert block_sparse(width=8, heads=2, block=6, local=2, ends=3).mask == BlockSparse(6, 2, 3)
    with pytest.raises(BadInput, match="attention: width 10 is not divisible by heads 4"):
        attention(width=10)
