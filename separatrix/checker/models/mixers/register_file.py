"""A file of one-bit registers with gated writes and time-dependent weights.

It reads a stream whose first `rows` coordinates are the one-hot row of the token and whose next `numbers` coordinates are its one-hot
number, all 0 if it has none. At token t, for k = 1 .. writes in turn:

    h_w becomes a + b h_w + c r + d h_w r,  w = write[t, k],  r = h[read[t, k]], or h[number_read[n, k]] at a token of number n,
    (a, b, c, d) = gates[t, k, row]

Gates are integers, so this is exact in every format. Registers are 0 or 1, and anything else is refused; the scratch registers after
them are 0 at every new token. Its output is the registers, in the first coordinates.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from separatrix.checker.fields import require_fields, within
from separatrix.checker.models.mixers import Mixer, Shapes, Weights
from separatrix.checker.numbers import arrays
from separatrix.checker.numbers.boxes import Array, Box
from separatrix.checker.numbers.formats import Numbers
from separatrix.checker.seal import Refused

WRITE = 4_000  # work of one write, and of one register carried over
MOST = 1 << 24
GATE = 1 << 20  # the largest gate


@dataclass(frozen=True)
class RegisterFile(Mixer):
    """One register file."""

    registers: int
    scratch: int
    writes: int
    rows: int
    numbered: int
    length: int

    @classmethod
    def read(cls, document: Any, where: str, width: int) -> RegisterFile:
        """The register file of a description."""
        require_fields(document, where, kind=str, registers=int, scratch=int, writes=int, rows=int, numbers=int, length=int)
        for key, least in (("registers", 1), ("scratch", 0), ("writes", 1), ("rows", 1), ("numbers", 0), ("length", 1)):
            within(document[key], least, MOST, f"{where}.{key}")
        if width < max(document["rows"] + document["numbers"], document["registers"]):
            raise Refused(f"{where}: a stream of width {width} does not hold its rows and numbers, or its registers")
        return cls(*(document[key] for key in ("registers", "scratch", "writes", "rows", "numbers", "length")))

    def shapes(self, width: int) -> Shapes:  # noqa: ARG002
        T, K = self.length, self.writes
        tensors: Shapes = {"write": (T, K), "read": (T, K), "gates": (T, K, self.rows, 4)}
        return tensors | ({"number_read": (self.numbered, K)} if self.numbered else {})

    def indices(self) -> dict[str, int]:
        return dict.fromkeys(("write", "read", *(("number_read",) if self.numbered else ())), self.registers + self.scratch)

    def mix(self, ops: Numbers, w: Weights, x: Box, readers: Array) -> Box:
        """Input by input, token by token, write by write, in Python integers."""
        if x.shape[-2] > self.length:
            raise Refused(f"an input has {x.shape[-2]} tokens, the register file has weights for {self.length}")
        gates = self.whole_gates(ops, w["gates"])
        if x.low.ndim == 2:
            return ops.integers(self._run(ops, w, gates, x, readers))
        return ops.integers(arrays.stack([self._run(ops, w, gates, x[b], readers) for b in range(len(x))]))

    def _run(self, ops: Numbers, w: Weights, gates: Array, x: Box, readers: Array) -> Array:
        """One input: [readers, width]."""
        rows, numbers = self.one_hot(ops, x, slice(0, self.rows)), self.one_hot(ops, x, slice(self.rows, self.rows + self.numbered))
        if (rows < 0).any():
            raise Refused("a token does not reach the register file as the one-hot row of its kind")
        h, R = [0] * (self.registers + self.scratch), self.registers
        wanted, shown = set(readers.tolist()), {}
        for t in range(int(readers.max()) + 1):
            h[R:] = [0] * self.scratch  # nothing but the registers crosses from one token to the next
            source = w["read"][t] if numbers[t] < 0 else w["number_read"][numbers[t]]
            for at, r, gate in zip(w["write"][t].tolist(), source.tolist(), gates[t, :, rows[t]].tolist(), strict=True):
                value = gate[0] + gate[1] * h[at] + gate[2] * h[r] + gate[3] * h[at] * h[r]
                if value not in (0, 1):
                    raise Refused(f"weights: token {t + 1} of an input writes {value} to a one-bit register")
                h[at] = value
            if t in wanted:
                shown[t] = h[:R]
        outputs = arrays.zeros((len(readers), x.shape[1]), dtype=arrays.int64)
        outputs[:, :R] = [shown[t] for t in readers.tolist()]
        return outputs

    def work(self, width: int, n: int, readers: int, ops: Numbers) -> int:  # noqa: ARG002
        return (
            n * (WRITE * (1 + self.writes) + 10 * self.scratch + 40 * width)
            + readers * 40 * width
            + 40 * self.writes * self.length * self.rows
        )

    def numbers(self, width: int, n: int, readers: int) -> int:  # noqa: ARG002
        return 4 * n * width + 4 * (self.registers + self.scratch) + 8 * self.length * self.writes * self.rows

    def state_bits(self, width: int, bits: int) -> int | None:  # noqa: ARG002
        """One bit for each register, whatever the format of the weights."""
        return self.registers

    def whole_gates(self, ops: Numbers, stored: Array) -> Array:
        """The gates as integers."""
        gates = ops.whole(stored)
        if gates is None or int(abs(gates).max(initial=0)) > GATE:
            raise Refused(f"weights: the gates of a register file are integers up to {GATE}")
        return gates

    def one_hot(self, ops: Numbers, x: Box, part: slice) -> Array:
        """Which coordinate of a part of the stream is 1, at each token; -1 where all are 0."""
        one = ops.scale or 1
        ones = x.low[:, part] == one
        if not x.point or not (ones | (x.low[:, part] == 0)).all() or (ones.sum(axis=1) > 1).any():
            raise Refused("a token does not reach the register file as one-hot coordinates")
        return arrays.where(ones.any(axis=1), ones.argmax(axis=1) if ones.shape[1] else 0, -1)
