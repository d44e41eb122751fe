"""The output of a Boolean circuit, whose gates are a parameter of the claim and are evaluated here.

`gates` are xI, one, not A, and A B, or A B, xor A B, of earlier gates. With `state` the circuit is evaluated for one input token after the
other, its last `state` gates are the bits s1, s2, .. of the next step, and those before the first are 0. A token is one bit x, and the one
that is written is the last gate; or it has `bits` bits x1, x2, .., lowest first, and the written one are the gates right before those
of the state. Behind the input the circuit reads `steps` tokens, each of which it wrote the step before. The answer is the last token.
Tokens: `<s>`, the bits 0 and 1 or all tokens in order; with a chain </s>, and with a state b0, b1. A chain is the value of every gate; of
a recurrent circuit the first token, then for each step its gates as b0 and b1 and the token that the next step reads, or the answer.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

from separatrix.checker.fields import require_fields, within
from separatrix.checker.seal import Refused
from separatrix.checker.specs.counts import in_bits, strings
from separatrix.checker.specs.parameters import Integer, Text, Word, toml
from separatrix.checker.specs.spec import Spec, Task

GATES = 10**6  # evaluations of one input
GATE = 500  # work of one of them
OPERATIONS: dict[str, Callable[..., int]] = {
    "one": lambda: 1, "not": lambda a: 1 - a, "and": lambda a, b: a & b, "or": lambda a, b: a | b, "xor": lambda a, b: a ^ b,
}  # fmt: skip
RECURRENT = ("state", "bits", "steps")
ARGUMENTS = {"one": 0, "not": 1, "and": 2, "or": 2, "xor": 2}
Gate = tuple[str, tuple[int, ...]]


def circuit(length: int, circuit: str, thought: str) -> Spec:
    """The last gate of the last step is the output."""
    N, thinks = length, thought == "chain"
    gates, state, wide, steps, several = read_circuit(circuit, N)
    rounds = N + steps if state else 1
    every = within(len(gates) * rounds, 1, GATES, "gates")
    first = len(gates) - state - wide if several else len(gates) - 1  # of the gates of the written token, counted from 0

    def evaluated(tokens: Sequence[int]) -> Iterator[tuple[list[int], int]]:
        """For each step the value of every gate, and the token that is written."""
        kept, written = [0] * state, 0
        for step in range(rounds):
            token = tokens[1 + step] - 1 if step < N else written
            now: list[int] = []
            for kind, reads in gates:
                if kind == "x":
                    now.append(token >> (reads[0] - 1) & 1 if state else tokens[reads[0]] - 1)
                elif kind == "s":
                    now.append(kept[reads[0] - 1])
                else:
                    now.append(OPERATIONS[kind](*(now[i - 1] for i in reads)))
            kept = now[len(now) - state :]
            written = sum(bit << i for i, bit in enumerate(now[first : first + wide]))
            yield now, written

    def truth(tokens: Sequence[int]) -> int:
        *_, (_, last) = evaluated(tokens)
        return 1 + last

    def chain(tokens: Sequence[int]) -> tuple[int, ...]:
        stop, done = 1 + (1 << wide), list(evaluated(tokens))
        if not state:
            return (*(1 + value for value in done[0][0]), stop)
        words = [tokens[1]]
        for after, (values, written) in enumerate(done, 2):
            words += [*(stop + 1 + value for value in values), tokens[after] if after <= N else 1 + written]
        return (*words, stop)

    short = hashlib.sha256(circuit.encode()).hexdigest()[:24]
    which = f"recurrent circuit {short} with {in_bits(state)} of state" if state else f"circuit {short}"
    what = f"tokens of {in_bits(wide)}" if several else "bits"
    own = f" and {steps} of its own" if steps else ""
    evaluating = GATE * every // (1 + N)  # an answer evaluates every gate
    return Spec(
        title=f"the {which} and {len(gates)} gates on {N} {what}{own}{', gate by gate' * thinks}",
        alphabets=(range(1), *(range(1, 1 + (1 << wide)),) * N),
        vocabulary=1 + (1 << wide) + thinks * (3 if state else 1),
        targets=1 + (1 << wide) + thinks * (3 if state else 1),
        truth=truth,
        input_count=strings(1 << wide, N),
        decoder="greedy" if thinks else "position",
        chain=chain if thinks else lambda _: (),
        written=(every + rounds + 2 if state else every + 1) if thinks else 0,
        answering=300 + evaluating,
        drawing=max(1 << 12, evaluating),
    )


@lru_cache(maxsize=16)
def read_circuit(text: str, n: int) -> tuple[list[Gate], int, int, int, bool]:
    """The gates, how many of them are the next state, bits of a token, tokens of its own, and whether bits are named."""
    document = toml(text, "parameters.circuit")
    recurrent, several = "state" in document, "bits" in document
    require_fields(document, "circuit", gates=list, **({name: int for name in document if name in RECURRENT} if recurrent else {}))
    texts = document["gates"]
    state = within(document["state"], 1, len(texts), "circuit.state") if recurrent else 0
    if not texts or any(type(gate) is not str for gate in texts):
        raise Refused("parameters.circuit: expected a list of gates")
    wide = within(document["bits"], 1, min(6, len(texts) - state), "circuit.bits") if several else 1
    steps = within(document.get("steps", 0), 0, GATES, "circuit.steps")
    inputs = wide if recurrent else n
    return (
        [_gate(gate, number, inputs, state, recurrent and not several) for number, gate in enumerate(texts, 1)],
        state,
        wide,
        steps,
        several,
    )


def _gate(gate: str, number: int, inputs: int, state: int, alone: bool) -> Gate:
    kind, *reads = gate.split() or [""]
    if kind in ARGUMENTS and len(reads) == ARGUMENTS[kind] and all(read.isascii() and read.isdigit() for read in reads):
        numbers = tuple(int(read) for read in reads)
        if any(not 1 <= read < number for read in numbers):
            raise Refused(f"parameters.circuit: gate {number} does not read earlier gates")
        return kind, numbers
    name, place = gate[:1], gate[1:] if gate != "x" or not alone else "1"
    most = {"x": inputs, "s": state}.get(name, 0)
    if not (place.isascii() and place.isdigit() and 1 <= int(place) <= most) or (name == "x" and alone and gate != "x"):
        raise Refused(f"parameters.circuit: gate {number} is {gate!r:.80}, which is not a gate here")
    return name, (int(place),)


TASKS = {"circuit": Task({"length": Integer(1, 10**5), "circuit": Text(10**6), "thought": Word(("none", "chain"))}, circuit)}
