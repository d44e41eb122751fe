"""Circuit: the output of a Boolean circuit, given as a list of gates, on n input bits.

    <s> 1 0 1  ->  0        n = 3, the circuit `parity`

The circuit reads the whole input, or is recurrent: then it reads one bit at a time and passes bits of state on (tasks/gates.py). With
`thought=chain` the chain is the value of every gate in order, of a recurrent circuit step by step, and </s>; the last value is the output.
Ids: `<s>`, the bits 0 and 1, then </s>.
Draws: i - 1 the bit x_i. `lone-one`: a single 1, whose place cycles.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from separatrix.errors import BadInput
from separatrix.tasks.drawing.counter import integers
from separatrix.tasks.gates import Circuit as Gates
from separatrix.tasks.gates import circuit_text, read_circuit
from separatrix.tasks.searching import STOP
from separatrix.tasks.spelled import Spelled
from separatrix.tasks.task import Batch, Integers, Leak, need_examples, read_at_end, sized

BIT = 1  # the id of the bit 0
Thought = Literal["none", "chain"]
LONGEST_CHAIN = 10**6


@dataclass(frozen=True)
class Circuit(Spelled):
    """A circuit by name, as a file or as text, which is what the parameter then holds."""

    circuit: str = "parity"
    thought: Thought = "none"

    name = "circuit"
    title = "Circuit"
    about = "Boolean functions"
    cites = "wen2024 Theorem B.30"
    tokens = "N + 1"
    length_means = "input bits"
    families = ("lone-one",)
    position_kinds = ("lone-one",)
    known_leaks = (Leak("Where the circuit is parity, as by default, counting the ones solves it.", ("odd-counts", "symbol-count")),)
    drawn_at = sized(length=5)
    counted_at = sized(length=6)
    bounded_at = sized(length=40)
    enumerated_at = sized(length=3)
    sampled_at = (sized(length=1), sized(length=5, circuit="recurrent-mod-3", thought="chain"))

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "circuit", circuit_text(self.circuit, self.length))
        if self.chain_limit > LONGEST_CHAIN:
            raise BadInput(f"circuit: a chain of {self.chain_limit} tokens, expected at most {LONGEST_CHAIN}")

    @cached_property
    def gates(self) -> Gates:
        """The circuit whose gates are evaluated, read from its file."""
        return read_circuit(self.circuit, self.length)

    @property
    def token_count(self) -> int:
        return self.length + 1

    @property
    def scored_at_end(self) -> bool:
        return True

    @property
    def spelling(self) -> tuple[str, ...]:
        return ("<s>", "0", "1", *((STOP,) if self.thought == "chain" else ()))

    def answer(self, tokens: Sequence[int]) -> int | None:
        bits = self.bits(tokens)
        return None if bits is None else BIT + self.gates.values(bits)[-1]

    def bits(self, tokens: Sequence[int]) -> list[int] | None:
        """The input bits; None if the tokens are not an input."""
        if len(tokens) != self.token_count or tokens[0] != 0 or not {*tokens[1:]} <= {BIT, BIT + 1}:
            return None
        return [token - BIT for token in tokens[1:]]

    def second(self, tokens: Sequence[int]) -> int:
        """From the output back: each gate asks for what it reads, and remembers the answer."""
        gates = self.gates.gates
        known: dict[tuple[int, int], int] = {}
        steps = 1 if self.gates.state is None else self.length

        def value(step: int, number: int) -> int:
            if (step, number) in known:
                return known[step, number]
            gate = gates[number - 1]
            if gate.kind == "input":
                result = tokens[gate.reads[0] if self.gates.state is None else step] - BIT
            elif gate.kind == "state":
                result = value(step - 1, len(gates) - (self.gates.state or 0) + gate.reads[0]) if step > 1 else 0
            else:
                read = [value(step, other) for other in gate.reads]
                result = {"one": 1, "not": 1 - sum(read), "and": min(read, default=0), "or": max(read, default=0), "xor": sum(read) % 2}[
                    gate.kind
                ]
            return known.setdefault((step, number), result)

        for step in range(1, steps + 1):  # earlier steps first, so that nothing is asked deeper than one step
            for number in range(1, len(gates) + 1):
                value(step, number)
        return BIT + value(steps, len(gates))

    def sample(self, seed: int, count: int, start: int = 0) -> Batch:
        need_examples(seed, count, start)
        return self._asked(integers(self.key(seed), np.arange(start, start + count), np.arange(self.length), 2))

    def adversarial(self, kind: str, seed: int, count: int) -> Batch:  # noqa: ARG002
        bits = np.zeros((count, self.length), dtype=np.int64)
        bits[np.arange(count), np.arange(count) % self.length] = 1
        return self._asked(bits)

    def alphabets(self) -> tuple[Sequence[int], ...]:
        return ((0,), *(range(BIT, BIT + 2),) * self.length)

    total = True

    @property
    def stop(self) -> int | None:
        return self.spelling.index(STOP) if self.thought == "chain" else None

    @property
    def chain_limit(self) -> int:
        if self.thought == "none":
            return 0
        return 1 + len(self.gates.gates) * (1 if self.gates.state is None else self.length)

    def chain(self, tokens: Sequence[int]) -> tuple[int, ...] | None:
        bits = self.bits(tokens)
        if self.thought == "none" or bits is None:
            return None
        return (*(BIT + value for value in self.gates.values(bits)), self.spelling.index(STOP))

    def _asked(self, bits: Integers) -> Batch:
        tokens = np.hstack([np.zeros((len(bits), 1), dtype=np.int64), BIT + bits])
        answers = np.array([BIT + self.gates.values(row)[-1] for row in bits.tolist()], dtype=np.int64)
        return read_at_end(tokens, np.full(len(bits), tokens.shape[1]), answers)
