"""How tensors reach compiled kernels: which kernels there are for them, their memory as kernels read it, and their rows over threads."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from functools import cache
from itertools import pairwise
from types import ModuleType
from typing import Any, TypeVar

import torch
from torch import Tensor

from separatrix.models.fast.compiling import compiled

DTYPES = {torch.float32: "float32", torch.float64: "float64"}
Part = TypeVar("Part")
Strided = tuple[Any, tuple[int, ...]]  # numbers, and how many of them lie between neighbours in each dimension but the last


def kernels_for(x: Tensor, module: str, what: str) -> ModuleType | None:
    """The compiled kernels for tensors like x; None where torch's own operations must do."""
    if x.device.type != "cpu" or x.dtype not in DTYPES or not x.numel():
        return None
    return compiled(module, what, DTYPES[x.dtype])


def strided(x: Tensor, dimensions: int) -> Strided:
    """The memory of x as it lies, with the strides of its first dimensions: nothing is copied, and kernels see one type of array."""
    end = 1 + sum((size - 1) * stride for size, stride in zip(x.shape, x.stride(), strict=True))
    return x.detach().as_strided((end,), (1,)).numpy(), x.stride()[:dimensions]


def dense(x: Tensor) -> Tensor:
    """x, copied only if its last dimension is not dense."""
    return x if x.stride(-1) == 1 or x.shape[-1] == 1 else x.contiguous()


def shared(part: Callable[[slice], Part], rows: int) -> list[Part]:
    """`part` of all rows, on torch's number of threads, including this one; kernels release the GIL."""
    threads = min(torch.get_num_threads(), rows)
    cuts = [rows * i // threads for i in range(threads + 1)]
    first, *others = (slice(a, b) for a, b in pairwise(cuts))
    handed = [_pool(threads - 1).submit(part, rest) for rest in others]
    try:
        own = part(first)
    finally:
        wait(handed)  # else they would go on writing after an error here
    return [own, *(future.result() for future in handed)]


@cache
def _pool(threads: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(threads)
