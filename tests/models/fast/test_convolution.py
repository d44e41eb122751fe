"""The compiled short convolution with its SiLU: the outputs and gradients of torch's own operations."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from separatrix.models.fast.convolution import convolved, naive
from separatrix.models.fast.sharing import kernels_for

EXACT = {torch.float64: 1e-13, torch.float32: 3e-6}


def drawn(rows: int, n: int, channels: int, size: int, dtype: torch.dtype = torch.float64) -> list[Tensor]:
    generator = torch.Generator().manual_seed(n)
    shapes = ((rows, n, channels), (channels, size), (channels,))
    return [torch.randn(*shape, generator=generator, dtype=torch.float64).to(dtype).requires_grad_() for shape in shapes]


def with_gradients(function: object, inputs: list[Tensor]) -> list[Tensor]:
    y = function(*inputs, *([] if len(inputs) == 3 else [None]))  # type: ignore[operator]
    slope = torch.randn(y.shape, generator=torch.Generator().manual_seed(0), dtype=torch.float64).to(y.dtype)
    return [y.detach(), *torch.autograd.grad(y, inputs, slope)]


def alike(inputs: list[Tensor]) -> None:
    assert kernels_for(inputs[0], "separatrix.models.fast.compiled_convolution", "the short convolution") is not None
    for a, b in zip(with_gradients(convolved, inputs), with_gradients(naive, inputs), strict=True):
        assert a.shape == b.shape
        assert float((a - b).abs().max()) <= EXACT[a.dtype] * float(b.abs().max())


@pytest.mark.parametrize("dtype", list(EXACT))
@pytest.mark.parametrize("size", [(1, 1, 1, 1), (2, 3, 5, 4), (3, 2, 32, 4), (2, 21, 37, 3)])
def test_outputs_and_gradients_are_those_of_torch(size: tuple[int, ...], dtype: torch.dtype) -> None:
    inputs = drawn(*size, dtype=dtype)  # type: ignore[arg-type,misc]
    alike(inputs)
    alike(inputs[:2])


def test_inputs_may_lie_in_memory_in_any_order() -> None:
    x, taps, bias = (tensor.detach() for tensor in drawn(2, 6, 16, 4))
    alike([tensor.requires_grad_() for tensor in (x.mT.contiguous().mT, taps.T.contiguous().T, bias[:1].expand(16))])


def test_large_and_small_arguments_neither_overflow_nor_hide_what_is_not_a_number() -> None:
    for dtype in EXACT:
        x = torch.tensor([-1e6, -800.0, -90.0, -1.0, 0.0, 1.0, 90.0, 800.0, 1e6, float("nan")], dtype=dtype).reshape(1, -1, 1)
        one = torch.ones(1, 1, dtype=dtype)
        torch.testing.assert_close(convolved(x, one, None), torch.nn.functional.silu(x), equal_nan=True, rtol=1e-6, atol=1e-30)


def test_three_threads_share_the_rows_and_say_the_same() -> None:
    inputs, threads = drawn(4, 5, 16, 4), torch.get_num_threads()
    try:
        torch.set_num_threads(1)
        one = with_gradients(convolved, inputs)
        torch.set_num_threads(3)
        three = with_gradients(convolved, inputs)
    finally:
        torch.set_num_threads(threads)
    for a, b in zip(one, three, strict=True):
        torch.testing.assert_close(a, b, rtol=1e-13, atol=1e-13)
