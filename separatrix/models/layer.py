"""One layer of a model: a mixer, then a feed-forward part, with residual connections and norms where there are any.

y = mix(norm(x)), plus x where residual;   z = FF(norm(y)), plus y where residual;   without either part z = norm(x)
"""

from __future__ import annotations

from torch import Tensor, nn
from torch.nn import functional

from separatrix.arithmetic.operators import Arithmetic, Values
from separatrix.models.config import LayerConfig, Norm
from separatrix.models.feedforward import FeedForward
from separatrix.models.mixers.mixer import Mixer, Tensors, pick


class Layer(nn.Module):
    """A mixer and the parts around it."""

    def __init__(self, config: LayerConfig, width: int, numbers: Arithmetic, dropout: float) -> None:
        super().__init__()
        self.config, self.numbers, self.dropout = config, numbers, dropout
        mixer, hidden = config.mixer, config.feedforward
        self.mixer: Mixer | None = mixer.build(width, numbers) if mixer else None
        self.feedforward = FeedForward(hidden, width, numbers) if hidden else None
        self.before_mixing = norm(config.norm, width) if mixer or not hidden else None
        self.before_feedforward = norm(config.norm, width) if hidden else None

    def forward(self, x: Values, at: Tensor | None = None) -> Values:
        """The stream [b, n, width] after this layer, or its rows [b, 1, width] at one position each."""
        here = x if at is None else pick(x, at)
        return self.after_mixing(here, None if self.mixer is None else self.mixer(self.normed(x), at))

    def step(self, state: Tensors, x: Values, clock: int) -> tuple[Tensors, Values]:
        """The layer for one token x [b, width]."""
        if self.mixer is None:
            return state, self.after_mixing(x, None)
        state, mixed = self.mixer.step(state, self.normed(x), clock)
        return state, self.after_mixing(x, mixed)

    def normed(self, x: Values) -> Values:
        """The input of the mixer, after the norm in front of it."""
        return x if self.before_mixing is None else self.before_mixing(x)

    def after_mixing(self, x: Values, mixed: Values | None) -> Values:
        """The rest of the layer, at each position alone; without a mixer `mixed` is None."""
        y = x if mixed is None else self.added(x, mixed)
        if self.feedforward is None:
            return y if self.mixer is not None else self.normed(x)
        return self.added(y, self.feedforward(y if self.before_feedforward is None else self.before_feedforward(y)))

    def added(self, x: Values, part: Values) -> Values:
        """The output of a part, plus its input if the connection is residual."""
        part = functional.dropout(part, self.dropout) if self.dropout and self.training else part
        return self.numbers.add(x, part) if self.config.residual else part

    def initial_state(self, rows: int) -> Tensors:
        """The state before the first token."""
        return () if self.mixer is None else self.mixer.initial_state(rows)


def norm(kind: Norm, width: int) -> nn.Module | None:
    """A layer norm, an RMS norm, or none."""
    if kind == "none":
        return None
    return nn.LayerNorm(width) if kind == "layer" else nn.RMSNorm(width, eps=1e-6)
