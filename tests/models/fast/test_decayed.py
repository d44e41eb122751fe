"""The compiled linear attention that fades: the outputs and gradients of the recurrence; small and very wide cases run chunk by chunk."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
from torch import Tensor

from separatrix.models.fast import decayed
from separatrix.models.fast.compiled_decayed import SPAN
from separatrix.models.fast.decayed import attended, naive
from separatrix.models.fast.sharing import kernels_for

EXACT = {torch.float64: 1e-13, torch.float32: 3e-6}


@pytest.fixture
def always(monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernel for tensors of any size."""
    monkeypatch.setattr(decayed, "FEW", 0)


def drawn(rows: int, heads: int, n: int, m: int, w: int, dtype: torch.dtype = torch.float64) -> list[Tensor]:
    """q, k, v and decays, tokens before heads in memory as mixers make them."""
    generator = torch.Generator().manual_seed(n)
    tensors = [torch.randn(rows, n, heads, d, generator=generator, dtype=torch.float64).transpose(1, 2) for d in (m, m, w)]
    decays = -torch.randn(rows, heads, n, generator=generator, dtype=torch.float64).exp()
    return [x.to(dtype).requires_grad_() for x in (*tensors, decays)]


def with_gradients(function: Callable[..., Tensor], inputs: list[Tensor]) -> list[Tensor]:
    y = function(*inputs, *([] if len(inputs) == 4 else [None]))
    slope = torch.randn(y.shape, generator=torch.Generator().manual_seed(0), dtype=torch.float64).to(y.dtype)
    return [y.detach(), *torch.autograd.grad(y, inputs, slope)]


def alike(inputs: list[Tensor]) -> None:
    assert kernels_for(inputs[0], "separatrix.models.fast.compiled_decayed", "linear attention") is not None
    for a, b in zip(with_gradients(attended, inputs), with_gradients(naive, inputs), strict=True):
        assert a.shape == b.shape
        assert float((a - b).abs().max()) <= EXACT[a.dtype] * float(b.abs().max())


@pytest.mark.usefixtures("always")
@pytest.mark.parametrize("dtype", list(EXACT))
@pytest.mark.parametrize("size", [(2, 3, 1, 4, 5), (1, 1, SPAN, 1, 1), (2, 1, SPAN + 1, 3, 16), (1, 2, 3 * SPAN - 1, 16, 37)])
def test_outputs_and_gradients_are_those_of_the_recurrence(size: tuple[int, ...], dtype: torch.dtype) -> None:
    q, k, v, g = drawn(*size, dtype=dtype)  # type: ignore[arg-type,misc]
    alike([q, k, v])
    alike([q, k, v, g])
    alike([q, k, v, g[:1].detach().requires_grad_()])  # one decay for all rows
    alike([q, k, v, g[:1, :, :1].expand(1, size[1], size[2]).detach().requires_grad_()])


@pytest.mark.usefixtures("always")
def test_three_threads_share_the_heads_and_say_the_same() -> None:
    inputs, threads = drawn(2, 2, 20, 4, 8), torch.get_num_threads()
    try:
        torch.set_num_threads(1)
        one = with_gradients(attended, inputs)
        torch.set_num_threads(3)
        three = with_gradients(attended, inputs)
    finally:
        torch.set_num_threads(threads)
    assert all(torch.equal(a, b) for a, b in zip(one, three, strict=True))


@pytest.mark.usefixtures("always")
def test_what_needs_no_gradient_gets_none_and_without_gradients_nothing_is_stored() -> None:
    q, k, v, g = drawn(1, 2, 20, 4, 5)
    attended(q.detach(), k, v.detach(), g.detach()).sum().backward()  # a slope without memory of its own
    assert q.grad is None
    assert k.grad is not None
    with torch.no_grad():
        torch.testing.assert_close(attended(q, k, v, g), naive(q, k, v, g), rtol=1e-12, atol=1e-12)


def test_small_and_very_wide_cases_and_other_number_types_run_chunk_by_chunk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decayed, "chunked", lambda *_: "in chunks")
    assert attended(*drawn(1, 1, 3, 4, 4)) == "in chunks"
    monkeypatch.setattr(decayed, "FEW", 0)
    assert attended(*drawn(1, 1, 3, 65, 64)) == "in chunks"
    assert attended(*drawn(1, 1, 3, 4, 4, dtype=torch.bfloat16)) == "in chunks"
