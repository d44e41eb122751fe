"""The compiled scan: the outputs and gradients of the recurrence; where numba does not work, the recurrence runs and says so once."""

from __future__ import annotations

import subprocess
import sys
import time

import numpy as np
import pytest
import torch
from torch import Tensor

from separatrix.models.fast import compiling
from separatrix.models.fast.compiled_scan import SPAN
from separatrix.models.fast.selective_scan import naive, selective_scan


def drawn(rows: int, n: int, E: int, N: int, dtype: torch.dtype) -> list[Tensor]:
    """Time steps from 0.001 to 1, and rates of decay from 1 to N."""
    generator = torch.Generator().manual_seed(n)
    u, delta, B, C = (
        torch.randn(*shape, generator=generator, dtype=torch.float64) for shape in ((rows, n, E), (rows, n, E), (rows, n, N), (rows, n, N))
    )
    A = -torch.arange(1, N + 1, dtype=torch.float64).expand(E, N) * (1 + 0.1 * torch.rand(E, 1, generator=generator, dtype=torch.float64))
    skip = torch.randn(E, generator=generator, dtype=torch.float64)
    return [x.to(dtype).requires_grad_() for x in (u, (delta - 3).exp().clamp(1e-3, 1), A, B, C, skip)]


def with_gradients(scan: object, inputs: list[Tensor]) -> list[Tensor]:
    y = scan(*inputs)  # type: ignore[operator]
    slope = torch.randn(y.shape, generator=torch.Generator().manual_seed(0), dtype=torch.float64).to(y.dtype)
    return [y.detach(), *torch.autograd.grad(y, inputs, slope)]


@pytest.mark.parametrize(("dtype", "exact"), [(torch.float64, 1e-13), (torch.float32, 3e-6)])
@pytest.mark.parametrize("n", [1, SPAN - 1, SPAN, SPAN + 1, 3 * SPAN + 5])
def test_outputs_and_gradients_are_those_of_the_recurrence(n: int, dtype: torch.dtype, exact: float) -> None:
    inputs = drawn(3, n, 20, 5, dtype)
    for given in (inputs, inputs[:5]):  # with a skip, and without one
        for ours, theirs in zip(with_gradients(selective_scan, given), with_gradients(naive, given), strict=True):
            assert float((ours - theirs).abs().max()) <= exact * float(theirs.abs().max())


def test_in_float32_the_output_is_within_3e_7_of_float64() -> None:
    """Relative to the largest output, at 400 tokens with the published rates."""
    inputs = drawn(2, 400, 32, 16, torch.float32)
    with torch.no_grad():
        y, exact = selective_scan(*inputs), selective_scan(*(x.double() for x in inputs))
    assert float((y - exact).abs().max()) <= 3e-7 * float(exact.abs().max())


@pytest.mark.parametrize(("dtype", "large", "fades"), [(torch.float32, 125, 200), (torch.float32, 125, 88), (torch.float64, 1020, 800)])
def test_what_fades_below_the_range_is_gone_however_large_it_was(dtype: torch.dtype, large: int, fades: float) -> None:
    """A first token writes 2^large, the next lets it fade and writes nothing."""
    ones = torch.ones(1, 3, 8, dtype=dtype)
    u, delta = ones * torch.tensor([2.0 ** (large // 2), 0, 0], dtype=dtype)[:, None], ones.clone()
    delta[:, 1] = fades
    B = ones[..., :1] * 2.0 ** (large - large // 2)
    y = selective_scan(u, delta, -torch.ones(8, 1, dtype=dtype), B, ones[..., :1])
    assert bool((y[:, 0] == 2.0**large).all())
    assert bool((y[:, 1:] <= 2.0**large * torch.finfo(dtype).tiny).all())


def test_two_threads_share_the_rows_and_say_the_same() -> None:
    inputs, threads = drawn(5, 20, 8, 4, torch.float64), torch.get_num_threads()
    try:
        torch.set_num_threads(1)
        one = with_gradients(selective_scan, inputs)
        torch.set_num_threads(2)
        two = with_gradients(selective_scan, inputs)
    finally:
        torch.set_num_threads(threads)
    for a, b in zip(one, two, strict=True):
        torch.testing.assert_close(a, b, rtol=1e-13, atol=1e-13)


def test_inputs_may_lie_in_memory_in_any_order() -> None:
    u, delta, A, B, C, skip = (x.detach() for x in drawn(2, 9, 6, 4, torch.float64))
    odd = [u.transpose(0, 1).contiguous().transpose(0, 1), delta[:, :, :], A.T.contiguous().T, B, torch.cat([C, C], dim=2)[:, :, :4]]
    assert torch.equal(selective_scan(*odd, skip), selective_scan(u, delta, A, B, C, skip))


PROGRAM = """
import sys
sys.modules["numba"] = None
import torch
import separatrix as sx
from separatrix.models.fast import decayed
decayed.FEW = 0
tokens = torch.zeros(2, 6, dtype=torch.int64)
for name in ("mamba-2-8", "deltanet-2-8", "retnet-2-8"):
    model = sx.model(name, vocabulary=5, targets=3)
    model(tokens).sum().backward()
    print(model(tokens).shape)
"""


def test_without_numba_torch_does_the_work_and_one_line_for_each_kernel_says_so() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    assert done.stdout == 3 * "torch.Size([2, 6, 3])\n"
    kernels = "the short convolution", "the selective scan", "the delta rule", "linear attention"
    for line, what in zip(done.stderr.splitlines(), kernels, strict=True):
        assert line == f"{what} runs without its compiled kernel, much slower: numba is not installed (pip install 'separatrix[fast]')"


def test_a_long_compilation_is_announced_and_a_short_one_is_not(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(compiling, "PATIENCE", 0.05)
    with compiling.announced("compiling for a while"):
        time.sleep(0.5)
    with compiling.announced("never said"):
        pass
    time.sleep(0.2)
    assert capsys.readouterr().err == "compiling for a while\n"


def test_the_short_exponential_is_right_to_two_units_in_the_last_place() -> None:
    """One token, one channel, one number of state: h_2 = e^(delta A) h_1 for many exponents."""
    x = np.linspace(-80, 0, 4001, dtype=np.float32)
    ones = torch.ones(len(x), 2, 1)
    u = torch.tensor([1.0, 0.0]).reshape(1, 2, 1).expand(len(x), 2, 1)
    delta = torch.stack([torch.ones(len(x)), torch.from_numpy(-x)], dim=1)[..., None]
    y = selective_scan(u, delta, torch.tensor([[-1.0]]), ones, ones)[:, 1, 0].numpy()
    np.testing.assert_allclose(y, np.exp(x.astype(np.float64)), rtol=2.5e-7)
