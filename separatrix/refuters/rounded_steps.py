"""A built model run in `float:e,m`, also through mixers whose modules have no form for it: its own steps, each operator rounded.

Weights are rounded to the format, and the model's `step` runs in float64, where every operator of torch is met on its way and what it
returns is rounded, to nearest with ties to even (arithmetic/small_float.py): one rounding for each product, each sum (of products too) and
each curve, in the order of the formula, token by token.

    moves    views, copies and comparisons: nothing to round
    sums     float64's own, rounded
    curves   exp, tanh, a quotient .. and norms, step by step: the true real value rounded. Float64 has it to 10^-14 or better; where that
             leaves the rounding in doubt the run is refused, and so is an operator that is not listed here

The checker has no such form of these mixers, so what is found here is a run and not a certificate.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode

from separatrix.arithmetic.format import parse_format
from separatrix.arithmetic.small_float import nearest_float
from separatrix.errors import BadInput
from separatrix.models.model import Model
from separatrix.tasks import Task
from separatrix.tasks.batch import Batch

if TYPE_CHECKING:
    from separatrix.certificates.built import Built

MOVES = frozenset({
    "view", "slice", "select", "index", "cat", "clone", "expand", "transpose", "t", "permute", "unsqueeze", "split", "split_with_sizes",
    "zeros", "neg", "relu",
})  # fmt: skip
SUMS = frozenset({"mm", "addmm", "bmm", "add", "sub", "rsub", "mul", "sum", "mean", "pow"})
CURVES = frozenset({"exp", "tanh", "sigmoid", "silu", "softplus", "elu", "gelu", "rsqrt", "div"})
WIDEST_EXPONENT = 8  # of float32
DOUBT = 1e-14  # relative error of a curve in float64


class RoundedOperators(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Rounds what every operator of torch returns."""

    def __init__(self, e: int, m: int) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.e, self.m = e, m

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        name, found = str(func).split(".")[1], func(*args, **(kwargs or {}))
        if name in MOVES or isinstance(found, int | float) or (isinstance(found, Tensor) and not found.is_floating_point()):
            return found
        operator = name.removesuffix("_")
        if operator not in SUMS | CURVES:
            raise BadInput(f"operator {name}: expected one whose rounding is known, such as mul or tanh")
        rounded = self._round(found) if operator in SUMS else self._curve(found)
        return rounded if name == operator else found.copy_(rounded)

    def _round(self, x: Tensor) -> Tensor:
        return nearest_float(x, self.e, self.m)

    def _curve(self, x: Tensor) -> Tensor:
        low, high = self._round(x * (1 - DOUBT)), self._round(x * (1 + DOUBT))
        unclear = (low != high) & x.isfinite()
        if bool(unclear.any()):
            raise BadInput(f"a value of {float(x[unclear][0])!r} lies too near to half-way between two numbers of float:{self.e},{self.m}")
        return self._round(x)


@torch.no_grad()
def rounded_logits(model: Model, tokens: Tensor, arithmetic: str) -> Tensor:
    """The logits [rows, n, targets] of the model, by steps, in a small float."""
    format = parse_format(arithmetic)
    if format.kind != "float":
        raise BadInput(f"rounded steps: expected float:e,m, found {arithmetic}")
    e, m = format.bits - 1 - format.fraction, format.fraction
    wide = Model(replace(model.config, arithmetic="float64")).double()
    numbers = {name: nearest_float(x.double(), e, m) if x.is_floating_point() else x for name, x in model.state_dict().items()}
    wide.load_state_dict(numbers)
    said = []
    with RoundedOperators(e, m):
        state = wide.initial_state(len(tokens))
        for t in range(tokens.shape[1]):
            state, y = wide.step(state, tokens[:, t])
            said.append(y)
    return torch.stack(said, dim=1)


def wrong_rows(built: Built, batch: Batch, arithmetic: str) -> int:
    """Rows of a batch where a scored answer is not the one with the highest logit, alone."""
    logits = rounded_logits(built.program.model, torch.from_numpy(batch.tokens), arithmetic)
    top = logits.nan_to_num(nan=-torch.inf).topk(2).values
    right = (logits.argmax(dim=-1).numpy() == batch.targets) & (top[..., 0] > top[..., 1]).numpy()
    return int((~right & batch.mask).any(axis=1).sum())


def least_small_float(built: Built, batches: Sequence[Batch]) -> str:
    """The format float:e,m of fewest bits in which all rows are right: in every format of one bit less some row is wrong."""
    for bits in range(4, 20):
        for m in range(1, bits - 2):
            name = f"float:{bits - 1 - m},{m}"
            if bits - 1 - m <= WIDEST_EXPONENT and not any(wrong_rows(built, batch, name) for batch in batches):
                return name
    raise BadInput(f"{built.claim.construction}: no small float of up to 19 bits holds it")


def every_input(task: Task) -> Batch:
    """All inputs of a small task, with the answers of its oracle."""
    inputs, one = [*task.inputs()], task.sample(0, 1)
    tokens, mask = np.array(inputs), np.repeat(one.mask, len(inputs), axis=0)
    targets = np.zeros_like(mask, dtype=np.int64)
    for row, tokens_of_row in zip(targets, inputs, strict=True):
        row[one.mask[0]] = task.answer(tokens_of_row)
    return Batch(tokens, targets, mask, np.full(len(inputs), tokens.shape[1]))
