"""Previous occurrence: where did the last symbol stand before?   ^ 2 0 1 0 -> 2, and 0 where it did not stand before.

A task and a construction of one's own, in one file. Layer 1 hands every token the symbol before it, so that no token finds itself.
Layer 2 looks for the symbol that a token has and, among several, for the latest.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from separatrix.arithmetic import parse_format
from separatrix.certificates.built import Built
from separatrix.constructions.assembler import Assembler
from separatrix.constructions.forms import stack
from separatrix.constructions.number_limits import exact_integers
from separatrix.constructions.parts.addresses import lookup
from separatrix.constructions.parts.softmax_reads import vanishing_gap
from separatrix.constructions.parts.symbol_codes import sign_code
from separatrix.errors import BadInput
from separatrix.tasks.drawing.counter import integers
from separatrix.tasks.task import Batch, Task, read_at_end


@dataclass(frozen=True)
class PreviousOccurrence(Task):
    """^ and N symbols; the answer is the latest earlier place of the last symbol. Draws: 0.. the symbols."""

    length: int
    symbols: int = 4

    name: ClassVar[str] = "previous-occurrence"
    cites: ClassVar[str] = ""
    tokens: ClassVar[str] = "N + 1"
    vocabulary = property(lambda self: self.symbols + 1)
    targets = property(lambda self: self.length)

    def answer(self, tokens: Sequence[int]) -> int | None:
        start, *before, last = tokens
        return max((i for i, symbol in enumerate(before, 1) if symbol == last), default=0) if start == self.symbols else None

    def sample(self, seed: int, count: int, start: int = 0) -> Batch:
        drawn = integers(self.key(seed), np.arange(start, start + count), np.arange(self.length), self.symbols)
        rows = np.insert(drawn, 0, self.symbols, axis=1)
        return read_at_end(rows, np.full(count, self.length + 1), np.array([self.answer(row) for row in rows.tolist()], dtype=np.int64))

    def inputs(self) -> Iterator[tuple[int, ...]]:
        return ((self.symbols, *row) for row in itertools.product(range(self.symbols), repeat=self.length))


def previous_occurrence(length: int, symbols: int = 4, arithmetic: str = "float64") -> Built:
    """Two layers of one head, with a residual connection and a causal mask."""
    task, n, format = PreviousOccurrence(length, symbols), length + 1, parse_format(arithmetic)
    code = np.pad(sign_code(symbols), ((0, 1), (0, 1)))  # of ^ and of its coordinate: 0
    b = code.shape[1] - 1
    code[symbols, b] = b - 1  # equal codes agree by b, different ones by b - 2 at most, and ^ with everything by b - 1
    eta = float(vanishing_gap(n, n, format))  # what lies eta below the largest logit is not seen
    G = eta * (n * n + 1)  # agreement comes first: one unit of it outweighs every distance
    if G * b + 2 * eta * n * n > exact_integers(format):
        raise BadInput(f"previous-occurrence, N = {length}: logits reach {G * b:.3g}, too much for {arithmetic}")

    net = Assembler(plain=symbols + 1, targets=length, length=n, arithmetic=arithmetic, residual=True, causal=True)
    symbol = net.token("symbol", code)
    one = net.token("one", np.ones((symbols + 1, 1)))
    place = net.place("place", lookup("quadratic", n, format, extra=0, eta=eta).weights)  # (i, i^2): (2p, -1) asks for place p
    t = place[0]

    before = net.layer().attend("before", query=eta * stack(2 * (t - one), -one), key=place, value=symbol, into="before")
    query = stack(G * symbol[:b], G * one, eta * 2 * t, -eta * one)  # agreement with what stands before j, and j near t
    j = net.layer().attend("latest", query=query, key=stack(before, place), value=t, into="latest")

    v = np.arange(length, dtype=np.float64)
    net.read_out(2 * v[:, None], j - 2, -v * v)  # 2 v (j - 2) - v^2 is largest at v = j - 2: one place before j, not counting ^
    return net.compile(task, task.name, "", {}, {"eta": eta, "G": G})
