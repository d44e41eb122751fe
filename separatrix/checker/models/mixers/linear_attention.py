"""Linear attention: out concat_h(S phi(q) / (z phi(q))), S = sum_j v_j phi(k_j)^T, z = sum_j phi(k_j), phi = elu + 1, over j <= t.

Computed here as weighted sums of values, phi(q) . phi(k_j) being the weights. All of phi is positive, so the magnitudes that bound
the rounding of one order of these sums bound that of every other. The state S and z of a recurrence, which need not be as small as what is
read from it, is bounded by itself. `advance` is the same token by token, from boxes; it counts tokens, so that its bound also covers every
order.
"""

from __future__ import annotations

from dataclasses import dataclass

from separatrix.checker.models.mixers import Shapes, Weights, head_shapes
from separatrix.checker.models.mixers.recurrence import Recurrence, State
from separatrix.checker.numbers.boxes import Array, Box, constant, join, positions
from separatrix.checker.numbers.formats import Numbers
from separatrix.checker.numbers.gates import added_up, read_sums, through_state
from separatrix.checker.numbers.smooth import elu_plus_one, native, quotient

AT_ONCE = 1 << 22  # weights at a time
CALLS = 10_000  # fixed work per head, whatever its size


@dataclass(frozen=True)
class LinearAttention(Recurrence):
    """One mixer."""

    stepped = False  # every order of its sums
    heads: int
    key_width: int
    value_width: int
    bias: bool

    def head_sizes(self) -> tuple[int, int, int]:
        return self.heads, self.key_width, self.value_width

    def shapes(self, width: int) -> Shapes:
        return head_shapes(self.heads * self.key_width, self.heads * self.value_width, width, self.bias)

    def mix(self, ops: Numbers, w: Weights, x: Box, readers: Array) -> Box:
        floats, n, m, u = native(ops, "linear attention"), x.shape[-2], self.key_width, self.value_width
        q = elu_plus_one(floats, ops.linear(x.rows(readers), w["query"], w.get("query_bias")))
        k = elu_plus_one(floats, ops.linear(x, w["key"], w.get("key_bias")))
        v = ops.linear(x, w["value"], w.get("value_bias"))
        seen = slice(0, int(readers.max()) + 1)  # a program of this recurrence has read no other token
        blocks, step = [], max(1, AT_ONCE // max(1, x.low[..., 0].size))
        ones = constant((n, 1), 1.0)
        for first in range(0, len(readers), step):
            part = slice(first, first + step)
            visible = positions(0, n)[None, :] <= readers[part, None]
            read = []
            for h in range(self.heads):
                a = ops.logits(q.rows(part).columns(h * m, m), k.columns(h * m, m))
                a = a.masked(visible)
                parts = [
                    through_state(
                        floats, q.rows(part).columns(h * m, m), k.columns(h * m, m).rows(seen), summed.rows(seen), ops.mix(a, summed)
                    )
                    for summed in (v.columns(h * u, u), ones)
                ]
                read.append(quotient(floats, *parts))
            blocks.append(join(read, axis=-1))
        return ops.linear(join(blocks), w["out"], w.get("out_bias"))

    def begin(self, ops: Numbers, w: Weights, shape: tuple[int, ...], width: int) -> State:  # noqa: ARG002
        """S and z of all heads, z as the last column; the magnitudes that were added up there; and the number of tokens."""
        cells = self.heads * self.key_width * (self.value_width + 1)
        return constant((*shape, cells)), constant((*shape, cells)), constant((*shape, 1))

    def advance(self, ops: Numbers, w: Weights, state: State, x: Box) -> tuple[State, Box]:
        floats, H, m, u = native(ops, "linear attention"), self.heads, self.key_width, self.value_width
        q, k = (elu_plus_one(floats, ops.linear(x, w[name], w.get(f"{name}_bias"))) for name in ("query", "key"))
        v = ops.linear(x, w["value"], w.get("value_bias")).reshape(*x.shape[:-1], H, u)
        v = join([v, constant((*v.shape[:-1], 1), 1.0)], axis=-1)
        q, k = (part.reshape(*x.shape[:-1], H, m) for part in (q, k))
        S, size = (part.reshape(*x.shape[:-1], H, m, u + 1) for part in state[:2])
        S, size = added_up(floats, S, size, k, v)
        count = ops.add(state[2], constant(state[2].shape, 1.0))
        sums = read_sums(floats, q, S, size, count[..., None])
        read = quotient(floats, sums.columns(0, u), sums[..., u:])
        given = ops.linear(read.reshape(*x.shape[:-1], H * u), w["out"], w.get("out_bias"))
        return (S.reshape(*state[0].shape), size.reshape(*state[1].shape), count), given

    def work(self, width: int, n: int, readers: int, ops: Numbers) -> int:
        keys, values = self.heads * self.key_width, self.heads * self.value_width
        linear = (n + readers) * (keys + values) * width * ops.cost(width)
        return linear + readers * n * self.heads * (self.key_width + self.value_width + 10) * ops.cost(n) + CALLS * self.heads

    def numbers(self, width: int, n: int, readers: int) -> int:
        per_token = 3 * (width + self.heads * (2 * self.key_width + self.value_width))
        return n * per_token + 8 * min(max(AT_ONCE, n), readers * n)

    def state_bits(self, width: int, bits: int) -> int | None:  # noqa: ARG002
        """S and z of every head."""
        return self.heads * self.key_width * (self.value_width + 1) * bits
