"""A user's own mixer: any module with forward(x [b, n, d]) -> [b, n, d], from a file of theirs.

If it also has `step(state, x)`, the state is its own (None before the first token). Without one it can still be run token by token, by
reading all tokens again; what it would have to carry is then unknown, and no size is made up. Positions are added only if asked for.
Its constructor gets the stream's width, under any of the usual names, and the mixer's own settings.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar

import torch
from torch import Tensor, nn

from separatrix.arithmetic.operators import Arithmetic
from separatrix.errors import BadInput
from separatrix.models.config import MixerConfig
from separatrix.models.layer_styles import BLOCK, LayerStyle
from separatrix.models.mixers.mixer import Mixer, Tensors
from separatrix.naming import content_hash, load, short_place
from separatrix.parameters import parameters, typed

WIDTHS = ("width", "d_model", "dim", "embed_dim", "hidden_size", "channels")  # usual parameter names for the stream's width
HEADS = 4  # the default if a mixer needs a number of heads
TOKENS = 9  # tokens of the sequence on which a mixer is tried out


@dataclass(frozen=True)
class UserConfig(MixerConfig):
    """The code, by its place and the SHA-256 of its source, and its settings besides the width."""

    code: str = field(metadata={"written": short_place})
    sha256: str
    settings: tuple[tuple[str, Any], ...] = ()

    kind: ClassVar[str] = "user"
    style: ClassVar[LayerStyle] = BLOCK

    @property
    def inexact(self) -> str:
        return f"mixer {self.code}"

    def build(self, width: int, numbers: Arithmetic) -> UserMixer:
        maker, what = maker_of(self.code), f"mixer {self.code}"
        known = parameters(maker)
        sizes = dict.fromkeys((name for name in WIDTHS if name in known), width)
        if "heads" in known and known["heads"].required:
            sizes["heads"] = HEADS
        module = maker(**typed(maker, {**sizes, **dict(self.settings)}, what))
        if not isinstance(module, nn.Module):
            raise BadInput(f"{what}: expected a torch module, found {type(module).__name__}")
        return UserMixer(self, module, width, numbers)


class UserMixer(Mixer):
    """Wraps a user's module as a mixer of a layer."""

    def __init__(self, config: UserConfig, module: nn.Module, width: int, numbers: Arithmetic) -> None:
        super().__init__(width, numbers)
        self.config, self.module = config, module
        self.steps = self.state_known = callable(getattr(module, "step", None))

    def mix(self, x: Tensor) -> Tensor:
        mixed = self._run(self.module, x)
        if not isinstance(mixed, Tensor) or mixed.shape != x.shape:
            returned = list(mixed.shape) if isinstance(mixed, Tensor) else type(mixed).__name__
            raise BadInput(f"mixer {type(self.module).__name__}: forward must return [b, n, d] = {list(x.shape)}, found {returned}")
        return mixed

    def initial_state(self, rows: int) -> Tensors:
        return () if self.steps else (torch.zeros(rows, 0, self.width, dtype=self._dtype()),)

    def step(self, state: Tensors, x: Tensor, clock: int) -> tuple[Tensors, Tensor]:
        if not self.steps:
            read = torch.cat([state[0], x[:, None]], dim=1)
            return (read,), self.mix(read)[:, -1]
        carried: Any = None if clock == 0 else state[0] if len(state) == 1 else state
        step: Callable[..., tuple[Any, Tensor]] = self.module.step  # type: ignore[assignment]
        following, mixed = self._run(step, carried, x)
        return (following,) if isinstance(following, Tensor) else tuple(following), mixed

    def state_numbers(self, length: int) -> int:
        """Measured by running the step; unknown without one."""
        if not self.steps:
            raise BadInput(
                f"the size of the state of mixer {type(self.module).__name__} is unknown: give it step(state, x) -> (state, y), "
                "which carries what later tokens need"
            )
        state = self.initial_state(1)
        with torch.no_grad():
            for clock in range(length):
                state, _ = self.step(state, torch.zeros(1, self.width, dtype=self._dtype()), clock)
        return sum(int(tensor.numel()) for tensor in state)

    def start(self, deviation: float, shrink: float) -> None:  # noqa: ARG002
        """Keep the author's initialisation, and try the mixer out before it is trained."""
        self.try_out()

    def try_out(self) -> None:
        """Refuse a mixer that returns numbers that are not finite, that reads later tokens, or whose step disagrees with its forward."""
        training, what = self.training, f"mixer {type(self.module).__name__}"
        x = torch.randn(2, TOKENS, self.width, generator=torch.Generator().manual_seed(0)).to(self._dtype())
        self.eval()
        try:
            with torch.no_grad():
                whole = self.mix(x)
                if not bool(whole.isfinite().all()):
                    where = int((~whole.isfinite()).any(dim=-1).any(dim=0).int().argmax())
                    found = "nan" if bool(whole[:, where].isnan().any()) else "inf"
                    raise BadInput(f"{what} returns {found}, first at token {where + 1} of {TOKENS} normally distributed vectors")
                for cut in range(1, TOKENS):
                    other = torch.cat([x[:, :cut], -x[:, cut:]], dim=1)
                    if not _close(self.mix(other)[:, :cut], whole[:, :cut]):
                        raise BadInput(f"{what} is not causal: its output at token {cut} changes with the tokens after it")
                state, outputs = self.initial_state(len(x)), []
                for t in range(TOKENS):
                    state, y = self.step(state, x[:, t], t)
                    outputs.append(y)
                if not _close(torch.stack(outputs, dim=1), whole):
                    raise BadInput(f"{what}: step and forward disagree: token by token the output is different")
        finally:
            self.train(training)

    def _run(self, code: Callable[..., Any], *arguments: Any) -> Any:
        """An error of the user's code is not an error of ours."""
        try:
            return code(*arguments)
        except Exception as error:
            about = " ".join(f"{type(error).__name__}: {error}".split())[:200]
            raise BadInput(f"mixer {type(self.module).__name__} fails: {about} (SEPARATRIX_TRACEBACK=1 shows where)") from error

    def _dtype(self) -> torch.dtype:
        return next((p.dtype for p in self.module.parameters()), torch.float32)


def user(code: str) -> UserConfig:
    """The mixer at file.py:Name or package.module:Name."""
    return UserConfig(code, content_hash(code))


def maker_of(code: str) -> Callable[..., Any]:
    """The class or function that creates the mixer."""
    maker: Any = load(code)
    if not callable(maker):
        raise BadInput(f"mixer {code}: expected a class or function, found {type(maker).__name__}")
    return maker  # type: ignore[no-any-return]


def _close(x: Tensor, y: Tensor) -> bool:
    return torch.allclose(x, y, rtol=1e-3, atol=1e-4)
