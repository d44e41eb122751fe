"""Circuit: the output of a Boolean circuit, given as a list of gates, on n input bits.

    <s> 1 0 1  ->  0        n = 3, the circuit `parity`

The circuit reads the whole input, or is recurrent: then it reads one token at a time, of one bit or several, passes bits of state on, and
writes a token after each; behind the input it may read tokens of its own (tasks/gates.py). The answer is the last token that it writes.
With `thought=chain` the chain is the value of every gate in order, of which the last is the output, and </s>.

    <s> 2 3  |  2 b0 b1 .. 3 b0 b1 .. 0 ..  </s>      a recurrent model; the chain of [wen2024 Construction 8]

The chain of a recurrent circuit is the first token of its sequence, then for every step its P gates and the next token of the sequence:
one of the input, or one that it writes; and </s>.
Ids: `<s>`, the bits 0 and 1 or the tokens 0, 1, .., then with a chain </s>, and b0 and b1 for the gates of a recurrent circuit.
Draws: i - 1 the token x_i. `lone-one`: a single 1, whose place cycles.
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
GATE_BITS = ("b0", "b1")
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
    length_means = "input bits, or tokens of a recurrent circuit"
    families = ("lone-one",)
    position_kinds = ("lone-one",)
    known_leaks = (Leak("Where the circuit is parity, as by default, counting the ones solves it.", ("odd-counts", "symbol-count")),)
    drawn_at = sized(length=5)
    counted_at = sized(length=6, circuit="recurrent-mod-3")  # parity needs one bit, as any model has
    bounded_at = sized(length=40)
    bounded_up_to = 1 << 15  # a circuit has at most 100,000 gates
    enumerated_at = sized(length=3)
    sampled_at = (sized(length=1), sized(length=5, circuit="recurrent-mod-3", thought="chain"), sized(length=4, circuit="recurrent-add-4"))

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
        gates = GATE_BITS if self.gates.state is not None else ()
        return ("<s>", *map(str, range(1 << self.gates.bits)), *((STOP, *gates) if self.thought == "chain" else ()))

    def answer(self, tokens: Sequence[int]) -> int | None:
        bits = self.bits(tokens)
        return None if bits is None else BIT + self._output(bits)

    def _output(self, read: Sequence[int]) -> int:
        """The output bit, or the last token that a recurrent circuit writes."""
        return self.gates.values(read)[-1] if self.gates.state is None else self.gates.run(read)[-1][1]

    def bits(self, tokens: Sequence[int]) -> list[int] | None:
        """The input bits, or tokens of several bits; None if the tokens are not an input."""
        if len(tokens) != self.token_count or tokens[0] != 0 or not {*tokens[1:]} <= {*range(BIT, BIT + (1 << self.gates.bits))}:
            return None
        return [token - BIT for token in tokens[1:]]

    def second(self, tokens: Sequence[int]) -> int:
        """From the output back: each gate asks for what it reads, and remembers the answer."""
        gates = self.gates.gates
        known: dict[tuple[int, int], int] = {}
        steps, recurrent = (1 if self.gates.state is None else self.length + self.gates.steps), self.gates.state is not None

        def token(step: int) -> int:
            return tokens[step] - BIT if step <= self.length else written(step - 1)

        def written(step: int) -> int:
            return sum(value(step, gate) * 2**i for i, gate in enumerate(self.gates.says))

        def value(step: int, number: int) -> int:
            if (step, number) in known:
                return known[step, number]
            gate = gates[number - 1]
            if gate.kind == "input":
                result = token(step) // 2 ** (gate.reads[0] - 1) % 2 if recurrent else tokens[gate.reads[0]] - BIT
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
        return BIT + (written(steps) if recurrent else value(steps, len(gates)))

    def sample(self, seed: int, count: int, start: int = 0) -> Batch:
        need_examples(seed, count, start)
        return self._asked(integers(self.key(seed), np.arange(start, start + count), np.arange(self.length), 1 << self.gates.bits))

    def adversarial(self, kind: str, seed: int, count: int) -> Batch:  # noqa: ARG002
        bits = np.zeros((count, self.length), dtype=np.int64)
        bits[np.arange(count), np.arange(count) % self.length] = 1
        return self._asked(bits)

    def alphabets(self) -> tuple[Sequence[int], ...]:
        return ((0,), *(range(BIT, BIT + (1 << self.gates.bits)),) * self.length)

    total = True

    @property
    def stop(self) -> int | None:
        return self.spelling.index(STOP) if self.thought == "chain" else None

    @property
    def chain_limit(self) -> int:
        if self.thought == "none":
            return 0
        P = len(self.gates.gates)
        return 1 + P if self.gates.state is None else 2 + (P + 1) * (self.length + self.gates.steps)

    def chain(self, tokens: Sequence[int]) -> tuple[int, ...] | None:
        bits = self.bits(tokens)
        if self.thought == "none" or bits is None:
            return None
        stop = self.spelling.index(STOP)
        if self.gates.state is None:
            return (*(BIT + value for value in self.gates.values(bits)), stop)
        written = [BIT + bits[0]]
        for step, (values, token) in enumerate(self.gates.run(bits), 1):
            written += [stop + 1 + value for value in values] + [BIT + (bits[step] if step < self.length else token)]
        return (*written, stop)

    def _asked(self, bits: Integers) -> Batch:
        tokens = np.hstack([np.zeros((len(bits), 1), dtype=np.int64), BIT + bits])
        answers = np.array([BIT + self._output(row) for row in bits.tolist()], dtype=np.int64)
        return read_at_end(tokens, np.full(len(bits), tokens.shape[1]), answers)
