"""The output of a Boolean circuit, whose gates are a parameter of the claim and are evaluated here.

`gates` are xI, one, not A, and A B, or A B, xor A B, of earlier gates. With `state` the circuit is evaluated for one input bit x after the
other, its last `state` gates are the bits s1, s2, .. of the next step, and those before the first are 0.
Tokens: `<s>`, the bits 0 and 1, </s>. A chain is the value of every gate, step by step, and </s>. Draws: i - 1 the bit x_i; `lone-one` has
a single 1, whose place cycles.
"""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from separatrix.checker.fields import require_fields, within
from separatrix.checker.oracles.forms.counts import in_bits, strings
from separatrix.checker.oracles.forms.task_oracle import Number, TaskOracle, Tokens
from separatrix.checker.seal import Refused

LETTERS = 10**6
GATES = 10**6  # evaluations of one input
Gate = tuple[str, tuple[int, ...]]


class Oracle(TaskOracle):
    """The last gate of the last step is the output."""

    name = "circuit"
    families = ("random", "lone-one")

    def __init__(self, parameters: Any) -> None:
        self.parameters = require_fields(parameters, "parameters", length=int, circuit=str, thought=str)
        self.N = within(parameters["length"], 1, 10**5, "length")
        if parameters["thought"] not in ("none", "chain"):
            raise Refused(f"parameters.thought: expected none or chain, found {parameters['thought']!r:.80}")
        self.thinks = parameters["thought"] == "chain"
        self.gates, self.state = _circuit(parameters["circuit"], self.N)
        self.rounds = self.N if self.state else 1
        within(len(self.gates) * self.rounds, 1, GATES, "gates")
        self.vocabulary = self.targets = 3 + self.thinks
        self.tokens = 1 + self.N + (len(self.gates) * self.rounds + 1 if self.thinks else 0)
        self.drawing = 1 << (12 if len(self.gates) < 1 << 8 else 16)
        self.decoder = "greedy" if self.thinks else "position"
        short = hashlib.sha256(parameters["circuit"].encode()).hexdigest()[:8]
        recurrent = f"recurrent circuit {short} with {in_bits(self.state)} of state" if self.state else f"circuit {short}"
        self.title = f"the {recurrent} and {len(self.gates)} gates on {self.N} bits{', gate by gate' if self.thinks else ''}"
        self.input_count = strings(2, self.N)
        self.places = {"lone-one": self.N}

    @property
    def alphabets(self) -> tuple[range, ...]:
        return (range(1), *(range(1, 3),) * self.N)

    def gate_values(self, bits: Sequence[int]) -> list[int]:
        """Of every gate, step by step."""
        every: list[int] = []
        state = [0] * self.state
        for step in range(self.rounds):
            now: list[int] = []
            for kind, reads in self.gates:
                a, b = ([*(now[i - 1] for i in reads), 0, 0] if kind not in ("x", "s") else [0, 0])[:2]
                if kind == "x":
                    value = bits[step if self.state else reads[0] - 1]
                else:
                    value = {
                        "s": state[reads[0] - 1] if kind == "s" else 0,
                        "one": 1,
                        "not": 1 - a,
                        "and": a & b,
                        "or": a | b,
                        "xor": a ^ b,
                    }[kind]
                now.append(value)
            every += now
            state = now[len(now) - self.state :]
        return every

    def truth(self, tokens: Sequence[int]) -> int:
        return 1 + self.gate_values([token - 1 for token in tokens[1:]])[-1]

    def chain(self, tokens: Sequence[int]) -> tuple[int, ...]:
        return (*(1 + value for value in self.gate_values([token - 1 for token in tokens[1:]])), 3) if self.thinks else ()

    def draw(self, case: Number) -> Tokens:
        bits = np.zeros(self.N, dtype=np.int64)
        if case.family == "lone-one":
            bits[case.number % self.N] = 1
        else:
            bits[:] = self.words(case.seed, case.number).many_below(0, self.N, 2)
        return np.concatenate([[0], 1 + bits])


@lru_cache(maxsize=16)
def _circuit(text: str, n: int) -> tuple[list[Gate], int]:
    """The gates, and how many of them are the next state."""
    if len(text) > LETTERS:
        raise Refused(f"parameters.circuit: expected at most {LETTERS} characters, found {len(text)}")
    try:
        document = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise Refused(f"parameters.circuit: {error!s:.80}") from error
    recurrent = "state" in document
    require_fields(document, "circuit", gates=list, **({"state": int} if recurrent else {}))
    texts = document["gates"]
    state = within(document["state"], 1, len(texts), "circuit.state") if recurrent else 0
    if not texts or any(type(gate) is not str for gate in texts):
        raise Refused("parameters.circuit: expected a list of gates")
    arguments = {"one": 0, "not": 1, "and": 2, "or": 2, "xor": 2}
    gates: list[Gate] = []
    for number, gate in enumerate(texts, 1):
        kind, *reads = gate.split() or [""]
        if kind in arguments and len(reads) == arguments[kind] and all(read.isascii() and read.isdigit() for read in reads):
            numbers = tuple(int(read) for read in reads)
            if any(not 1 <= read < number for read in numbers):
                raise Refused(f"parameters.circuit: gate {number} does not read earlier gates")
            gates.append((kind, numbers))
            continue
        name, place = gate[:1], gate[1:] if gate != "x" or not recurrent else "1"
        most = {"x": 1 if recurrent else n, "s": state}.get(name, 0)
        if not (place.isascii() and place.isdigit() and 1 <= int(place) <= most) or (name == "x" and recurrent and gate != "x"):
            raise Refused(f"parameters.circuit: gate {number} is {gate!r:.80}, which is not a gate here")
        gates.append((name, (int(place),)))
    return gates, state
