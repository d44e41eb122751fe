"""The output of a Boolean circuit, whose gates are a parameter of the claim and are evaluated here.

`gates` are xI, one, not A, and A B, or A B, xor A B, of earlier gates. With `state` the circuit is evaluated for one input bit x after the
other, its last `state` gates are the bits s1, s2, .. of the next step, and those before the first are 0.
Tokens: `<s>`, the bits 0 and 1, </s>. A chain is the value of every gate, step by step, and </s>.
"""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Callable, Sequence
from functools import lru_cache

from separatrix.checker.fields import require_fields, within
from separatrix.checker.seal import Refused
from separatrix.checker.specs.counts import in_bits, strings
from separatrix.checker.specs.parameters import Integer, Text, Word
from separatrix.checker.specs.spec import Spec, Task

GATES = 10**6  # evaluations of one input
GATE = 500  # work of one of them
OPERATIONS: dict[str, Callable[..., int]] = {
    "one": lambda: 1, "not": lambda a: 1 - a, "and": lambda a, b: a & b, "or": lambda a, b: a | b, "xor": lambda a, b: a ^ b,
}  # fmt: skip
ARGUMENTS = {"one": 0, "not": 1, "and": 2, "or": 2, "xor": 2}
Gate = tuple[str, tuple[int, ...]]


def circuit(length: int, circuit: str, thought: str) -> Spec:
    """The last gate of the last step is the output."""
    N, thinks = length, thought == "chain"
    gates, state = read_circuit(circuit, N)
    rounds = N if state else 1
    every = within(len(gates) * rounds, 1, GATES, "gates")

    def values(tokens: Sequence[int]) -> list[int]:
        """Of every gate, step by step."""
        done: list[int] = []
        kept = [0] * state
        for step in range(rounds):
            now: list[int] = []
            for kind, reads in gates:
                if kind == "x":
                    now.append(tokens[1 + step if state else reads[0]] - 1)
                elif kind == "s":
                    now.append(kept[reads[0] - 1])
                else:
                    now.append(OPERATIONS[kind](*(now[i - 1] for i in reads)))
            done += now
            kept = now[len(now) - state :]
        return done

    short = hashlib.sha256(circuit.encode()).hexdigest()[:8]
    which = f"recurrent circuit {short} with {in_bits(state)} of state" if state else f"circuit {short}"
    evaluating = GATE * every // (1 + N)  # an answer evaluates every gate
    return Spec(
        title=f"the {which} and {len(gates)} gates on {N} bits{', gate by gate' * thinks}",
        alphabets=(range(1), *(range(1, 3),) * N),
        vocabulary=3 + thinks,
        targets=3 + thinks,
        truth=lambda tokens: 1 + values(tokens)[-1],
        input_count=strings(2, N),
        decoder="greedy" if thinks else "position",
        chain=lambda tokens: (*(1 + value for value in values(tokens)), 3) if thinks else (),
        written=every + 1 if thinks else 0,
        answering=300 + evaluating,
        drawing=max(1 << 12, evaluating),
    )


@lru_cache(maxsize=16)
def read_circuit(text: str, n: int) -> tuple[list[Gate], int]:
    """The gates, and how many of them are the next state."""
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
    return [_gate(gate, number, 1 if recurrent else n, state) for number, gate in enumerate(texts, 1)], state


def _gate(gate: str, number: int, inputs: int, state: int) -> Gate:
    kind, *reads = gate.split() or [""]
    if kind in ARGUMENTS and len(reads) == ARGUMENTS[kind] and all(read.isascii() and read.isdigit() for read in reads):
        numbers = tuple(int(read) for read in reads)
        if any(not 1 <= read < number for read in numbers):
            raise Refused(f"parameters.circuit: gate {number} does not read earlier gates")
        return kind, numbers
    name, place = gate[:1], gate[1:] if gate != "x" or not state else "1"
    most = {"x": inputs, "s": state}.get(name, 0)
    if not (place.isascii() and place.isdigit() and 1 <= int(place) <= most) or (name == "x" and state and gate != "x"):
        raise Refused(f"parameters.circuit: gate {number} is {gate!r:.80}, which is not a gate here")
    return name, (int(place),)


TASKS = {"circuit": Task({"length": Integer(1, 10**5), "circuit": Text(10**6), "thought": Word(("none", "chain"))}, circuit)}
