"""Any Boolean circuit by a Transformer whose chain of thought is the value of each gate; and any recurrent model given as such a circuit.

[wen2024 Theorem B.30] [wen2024 Theorem 4.8; without a chain of the recurrent model itself]

Notation   P  gates     j  the gate that is due, of 1 .. P     t  the step of a recurrent circuit     k  position

Every gate is a + b l + c r + d l r of the one or two bits that it reads. At position k the value of gate j is due, where counting restarts
after P tokens, so the embedding holds j. Layer 1 looks up the coefficients, and where the bits stand relative to k; layer 2 reads them with
one head each. A recurrent circuit has a third head for its input bit: in step t that stands at position t + 1, and P (t + 1) is
k - j - n + 2 P, so this head compares positions times P. The state stands in the step before; in the first step it counts as 0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from separatrix.architectures import Architecture, Mode
from separatrix.certificates.construction import Construction
from separatrix.constructions.address_weights import AddressWeights
from separatrix.constructions.forms import Form, stack
from separatrix.constructions.gadgets import equal, lookup_table, threshold, when
from separatrix.constructions.parts.blocks import read_at
from separatrix.constructions.parts.numbered import Numbered
from separatrix.constructions.parts.rules import Rules, combined, scaled
from separatrix.constructions.wen2024.thought import need_thought
from separatrix.errors import BadInput
from separatrix.tasks.circuit import Circuit
from separatrix.tasks.gates import Circuit as Gates
from separatrix.tasks.searching import STOP

if TYPE_CHECKING:
    from separatrix.certificates.built import Built

COEFFICIENTS = {
    "and": (0, 0, 0, 1), "or": (0, 1, 1, -1), "xor": (0, 1, 1, -2), "not": (1, -1, 0, 0), "one": (1, 0, 0, 0), "input": (0, 1, 0, 0),
    "state": (0, 1, 0, 0),
}  # fmt: skip


def transformer_program(task: Circuit, arithmetic: str, recurrent: bool) -> Numbered:
    """A layer that looks up the gate, and one with a head for each bit that evaluates it."""
    need_thought(task, "chain")
    circuit, n = task.gates, task.length
    if (circuit.state is not None) != recurrent:
        expected = "a recurrent circuit, with `state`" if recurrent else "a circuit over the whole input, without `state`"
        raise BadInput(f"circuit: expected {expected}")
    P, L = len(circuit.gates), task.token_count + task.chain_limit
    program = Numbered(task.name, task.spelling, 0, L, arithmetic)
    net, one, k = program.net, program.one, program.place[0]
    due = net.place("due", AddressWeights("quadratic", 2, shift=n, fold=P))[0]  # j: gate 1 is due at position n + 1

    layer = net.pointwise()

    def table(name: str, column: list[int]) -> Form:
        return layer.write(name, lookup_table(due, {j: float(value) for j, value in enumerate(column, 1)}))

    weights = {**COEFFICIENTS, "input": (0, 0, 0, 0)} if recurrent else COEFFICIENTS  # the third head reads a recurrent circuit's input
    a, b, c, d = (table(name, [weights[gate.kind][i] for gate in circuit.gates]) for i, name in enumerate("abcd"))
    left, right = (table(name, [_offset(circuit, j, side, n) for j in range(1, P + 1)]) for side, name in enumerate(("left", "right")))
    ended = layer.write("ended", equal(k, (L - 1) * one, one))
    kinds = [gate.kind for gate in circuit.gates]
    if recurrent:
        of_input, of_state = (table(kind, [int(other == kind) for other in kinds]) for kind in ("input", "state"))
        first_step = layer.write(
            "first step", combined("first step", 1, [(0, when([], one)), (0, threshold(k, n + P + 1, 1, -1 * one))], 0, 1)
        )

    layer = net.layer()
    bit = program.flag("1")
    x, y = (read_at(program, layer, f"bit {name}", k + offset, 2 * L, bit, f"bit {name}") for name, offset in (("l", left), ("r", right)))
    terms = [when([], a), when([x], b), when([y], c), when([x, y], d)]
    if recurrent:
        g = program.gap
        program.fits(3 * g * (P * L) ** 2, "logits of the input bit")
        target = k - due + (2 * P - n) * one
        query, key = stack(2 * g * target, -g * one), stack(P * k, P * P * program.place[1])
        z = layer.attend("input bit", query=query, key=key, value=bit, into="input bit")
        terms += [when([of_input, z], one), when([x, of_state, first_step], -1 * one)]
    rules = Rules(program)
    rules.say_by("1", scaled(2.0, combined("gate", 1, [(0, term) for term in terms])))
    rules.say("0", [])
    rules.say(STOP, [ended], weight=3)
    rules.finish(layer)
    return program


def _offset(circuit: Gates, j: int, side: int, n: int) -> int:
    """How far its bit stands from position k, where gate j is due; 0 if it reads none. Gate i of this step stands at k + 1 - j + i."""
    gate = circuit.gates[j - 1]
    if gate.kind == "state":
        return 0 if side else 1 - j - (circuit.state or 0) + gate.reads[0]
    if gate.kind == "input":
        return 0 if side or circuit.state is not None else gate.reads[0] + 1 - n - j
    return 1 - j + gate.reads[side] if side < len(gate.reads) else 0


def circuit_transformer(task: Circuit, arithmetic: str = "float64") -> Built:
    """Two layers, two heads, O(P) hidden units: the chain is the value of each gate of any circuit over the whole input."""
    return transformer_program(task, arithmetic, recurrent=False).compile(task, CIRCUIT_TRANSFORMER)


def circuit_transformer_recurrent(task: Circuit, arithmetic: str = "float64") -> Built:
    """Two layers, three heads, O(P) hidden units: the chain is every gate of each step of a recurrent model given as a circuit."""
    return transformer_program(task, arithmetic, recurrent=True).compile(task, CIRCUIT_TRANSFORMER_RECURRENT)


CIRCUIT_TRANSFORMER = Construction(
    name="circuit/transformer",
    cites="wen2024 Theorem B.30",
    computes=Circuit,
    architecture=Architecture.TRANSFORMER,
    mode=Mode.CHAIN,
    build=circuit_transformer,
    formula=lambda task, arithmetic: transformer_program(task, arithmetic, recurrent=False).sizes(),
    quick=({"length": 6},),
    default_length=16,
    defaults={"thought": "chain"},
    chain="P + 1",
    paper_says="constant depth and precision, width O(log n), chain of P",
)
CIRCUIT_TRANSFORMER_RECURRENT = Construction(
    name="circuit/transformer/recurrent",
    cites="wen2024 Theorem 4.8",
    computes=Circuit,
    architecture=Architecture.TRANSFORMER,
    mode=Mode.CHAIN,
    build=circuit_transformer_recurrent,
    formula=lambda task, arithmetic: transformer_program(task, arithmetic, recurrent=True).sizes(),
    quick=({"length": 4, "circuit": "recurrent-mod-3"},),
    default_length=16,
    defaults={"circuit": "recurrent-parity", "thought": "chain"},
    chain="P n + 1",
    paper_says="O(P log max(P, n)) bits of parameters, chain of at most (P + 1) n^A",
)
