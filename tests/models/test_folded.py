import pytest
import torch

from separatrix.models.folded import attend_folded, can_fold
from separatrix.models.trainable import transformer


@pytest.mark.parametrize("causal", [True, False])
@pytest.mark.parametrize("block", ["gpt2", "llama"])
def test_outputs_and_gradients_are_those_of_keys_and_values(block: str, causal: bool) -> None:
    model = transformer(5, 3, width=12, heads=3, length=9, block=block, causal=causal).double()  # type: ignore[arg-type]
    heads, generator = model.stack()[0].attention, torch.Generator().manual_seed(0)
    with torch.no_grad():
        for parameter in heads.parameters():
            parameter.copy_(torch.randn(parameter.shape, generator=generator, dtype=torch.float64))
    x = torch.randn(4, 9, 12, generator=generator, dtype=torch.float64, requires_grad=True)
    at, push = torch.tensor([0, 8, 3, 5]), torch.randn(4, 1, 12, generator=generator, dtype=torch.float64)
    inputs = [x, *heads.parameters()]
    folded = attend_folded(heads, x, at)
    naive = heads(x, None)[torch.arange(4), at][:, None] if causal else heads(x, at, [])  # collecting weights is the plain way
    assert torch.allclose(folded, naive, rtol=0, atol=1e-12)
    one = torch.autograd.grad(folded, inputs, push, allow_unused=True, materialize_grads=True)
    other = torch.autograd.grad(naive, inputs, push, allow_unused=True, materialize_grads=True)
    for a, b in zip(one, other, strict=True):
        assert torch.allclose(a, b, rtol=0, atol=1e-11)


def test_rotary_heads_are_not_folded() -> None:
    assert can_fold(transformer(5, 3, width=8).stack()[0].attention)
    assert not can_fold(transformer(5, 3, width=8, positions="rotary").stack()[0].attention)


def test_built_weights_are_not_folded() -> None:
    from separatrix.constructions import build

    assert not can_fold(build("index-lookup", length=4).model.stack()[0].attention)
