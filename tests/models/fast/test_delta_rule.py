"""The compiled delta rule: the outputs and gradients of the recurrence, however tensors lie in memory; elsewhere the chunked form runs."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
from torch import Tensor
from torch.nn import functional

from separatrix.models.fast import delta_rule as rules
from separatrix.models.fast.compiled_delta import SPAN
from separatrix.models.fast.delta_rule import delta_rule, naive
from separatrix.models.fast.sharing import kernels_for

EXACT = {torch.float64: 1e-13, torch.float32: 3e-6}


def drawn(rows: int, heads: int, n: int, m: int, w: int, dtype: torch.dtype = torch.float64, fades: bool = True) -> list[Tensor]:
    """q, k of norm 1, v, beta up to 2 with some at its ends, and decays."""
    generator = torch.Generator().manual_seed(n)
    q, k, v, beta, g = (
        torch.randn(rows, heads, n, *shape, generator=generator, dtype=torch.float64) for shape in ((m,), (m,), (w,), (), ())
    )
    beta = (2 * beta.sigmoid()).where(beta < 1, 2.0).where(beta > -1, 0.0)
    tensors = [q, functional.normalize(k, dim=-1), v, beta, *([-(g - 2).exp()] if fades else [])]
    return [x.to(dtype).requires_grad_() for x in tensors]


def with_gradients(rule: Callable[..., Tensor], inputs: list[Tensor]) -> list[Tensor]:
    y = rule(*inputs, *([] if len(inputs) == 5 else [None]))
    slope = torch.randn(y.shape, generator=torch.Generator().manual_seed(0), dtype=torch.float64).to(y.dtype)
    return [y.detach(), *torch.autograd.grad(y, inputs, slope)]


def alike(ours: list[Tensor], theirs: list[Tensor], exact: float) -> None:
    for a, b in zip(ours, theirs, strict=True):
        assert a.shape == b.shape
        assert float((a - b).abs().max()) <= exact * float(b.abs().max())


@pytest.mark.parametrize("dtype", list(EXACT))
@pytest.mark.parametrize("fades", [False, True])
@pytest.mark.parametrize("size", [(2, 3, 1, 4, 5), (1, 1, SPAN, 1, 1), (2, 1, SPAN + 1, 3, 16), (1, 2, 3 * SPAN - 1, 16, 37)])
def test_outputs_and_gradients_are_those_of_the_recurrence(size: tuple[int, ...], fades: bool, dtype: torch.dtype) -> None:
    inputs = drawn(*size, dtype=dtype, fades=fades)  # type: ignore[arg-type,misc]
    assert kernels_for(inputs[0], "separatrix.models.fast.compiled_delta", "the delta rule") is not None
    alike(with_gradients(delta_rule, inputs), with_gradients(naive, inputs), EXACT[dtype])


def test_three_threads_share_the_heads_and_say_the_same() -> None:
    inputs, threads = drawn(2, 2, 20, 4, 8), torch.get_num_threads()
    try:
        torch.set_num_threads(1)
        one = with_gradients(delta_rule, inputs)
        torch.set_num_threads(3)
        three = with_gradients(delta_rule, inputs)
    finally:
        torch.set_num_threads(threads)
    assert all(torch.equal(a, b) for a, b in zip(one, three, strict=True))


def test_tensors_may_lie_in_memory_in_any_order_and_be_parts_of_others() -> None:
    q, k, v, beta, g = drawn(2, 3, 9, 4, 5)
    joined = torch.cat([q, k, v], dim=-1).transpose(1, 2).contiguous().transpose(1, 2).detach()
    parts = [x.requires_grad_() for x in joined.split([4, 4, 5], dim=-1)]
    turned = beta.detach().permute(2, 0, 1).contiguous().permute(1, 2, 0).requires_grad_()
    across = parts[2].detach().mT.contiguous().mT.requires_grad_()  # its last dimension is not dense
    one_for_all = g.detach()[:, :, :1].expand(2, 3, 9).requires_grad_()
    for inputs in ([*parts, turned, g], [parts[0], parts[1], across, beta, one_for_all]):
        alike(with_gradients(delta_rule, inputs), with_gradients(naive, inputs), 1e-13)


def test_what_needs_no_gradient_gets_none_and_without_gradients_nothing_is_stored() -> None:
    q, k, v, beta, g = drawn(1, 2, 20, 4, 5)
    wanted = with_gradients(naive, [q, k, v, beta, g])
    y = delta_rule(q.detach(), k, v.detach(), beta.detach(), g)
    y.sum().backward()  # a slope without memory of its own
    assert q.grad is None
    assert k.grad is not None
    assert g.grad is not None
    with torch.no_grad():
        alike([delta_rule(q, k, v, beta, g)], wanted[:1], 1e-13)


def test_other_number_types_run_chunk_by_chunk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "chunked", lambda *_: "in chunks")
    assert delta_rule(*drawn(1, 1, 3, 4, 4, dtype=torch.bfloat16)) == "in chunks"
